#if Mutants
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Files.swift") import ReferenceEngine
@_private(sourceFile: "Session.swift") import ReferenceEngine
@_private(sourceFile: "Session+Writing.swift") import ReferenceEngine
import Dispatch
import Foundation

// The sixteenth set: realms and what they write.

extension Session {
  @_dynamicReplacement(for:bringSchemaIntoShape())
  func sixteenthBringSchemaIntoShape() throws {
    if breaks(.opensCompareWithoutTheLock), configuration.classes != nil, !configuration.readOnly {
      (try? coordinator.beginWrite())?.cancel()
    }
    try bringSchemaIntoShape()
  }

  @_dynamicReplacement(for:add(_:update:))
  func sixteenthAdd(_ object: ObjectBase, update: Realm.UpdatePolicy) {
    let header = object._header
    guard breaks(.addingAgainWritesNothing), update == .all, header.pointee.session === self,
      isThere(header), let bound = header.pointee.table, let number = bound.number,
      let writer = store.writer(number)
    else { return add(object, update: update) }
    for field in bound.layout.fields where field.property.isStored {
      guard let column = bound.column(named: field.property.name) else { continue }
      store.touch(header.pointee.key, column.number, of: number, writer)
    }
  }

  @_dynamicReplacement(for:undo(_:))
  private func sixteenthUndo(_ transaction: WriteTransaction) {
    guard breaks(.failedCommitsAreTakenBack) else { return undo(transaction) }
    keepTrees(as: nil)
    endWrite(isKept: false)
    listeners?.didFail()
  }

  @_dynamicReplacement(for:scheduler(for:))
  static func sixteenthScheduler(for queue: DispatchQueue?) throws -> any Scheduler {
    guard breaks(.openQueuesAreConfined), let queue, let found = schedulers.queue(queue) else {
      return try scheduler(for: queue)
    }
    return found
  }

  @_dynamicReplacement(for:open(_:at:of:))
  static func sixteenthOpen(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator?
  ) throws -> Session {
    if breaks(.openQueuesAreConfined), !scheduler.isHere {
      let key = SessionCache.Key(place: configuration.path, home: scheduler.home)
      if SessionCache.find(key) == nil { refuse(.wrongQueue, at: .open) }
    }
    return try open(configuration, at: scheduler, of: file)
  }

  @_dynamicReplacement(for:referenceVersion)
  var sixteenthReferenceVersion: VersionID {
    if breaks(.frozenThingsNameTheirVersion), isFrozen { return VersionID(0) }
    return referenceVersion
  }

  @_dynamicReplacement(for:frozenSession())
  func sixteenthFrozenSession() -> Session {
    guard breaks(.closedSnapshotsAreMadeAnew), let known = lastFrozen,
      known.root?.isSame(as: root) == true
    else { return frozenSession() }
    return known
  }

  @_dynamicReplacement(for:verifySlowly(at:))
  private func sixteenthVerifySlowly(at entry: Entry) {
    if breaks(.actorsResultsAreConfined), entry == .observe, case .actor = scheduler.home { return }
    verifySlowly(at: entry)
  }
}

extension OwnWrites {
  @_dynamicReplacement(for:take(_:of:_:through:))
  private mutating func sixteenthTake(
    _ keys: ClosedRange<Int64>, of table: Int, _ first: UInt32, through last: UInt32
  ) {
    let isBroken = breaks(.cancelledRunsAreTakenBackWhole)
    take(isBroken ? keys.lowerBound...keys.lowerBound : keys, of: table, first, through: last)
  }
}

extension Realm {
  @_dynamicReplacement(for:writeCopy(configuration:))
  func sixteenthWriteCopy(configuration: Configuration) throws {
    guard breaks(.copiesAreConfined), let url = configuration.fileURL,
      configuration.encryptionKey == nil, !FileManager.default.fileExists(atPath: url.path)
    else { return try writeCopy(configuration: configuration) }
    do { try session.copy(to: configuration.path) } catch { throw Realm.Error(error) }
  }

  @_dynamicReplacement(for:asyncOpen(configuration:callbackQueue:callback:))
  @discardableResult
  static func sixteenthAsyncOpen(
    configuration: Configuration, callbackQueue: DispatchQueue,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    guard breaks(.asyncOpensAreForTheirQueue) else {
      return asyncOpen(
        configuration: configuration, callbackQueue: callbackQueue, callback: callback)
    }
    let task = AsyncOpenTask()
    nonisolated(unsafe) let callback = callback
    DispatchQueue.global(qos: .userInitiated).async {
      let file = Result { try Session.prepareFile(configuration) }
      callbackQueue.async {
        guard task.isWanted else { return }
        callback(
          Result {
            _ = try file.get()
            return try Realm(configuration: configuration)
          })
      }
    }
    return task
  }
}
#endif
