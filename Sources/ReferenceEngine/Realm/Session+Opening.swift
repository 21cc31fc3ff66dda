import Dispatch
import Foundation

extension Session {
  /// The scheduler of a queue, or of the calling code.
  static func scheduler(for queue: DispatchQueue?) throws -> any Scheduler {
    guard let queue else { return Seams.current.schedulers.here() }
    guard let scheduler = Seams.current.schedulers.queue(queue) else {
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
    try open(configuration, at: Seams.current.schedulers.here(), of: file)
  }

  /// The session of a configuration in a place: the one that is open there, or a new one.
  ///
  /// - Parameter file: The file, if somebody who has it open knows that it is the configuration's: nothing has to be
  ///   looked for then.
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
    let session = try make(configuration, at: scheduler, of: file)
    if configuration.cache { SessionCache.add(session, key) }
    return session
  }

  private static func make(
    _ configuration: Realm.Configuration, at scheduler: any Scheduler, of file: Coordinator?
  ) throws -> Session {
    if configuration.encryptionKey != nil {
      throw Realm.Error(
        .invalidInput,
        "cannot open \(configuration.path) with an encryption key: this engine does not encrypt; "
          + "open it without a key", configuration.path)
    }
    if configuration.fileURL == nil, configuration.inMemoryIdentifier == nil {
      throw Realm.Error(
        .invalidInput,
        "cannot open a realm without a place: set the configuration's fileURL or inMemoryIdentifier"
      )
    }
    do {
      let coordinator = try file ?? open(file: configuration)
      let session = try Session(configuration, coordinator: coordinator, scheduler: scheduler)
      try session.bringSchemaIntoShape()
      return session
    } catch let error as Realm.Error where error.needsMigration {
      guard configuration.deleteRealmIfMigrationNeeded, !configuration.readOnly else { throw error }
      _ = try Realm.deleteFiles(for: configuration)
      var again = configuration
      again.deleteRealmIfMigrationNeeded = false
      return try make(again, at: scheduler, of: nil)
    } catch {
      throw Realm.Error(error)
    }
  }

  private static func open(file configuration: Realm.Configuration) throws -> Coordinator {
    try configuration.prepareFile()
    if let shouldCompact = configuration.shouldCompactOnLaunch, !configuration.readOnly {
      try Coordinator.compact(configuration.storage, if: shouldCompact)
    }
    return try Coordinator.open(configuration.storage)
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

extension Realm.Configuration {
  /// How the storage floor opens the file.
  var storage: StorageConfiguration {
    var storage = StorageConfiguration(
      location: inMemoryIdentifier.map { .memory(identifier: $0) } ?? .file(path: path))
    storage.isReadOnly = readOnly
    storage.maximumActiveVersions = maximumNumberOfActiveVersions
    storage.commitProtocol = commitProtocol
    return storage
  }

  /// Copies the seed where there is no file yet, and looks for what a read-only realm must find.
  fileprivate func prepareFile() throws {
    guard let fileURL, readOnly || seedFilePath != nil else { return }
    let path = fileURL.path
    let files = FileManager.default
    if let seedFilePath, !files.fileExists(atPath: path) {
      do {
        try files.copyItem(at: seedFilePath, to: fileURL)
      } catch {
        throw Realm.Error(
          .fileNotFound, "cannot copy the seed \(seedFilePath.path) to \(path): \(error)", path)
      }
    }
    if readOnly, !files.fileExists(atPath: path) {
      throw Realm.Error(
        .fileNotFound, "Failed to open file at path '\(path)': No such file or directory", path)
    }
  }
}
