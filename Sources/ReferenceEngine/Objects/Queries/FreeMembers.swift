/// The members of a collection that no realm manages: what can be computed of them is computed here
/// and now.
struct FreeMembers {
  let values: [StoredValue]
  /// Realm's internal name for the kind of collection, which its diagnostics use.
  let word: String
  private let type: PropertyType
  private let linked: ObjectBase.Type?

  init<Element: RealmCollectionValue>(_ elements: some Sequence<Element>, _ word: String) {
    values = elements.map { Element._rlmEncode($0).value }
    self.word = word
    type = Element._rlmType
    linked = Element._rlmLinkedClass
  }

  func firstIndex(satisfying predicate: Predicate) -> Int? {
    predicate.verifyDepth()
    let predicate = FreePredicate.bind(predicate, about: [(linked.map(ClassLayout.of), type)])
    return values.firstIndex { FreePredicate.holds(predicate, [$0]) }
  }

  /// The least, the greatest, the sum or the mean of a property; null where there is none.
  func aggregate(_ aggregate: Aggregate, of path: PropertyPath) -> StoredValue {
    let (type, name) = described(path)
    guard type.isNumeric, type != .date || aggregate == .min || aggregate == .max else {
      refuseQuery(
        "\(aggregate.rawValue) is not supported for \(type.word) property "
          + "'\(linked?.className() ?? "collection").\(name)'")
    }
    var summary = Summary(type)
    for value in values {
      for found in FreePredicate.values(path, [value]) { summary.add(found) }
    }
    return summary.result(aggregate)
  }

  /// What a path leads to, and the last name on it.
  private func described(_ path: PropertyPath) -> (PropertyType, String) {
    var (type, name, next) = (self.type, "self", linked)
    for case .property(let step) in path.steps {
      guard let layout = next.map(ClassLayout.of), let index = layout.index(of: step) else {
        refuseQuery(
          "Property '\(step)' not found in object of type '\(next?.className() ?? type.word)'")
      }
      let field = layout.fields[index]
      (type, name, next) = (field.property.type, step, field.linked)
    }
    return (type, name)
  }
}
