import EngineUnderTest
import Evidence
import Foundation
import Harness

/// A home with a realm on it, a serial queue or a run loop, and what was written through it.
final class Desk: @unchecked Sendable {
  // Unchecked: everything but the immutable parts is touched at home alone.
  let queue = DispatchQueue(label: "desk")
  private let loop: LoopThread?
  private let realm: Realm
  private let store: RealmStore
  private var changes: Changes
  private var failures = 0

  /// - Parameter loop: where the realm lives; nil for the desk's own queue.
  init(_ track: Track, on loop: LoopThread? = nil) throws {
    self.loop = loop
    let rows = try track.integer("rows")
    store = try track.stocked(RealmStore.self, rows: rows, durability: .twoPhase, writable: true)
    changes = Changes(rows, track)
    let (queue, configuration) = (queue, store.configuration)
    if let loop {
      realm = try loop.sync { Handed(try Realm(configuration: configuration)) }.value
    } else {
      realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    }
  }

  /// Runs work at home, and waits for it.
  func sync<Result>(_ work: @escaping () throws -> Result) throws -> Result {
    try loop.map { try $0.sync(work) } ?? queue.sync(execute: work)
  }

  private func set(_ key: Int, _ age: Int) {
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
      failures += 1
      return
    }
    person.age = age
  }

  /// Calls `writeAsync` and returns how long the calls took.
  func call(_ calls: Int, _ done: DispatchSemaphore) -> UInt64 {
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
    return Stopwatch.now - start
  }

  /// Begins so many transactions that may be made durable together; `isDurable` is called for each
  /// on the queue, and `done` signalled once, with the last: who waits for a batch of a peer is
  /// woken once, too.
  func commit(
    _ transactions: Int, _ done: DispatchSemaphore, allowGrouping: Bool = true,
    isDurable: @escaping () -> Void = {}
  ) {
    var missing = transactions
    for _ in 0..<transactions {
      let (key, age) = changes.next()
      realm.beginAsyncWrite {
        self.set(key, age)
        self.realm.commitAsyncWrite(allowGrouping: allowGrouping) { error in
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
    let (changes, failures) = try sync { (self.changes, self.failures) }
    track.check(failures == 0, "\(failures) asynchronous writes failed")
    try changes.check(store, track)
  }
}
