import Dispatch
import Foundation

@testable import ReferenceEngine

/// A realm of its own for a test, in memory.
func freshConfiguration() -> Realm.Configuration {
  Realm.Configuration(
    inMemoryIdentifier: UUID().uuidString,
    objectTypes: [Person.self, Dog.self, Keyed.self, Todo.self])
}

/// A place where somebody works with a realm: a serial queue, on which the realm lives.
///
/// What another place's commit sets off is on the queue before the commit returns, so the next
/// `work` comes after it: nothing here has to wait for a while. What a large commit sets off where
/// somebody listens comes later, unless `refresh` asks for it.
final class Desk: @unchecked Sendable {
  // Sendable because the realm is only touched on the queue.
  let queue = DispatchQueue(label: "desk")
  let configuration: Realm.Configuration
  private var realm: Realm?

  init(_ configuration: Realm.Configuration) {
    self.configuration = configuration
    queue.sync {
      do {
        realm = try Realm(configuration: configuration, queue: queue)
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// With the file opened once more, as another process has it.
  init(apart configuration: Realm.Configuration) {
    self.configuration = configuration
    queue.sync {
      do {
        let home = try Session.scheduler(for: queue)
        let file = try Coordinator(configuration.storage)
        realm = Realm(try Session.open(configuration, at: home, of: file))
      } catch {
        fatalError("\(error)")
      }
    }
  }

  @discardableResult
  func work<T>(_ body: (Realm) throws -> T) rethrows -> T {
    try queue.sync { try body(realm!) }
  }

  /// Commits as another part of an app would.
  func commit(_ change: (Realm) -> Void) {
    work { realm in
      do { try realm.write { change(realm) } } catch { fatalError("\(error)") }
    }
  }

  func leave() { queue.sync { realm = nil } }
}

/// Says that something has happened, to a thread that waits for it.
struct Bell: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func ring() { semaphore.signal() }
  /// Whether it has rung, without waiting.
  func hasRung() -> Bool { semaphore.wait(timeout: .now()) == .success }
  /// False if nothing came in time.
  @discardableResult
  func wait() -> Bool { semaphore.wait(timeout: .now() + 20) == .success }
}

/// Carries something to code that is known to run in its place.
struct Smuggled<Value>: @unchecked Sendable {
  // Sendable because the tests that use it say where it may be opened, or want to see it refused.
  var value: Value
  init(_ value: Value) { self.value = value }
}
