import EngineUnderTest
import Evidence
import Foundation
import Harness

/// A serial queue with a realm on it, and what was written through it.
final class Desk: @unchecked Sendable {
  // Unchecked: everything but the immutable parts is touched on the queue alone.
  let queue = DispatchQueue(label: "desk")
  private let realm: Realm
  private let store: RealmStore
  private var changes: Changes
  private var failures = 0

  init(_ track: Track) throws {
    let rows = try track.integer("rows")
    store = try track.stocked(RealmStore.self, rows: rows, durability: .twoPhase, writable: true)
    changes = Changes(rows, track)
    let (queue, configuration) = (queue, store.configuration)
    realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
  }

  private func set(_ key: Int, _ age: Int) {
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
      failures += 1
      return
    }
    person.age = age
  }

  /// Calls `writeAsync` and returns how long the calls took.
  func call(_ calls: Int, _ done: DispatchSemaphore) -> Double {
    let next = (0..<calls).map { _ in changes.next() }
    let start = Stopwatch.now
    for (key, age) in next {
      realm.writeAsync {
        self.set(key, age)
      } onComplete: { error in
        if error != nil { self.failures += 1 }
        done.signal()
      }
    }
    return Double(Stopwatch.now - start)
  }

  /// Begins so many transactions that may be made durable together; `isDurable` is called for each
  /// on the queue, and `done` signalled once, with the last: who waits for a batch of a peer is
  /// woken once, too.
  func commit(
    _ transactions: Int, _ done: DispatchSemaphore, isDurable: @escaping () -> Void = {}
  ) {
    var missing = transactions
    for _ in 0..<transactions {
      let (key, age) = changes.next()
      realm.beginAsyncWrite {
        self.set(key, age)
        self.realm.commitAsyncWrite(allowGrouping: true) { error in
          if error != nil { self.failures += 1 }
          isDurable()
          missing -= 1
          if missing == 0 { done.signal() }
        }
      }
    }
  }

  /// A fresh realm must find every change and nothing else.
  func check(_ track: Track) throws {
    let (changes, failures) = queue.sync { (self.changes, self.failures) }
    track.check(failures == 0, "\(failures) asynchronous writes failed")
    try changes.check(store, track)
  }
}
