import EngineUnderTest
import Evidence
import Foundation
import Harness

/// A large import on a thread of its own while the main loop looks on.
///
/// People arrive in durable transactions of 10,000. On the loop so many observers are told of each:
/// everybody, those over 90, those whose name begins with m, in turn.
enum Import {
  static let benchmark = Benchmark(
    "macro.import",
    "one person of an import in durable transactions of 10,000, while observers on the main loop "
      + "are told of each; stalls and dropped frames of the loop",
    [
      .init("rows", ["1000000"], quick: ["50000"]), .init("observers", ["0", "3"], quick: ["3"]),
    ], engines: [RealmStore.name],
    metrics: ["time", "stall", "dropped60", "dropped120", "size", "allocations"], weight: 12, run)

  private static let batch = 10_000

  @Sendable private static func run(_ track: Track) throws {
    let rows = try track.integer("rows")
    let count = try track.integer("observers")
    let store = try track.stocked(RealmStore.self, rows: 0, durability: .twoPhase, writable: true)
    let loop = LoopThread("main")
    defer { loop.stop() }
    let onlookers = try loop.sync { Handed(try Onlookers(store.configuration, count)) }.value
    for _ in 0..<count { onlookers.told.wait() }
    let account = try Heartbeat.during(loop) {
      let realm = try Realm(configuration: store.configuration)
      try track.work(rows) { pause in
        for first in stride(from: 0, to: rows, by: batch) {
          try realm.write {
            for id in first..<min(rows, first + batch) { realm.add(Person(Population.row(id))) }
          }
          pause()
        }
        return UInt64(rows)
      }
    }.account
    if track.pass == .time {
      track.record(frames: account)
      track.record("size", Double(store.bytesOnDisk()))
    }
    let right = [
      rows, (0..<rows).count { Population.row($0).age > 90 },
      (0..<rows).count { Population.row($0).name.hasPrefix("m") },
    ]
    let seen = try onlookers.last(right, on: loop)
    for (index, count) in seen.enumerated() {
      track.check(
        count == right[index % 3], "observer \(index) saw \(count) of \(right[index % 3])")
    }
    let found = try store.connect().read { try $0.count() }
    track.check(found == rows, "\(found) people arrived of \(rows)")
  }

  /// The observers on the loop, and how many people each saw last.
  private final class Onlookers: @unchecked Sendable {
    // Unchecked: touched on the loop alone, but for the semaphore.
    let told = DispatchSemaphore(value: 0)
    private var tokens: [NotificationToken] = []
    private var seen: [Int]

    init(_ configuration: Realm.Configuration, _ count: Int) throws {
      let realm = try Realm(configuration: configuration)
      seen = Array(repeating: 0, count: count)
      let everybody = realm.objects(Person.self)
      let questions = [
        everybody, everybody.where { $0.age > 90 }, everybody.where { $0.name.starts(with: "m") },
      ]
      for index in 0..<count {
        tokens.append(
          questions[index % 3].observe { [unowned self] change in
            switch change {
            case .initial(let people):
              seen[index] = people.count
              told.signal()
            case .update(let people, _, _, _): seen[index] = people.count
            case .error: seen[index] = -1
            }
          })
      }
    }

    /// What each saw when all had seen everything, or after 20 s.
    func last(_ right: [Int], on loop: LoopThread) throws -> [Int] {
      let end = Stopwatch.now + 20_000_000_000
      while true {
        let seen = try loop.sync { self.seen }
        let isDone = seen.enumerated().allSatisfy { $0.element == right[$0.offset % 3] }
        if isDone || Stopwatch.now > end {
          try loop.sync { self.tokens = [] }
          return seen
        }
        // The observers are another thread's, and are looked at seldom enough not to delay them.
        usleep(500)
      }
    }
  }
}
