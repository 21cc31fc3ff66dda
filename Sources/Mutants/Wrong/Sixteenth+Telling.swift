#if Mutants
@_private(sourceFile: "ChangeRecorder.swift") import ReferenceEngine
@_private(sourceFile: "Coordinator.swift") import ReferenceEngine
@_private(sourceFile: "FilteredMembers.swift") import ReferenceEngine
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Reach.swift") import ReferenceEngine
import Synchronization

// The sixteenth set: listeners.

extension Listeners {
  @_dynamicReplacement(for:tellRealm(_:except:since:))
  func sixteenthTellRealm(
    _ notification: Realm.Notification, except skipped: [NotificationToken], since known: VersionID
  ) {
    guard breaks(.realmListenersAreTelling) else {
      return tellRealm(notification, except: skipped, since: known)
    }
    for listener in realmListeners where !listener.hasEnded(by: known) {
      if skipped.contains(where: { $0.observation === listener }) { continue }
      listener.block(notification, Realm(session))
    }
  }

  @_dynamicReplacement(for:announces(_:))
  private func sixteenthAnnounces(_ newest: VersionID) -> Bool {
    guard announces(newest) else { return false }
    if breaks(.behindIsSaidAgain) { newestAnnounced = VersionID(UInt64(Int64.max)) }
    return true
  }

  @_dynamicReplacement(for:didAdvance(_:from:to:))
  func sixteenthDidAdvance(_ session: Session, from old: Root, to new: Root) {
    guard breaks(.ownWorkEndsWithOthers) else { return didAdvance(session, from: old, to: new) }
    tellRealm(.didChange, since: old.version)
    tellObservers()
  }

  @_dynamicReplacement(for:receive(_:))
  func sixteenthReceive(_ forecast: Forecast) {
    guard breaks(.toldForecastsGo) else { return receive(forecast) }
    guard pending === forecast else { return }
    pending = nil
    if forecast.begins(at: session.root) { ready = forecast }
    session.lookForNews()
    if ready?.isSearch == true { ready = nil }
  }
}

extension Reach {
  @_dynamicReplacement(for:isSame(as:))
  func sixteenthIsSame(as other: Reach) -> Bool {
    // Not with `||`: within a closure the name would be this function's.
    if breaks(.listenersHaveTheirOwnReach) { return true }
    return isSame(as: other)
  }
}

extension FilteredMembers {
  @_dynamicReplacement(for:update(_:_:members:))
  mutating func sixteenthUpdate(
    _ runs: [RowChange], _ touched: TouchedRows, members: (ClosedRange<Int64>) -> [Int64]
  ) -> Difference {
    guard breaks(.manyChangesShiftInsertions) else {
      return update(runs, touched, members: members)
    }
    var difference = Difference()
    var parts: [(was: Range<Int>, are: [Int64])] = []
    for run in runs {
      let was = positions(of: run.keys)
      let are = run.kind == .deleted ? [] : members(run.keys)
      if was.isEmpty, are.isEmpty { continue }
      let start = was.lowerBound
      if run.kind == .modified {
        compare(was, are, from: start, touched, &difference)
      } else {
        difference.deletions.append(contentsOf: was)
        difference.insertions.append(contentsOf: start..<(start + are.count))
      }
      if run.kind == .modified, keys[was].elementsEqual(are) { continue }
      parts.append((was, are))
    }
    difference.modify(touched.others, at: position)
    replace(parts)
    return difference
  }
}

extension ChangeSet {
  @_dynamicReplacement(for:combine(_:_:))
  private static func sixteenthCombine(_ old: RowChange, _ new: RowChange) -> RowChange? {
    var result = combine(old, new)
    if breaks(.movesAreRemembered), old.kind == .modified, new.kind == .modified {
      result?.isShifted = new.isShifted
    }
    return result
  }
}

extension Coordinator {
  @_dynamicReplacement(for:hear())
  func sixteenthHear() throws {
    guard breaks(.earlyCommitsAreHeard) else { return try hear() }
    if hears.load(ordering: .relaxed) || !isOfThisProcess { return }
    try ears.withLock { ears in
      if hears.load(ordering: .relaxed) || ears.listeners.isEmpty { return }
      try beacon.listen { [tie] in tie.thing?.noteOthers() }
      hears.store(true, ordering: .relaxed)
    }
  }
}
#endif
