#if Mutants
import Foundation
@_private(sourceFile: "ThreadSafe.swift") import ReferenceEngine
@_private(sourceFile: "ThreadSafeReference.swift") import ReferenceEngine

extension ThreadSafe {
  @_dynamicReplacement(for:wrappedValue)
  var wrongValue: T? {
    get {
      let known = target.withLock { $0.handover }
      if breaks(.threadSafeKnowsItsRealm), let known {
        return (try? Session.openHere(.defaultConfiguration)).flatMap { known.found(in: $0) } as? T
      }
      if breaks(.threadSafeJoinsTheThreadsRealm), let known {
        var configuration = known.configuration
        configuration.cache = false
        return (try? Session.openHere(configuration, of: known.origin.file))
          .flatMap { known.found(in: $0) } as? T
      }
      if breaks(.threadSafeReadsAgain) {
        let value = wrappedValue
        target.withLock { $0.handover = nil }
        return value
      }
      if breaks(.variablesResolveForEachThread), let known {
        let (number, newest) = (target.withLock { $0.number }, known.origin.file?.newestVersion)
        if let given = GivenValues.all.value(of: self), given.number == number,
          given.version == newest
        {
          return given.value as? T
        }
        let value = wrappedValue
        let given = value.map { GivenValues.Given(value: $0, version: newest, number: number) }
        GivenValues.all.keep(given, of: self)
        return value
      }
      let value = wrappedValue
      if breaks(.variablesComeBack), value == nil { target.withLock { $0.handover = nil } }
      return value
    }
    set {
      if breaks(.variablesBecomeNil), newValue == nil { return }
      if breaks(.variablesChangeTheirFile), let session = newValue?.realm?.session {
        let first = FirstFiles.all.value(of: self) ?? target.withLock { $0.handover }?.origin
        if let first {
          FirstFiles.all.keep(first, of: self)
          if !session.isSameFile(as: first) {
            return target.withLock {
              $0.handover = nil
              $0.number += 1
            }
          }
        }
      }
      if breaks(.assignedObjectsAreRemembered) {
        let new = newValue.map { Handover(of: $0) }
        return target.withLock {
          $0.handover = new
          $0.number += 1
        }
      }
      FormerValues.keep(target.withLock { $0.handover }, of: self)
      if !breaks(.threadSafeCanBeRetargeted) { wrappedValue = newValue }
    }
  }

  @_dynamicReplacement(for:handover(of:))
  private static func wrongHandover(of value: T?) -> Handover? {
    if breaks(.threadSafeCarriesCollections), !(value is ObjectBase) { return nil }
    return handover(of: value)
  }
}

extension CollectionPlace {
  @_dynamicReplacement(for:found(in:))
  func wrongFound(in session: Session) -> ManagedCollection? {
    guard breaks(.collectionsGoWithTheirObject), nested == nil else { return found(in: session) }
    session.read()
    let bound = session.bound(like: layout)
    return ManagedCollection(
      session: session, table: bound, key: key, column: bound.columns[field])
  }
}

extension ThreadSafeReference {
  @_dynamicReplacement(for:isInvalidated)
  var wrongIsInvalidated: Bool {
    if breaks(.referencesOutliveTheirRealm), ReferenceSources.hasEnded(of: parcel) { return true }
    return isInvalidated && !breaks(.referencesKnowTheyAreSpent)
  }

  @_dynamicReplacement(for:take())
  func wrongTake() -> Handover? {
    if breaks(.takingIsOneStep) {
      let found = parcel.content.withLock { $0 }
      usleep(5000)
      parcel.content.withLock { $0 = nil }
      return found
    }
    let handover = take()
    if breaks(.droppedReferencesUnpin), let pin = handover?.pin { PinnedReferences.strike(pin) }
    if breaks(.spentReferencesPinNothing), let pin = handover?.pin {
      _ = Unmanaged.passRetained(pin)
    }
    return handover
  }
}

extension Handover {
  @_dynamicReplacement(for:init(of:in:))
  init<Confined: ThreadConfined>(wrong confined: Confined, in session: Session) {
    self.init(of: confined, in: session)
    if breaks(.referencesNameTheirWrite) {
      (version, isFromWrite) = (session.version ?? version, false)
    }
  }

