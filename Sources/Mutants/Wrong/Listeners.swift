#if Mutants
import Foundation
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine

extension Listeners {
  @_dynamicReplacement(for:tellBehind(_:))
  func wrongTellBehind(_ newest: VersionID) {
    tellBehind(newest)
    if breaks(.everyCommitAsksForARefresh) { newestAnnounced = VersionID(.max) }
  }

  /// Held while listeners are told, so that one holds up the others.
  private static let everybody = NSRecursiveLock()

  @_dynamicReplacement(for:telling(_:))
  private func wrongTelling(_ calls: () -> Void) {
    if breaks(.listenersHoldUpNobody) {
      telling { Listeners.everybody.withLock { calls() } }
    } else {
      telling(calls)
    }
  }

  @_dynamicReplacement(for:keep(_:))
  private func wrongKeep(_ root: Root) {
    let before = known
    keep(root)
    if breaks(.nestedNewsAreWhole) { known = before }
  }

  @_dynamicReplacement(for:forget())
  private func wrongForget() {
    if breaks(.theLastLetsItsVersionGo), observers.isEmpty {
      known = [:]
      return
    }
    if breaks(.listenersLetVersionsGo), !observers.isEmpty {
      known = [:]
    } else {
      forget()
    }
  }

  @_dynamicReplacement(for:willAdvance(_:from:))
  func wrongWillAdvance(_ session: Session, from old: Root) {
    willAdvance(session, from: old)
    if breaks(.newsComeAfterTheStep) { tellRealm(.didChange) }
  }

  @_dynamicReplacement(for:didAdvance(_:from:to:))
  func wrongDidAdvance(_ session: Session, from old: Root, to new: Root) {
    if breaks(.ownWorkEndsWithOthers) {
      tellRealm(.didChange, since: old.version)
      return tellObservers()
    }
    if breaks(.othersWorkHasOldValues) {
      tellRealm(.didChange)
      return tellObservers()
    }
    if breaks(.refreshTellsBeforeItReturns) {
      ownSince = nil
      return bell.ring()
    }
    if breaks(.beginTellsInsideTheWrite), case .writing(let root, let write) = session.state {
      session.state = .reading(root)
      didAdvance(session, from: old, to: new)
      session.state = .writing(root, write)
      return
    }
    didAdvance(session, from: old, to: new)
  }

  @_dynamicReplacement(for:didCommit(_:from:to:))
  func wrongDidCommit(_ session: Session, from old: Root, to new: Root) {
    let isSealed = new.version > coordinator.newestVersion
    if breaks(.sealTellsListenersAtOnce), isSealed { return }
    if breaks(.emptyAsyncCommitsAreTold), Noted.has(session) { return }
    if breaks(.skippingIsRepeated), !skipped.isEmpty {
      if SkippedCommits.all.value(of: session) == old.version { skipped = [] }
      SkippedCommits.all.keep(new.version, of: session)
    }
    if breaks(.queuesHearOfThemselves), session.scheduler is QueueScheduler {
      return tellOwnCommitAlone(from: old)
    }
    if breaks(.writesEndBeforeTheirNews) { UntoldWrites.all.keep(true, of: session) }
    OwnCommits.note(session)
    didCommit(session, from: old, to: new)
    if breaks(.writesEndBeforeTheirNews) { UntoldWrites.all.keep(false, of: session) }
  }

  @_dynamicReplacement(for:didCancel(_:))
  func wrongDidCancel(_ session: Session) {
    if breaks(.cancelledWritesAreNoNews) { tellRealm(.didChange) }
    if breaks(.cancelsSpareNewListeners), observers.contains(where: { $0.told == nil }) {
      refuse(.invalidated)
    }
    if breaks(.cancelledAsyncWritesAreNoNews), session.pendingWrites?.machine.isRunning == true {
      tellRealm(.didChange)
    }
    if breaks(.cancelledWritesLetFirstCallsCome) { return forget() }
    didCancel(session)
  }
}
#endif
