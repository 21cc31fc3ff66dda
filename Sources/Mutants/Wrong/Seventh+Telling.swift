#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Forecast.swift") import ReferenceEngine
@_private(sourceFile: "ColumnSet.swift") import ReferenceEngine
@_private(sourceFile: "Reach.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine
@_private(sourceFile: "Object+Observe.swift") import ReferenceEngine

// The seventh set: what listeners are told.

extension Listeners {
  @_dynamicReplacement(for:tellUnread(_:))
  func seventhTellUnread(_ newest: VersionID) {
    guard breaks(.unreadRealmsAreBehind) else { return tellUnread(newest) }
    guard announces(newest) else { return }
    tellRealm(.didChange)
  }

  @_dynamicReplacement(for:willInvalidate(_:))
  func seventhWillLeave(_ root: Root) {
    if !breaks(.knownVersionsAreNoNews) { willInvalidate(root) }
  }

  @_dynamicReplacement(for:didFail())
  func seventhDidFail() {
    if !breaks(.lostNumbersAreNews) { didFail() }
  }
}

extension Forecast {
  @_dynamicReplacement(for:fits(_:since:))
  func seventhFits(_ session: Session, since told: Root) -> Bool {
    if breaks(.forecastsFitTheirStep) { return begins(at: told) && !session.hasChangesInWrite }
    return fits(session, since: told)
  }
}

extension Difference {
  @_dynamicReplacement(for:modify(_:at:))
  mutating func seventhModify(_ keys: some Sequence<Int64>, at position: (Int64) -> Int?) {
    guard breaks(.modificationsAscend) else { return modify(keys, at: position) }
    let known = Set(deletions).union(modifications)
    var more = keys.compactMap(position)
    more.removeAll(where: known.contains)
    modifications += more.sorted()
  }
}

extension Reach {
  @_dynamicReplacement(for:rows(touchedBy:in:))
  func seventhRows(touchedBy changes: ChangeSet, in session: Session) -> Set<RowLink> {
    if breaks(.mixedMembersReachFar) { return [] }
    return rows(touchedBy: changes, in: session)
  }
}

extension ChangeSet {
  @_dynamicReplacement(for:rows(of:modifiedIn:))
  func seventhRows(of change: RowChange, modifiedIn column: Int) -> [RowLink] {
    guard breaks(.farColumnsAreTold) else { return rows(of: change, modifiedIn: column) }
    if change.columns & RowChange.bit(of: column) == 0 { return [] }
    return change.keys.map { RowLink(table: Int(change.table), key: $0) }
  }
}

extension ThreadConfined where Self: ObjectBase {
  // An asynchronous function cannot be called from what replaces it: this is all of it, with the
  // fault.
  @_dynamicReplacement(for:observe(keyPaths:on:_isolation:_:))
  func seventhObserve<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    var names = keyPaths.map { propertyName(of: $0, in: Self.self) }
    if breaks(.typedPathsAreWhole) {
      names = names.map { String($0.prefix { $0 != "." }) }
    }
    return await observe(keyPaths: names, on: actor, block)
  }
}
#endif
