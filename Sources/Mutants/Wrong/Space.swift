#if Mutants
@_private(sourceFile: "Commit+Group.swift") import ReferenceEngine

extension Coordinator {
  @_dynamicReplacement(for:takeBack())
  func wrongTakeBack() {
    if breaks(.failuresGiveSpaceBack) { writer.endGroup() } else { takeBack() }
  }

  @_dynamicReplacement(for:sealWaiting(_:isForLater:))
  func wrongSealWaiting(
    _ write: WriteTransaction, isForLater: Bool
  ) throws -> Root {
    let before = writer.waiting?.freed
    let root = try sealWaiting(write, isForLater: isForLater)
    if breaks(.groupsGiveSpaceBack), let before { writer.waiting?.freed = before }
    return root
  }
}
#endif
