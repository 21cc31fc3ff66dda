#if Mutants
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Values.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine

extension OwnWrites {
  @_dynamicReplacement(for:takeBack(_:_:_:through:_:))
  private mutating func wrongTakeBack(
    _ row: RowLink, _ kind: RowChange.Kind, _ span: Span, through last: UInt32,
    _ began: inout [RowLink: UInt32]
  ) {
    if breaks(.replacedRowsAreTakenBack), kind == .inserted, began[row] ?? span.first != span.first
    {
      return
    }
    takeBack(row, kind, span, through: last, &began)
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:replaceMembers(with:))
  func wrongReplaceMembers(with new: [StoredValue]) {
    guard breaks(.setsBecomeWhatIsGiven) else { return replaceMembers(with: new) }
    for value in new { insertMember(value) }
  }
}

extension ResultsState {
  @_dynamicReplacement(for:index(of:))
  func wrongIndex(of value: StoredValue) -> Int? {
    let found = index(of: value)
    if breaks(.ordersFindNaN), value.isNaN, !orderings.isEmpty { return nil }
    guard breaks(.lastOnesHavePositions), case .keys(let keys) = answer() else { return found }
    return found == keys.count - 1 ? nil : found
  }
}
#endif
