import Dispatch
import Foundation

extension Realm {
  /// What `asyncOpen` returns: lets go of the callback.
  public final class AsyncOpenTask: @unchecked Sendable {
    // The flag is guarded by the lock.
    private let lock = NSLock()
    private var isCancelled = false

    /// Keeps the callback from being called, if it was not yet.
    public func cancel() { lock.withLock { isCancelled = true } }

    fileprivate var isWanted: Bool { lock.withLock { !isCancelled } }
  }

  /// Opens a realm, and hands it over on a queue, where it then lives. The file is prepared,
  /// migrations and all, on a thread that nobody waits for.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    let task = AsyncOpenTask()
    // Handed to the queue once, and used there alone.
    nonisolated(unsafe) let callback = callback
    let queue = callbackQueue
    DispatchQueue.global(qos: .userInitiated).async {
      let file = Result { try Session.prepareFile(configuration) }
      queue.async {
        guard task.isWanted else { return }
        callback(
          Result {
            _ = try file.get()
            return try Realm(configuration: configuration, queue: queue)
          })
      }
    }
    return task
  }

  /// Whether there is a file for the configuration.
  public static func fileExists(for configuration: Configuration) -> Bool {
    configuration.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  /// Deletes the file and what belongs to it. Refuses while anybody has it open, in this process or
  /// another: by a realm, a frozen one too, by a reference that is not resolved, by an asynchronous
  /// write that is not done.
  ///
  /// - Returns: whether there was a file.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    try deleteFiles(for: configuration, ifStill: nil)
  }

  /// - Parameter state: in which the file must be still: else it stays, as if there were none.
  static func deleteFiles(
    for configuration: Configuration, ifStill state: FileState?
  ) throws -> Bool {
    guard configuration.fileURL != nil else {
      throw Error(.invalidInput, "cannot delete the files of a realm in memory: it has none")
    }
    let path = configuration.path
    do {
      return try Joining.remove(path, configuration.storage.seams.moments, ifStill: state)
    } catch StorageError.inUse {
      throw Error(
        .alreadyOpen,
        "All files associated with '\(path)' cannot be deleted: the Realm is still in use", path)
    } catch {
      throw Error(error)
    }
  }

  /// The schema version that a file was last brought to.
  public static func schemaVersionAtURL(_ fileURL: URL) throws -> UInt64 {
    let path = fileURL.path
    guard FileManager.default.fileExists(atPath: path) else {
      throw Error(.fileNotFound, "Cannot open file at path '\(path)': no such file", path)
    }
    do {
      let coordinator = try Coordinator.open(
        StorageConfiguration(location: .file(path: path), isReadOnly: true))
      let snapshot = try coordinator.newestSnapshot(kind: .frozen)
      let store = Store(space: coordinator.space, top: snapshot.top)
      return try store.schemaForm(path: coordinator.path).schema.version ?? 0
    } catch {
      throw Error(error)
    }
  }

  /// Brings a file to the configuration's schema version. Not one that is open in the calling
  /// place, where opening gives the realm that is there.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws {
    let path = configuration.path
    let home = try Session.scheduler(for: nil).home
    if SessionCache.find(SessionCache.Key(place: path, home: home)) != nil {
      throw Error(.fail, Violation.migratedWhileOpen.sentence, path)
    }
    _ = try Session.openHere(configuration)
  }

  /// Writes what this realm shows, an unfinished write included, to a new file.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    var configuration = Configuration()
    configuration.fileURL = fileURL
    configuration.encryptionKey = encryptionKey
    try writeCopy(configuration: configuration)
  }

  public func writeCopy(configuration: Configuration) throws {
    session.verify(at: .readRealm)
    guard let url = configuration.fileURL else {
      throw Error(.invalidInput, "cannot write a copy into memory: name a file")
    }
    if configuration.encryptionKey != nil {
      throw Error(
        .invalidInput,
        "cannot write an encrypted copy to \(url.path): this engine does not encrypt", url.path)
    }
    if FileManager.default.fileExists(atPath: url.path) {
      throw Error(
        .fileExists, "Failed to open file at path '\(url.path)': File exists", url.path)
    }
    do {
      try session.copy(to: configuration.path)
    } catch StorageError.failed(_, _, _, code: EEXIST) {
      throw Error(
        .fileExists, "Failed to open file at path '\(url.path)': File exists", url.path)
    } catch {
      throw Error(error)
    }
  }
}

extension Session {
  /// Writes every row that is shown to a new file.
  fileprivate func copy(to path: String) throws {
    read()
    if !isInWrite { return try coordinator.writeCopy(of: committedSnapshot, to: path) }
    // What the write was begun on is durable before it is found in a copy.
    write?.settleBase()
    if let failure = write?.flush?.failure { throw failure }
    // What a write shows is written to a realm in memory first, and its newest version copied.
    let target = try Coordinator(StorageConfiguration(location: .memory(identifier: "copy")))
    let transaction = try target.beginWrite()
    let copy = Store(writing: transaction)
    copy.fill(from: store, stored)
    _ = try transaction.commit()
    let snapshot = try target.newestSnapshot(kind: .tool)
    try Aside.make(path, coordinator.seams, replace: false) { disk in
      coordinator.giveOwner(to: disk)
      try Compaction.write(
        snapshot.root, in: target.space, to: disk, tree: target.configuration.tree)
    }
  }
}

/// The schema version that a file was last brought to.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  if encryptionKey != nil {
    throw Realm.Error(
      .invalidInput,
      "cannot read \(fileURL.path) with an encryption key: this engine does not encrypt",
      fileURL.path)
  }
  return try Realm.schemaVersionAtURL(fileURL)
}
