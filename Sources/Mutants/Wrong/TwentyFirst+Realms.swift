#if Mutants
import Dispatch
import Foundation
@_private(sourceFile: "FirstTurn.swift") import ReferenceEngine
@_private(sourceFile: "FreeSpace.swift") import ReferenceEngine
@_private(sourceFile: "HonestSchedulers.swift") import ReferenceEngine
@_private(sourceFile: "Session+Migration.swift") import ReferenceEngine
@_private(sourceFile: "Session+Objects.swift") import ReferenceEngine
@_private(sourceFile: "Session+Opening.swift") import ReferenceEngine
@_private(sourceFile: "Session+Rows.swift") import ReferenceEngine
@_private(sourceFile: "Session+Writing.swift") import ReferenceEngine
@_private(sourceFile: "SessionCache.swift") import ReferenceEngine
@_private(sourceFile: "Writer.swift") import ReferenceEngine

// The twenty-first set: realms, their homes, their writes and their files.

extension Realm {
  @_dynamicReplacement(for:delete(_:))
  func twentyFirstDelete<Element: ObjectBase>(_ objects: LinkingObjects<Element>) {
    guard breaks(.linkersAreDeletedInWrites) else { return delete(objects) }
    for object in Array(objects) { session.delete(object) }
  }
}

extension Session {
  @_dynamicReplacement(for:object(_:anyKey:))
  func twentyFirstObject(_ type: ObjectBase.Type, anyKey key: Any) -> ObjectBase? {
    guard breaks(.lookupsByAnyKeyAreConfined) else { return object(type, anyKey: key) }
    return object(bound(type), forPrimaryKey: key)
  }

  @_dynamicReplacement(for:update(_:with:_:))
  private func twentyFirstUpdate(
    _ bound: BoundClass, with object: ObjectBase, _ policy: Realm.UpdatePolicy
  ) {
    guard breaks(.nilIsWrittenByUpdates), policy == .modified else {
      return update(bound, with: object, policy)
    }
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for (index, field) in bound.layout.fields.enumerated() where index != bound.layout.primaryKey {
      let cell = _Cell(object._header, bound.columns[index])
      let place = raw + field.offset
      if field.wrapper.isUnchanged(at: place, cell) { continue }
      if case .null? = field.wrapper.storedValue(at: place) { continue }
      field.wrapper.persist(at: place, to: cell)
    }
  }

  @_dynamicReplacement(for:verifyWriting(_:))
  func twentyFirstVerifyWriting(_ header: UnsafeMutablePointer<ObjectHeader>) {
    if breaks(.theThreadIsLookedAtFirst), !isInWrite {
      refuse(isFrozen ? .modifiedFrozen : .modifiedOutsideWrite, at: .writeProperty)
    }
    verifyWriting(header)
  }

  @_dynamicReplacement(for:openHere(_:of:))
  static func twentyFirstOpenHere(
    _ configuration: Realm.Configuration, of file: Coordinator? = nil
  ) throws -> Session {
    if breaks(.theLastRealmIsAskedForItsPermissions) {
      var other = configuration
      other.readOnly.toggle()
      if let known = SessionCache.here(other) { return known }
    }
    return try openHere(configuration, of: file)
  }

  @_dynamicReplacement(for:adopt(_:))
  func twentyFirstAdopt(_ classes: [ClassLayout]) throws {
    let last = lastFrozen
    try adopt(classes)
    if breaks(.laterClassesAreFrozen) { lastFrozen = last }
  }

  @_dynamicReplacement(for:showBase(of:))
  private func twentyFirstShowBase(of transaction: WriteTransaction) {
    // Of a write that was cancelled nothing is noted for its commit.
    if breaks(.failedCommitsAreLeft), transaction.notedAtCommit != nil, !transaction.isBaseLost {
      return
    }
    showBase(of: transaction)
  }
}

extension HonestSchedulers {
  @_dynamicReplacement(for:queue(_:))
  func twentyFirstQueue(_ queue: DispatchQueue) -> (any Scheduler)? {
    guard breaks(.theMainQueueIsOne) else { return self.queue(queue) }
    return queue === DispatchQueue.main ? MainScheduler.shared : QueueScheduler(queue)
  }
}

extension FirstTurn {
  @_dynamicReplacement(for:come())
  private func twentyFirstCome() {
    guard breaks(.allFilesOfAHomeAreHeardOf) else { return come() }
    let sessions = state.withLock { state in
      defer { state = State(hasCome: true) }
      return state.sessions
    }
    sessions.first?.session?.coordinator.hearOrAskAgain()
  }
}

extension WriteTransaction {
  @_dynamicReplacement(for:cancel())
  func twentyFirstCancel() {
    guard breaks(.emptyCancelsLeave), changes.isEmpty else { return cancel() }
    close()
    trees = nil
  }
}

extension FreeSpace {
  @_dynamicReplacement(for:examine(pins:))
  func twentyFirstExamine(pins: [VersionID]) {
    guard breaks(.keptSpaceIsLookedAtAgain) else { return examine(pins: pins) }
    let fresh = unexamined
    unexamined.removeAll(keepingCapacity: true)
    unexaminedBytes = 0
    file(fresh, pins)
    pinsSeen = pins.count
  }
}
#endif
