// Which values are the same to the file. Swift's `==` may see it otherwise: here NaN is the same as
// itself, and two spellings of one text are two texts.

extension StoredValue {
  /// Whether the file has the same of both.
  func isStored(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.float(let one), .float(let two)): one.bitPattern == two.bitPattern
    case (.double(let one), .double(let two)): one.bitPattern == two.bitPattern
    case (.date(let one), .date(let two)):
      one.timeIntervalSinceReferenceDate.bitPattern
        == two.timeIntervalSinceReferenceDate.bitPattern
    case (.decimal(let one), .decimal(let two)): one.high == two.high && one.low == two.low
    case (.string(let one), .string(let two)): one.utf8.elementsEqual(two.utf8)
    case (.nested(let one), .nested(let two)): one.isStored(as: two)
    default: self == other
    }
  }
}

extension NestedValue {
  fileprivate func isStored(as other: NestedValue) -> Bool {
    self === other
      || isList == other.isList
        && (keys ?? []).elementsEqual(other.keys ?? []) { $0.utf8.elementsEqual($1.utf8) }
        && elements.elementsEqual(other.elements) { $0.isStored(as: $1) }
  }
}
