#if Mutants
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine
@_private(sourceFile: "ManagedCollection+Values.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine

extension OwnWrites {
  @_dynamicReplacement(for:note(_:_:))
  mutating func wrongNote(_ table: Int, _ keys: ClosedRange<Int64>) {
    if !breaks(.replacedRowsAreTakenBack) { note(table, keys) }
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
    guard breaks(.lastOnesHavePositions), case .keys(let keys) = answer() else { return found }
    return found == keys.count - 1 ? nil : found
  }
}
#endif
