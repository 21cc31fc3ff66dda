import Dispatch
import Foundation

extension Session {
  /// What tells where a realm that is to be opened will live.
  static var schedulers: any Schedulers { Seams.given.schedulers }

  /// The scheduler of a queue, or of the calling code.
  static func scheduler(for queue: DispatchQueue?) throws -> any Scheduler {
    guard let queue else { return schedulers.here() }
    guard let scheduler = schedulers.queue(queue) else {
      // Realm throws here, where its other refusals end the process.
      throw Realm.Error(
        .fail, Violation.queueIsNotSerial(label: queue.label, kind: "concurrent").sentence)
    }
    if !scheduler.isHere { refuse(.wrongQueue, at: .open) }
    return scheduler
  }

  /// The session of the calling thread.
  static func openHere(
    _ configuration: Realm.Configuration, of file: Coordinator? = nil
  ) throws -> Session {
    if let known = SessionCache.here(configuration) { return known }
    let session = try open(configuration, at: scheduler(for: nil), of: file)
    SessionCache.remember(session)
    return session
  }

  /// The session of a configuration in a place: the one that is open there, or a new one.
  ///
  /// - Parameter file: The file, if somebody who has it open knows that it is the configuration's:
  ///   nothing has to be looked for then.
  static func open(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator? = nil
  ) throws -> Session {
    let place = configuration.path
    let key = SessionCache.Key(place: place, home: scheduler.home)
    if configuration.cache, let known = SessionCache.find(key) {
      known.verifySameSettings(configuration)
      if let classes = configuration.classes { try known.adopt(classes) }
      return known
    }
    if !configuration.cache { return try make(configuration, at: scheduler, of: file) }
    guard let opening = Openings.begin(place, version: configuration.schemaVersion) else {
      throw Realm.Error.openedDifferently(place, "schema version")
    }
    // Not before its session can be found.
    defer { Openings.end(opening) }
    let session = try make(configuration, at: scheduler, of: file)
    SessionCache.add(session, key)
    return session
  }

  private static func make(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator?
  ) throws -> Session {
    try make(configuration, at: scheduler, of: file, deletingUntil: nil)
  }

  /// - Parameter deadline: until when a file that others have open, too, may be deleted to migrate
  ///   it.
  private static func make(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator?,
    deletingUntil deadline: ContinuousClock.Instant?
  ) throws -> Session {
    configuration.verify()
    if configuration.encryptionKey != nil {
      throw Realm.Error(
        .invalidInput,
        "cannot open \(configuration.path) with an encryption key: this engine does not encrypt; "
          + "open it without a key", configuration.path)
    }
    var seen: FileState?
    do {
      let coordinator = try file ?? open(file: configuration)
      // Before its schema is looked at: what was committed in between is looked at, too, then.
      if configuration.deleteRealmIfMigrationNeeded {
        seen = try FileState(of: coordinator.disk)
      }
      let session = try Session(configuration, coordinator: coordinator, scheduler: scheduler)
      Logger.tell(.detail, "Open file: \(configuration.path)")
      try session.bringSchemaIntoShape()
      session.isInShape = true
      return session
    } catch let error as Realm.Error where error.needsMigration {
      guard configuration.deleteRealmIfMigrationNeeded, !configuration.readOnly else { throw error }
      var again = configuration
      var giveUp = deadline
      do {
        // Others may have come for the same since it was let go of, and have made it anew, written
        // to it and closed it: then it is looked at again.
        if try Realm.deleteFiles(for: configuration, ifStill: seen) {
          again.deleteRealmIfMigrationNeeded = false
          // The new file stays empty: a seed would be copied into it, and might need a migration
          // just as the deleted file did.
          again.seedFilePath = nil
        }
      } catch let inUse as Realm.Error where inUse.code == .alreadyOpen {
        // Who has it open here stays, and so does the file, unless that is the new one already.
        if SessionCache.isOpen(configuration.path),
          (try? seen?.isStill(at: configuration.path)) ?? true
        {
          throw inUse
        }
        // Another process has come for the same, and has let go of the file as we have; or it has
        // the file as it shall be. By chance, so that no two look at the same moment again and
        // again.
        giveUp = deadline ?? .now + .seconds(2)
        if let giveUp, ContinuousClock.now > giveUp { throw inUse }
        usleep(.random(in: 500..<8000))
      }
      return try make(again, at: scheduler, of: nil, deletingUntil: giveUp)
    } catch {
      throw Realm.Error(error)
    }
  }

  private static func open(file configuration: Realm.Configuration) throws -> Coordinator {
    try configuration.requireFile()
    let file = try Coordinator.open(configuration.storage)
    if ReadPermissions.agree(on: file) { return file }
    // Realm throws this, too; who asks where the file is open dies of it (`verifySameSettings`).
    throw Realm.Error.openedDifferently(configuration.path, "read permissions")
  }

  private func verifySameSettings(_ other: Realm.Configuration) {
    if configuration.readOnly != other.readOnly {
      refuse(.openedDifferently(configuration.path, "read permissions"), at: .open)
    }
    if (configuration.inMemoryIdentifier == nil) != (other.inMemoryIdentifier == nil) {
      refuse(.openedDifferently(configuration.path, "inMemory settings"), at: .open)
    }
    if configuration.encryptionKey != other.encryptionKey {
      refuse(.openedDifferently(configuration.path, "encryption key"), at: .open)
    }
  }
}

extension Realm.Error {
  /// Somebody has the file open with another setting.
  static func openedDifferently(_ path: String, _ what: String) -> Realm.Error {
    Realm.Error(.fail, Violation.openedDifferently(path, what).sentence, path)
  }
}

extension Realm.Configuration {
  /// Stops whoever asks for what contradicts itself.
  fileprivate func verify() {
    switch (fileURL, inMemoryIdentifier) {
    case (nil, nil): refuse(.placeless, at: .open)
    case (let url?, _) where url.path.isEmpty: refuse(.emptyPath, at: .open)
    case (_, ""): refuse(.emptyIdentifier, at: .open)
    default: break
    }
    if let encryptionKey, encryptionKey.count != 64 { refuse(.keyOfWrongLength, at: .open) }
    if schemaVersion == .max { refuse(.noSchemaVersion, at: .open) }
    if readOnly, deleteRealmIfMigrationNeeded { refuse(.readOnlyIsNotDeleted, at: .open) }
    if readOnly, shouldCompactOnLaunch != nil { refuse(.readOnlyIsNotCompacted, at: .open) }
  }

  /// How the storage floor opens the file.
  var storage: StorageConfiguration {
    var storage = StorageConfiguration(
      location: inMemoryIdentifier.map { .memory(identifier: $0) } ?? .file(path: path))
    storage.isReadOnly = readOnly
    storage.checksEverything = checksEverything
    storage.commitProtocol = commitProtocol
    storage.seedPath = seedFilePath?.path
    storage.shouldCompact = shouldCompactOnLaunch
    storage.tablesOfReusedKeys = { top in
      SchemaForm.of([UInt8](top.schema))?.schema.tablesOfReusedKeys ?? []
    }
    return storage
  }

  /// Looks for what a read-only realm must find.
  fileprivate func requireFile() throws {
    guard readOnly, seedFilePath == nil, let fileURL else { return }
    do {
      if try FileStatus.find(fileURL.path) != nil { return }
    } catch {
      throw Realm.Error(error)
    }
    throw Realm.Error(
      .fileNotFound, "Failed to open file at path '\(fileURL.path)': No such file or directory",
      fileURL.path)
  }
}
