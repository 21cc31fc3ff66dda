#if Mutants
@_private(sourceFile: "LockFile+Life.swift") import ReferenceEngine

extension LockFile {
  @_dynamicReplacement(for:isDead(_:))
  func wrongIsDead(_ place: Int) -> Bool {
    if breaks(.theDeadAreOfferedNothing) { return false }
    return isDead(place)
  }
}

extension Coordinator {
  @_dynamicReplacement(for:unlisten(_:))
  func wrongUnlisten(_ id: Int) {
    unlisten(id)
    if breaks(.listenersEndAlone) { beacon.stop() }
  }
}
#endif
