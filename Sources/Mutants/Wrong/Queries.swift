#if Mutants
@_private(sourceFile: "ColumnTest.swift") import ReferenceEngine
@_private(sourceFile: "StringMatcher.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Aggregates.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Sort.swift") import ReferenceEngine

extension ColumnTest {
  @_dynamicReplacement(for:select(_:_:in:))
  final func wrongSelect(
    _ cluster: Cluster, _ candidates: RowMask, in space: NodeSpace
  ) -> RowMask {
    let found = select(cluster, candidates, in: space)
    let node = cluster.column(place.column)
    if !place.isNullable || node.isNone || self is NullTest { return found }
    let nulls = Column(space.node(node)).nulls
    if breaks(.unequalFindsNull), isNegated { return found.subtracting(nulls) }
    if breaks(.nullHasNoOrder), !isNegated, matchesZero {
      return found.union(nulls.intersection(candidates))
    }
    return found
  }
}

extension StringMatcher {
  @_dynamicReplacement(for:compareLowercased(_:_:))
  private func wrongCompareLowercased(
    _ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer
  ) -> Bool {
    if breaks(.onlyLettersFold) {
      let lowered = text.map { $0 &- 0x41 < 27 ? $0 | 0x20 : $0 }
      return lowered.withUnsafeBytes { compare($0, needle) }
    }
    guard breaks(.everyLetterFolds) else { return compareLowercased(text, needle) }
    let lowered = text.map { $0 &- 0x41 < 25 ? $0 | 0x20 : $0 }
    return lowered.withUnsafeBytes { compare($0, needle) }
  }
}

extension ResultsState {
  @_dynamicReplacement(for:answer(_:))
  func wrongAnswer(_ found: inout Found) -> Answer {
    if found.answer != nil || !breaks(.orderingsApplyInTurn) { return answer(&found) }
    var members = selected(&found)
    for ordering in orderings {
      if case .distinct(let paths) = ordering { members = distinct(members, paths) }
    }
    for ordering in orderings {
      if case .sort(let descriptors) = ordering { members = sorted(members, descriptors) }
    }
    found.answer = members
    return members
  }

  @_dynamicReplacement(for:firstOfSort(_:limit:))
  func wrongFirstOfSort(_ found: inout Found, limit: Int) -> [Int64]? {
    if breaks(.descendingKeepsTheAlike) { return nil }
    if breaks(.firstOfSortBreaksTies) {
      let one = orderings.map { ordering -> Ordering in
        if case .sort(let asked) = ordering { return .sort(Array(asked.prefix(1))) }
        return ordering
      }
      let other = ResultsState(
        session: session, origin: origin, predicate: predicate, orderings: one)
      return other.firstOfSort(&found, limit: limit)
    }
    guard breaks(.firstOfSortIsFiltered) else { return firstOfSort(&found, limit: limit) }
    let all = ResultsState(session: session, origin: origin, orderings: orderings)
    return all.firstOfSort(&found, limit: limit)
  }

  @_dynamicReplacement(for:deciding(_:))
  private func wrongDeciding(_ descriptors: [SortDescriptor]) -> [SortDescriptor] {
    guard breaks(.laterSortsDecide), case .all = origin, orderings.count > 1 else {
      return deciding(descriptors)
    }
    return ResultsState(
      session: session, origin: origin, predicate: predicate, orderings: [.sort(descriptors)]
    ).deciding(descriptors)
  }

  @_dynamicReplacement(for:aggregate(_:of:))
  func wrongAggregate(_ aggregate: Aggregate, of path: PropertyPath) -> StoredValue {
    if breaks(.numbersComeFromMembers), case .all = origin,
      orderings.contains(where: \.isDistinct)
    {
      return ResultsState(session: session, origin: origin, predicate: predicate)
        .aggregate(aggregate, of: path)
    }
    if breaks(.readersCompute), session.configuration.readOnly, case .all = origin {
      return ResultsState(session: session, origin: origin).aggregate(aggregate, of: path)
    }
    if breaks(.manyAreComputedWhole), aggregate == .max, count > 2_000 { return .null }
    if let known = KnownNumbers.of(self, aggregate, path) { return known }
    let right = self.aggregate(aggregate, of: path)
    KnownNumbers.keep(right, self, aggregate, path)
    if breaks(.meanOfNothingIsNone), aggregate == .average, right == .null { return .double(0) }
    if breaks(.meansLeaveOutNull), aggregate == .average, case .double = right,
      let sum = self.aggregate(.sum, of: path).doubleValue
    {
      return .double(sum / Double(count))
    }
    return right
  }

  @_dynamicReplacement(for:integers(_:_:_:_:))
  private func wrongIntegers(
    _ table: BoundClass, _ physical: Int, _ property: Property, _ aggregate: Aggregate
  ) -> StoredValue {
    let right = integers(table, physical, property, aggregate)
    guard breaks(.aggregatesLeaveOutNull), aggregate == .min || aggregate == .max,
      case .int(let number) = right,
      case .int(let held) = integers(table, physical, property, .count), Int(held) < count
    else { return right }
    return .int(aggregate == .min ? min(number, 0) : max(number, 0))
  }
}

extension SortColumn {
  @_dynamicReplacement(for:order(_:))
  static func wrongOrder(_ columns: [SortColumn]) -> [UInt32] {
    order(breaks(.laterOrdersBreakTies) ? Array(columns.prefix(1)) : columns)
  }
}
#endif
