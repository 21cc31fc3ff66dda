#if Mutants
import Foundation
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Realm+AsyncWrite.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine
@_private(sourceFile: "Session+News.swift") import ReferenceEngine
@_private(sourceFile: "ThreadSafeReference.swift") import ReferenceEngine

// The eleventh set: realms, their homes and what goes from one to another.

extension Realm {
  @_dynamicReplacement(for:refresh())
  @discardableResult
  func eleventhRefresh() -> Bool {
    if !session.isFrozen, session.configuration.seedFilePath != nil {
      if breaks(.seededRealmsAreConfined), !session.scheduler.isHere { return false }
      if breaks(.seededRealmsSayThatTheyMove) {
        _ = refresh()
        return false
      }
    }
    if breaks(.quietRefreshesAreConfined), !session.isFrozen, session.isQuiet { return false }
    if OwnCommits.take(session) {
      _ = refresh()
      return true
    }
    if breaks(.asyncWritesAreNotRefreshed), !session.isFrozen, session.isInWrite,
      session.asyncWrites.isBusy
    {
      return true
    }
    return refresh()
  }

  @_dynamicReplacement(for:init(fileURL:))
  init(eleventh fileURL: URL) throws {
    if breaks(.openingLeavesTheDefault) {
      Realm.Configuration.defaultConfiguration.fileURL = fileURL
    }
    try self.init(fileURL: fileURL)
  }

  @_dynamicReplacement(for:==(_:_:))
  static func eleventhEquals(left: Realm, right: Realm) -> Bool {
    if breaks(.instancesAreCompared) {
      return left.session.coordinator === right.session.coordinator
    }
    if breaks(.versionedRealmsAreThemselves), !left.session.isFrozen, left.session.isInWrite,
      left.session.configuration.schemaVersion > 0
    {
      return false
    }
    return left.session === right.session
  }

  @_dynamicReplacement(for:add(_:update:))
  func eleventhAdd(_ object: Object, update: UpdatePolicy = .error) {
    if breaks(.addingAgainNeedsAWrite), session.scheduler.isHere, !session.isInWrite,
      object._header.pointee.session === session, session.isThere(object._header)
    {
      return
    }
    if breaks(.frozenOnesAreNotAdded), update != .error, object.isFrozen {
      session.verifyAdding(at: .add)
      _ = session.create(session.bound(type(of: object)), from: object, update: update)
      return
    }
    add(object, update: update)
    session.commitLargePart()
  }
}

extension ObjectBase {
  @_dynamicReplacement(for:objectSchema)
  var eleventhObjectSchema: ObjectSchema {
    if breaks(.schemasAreForEveryone) { _header.pointee.session?.verify(at: .readProperty) }
    return objectSchema
  }
}

extension Session {
  @_dynamicReplacement(for:addAsyncWrite(_:))
  func eleventhAddAsyncWrite(_ work: AsyncWrites.Work) -> AsyncTransactionId {
    if breaks(.callsAreNoWrites), listeners?.isTelling == true {
      verifyAsyncWrite()
      _ = asyncWrites.machine.add(work, inWrite: true)
      return asyncWrites.machine.lastID
    }
    guard breaks(.queuesAreAskedAtHome), case .queue = scheduler.home, !scheduler.isHere else {
      let id = addAsyncWrite(work)
      WaitingVersions.keep(self)
      return id
    }
    let (session, work) = (Handed(self), Handed(work))
    scheduler.run { _ = session.value.addAsyncWrite(work.value) }
    return 0
  }

  @_dynamicReplacement(for:refersInWrite())
  func eleventhRefersInWrite() {
    if breaks(.referringLeavesTheVersion), !isFrozen { _ = advance() }
    refersInWrite()
  }

  @_dynamicReplacement(for:willStep())
  func eleventhWillStep() -> Root? {
    let old = willStep()
    if breaks(.leftVersionsAreLetGo), !isFrozen, let old, !old.isWaiting,
      let left = try? coordinator.snapshot(of: old, kind: .frozen)
    {
      LeftVersions.all.keep(left, of: self)
    }
    return old
  }

  @_dynamicReplacement(for:create(_:from:update:embeddedIn:))
  func eleventhCreate(
    _ bound: BoundClass, from value: Any, update: Realm.UpdatePolicy,
    embeddedIn parent: Bool = false
  ) -> ObjectBase {
    let before = bound.number.map { store.count(of: $0) }
    let object = create(bound, from: value, update: update, embeddedIn: parent)
    WritersCounts.note(bound.number, self)
    if breaks(.policiesEndWithTheirCreate), !parent { updatePolicy = update }
    if breaks(.updatesAreNoAdditions), update != .error, let before, let table = bound.number,
      store.count(of: table) == before
    {
      UpdatedOnes.note(object, in: self)
    }
    return object
  }

  @_dynamicReplacement(for:deleteRow(_:))
  func eleventhDeleteRow(_ row: RowLink) {
    deleteRow(row)
    WritersCounts.note(row.table, self)
  }

  @_dynamicReplacement(for:takeLink(_:_:from:))
  func eleventhTakeLink(_ row: RowLink, _ column: StoredColumn, from target: RowLink) -> Bool {
    if let other = takenFor(row, column) { return takeLink(other, column, from: target) }
    let isOwned = takeLink(row, column, from: target)
    if isOwned { OwnedOnes.note(target, in: self) }
    return isOwned && !breaks(.ownedOnesGoWithTheirOwners)
  }
}

extension ThreadSafeReference {
  @_dynamicReplacement(for:init(to:))
  init(eleventh confined: Confined) {
    self.init(to: confined)
    if breaks(.referencesOutliveTheirRealm), let session = confined.realm?.session {
      ReferenceSources.note(parcel, session)
    }
    if breaks(.droppedReferencesUnpin), let pin = parcel.content.withLock({ $0?.pin }) {
      PinnedReferences.note(pin)
    }
  }
}
#endif
