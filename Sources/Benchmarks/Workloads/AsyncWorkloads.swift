import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Asynchronous writes of a realm that lives on a serial queue.
enum AsyncWorkloads {
  static let call = Benchmark(
    "async.call", "writeAsync until it returns to the caller", [.init("rows", ["100000"])],
    engines: [RealmStore.name], quick: true
  ) { track in
    let desk = try Desk(track)
    guard track.pass == .time else { return track.check(true, "") }
    var times: [Double] = []
    let batch = 50
    let end = Stopwatch.now + UInt64(track.seconds * 1e9)
    repeat {
      let done = DispatchSemaphore(value: 0)
      let took = desk.queue.sync { desk.call(batch, done) }
      times.append(took / Double(batch))
      // What was called is carried out before the next batch: only the calls are timed.
      for _ in 0..<batch { done.wait() }
    } while Stopwatch.now < end || times.count < 5
    track.record("time", Quantiles.median(Array(times.dropFirst())), count: times.count * batch)
    try desk.check(track)
  }

  /// One change per asynchronous transaction, `group` of them under way at once.
  static func grouped(_ track: Track) throws {
    let group = try track.integer("group")
    let desk = try Desk(track)
    try track.time(per: group) { count in
      for _ in 0..<count {
        let done = DispatchSemaphore(value: 0)
        desk.queue.sync { desk.commit(group, done) }
        for _ in 0..<group { done.wait() }
      }
      return UInt64(count)
    }
    try desk.check(track)
  }

  /// A queue with a realm on it, and what was written through it.
  private final class Desk: @unchecked Sendable {
    // Unchecked: everything but the immutable parts is touched on the queue alone.
    let queue = DispatchQueue(label: "desk")
    private let realm: Realm
    private let store: RealmStore
    private let rows: Int
    private var generator: SeededGenerator
    private var written: [Int: Int] = [:]
    private var count = 0
    private var failures = 0

    init(_ track: Track) throws {
      rows = try track.integer("rows")
      store = try track.stocked(RealmStore.self, rows: rows, durability: .twoPhase, writable: true)
      generator = track.generator("changes")
      let (queue, configuration) = (queue, store.configuration)
      realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    }

    private func next() -> (key: Int, age: Int) {
      count += 1
      let key = generator.below(rows)
      let age = 100 + count % 900
      written[key] = age
      return (key, age)
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
      let changes = (0..<calls).map { _ in next() }
      let start = Stopwatch.now
      for (key, age) in changes {
        realm.writeAsync {
          self.set(key, age)
        } onComplete: { error in
          if error != nil { self.failures += 1 }
          done.signal()
        }
      }
      return Double(Stopwatch.now - start)
    }

    /// Begins so many transactions that may be made durable together.
    func commit(_ transactions: Int, _ done: DispatchSemaphore) {
      for _ in 0..<transactions {
        let (key, age) = next()
        realm.beginAsyncWrite {
          self.set(key, age)
          self.realm.commitAsyncWrite(allowGrouping: true) { error in
            if error != nil { self.failures += 1 }
            done.signal()
          }
        }
      }
    }

    /// A fresh realm must find every change and nothing else.
    func check(_ track: Track) throws {
      let (written, failures) = queue.sync { (self.written, self.failures) }
      var right = Population(rows).sumOfAges
      for (key, age) in written { right += age - Population.row(key).age }
      let sum = try store.connect().read { try $0.iterateAges() }
      track.check(failures == 0, "\(failures) asynchronous writes failed")
      track.check(sum == right, "the ages add up to \(sum), expected \(right)")
    }
  }
}
