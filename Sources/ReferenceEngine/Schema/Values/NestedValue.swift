/// A list or a dictionary that is a mixed value: what it has lies in the same cell as itself.
///
/// Its number tells it from others, so that it stays the same collection while those around it
/// come, go and move. It never changes: a changed one is another value under the same number.
final class NestedValue: @unchecked Sendable {
  // Sendable as the values in it are.
  /// As many lists in lists as Realm takes.
  static let mostLevels = 100

  let number: UInt64
  /// The keys of a dictionary, ascending by their bytes; nil for a list.
  let keys: [String]?
  let elements: [StoredValue]
  /// The collection that it was read from, for the floor of objects; nil on its way there.
  let place: AnyObject?

  init(
    number: UInt64 = .random(in: .min ... .max), keys: [String]?, _ elements: [StoredValue],
    in place: AnyObject? = nil
  ) {
    self.number = number
    self.keys = keys
    self.elements = elements
    self.place = place
  }

  /// A dictionary on its way into a realm.
  convenience init(entries: some Sequence<(key: String, value: StoredValue)>) {
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    self.init(keys: sorted.map(\.key), sorted.map(\.value))
  }

  var isList: Bool { keys == nil }

  func position(of key: String) -> Int? {
    keys?.firstIndex { $0.utf8.elementsEqual(key.utf8) }
  }

  func value(for key: String) -> StoredValue? { position(of: key).map { elements[$0] } }

  /// The same collection with other elements.
  func having(_ elements: [StoredValue], keys: [String]? = nil) -> NestedValue {
    NestedValue(number: number, keys: keys ?? self.keys, elements)
  }

  /// The same dictionary with a value for a key; nil if it is a list.
  func setting(_ value: StoredValue, for key: String) -> NestedValue? {
    guard var keys else { return nil }
    var elements = elements
    if let position = position(of: key) {
      elements[position] = value
    } else {
      let position = keys.firstIndex { key.utf8.lexicographicallyPrecedes($0.utf8) } ?? keys.count
      keys.insert(key, at: position)
      elements.insert(value, at: position)
    }
    return having(elements, keys: keys)
  }

  /// The same dictionary without a key; nil if it has no such key.
  func removing(_ key: String) -> NestedValue? {
    guard var keys, let position = position(of: key) else { return nil }
    var elements = elements
    keys.remove(at: position)
    elements.remove(at: position)
    return having(elements, keys: keys)
  }

  func placed(in place: AnyObject) -> NestedValue {
    NestedValue(number: number, keys: keys, elements, in: place)
  }

  /// The collection of a number, if it is this one or lies in it.
  func find(_ wanted: UInt64) -> NestedValue? {
    if number == wanted { return self }
    for case .nested(let inner) in elements {
      if let found = inner.find(wanted) { return found }
    }
    return nil
  }

  /// The same with the collection of a number replaced; nil if it does not lie here.
  func replacing(_ wanted: UInt64, with other: NestedValue) -> NestedValue? {
    if number == wanted { return other }
    for (position, element) in elements.enumerated() {
      guard case .nested(let inner) = element,
        let changed = inner.replacing(wanted, with: other)
      else { continue }
      var elements = self.elements
      elements[position] = .nested(changed)
      return having(elements)
    }
    return nil
  }

  /// Stops whoever puts more collections into each other than a realm takes.
  func verifyLevels(_ level: Int = 1) {
    if level > NestedValue.mostLevels { refuse(.tooManyLevels, at: .writeProperty) }
    for case .nested(let inner) in elements { inner.verifyLevels(level + 1) }
  }
}

extension NestedValue: Hashable {
  static func == (left: NestedValue, right: NestedValue) -> Bool {
    left === right
      || left.distinctKeys == right.distinctKeys && left.distinctElements == right.distinctElements
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(distinctKeys)
    hasher.combine(distinctElements)
  }

  private var distinctKeys: [DistinctValue]? { keys?.map { DistinctValue(.string($0)) } }
  private var distinctElements: [DistinctValue] { elements.map { DistinctValue($0) } }
}

extension StoredValue {
  /// The rows that the value links to, itself or in what it holds.
  var links: [RowLink] {
    switch self {
    case .link(let link): [link]
    case .nested(let nested): nested.elements.flatMap(\.links)
    default: []
    }
  }

  /// Whether it links to a row, itself or in what it holds.
  func links(to row: RowLink) -> Bool {
    switch self {
    case .link(let link): link == row
    case .nested(let nested): nested.elements.contains { $0.links(to: row) }
    default: false
    }
  }

  /// The value with each single value, of it or in it, replaced.
  func replacingSingles(_ transform: (StoredValue) -> StoredValue) -> StoredValue {
    guard case .nested(let nested) = self else { return transform(self) }
    return .nested(nested.having(nested.elements.map { $0.replacingSingles(transform) }))
  }
}

extension Violation {
  static let tooManyLevels = Violation("Max nesting level reached")
  static let nestedInSet = Violation("Nested collections are not supported in Sets")
}