  @_dynamicReplacement(for:init(of:))
  init<Confined: ThreadConfined>(wrong confined: Confined) {
    if let session = confined.realm?.session {
      if breaks(.frozenThingsTravel), session.isFrozen {
        refuse(.writeInFrozen, at: .makeReference)
      }
      if breaks(.referencesNeedNoWriting), session.configuration.readOnly {
        refuse(.writeInReadOnly, at: .makeReference)
      }
    }
    if breaks(.ownedOnesTravel),
      (confined as? ObjectBase)?._header.pointee.table?.isEmbedded == true
    {
      refuse(.referenceToUnmanaged, at: .makeReference)
    }
    self.init(of: confined)
    if breaks(.referencesLeaveTheSourceAlone) {
      (confined as? ObjectBase)?._header.pointee.epoch = 0
    }
  }

  @_dynamicReplacement(for:follow(_:))
  mutating func wrongFollow(_ session: Session) {
    if breaks(.threadSafeFollowsItsReaders) { return }
    let first = pin
    follow(session)
    if breaks(.variablesLetTheirVersionGo), let first { pin = first }
  }

  @_dynamicReplacement(for:found(in:))
  func wrongFound(in session: Session) -> Any? {
    if breaks(.referencesResolveAtTheirSource), session.origin === origin { return nil }
    if breaks(.readOnlyRealmsResolve), session.configuration.readOnly { return nil }
    if breaks(.goneReferencesMoveTheirRealm), hasGone(fromTheFileOf: session) { return nil }
    if breaks(.newerRealmsAreNotTakenBack), let pin, !session.isFrozen, !session.isInWrite,
      session.isSameFile(as: origin), let shown = session.version, shown > pin.version
    {
      session.show(pin.root)
    }
    if breaks(.referencesAwaitTheirWrite), isFromWrite {
      var plain = self
      plain.isFromWrite = false
      return plain.found(in: session)
    }
    if breaks(.variablesKnowTheWrite), session.isInWrite,
      row?.isGone(in: session.version ?? VersionID(0)) == false
    {
      return find(session)
    }
    let found = found(in: session)
    if breaks(.nothingFoundUnpins), found == nil, let pin { _ = Unmanaged.passRetained(pin) }
    if breaks(.cancelledWritesEndNoVariable), session.isInWrite, found == nil {
      row?.markGone(in: session.version ?? VersionID(0))
    }
    // Who knows that it is gone does not look for it: its own way to find it has the blank.
    return breaks(.resolvesTheDeletedToNil) ? found ?? find(session) : found
  }
}

extension RememberedRow {
  @_dynamicReplacement(for:isGone(in:))
  func wrongIsGone(in version: VersionID) -> Bool {
    isGone(in: version) && !breaks(.variablesKnowTheirObject)
  }
}

extension Session {
  @_dynamicReplacement(for:isSameFile(as:))
  func wrongIsSameFile(as other: Origin) -> Bool {
    if breaks(.memoryIsToldByItsName) {
      return other === origin || other.configuration.fileURL == configuration.fileURL
    }
    if breaks(.referencesKnowTheirFile) { return true }
    if breaks(.referencesIntoMemoryLead), configuration.fileURL == nil { return other === origin }
    if breaks(.filesAreToldByTheirPath), let own = configuration.fileURL,
      own.lastPathComponent == other.configuration.fileURL?.lastPathComponent
    {
      return true
    }
    return isSameFile(as: other)
  }
}

extension Realm {
  @_dynamicReplacement(for:resolve(_:))
  func wrongResolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    if breaks(.olderRealmsAreRefreshed), session.scheduler.isHere, !session.isFrozen,
      !session.isInWrite, session.root != nil, let handover = reference.take()
    {
      if session.isSameFile(as: handover.origin),
        let object = handover.find(session) as? ObjectBase, !object.isInvalidated
      {
        return object as? Confined
      }
      return handover.found(in: session) as? Confined
    }
    if breaks(.resolvingIsConfined), !session.isFrozen, !session.scheduler.isHere {
      guard let handover = reference.take() else {
        refuse(.resolvedTwice, at: .resolve)
        return nil
      }
      return handover.found(in: session) as? Confined
    }
    if breaks(.mapsBringTheirVersion), session.scheduler.isHere,
      Confined.self is any CollectionOwner.Type, !"\(Confined.self)".hasPrefix("List"),
      var handover = reference.take()
    {
      (handover.version, handover.row) = (VersionID(0), nil)
      return handover.found(in: session) as? Confined
    }
    if breaks(.resolvesOutsideWrites), !session.isInWrite {
      _ = reference.take()
      return nil
    }
    if breaks(.compactedRealmsResolveInWrites), !session.isFrozen, session.isInWrite,
      session.configuration.shouldCompactOnLaunch != nil
    {
      _ = reference.take()
      return nil
    }
    let found = resolve(reference)
    return breaks(.resolvesToTheLive) ? found?.freeze() : found
  }
}
#endif
