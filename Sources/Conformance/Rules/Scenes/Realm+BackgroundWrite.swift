import EngineUnderTest
import Foundation
import Harness

extension Realm {
  /// The extension of Realm's threading page: a write on a background queue, on what a reference
  /// carried there.
  func writeAsync<T: ThreadConfined>(
    _ passed: T, before latch: Latch? = nil,
    errorHandler: @escaping ((_ error: Swift.Error) -> Void) = { _ in },
    block: @escaping ((Realm, T?) -> Void)
  ) {
    let objectReference = ThreadSafeReference(to: passed)
    let configuration = self.configuration
    nonisolated(unsafe) let block = block
    nonisolated(unsafe) let errorHandler = errorHandler
    DispatchQueue(label: "background").async {
      do {
        _ = latch?.wait(.seconds(8))
        let realm = try Realm(configuration: configuration)
        try realm.write {
          // Resolve within the transaction to ensure the latest changes are used.
          let object = realm.resolve(objectReference)
          block(realm, object)
        }
      } catch {
        errorHandler(error)
      }
    }
  }
}
