#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Reach.swift") import ReferenceEngine

// The seventh set: what listeners are told.

extension Listeners {
  @_dynamicReplacement(for:tellUnread(_:))
  func seventhTellUnread(_ newest: VersionID) {
    guard breaks(.unreadRealmsAreBehind) else { return tellUnread(newest) }
    guard announces(newest) else { return }
    tellRealm(.didChange)
  }

  @_dynamicReplacement(for:didFail())
  func seventhDidFail() {
    if !breaks(.lostNumbersAreNews) { didFail() }
  }
}

extension Reach {
  @_dynamicReplacement(for:rows(touchedBy:in:))
  func seventhRows(touchedBy changes: ChangeSet, in session: Session) -> Set<RowLink> {
    if breaks(.mixedMembersReachFar) { return [] }
    return rows(touchedBy: changes, in: session)
  }
}
#endif
