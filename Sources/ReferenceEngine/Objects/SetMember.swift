/// A value as sets tell their members apart: as the file does, so that a free set has as many of
/// them as a realm then has. Two spellings of one text are two, NaN is one, and so are both zeros.
struct SetMember: Hashable {
  let value: StoredValue

  init(_ value: StoredValue) { self.value = value }

  init<Element: RealmCollectionValue>(_ element: Element) {
    value = Element._rlmEncode(element).value
  }

  static func == (left: SetMember, right: SetMember) -> Bool {
    switch (left.value, right.value) {
    // NaNs of other bits are others to the file.
    case (.double(let one), .double(let other)):
      one == other || one.bitPattern == other.bitPattern
    case (.float(let one), .float(let other)): one == other || one.bitPattern == other.bitPattern
    default: DistinctValue(left.value) == DistinctValue(right.value)
    }
  }

  func hash(into hasher: inout Hasher) { DistinctValue(value).hash(into: &hasher) }
}
