#if Mutants
@_private(sourceFile: "ChangeRecorder.swift") import ReferenceEngine

extension ChangeSet {
  @_dynamicReplacement(for:combine(_:_:))
  private static func wrongCombine(_ old: RowChange, _ new: RowChange) -> RowChange? {
    if breaks(.comingBackIsNews), old.kind == .deleted, new.kind == .inserted { return nil }
    if breaks(.joinedCommitsTellAll), old.kind == .modified, new.kind == .modified { return new }
    return combine(old, new)
  }
}

extension ChangeLog {
  @_dynamicReplacement(for:knowsRows)
  var wrongKnowsRows: Bool { knowsRows || breaks(.manyChangesAreCompared) }
}
#endif
