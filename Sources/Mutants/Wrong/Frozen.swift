#if Mutants
import CShims
import Foundation
import Synchronization
@_private(sourceFile: "Realm+Freeze.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine

// What is frozen, and thawed, and found again elsewhere.

extension Relocatable {
  @_dynamicReplacement(for:frozenCopy(unmanaged:))
  func wrongFrozenCopy(unmanaged: Violation) -> Self {
    (self as? any QuestionOwner)?.state.endIfOrphaned()
    guard let session = realm?.session, !isInvalidated else {
      return frozenCopy(unmanaged: unmanaged)
    }
    if breaks(.readOnlyRealmsFreeze), session.configuration.readOnly { return self }
    if session.isFrozen {
      if breaks(.freezingAgainChangesNothing) {
        return found(in: session.frozenSession()) ?? self
      }
    } else {
      if breaks(.freezingTakesASnapshot) { return self }
      if breaks(.collectionsFreeze), !(self is ObjectBase) { return self }
    }
    return frozenCopy(unmanaged: unmanaged)
  }

  @_dynamicReplacement(for:thawedCopy(unmanaged:))
  func wrongThawedCopy(unmanaged: Violation) -> Self? {
    guard let session = realm?.session else { return thawedCopy(unmanaged: unmanaged) }
    if breaks(.thawingTheLiveChangesNothing), !session.isFrozen {
      return found(in: session.thawedSession())
    }
    if breaks(.thawingComesToLife) { return self }
    return thawedCopy(unmanaged: unmanaged) ?? (breaks(.thawingTheDeletedIsNil) ? self : nil)
  }
}

extension ObjectBase {
  @_dynamicReplacement(for:isFrozen)
  var wrongIsFrozen: Bool {
    guard let session = _header.pointee.session else { return breaks(.freeThingsAreNotFrozen) }
    if breaks(.isFrozenIsForEveryone) { session.verify(at: .readProperty) }
    if breaks(.freezingARealmFreezesNoObjects), session.lastFrozen != nil { return true }
    return isFrozen
  }

  @_dynamicReplacement(for:finder())
  func wrongFinder() -> Finder {
    let find = finder()
    guard let bound = _header.pointee.table, let session = _header.pointee.session else {
      return find
    }
    let layout = bound.layout
    if breaks(.namedOnesTravel), layout.type == DynamicObject.self { return { _ in nil } }
    if breaks(.referencesNeedNoKey), layout.primaryKey == nil { return { _ in nil } }
    if breaks(.referencesFromWritesResolve), session.isInWrite { return { _ in nil } }
    if breaks(.resolvesTheDeletedToNil) { return { find($0) ?? layout.type.init() } }
    return find
  }
}

extension Realm {
  @_dynamicReplacement(for:isFrozen)
  var wrongIsFrozen: Bool {
    if breaks(.isFrozenIsForEveryone) { session.verify(at: .readRealm) }
    return isFrozen
  }

  @_dynamicReplacement(for:freeze())
  func wrongFreeze() -> Realm {
    if breaks(.freezingAgainChangesNothing), session.isFrozen {
      return Realm(session.frozenSession())
    }
    if breaks(.readOnlyRealmsFreeze), session.configuration.readOnly { return self }
    if breaks(.knownSnapshotsAreConfined), !session.isFrozen, let known = session.lastFrozen,
      !known.isClosed
    {
      return Realm(known)
    }
    return breaks(.freezingTakesASnapshot) ? self : freeze()
  }

  @_dynamicReplacement(for:thaw())
  func wrongThaw() -> Realm { breaks(.thawingComesToLife) ? self : thaw() }
}

extension Session {
  /// What was copied, for good.
  private static let copies = Mutex<[Data]>([])
  /// What was frozen last, if anybody has it. Unsafe without a lock, as the mutant freezes on one
  /// thread.
  private nonisolated(unsafe) static weak var frozenAtRest: Session?
  /// Where the frozen sessions were made that belong to somebody.
  private static let makers = Mutex<[ObjectIdentifier: any Scheduler]>([:])

  @_dynamicReplacement(for:frozenSession())
  func wrongFrozenSession() -> Session {
    if breaks(.readOnlyRealmsCanBeFrozen), configuration.readOnly { refuse(.writeInReadOnly) }
    if let before = snapshotBeforeMigration() { return frozenSession(at: before) }
    if breaks(.loneEmbeddedClassesFreeze), hasLoneClasses { refuse(.frozeNewObject, at: .freeze) }
    if breaks(.freezesInWritesAreOfTheirBegin) {
      if isInWrite, let known = Session.frozenAtRest, !known.isClosed { return known }
      let frozen = frozenSession()
      Session.frozenAtRest = frozen
      return frozen
    }
    if breaks(.memoryFreezesEachBegin), isInWrite, configuration.inMemoryIdentifier != nil {
      // Not by an operator: what stands behind one is a closure, in which this would call itself.
      if let kept = FirstBegin.kept(of: self) { return kept }
      return FirstBegin.keep(frozenSession(), of: self)
    }
    if breaks(.closedOnesAreMadeAnew), let known = lastFrozen, known.root?.isSame(as: root) == true
    {
      return known
    }
    if breaks(.freezingStays), !isFrozen, !isInWrite, listeners?.isTelling != true {
      _ = advance()
    }
    if breaks(.viewsShareTheirVersion) { takeSpaceForACopy() }
    if breaks(.oneVersionFreezesOnce) { lastFrozen = nil }
    if let before = FrozenBefore.frozen(of: self) { return before }
    let known = lastFrozen
    let frozen = frozenSession()
    FrozenBefore.keep(frozen, of: self)
    HeldFrozen.note(frozen, of: self)
    if breaks(.freezingCopiesNothing), frozen !== known, let root = frozen.root {
      let copy = Data(bytes: coordinator.space.base, count: Int(root.end))
      Session.copies.withLock { $0.append(copy) }
    }
    return frozen
  }

  /// Makes the file as much larger as the smallest copy of anything in it would.
  private func takeSpaceForACopy() {
    let disk = coordinator.disk
    guard let size = try? disk.size() else { return }
    try? disk.grow(from: size, to: size + UInt64(FreePage.bytes))
  }

  @_dynamicReplacement(for:frozenSession(at:))
  func wrongFrozenSession(at snapshot: Snapshot) -> Session {
    let frozen = frozenSession(at: snapshot)
    if breaks(.frozenVersionsCloseTheirFile) { _ = rb_open(coordinator.path, 0, 0) }
    if breaks(.frozenRealmsDoNotAutorefresh) { frozen.isAutorefreshing = isAutorefreshing }
    if breaks(.frozenIsAtHomeEverywhere) {
      (frozen.hot.pointee.token, frozen.hot.pointee.mask) = (scheduler.threadToken, .max)
      Session.makers.withLock { $0[ObjectIdentifier(frozen)] = scheduler }
    }
    return frozen
  }

  @_dynamicReplacement(for:verifySlowly(at:))
  private func wrongVerifySlowly(at entry: Entry) {
    if breaks(.actorsResultsAreConfined), entry == .observe, case .actor = scheduler.home { return }
    if breaks(.threadsLeaveTheirQueue), isOnFormerThreadOfQueue { return }
    if isLeftByTheDead() { return }
    if breaks(.callbacksAreConfined), listeners?.isTelling == true { return }
    if breaks(.frozenIsAtHomeEverywhere), isFrozen,
      let maker = Session.makers.withLock({ $0[ObjectIdentifier(self)] }), !maker.isHere
    {
      refuse(.wrongThread, at: entry)
    }
    verifySlowly(at: entry)
  }

  @_dynamicReplacement(for:thawedSession())
  func wrongThawedSession() -> Session {
    let live = thawedSession()
    if breaks(.thawingInWritesLetsGo), live.isInWrite, let snapshot = frozenSnapshot {
      KeptSnapshots.keep(snapshot)
    }
    if breaks(.thawingRefreshesNothing) { _ = live.advance() }
    return live
  }

  @_dynamicReplacement(for:close())
  private func wrongClose() {
    let generation = hot.pointee.generation
    if !breaks(.closedFrozenIsUnreadable) { close() }
    if breaks(.closingReachesWhatWasRead) { hot.pointee.generation = generation }
  }
}
#endif
