#if Mutants
@_private(sourceFile: "ChangeRecorder.swift") import ReferenceEngine

extension ChangeSet {
  @_dynamicReplacement(for:init(comparing:with:in:))
  init(wronglyComparing old: Root, with new: Root, in space: NodeSpace) {
    self.init(comparing: old, with: new, in: space)
    guard breaks(.firstObjectsAreCompared) else { return }
    let before = Top(space: space, ref: old.top)
    self.init(all.filter { !(before.table(Int($0.table))?.rows.root.isNone ?? true) })
  }

  @_dynamicReplacement(for:combine(_:_:))
  private static func wrongCombine(_ old: RowChange, _ new: RowChange) -> RowChange? {
    if breaks(.comingBackIsNews), old.kind == .deleted, new.kind == .inserted { return nil }
    if breaks(.addedRowsStayAdded), old.kind == .inserted, new.kind == .modified { return new }
    if breaks(.joinedCommitsTellAll), old.kind == .modified, new.kind == .modified { return new }
    return combine(old, new)
  }

  @_dynamicReplacement(for:joined(_:))
  private static func wrongJoined(_ changes: [RowChange]) -> [RowChange] {
    guard breaks(.neighboursAreToldApart) else { return joined(changes) }
    var result: [RowChange] = []
    for change in joined(changes) {
      if let last = result.last, last.end == change.key, last.kind == .modified,
        change.kind == .modified
      {
        result[result.count - 1].count += change.count
      } else {
        result.append(change)
      }
    }
    return result
  }
}

extension ChangeLog {
  @_dynamicReplacement(for:knowsRows)
  var wrongKnowsRows: Bool { knowsRows || breaks(.manyChangesAreCompared) }
}
#endif
