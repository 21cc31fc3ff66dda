// The answer to the question: found when somebody looks, kept while the session's content stays the same.

extension ResultsState {
  var count: Int {
    verify()
    return allValues().count
  }

  /// The member at a position: a link for objects, the value itself for values.
  func value(at position: Int) -> StoredValue {
    let values = allValues()
    guard values.indices.contains(position) else {
      refuse(.beyondResults(position, count: values.count))
    }
    return values[position]
  }

  /// All members, in order.
  func allValues() -> [StoredValue] {
    verify()
    return []
  }

  func index(of value: StoredValue) -> Int? { allValues().firstIndex(of: value) }

  func firstIndex(satisfying predicate: Predicate) -> Int? {
    verify()
    return nil
  }

  func aggregate(_ aggregate: Aggregate, of path: PropertyPath) -> StoredValue {
    verify()
    return .null
  }
}

extension Violation {
  static func beyondResults(_ index: Int, count: Int) -> Violation {
    index < 0
      ? Violation("Cannot pass a negative value")
      : Violation("Index \(index) is out of bounds (must be less than \(count)).")
  }
}
