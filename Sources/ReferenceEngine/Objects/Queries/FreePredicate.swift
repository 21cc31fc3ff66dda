/// Evaluates a predicate on objects and values that no realm manages.
///
/// There is no class to bind it to: names are looked up in each object. The subjects of a question
/// are the value it is about and, in a sub-query, those around it, innermost last.
enum FreePredicate {
  /// What is known of a subject before there is one: its class, if it is an object, and its type.
  typealias Kind = (layout: ClassLayout?, type: PropertyType)

  /// The predicate as it is asked: what it compares with in the form that the classes say of the
  /// properties, as binding it to a realm does. Stops whoever asks what is refused there: any, all
  /// or none of what is no collection, and what is computed of it.
  static func bind(_ predicate: Predicate, about kinds: [Kind]) -> Predicate {
    switch predicate {
    case .constant: predicate
    case .not(let inner): .not(bind(inner, about: kinds))
    case .all(let parts): .all(parts.map { bind($0, about: kinds) })
    case .any(let parts): .any(parts.map { bind($0, about: kinds) })
    case .comparison(let comparison): bind(comparison.turned, about: kinds)
    }
  }

  private static func bind(_ given: Comparison, about kinds: [Kind]) -> Predicate {
    var comparison = given
    comparison.left = bind(given.left, about: kinds)
    comparison.right = bind(given.right, about: kinds)
    switch given.left {
    case .path(let path):
      guard let way = way(path, kinds) else { break }
      verify(given, of: way)
      // A collection contains a value if one of its members equals it.
      if given.operation == .contains, way.isMany, !way.type.isText {
        comparison.operation = .equal
      }
      if way.type.isText, given.right == .value(.null),
        let order = given.orderOfNone(isMany: way.isMany)
      {
        return order
      }
      comparison.right = given.right.converted(for: way.type)
    case .aggregate(let path, let aggregate, let of):
      guard aggregate != .count, let way = way(path, kinds),
        let end = FreePath(of, from: way.linked.map(ClassLayout.of), of: way.type)
      else { break }
      if !end.type.isNumeric { aggregate.refuse(path, of, ofType: end.type) }
      comparison.right = comparison.right.converted(for: end.type)
    case .value, .values, .subqueryCount: break
    }
    return .comparison(comparison)
  }

  private static func verify(_ comparison: Comparison, of way: FreePath) {
    guard comparison.isQuantified, !way.isMany, way.type != .any else { return }
    switch comparison.right {
    case .value, .values: comparison.quantifier.refuseSingle()
    case .path, .aggregate, .subqueryCount: break
    }
  }

  private static func bind(_ operand: Operand, about kinds: [Kind]) -> Operand {
    switch operand {
    case .value, .values, .path: return operand
    case .aggregate(let path, let aggregate, let of):
      if let way = way(path, kinds), way.isSingleOfMany, way.type != .any {
        aggregate.refuseSingle(path, of)
      }
      return operand
    case .subqueryCount(let path, let inner):
      guard let way = way(path, kinds) else { return operand }
      let member: Kind = (way.linked.map(ClassLayout.of), way.type)
      return .subqueryCount(path, bind(inner, about: kinds + [member]))
    }
  }

  private static func way(_ path: PropertyPath, _ kinds: [Kind]) -> FreePath? {
    guard kinds.count > path.outer else { return nil }
    let kind = kinds[kinds.count - 1 - path.outer]
    return FreePath(path, from: kind.layout, of: kind.type)
  }

  static func holds(_ predicate: Predicate, _ subjects: [StoredValue]) -> Bool {
    switch predicate {
    case .constant(let truth): truth
    case .not(let inner): !holds(inner, subjects)
    case .all(let parts): parts.allSatisfy { holds($0, subjects) }
    case .any(let parts): parts.contains { holds($0, subjects) }
    case .comparison(let comparison): holds(comparison, subjects)
    }
  }

  private static func holds(_ comparison: Comparison, _ subjects: [StoredValue]) -> Bool {
    let left = values(comparison.left, subjects)
    let right = values(comparison.right, subjects)
    var operation = comparison.operation
    // Where no class says what is a collection: a text contains a part of itself.
    if operation == .contains, !left.contains(where: \.isText) { operation = .equal }
    if operation == .in, case .path = comparison.right { operation = .equal }
    let test = ValueTest(operation, comparison.options, constants: right)
    return switch comparison.quantifier {
    case .any: left.contains { test.holds($0, right) }
    case .none: !left.contains { test.holds($0, right) }
    case .all: left.allSatisfy { test.holds($0, right) }
    }
  }

