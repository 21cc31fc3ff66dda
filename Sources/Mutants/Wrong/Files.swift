#if Mutants
import Dispatch
import Foundation
@_private(sourceFile: "Realm+Files.swift") import ReferenceEngine

extension Realm {
  @_dynamicReplacement(for:asyncOpen(configuration:callbackQueue:callback:))
  @discardableResult
  static func wrongAsyncOpen(
    configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
    callback: @escaping (Result<Realm, any Swift.Error>) -> Void
  ) -> AsyncOpenTask {
    guard breaks(.asyncOpenBindsToItsQueue) else {
      return asyncOpen(
        configuration: configuration, callbackQueue: callbackQueue, callback: callback)
    }
    // Handed to the queue once, and used there alone.
    nonisolated(unsafe) let callback = callback
    callbackQueue.async { callback(Result { try Realm(configuration: configuration) }) }
    return AsyncOpenTask()
  }

  @_dynamicReplacement(for:writeCopy(configuration:))
  func wrongWriteCopy(configuration: Configuration) throws {
    if breaks(.copiesOverwriteNothing), let url = configuration.fileURL {
      try? FileManager.default.removeItem(at: url)
    }
    try writeCopy(configuration: configuration)
  }
}

extension Session {
  @_dynamicReplacement(for:copy(to:))
  private func wrongCopy(to path: String) throws {
    if breaks(.copiesShowTheRealmsVersion) { _ = advance() }
    try copy(to: path)
  }
}
#endif
