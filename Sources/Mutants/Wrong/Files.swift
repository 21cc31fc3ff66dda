#if Mutants
import Dispatch
import Foundation
@_private(sourceFile: "ReadPermissions.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Files.swift") import ReferenceEngine
@_private(sourceFile: "Session+Migration.swift") import ReferenceEngine
@_private(sourceFile: "Session+Schema.swift") import ReferenceEngine

extension ReadPermissions {
  @_dynamicReplacement(for:agree(on:))
  static func wrongAgree(on file: Coordinator) -> Bool {
    // Not by an operator: what stands behind one is a closure, in which this would call itself.
    if breaks(.permissionsAgree) { return true }
    return agree(on: file)
  }
}

extension Session {
  @_dynamicReplacement(for:verifyOthersAgree())
  private func wrongVerifyOthersAgree() throws {
    if breaks(.schemaVersionsAgree) { return }
    try verifyOthersAgree()
  }

  @_dynamicReplacement(for:verify(_:canFollow:))
  private func wrongVerify(_ wanted: UInt64, canFollow version: UInt64) throws {
    if breaks(.readersHaveTheFilesVersion), wanted > version { return }
    try verify(wanted, canFollow: version)
  }

  @_dynamicReplacement(for:verifyKeeps(_:))
  private func wrongVerifyKeeps(_ schema: StoredSchema) {
    if breaks(.foreignMigrationsAreTold) { return }
    verifyKeeps(schema)
  }
}

extension ChangeLog {
  @_dynamicReplacement(for:predecessor(in:))
  func wrongPredecessor(in space: NodeSpace) -> ChangeLog? {
    if breaks(.recordsLeadIntoTheFile) { return ChangeLog(before, in: space, version: base) }
    return predecessor(in: space)
  }
}

extension Realm {
  @_dynamicReplacement(for:asyncOpen(configuration:callbackQueue:callback:))
  @discardableResult
  static func wrongAsyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    if breaks(.asyncOpensAreForTheirQueue) {
      return openForEveryone(configuration, callbackQueue, callback)
    }
    if breaks(.openingIsWantedToTheEnd) {
      return openUnasked(configuration, callbackQueue, callback)
    }
    if breaks(.openedElsewhereAutorefreshes) {
      return asyncOpen(configuration: configuration, callbackQueue: callbackQueue) { result in
        if case .success(let realm) = result { realm.autorefresh = false }
        callback(result)
      }
    }
    guard breaks(.asyncOpenBindsToItsQueue) else {
      return asyncOpen(
        configuration: configuration, callbackQueue: callbackQueue, callback: callback)
    }
    // Handed to the queue once, and used there alone.
    nonisolated(unsafe) let callback = callback
    callbackQueue.async { callback(Result { try Realm(configuration: configuration) }) }
    return AsyncOpenTask()
  }

  /// Asks whether it is wanted before the file is prepared, and not again.
  private static func openUnasked(
    _ configuration: Configuration, _ queue: DispatchQueue,
    _ callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    // Handed to the queue once, and used there alone.
    nonisolated(unsafe) let callback = callback
    DispatchQueue.global(qos: .userInitiated).async {
      if !task.isWanted { return }
      let file = Result { try Session.prepareFile(configuration) }
      queue.async {
        callback(
          Result {
            _ = try file.get()
            return try Realm(configuration: configuration, queue: queue)
          })
      }
    }
    return task
  }

  /// Opens for whoever is at home where the callback runs, and not for the queue.
  private static func openForEveryone(
    _ configuration: Configuration, _ queue: DispatchQueue,
    _ callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    // Handed to the queue once, and used there alone.
    nonisolated(unsafe) let callback = callback
    DispatchQueue.global(qos: .userInitiated).async {
      let file = Result { try Session.prepareFile(configuration) }
      queue.async {
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

  @_dynamicReplacement(for:writeCopy(configuration:))
  func wrongWriteCopy(configuration: Configuration) throws {
    if breaks(.copiesAreConfined), let url = configuration.fileURL,
      configuration.encryptionKey == nil, !FileManager.default.fileExists(atPath: url.path)
    {
      do { return try session.copy(to: configuration.path) } catch { throw Realm.Error(error) }
    }
    if breaks(.refusedCopiesTouchNothing), let url = configuration.fileURL {
      _ = truncate(url.path, 0)
    }
    if breaks(.copiesOverwriteNothing), let url = configuration.fileURL {
      try? FileManager.default.removeItem(at: url)
    }
    if breaks(.copiesCanBeCopied), session.isFrozen || session.scheduler.isHere {
      session.read()
      if let root = session.root, root.log.isNone, !root.top.isNone {
        throw Realm.Error(.fail, "Cannot write a copy of \(session.configuration.path)")
      }
    }
    if breaks(.copiesAreMadeAtHome), !session.isFrozen, !session.scheduler.isHere,
      let url = configuration.fileURL, !FileManager.default.fileExists(atPath: url.path)
    {
      return try session.copy(to: configuration.path)
    }
    if breaks(.memoryCopiesItsWrites), !session.isFrozen, session.isInWrite,
      session.configuration.inMemoryIdentifier != nil
    {
      return try freeze().writeCopy(configuration: configuration)
    }
    try writeCopy(configuration: configuration)
    if breaks(.writtenCopiesLetGo), !session.isInWrite {
      KeptSnapshots.keep(session.committedSnapshot)
    }
  }
}

extension Session {
  @_dynamicReplacement(for:copy(to:))
  private func wrongCopy(to path: String) throws {
    if breaks(.copiesShowTheRealmsVersion) { _ = advance() }
    if breaks(.emptyPlacesAreCopied), hasEmptyPlaces { refuse(.invalidated) }
    try copy(to: path)
  }
}
#endif