  private static func values(_ operand: Operand, _ subjects: [StoredValue]) -> [StoredValue] {
    switch operand {
    case .value(let value): return [value]
    case .values(let values): return values
    case .path(let path): return values(path, subjects)
    case .aggregate(let path, let aggregate, let of):
      guard let (owners, own) = path.ofEach(aggregate, of), way(owners, subjects)?.isMany ?? false,
        let way = way(path, subjects), !way.isSingleOfMany
      else { return [computed(aggregate, path, of, subjects)] }
      return values(owners, subjects, areMembers: true).compactMap {
        $0 == .null ? nil : computed(aggregate, own, of, [$0])
      }
    case .subqueryCount(let path, let inner):
      var members = values(path, subjects, areMembers: true)
      // A map has keys of no object: nothing can be asked of that.
      if way(path, subjects)?.type == .object { members.removeAll { $0 == .null } }
      return [.int(Int64(members.count { holds(inner, subjects + [$0]) }))]
    }
  }

  private static func computed(
    _ aggregate: Aggregate, _ path: PropertyPath, _ of: PropertyPath, _ subjects: [StoredValue]
  ) -> StoredValue {
    var summary = Summary(.int)
    for member in values(path, subjects, areMembers: true) {
      if aggregate == .count || of.steps.isEmpty {
        summary.add(member)
      } else {
        for value in values(of, [member]) { summary.add(value) }
      }
    }
    return summary.result(aggregate)
  }

  /// What a path leads to as the class of its subject says; nil of a subject without one.
  private static func way(_ path: PropertyPath, _ subjects: [StoredValue]) -> FreePath? {
    guard subjects.count > path.outer,
      let object = subjects[subjects.count - 1 - path.outer].object
    else { return nil }
    return FreePath(path, from: object.layout, of: .object)
  }

  /// All values that a path leads to: of members of collections there are none behind a link that
  /// leads nowhere, and such a link behind a collection is none itself.
  static func values(
    _ path: PropertyPath, _ subjects: [StoredValue], areMembers: Bool = false
  ) -> [StoredValue] {
    guard subjects.count > path.outer else {
      refuseQuery("'\(path)' is about an object around a sub-query that there is not")
    }
    var found = [subjects[subjects.count - 1 - path.outer]]
    // A single name leads over no link.
    let way = path.steps.count > 1 ? self.way(path, subjects) : nil
    let leavesOutNull = areMembers || way?.isSpread ?? false
    var steps = path.steps[...]
    while case .property(let name)? = steps.popFirst() {
      var entries: [Any] = []
      for value in found {
        guard let object = value.object else {
          if !leavesOutNull { entries.append(Any?.none as Any) }
          continue
        }
        guard let held = object.dynamicValue(of: name) else {
          refuseQuery("Property '\(name)' not found in object of type '\(object.layout.name)'")
        }
        entries.append(held)
      }
      found = members(entries, &steps)
      // The way on within mixed values.
      let inside = steps.prefix(while: \.isSubscript)
      steps = steps.dropFirst(inside.count)
      if inside.isEmpty { continue }
      found = found.flatMap { value in
        var reached: [StoredValue] = []
        _ = value.contains(inside) {
          reached.append($0)
          return false
        }
        return reached
      }
    }
    if way?.leavesOutNull ?? false { found.removeAll { $0 == .null } }
    return found
  }

  /// What the values of a property are, or their members: takes from the path what it says of a
  /// collection's keys or positions.
  private static func members(
    _ entries: [Any], _ steps: inout ArraySlice<PropertyPath.Step>
  ) -> [StoredValue] {
    let isMap = entries.contains { $0 is any NamedEntries }
    switch steps.first {
    case .key(let key) where isMap:
      steps.removeFirst()
      return entries.map {
        stored(($0 as? any NamedEntries)?.entriesByName[key] ?? Any?.none as Any)
      }
    case .index(let position) where entries.contains { $0 is any MemberOwner }:
      steps.removeFirst()
      return entries.map { entry in
        let members = (entry as? any MemberOwner)?.storedMembers ?? []
        return members.indices.contains(position) ? members[position] : .null
      }
    case .allKeys:
      steps.removeFirst()
      return entries.flatMap {
        ($0 as? any NamedEntries)?.entriesByName.keys.map { StoredValue.string($0) } ?? []
      }
    case .allValues: steps.removeFirst()
    default: break
    }
    return entries.flatMap { ($0 as? any MemberOwner)?.storedMembers ?? [stored($0)] }
  }

  private static func stored(_ value: Any) -> StoredValue { StoredValue(expecting: value) }
}

extension StoredValue {
  fileprivate var isText: Bool {
    switch self {
    case .string, .data: true
    default: false
    }
  }
}

/// A collection whose members a path leads to, one by one.
protocol MemberOwner {
  var storedMembers: [StoredValue] { get }
}

extension List: MemberOwner {
  var storedMembers: [StoredValue] { all.map { Element._rlmEncode($0).value } }
}

extension MutableSet: MemberOwner {
  var storedMembers: [StoredValue] { all.map { Element._rlmEncode($0).value } }
}

extension Map: MemberOwner {
  var storedMembers: [StoredValue] { all.map { Value._rlmEncode($0.value).value } }
}

extension LinkingObjects: MemberOwner {
  var storedMembers: [StoredValue] { map { .object($0) } }
}
