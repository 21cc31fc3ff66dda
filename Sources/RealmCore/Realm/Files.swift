import CRealmCore
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

  /// Opens a realm, and hands it over on a queue, where it then lives.
  @discardableResult
  public static func asyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    Facade.decides()
    let task = AsyncOpenTask()
    // Handed to the queue once, and used there alone.
    nonisolated(unsafe) let callback = callback
    let queue = callbackQueue
    DispatchQueue.global(qos: .userInitiated).async {
      let opened = Result { try Session.open(configuration, at: .here()) }
      queue.async {
        guard task.isWanted else { return }
        callback(
          Result {
            _ = try opened.get()
            return try Realm(configuration: configuration, queue: queue)
          })
      }
    }
    return task
  }

  /// Whether there is a file for the configuration.
  public static func fileExists(for configuration: Configuration) -> Bool {
    Facade.decides()
    return configuration.fileURL.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
  }

  /// Deletes the file and what belongs to it; refuses while anybody in the process has it open.
  ///
  /// - Returns: whether there was a file.
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    Facade.asks()
    var did = false
    if !core.realm_delete_files(configuration.corePath, &did) {
      throw Error(CoreError.last(), configuration)
    }
    return did
  }

  /// Writes what this realm shows to a new file.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    var configuration = Configuration()
    configuration.fileURL = fileURL
    configuration.encryptionKey = encryptionKey
    try writeCopy(configuration: configuration)
  }

  public func writeCopy(configuration: Configuration) throws {
    let config = CoreConfiguration(configuration, home: nil, [])
    if !core.realm_convert_with_config(session.handle, config.handle, false) {
      let error = CoreError.last()
      if error.code == .wrongThread { fatalError(error.message) }
      throw Error(error, configuration)
    }
  }
}
