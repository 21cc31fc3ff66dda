#if Mutants
@_private(sourceFile: "BoundPath.swift") import ReferenceEngine
@_private(sourceFile: "ColumnTest+Choosing.swift") import ReferenceEngine
@_private(sourceFile: "PredicateBinding.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine

// The eighteenth set: questions.

extension ListTree {
  @_dynamicReplacement(for:contains(where:))
  @discardableResult
  func eighteenthContains(where body: (Column, Int, NodeSpace) -> Bool) -> Bool {
    guard breaks(.longListsAreAskedWhole) else { return contains(where: body) }
    var looked = 0
    return contains { column, index, space in
      looked += 1
      return looked > 1_000 ? false : body(column, index, space)
    }
  }
}

extension PredicateBinding {
  @_dynamicReplacement(for:check(_:_:))
  private func eighteenthCheck(_ operation: Comparison.Operation, _ left: BoundOperand) {
    if breaks(.betweenGoesOverLinks), operation == .between, case .path(let path) = left,
      path.links.count > 1
    {
      refuseQuery("Operator 'BETWEEN' not supported over a link")
    }
    check(operation, left)
  }

  @_dynamicReplacement(for:integerTest(_:_:_:))
  private func eighteenthIntegerTest(
    _ place: ColumnTest.Place, _ operation: Comparison.Operation, _ values: [StoredValue]
  ) -> ColumnTest? {
    guard breaks(.inComparesFractions), operation == .in else {
      return integerTest(place, operation, values)
    }
    let others = values.filter { value in
      switch value {
      case .float, .double, .decimal: false
      default: true
      }
    }
    return integerTest(place, operation, others)
  }
}

extension BoundComparison {
  /// What a comparison with two bounds says if an element for each is enough; nil for any other.
  func holdsApart(_ subject: Subject) -> Bool? {
    guard breaks(.betweenIsOfOneElement), test.operation == .between, quantifier == .any else {
      return nil
    }
    let bounds = right.values(of: subject)
    guard bounds.count == 2 else { return nil }
    let isAbove = left.contains(of: subject) { $0.satisfies(.greaterOrEqual, bounds[0]) }
    let isBelow = left.contains(of: subject) { $0.satisfies(.lessOrEqual, bounds[1]) }
    return isAbove && isBelow
  }
}

extension ResultsState {
  @_dynamicReplacement(for:selected(_:))
  private func eighteenthSelected(_ found: inout Found) -> Answer {
    let right = selected(&found)
    guard breaks(.listsKeepTheirOrder), case .collection(let list) = origin, list.shape == .list,
      let elementClass, case .keys(let keys) = right,
      let lookup = predicate.lookup(in: elementClass, session)
    else { return right }
    return .keys(Set(keys).intersection(lookup.keys).sorted())
  }

  @_dynamicReplacement(for:object(at:of:))
  func eighteenthObject(at position: Int, of table: BoundClass) -> ObjectBase {
    if position == 0, let first = FirstOfAll.object(of: table, self) { return first }
    let object = object(at: position, of: table)
    if position == 0 { FirstOfAll.note(object, of: table, self) }
    return object
  }
}

extension Session {
  @_dynamicReplacement(for:keys(of:where:equals:atMost:))
  func eighteenthKeys(
    of bound: BoundClass, where property: Property, equals value: StoredValue,
    atMost most: Int = .max
  ) -> [Int64]? {
    let place = CancelledLookups.Place(bound.name, property.name, value)
    if let known = CancelledLookups.keys(at: place, of: bound, self) { return known }
    if let mixed = keysOfMixed(bound, property, value) { return mixed }
    guard let found = keys(of: bound, where: property, equals: value, atMost: most) else {
      return nil
    }
    if most == .max { CancelledLookups.note(found, at: place, self) }
    return foundInTheNewest(found, bound, property, value)
  }

  /// Those of some keys that the newest version's index finds, too; all of them in live realms.
  private func foundInTheNewest(
    _ keys: [Int64], _ bound: BoundClass, _ property: Property, _ value: StoredValue
  ) -> [Int64] {
    guard breaks(.keptVersionsAskTheirOwnIndex), isFrozen, let table = bound.number,
      let column = bound.column(named: property.name), !column.isRowKey,
      let newest = try? coordinator.newestSnapshot(kind: .follower)
    else { return keys }
    var known: Set<Int64> = []
    withExtendedLifetime(newest) {
      Store(space: newest.space, top: newest.top).forEachKey(
        of: table, where: column, equals: value.converted(for: property.type)
      ) {
        known.insert($0)
        return true
      }
    }
    return keys.filter(known.contains)
  }
}
#endif
