#if Mutants
@_private(sourceFile: "Commit.swift") import ReferenceEngine
@_private(sourceFile: "Commit+Group.swift") import ReferenceEngine

extension Coordinator {
  @_dynamicReplacement(for:undo(slot:))
  private func wrongUndo(slot: Int? = nil) {
    if breaks(.failuresGiveSpaceBack), slot == nil {
      writer.endGroup()
    } else {
      undo(slot: slot)
    }
  }

  @_dynamicReplacement(for:sealWaiting(_:isForLater:settle:))
  func wrongSealWaiting(
    _ write: WriteTransaction, isForLater: Bool, settle: (any NodeSink) throws -> NodeRef
  ) throws -> Root {
    let before = writer.waiting?.freed
    let root = try sealWaiting(write, isForLater: isForLater, settle: settle)
    if breaks(.groupsGiveSpaceBack), let before { writer.waiting?.freed = before }
    return root
  }
}
#endif
