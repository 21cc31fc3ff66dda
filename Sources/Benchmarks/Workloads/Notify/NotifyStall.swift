import EngineUnderTest
import Evidence
import Foundation
import Harness
import Synchronization

/// What the main loop feels while another thread commits and observers at home are told of it.
///
/// Whoever observes pays at home for each change set: members and differences are worked out there
/// or before, and the loop cannot run meanwhile. Commits come one after another and flush nothing:
/// a disk would give the loop time.
enum NotifyStall {
  static let benchmark = Benchmark(
    "notify.stall",
    "longest time the main loop could not run while another thread commits so many changed ages "
      + "again and again beside so many observed results; p50 and p99 are waits of somebody who "
      + "comes every millisecond; dropped frames of displays at 60 and 120 Hz",
    [
      .init("rows", ["1000000"]), .init("change", ["1", "10000"]),
      .init("observers", ["1", "3", "100"]), .init("shape", ["all", "filtered", "sorted"]),
    ],
    engines: [RealmStore.name], metrics: ["stall", "p50", "p99", "dropped60", "dropped120"],
    weight: 4,
    // Whoever sorts a million sorts them twice where many have changed.
    least: .init { name in
      guard name.parameters["shape"] == "sorted" else { return 0 }
      return name.number("rows") * name.number("observers") * (name.number("change") > 1 ? 2 : 1)
        * 1.3e-6
    }, run)

  /// What the machine does to the same loop by itself: no number of the other means much without.
  static let idle = Benchmark(
    "notify.idle",
    "longest time the main loop could not run while nobody writes and nobody listens; p50 and p99 "
      + "are waits of somebody who comes every millisecond",
    engines: ["null"], metrics: ["stall", "p50", "p99", "dropped60", "dropped120"], rest)

  @Sendable private static func rest(_ track: Track) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let loop = LoopThread("main")
    defer { loop.stop() }
    let never = DispatchSemaphore(value: 0)
    let (account, _, _) = try Heartbeat.during(loop) {
      _ = never.wait(timeout: .now() + track.seconds)
    }
    track.record(account.waits)
    track.record(frames: account)
    track.check(account.times.count > 1, "the loop never came to run")
  }

  @Sendable private static func run(_ track: Track) throws {
    guard track.pass == .time else { return track.check(true, "") }
    let (rows, change) = try (track.integer("rows"), track.integer("change"))
    let store = try track.stocked(RealmStore.self, rows: rows, writable: true)
    let loop = LoopThread("main")
    defer { loop.stop() }
    let audience = try Audience(
      store.configuration, on: loop, observers: try track.integer("observers"),
      shape: try track.word("shape"))
    let realm = try Realm(configuration: store.configuration)
    var commits = 0
    /// Ages that nobody had before, so that each change is one for every shape.
    func commit(last: Bool) throws {
      let age = 100 + commits % 100
      try realm.write {
        for place in 0..<min(change, rows) {
          let key = (commits * change + place) % rows
          realm.object(ofType: Person.self, forPrimaryKey: key)?.age = age
        }
        if last { audience.expect((commits * change % rows, age)) }
      }
      commits += 1
    }
    let (account, _, _) = try Heartbeat.during(loop) {
      let end = Stopwatch.now + UInt64(track.seconds * 1e9)
      repeat { try commit(last: false) } while Stopwatch.now < end || commits < 5
      try commit(last: true)
      try audience.wait()
    }
    track.record(account.waits)
    track.record(frames: account)
    try audience.end(on: track)
  }
}

/// Observers on a run loop, each of results of its own.
private final class Audience: @unchecked Sendable {
  // Unchecked: all but what stands under the lock and the semaphore is touched on the loop alone.
  private let loop: LoopThread
  private let expected = Mutex<(key: Int, age: Int)?>(nil)
  private let told = DispatchSemaphore(value: 0)
  private var tokens: [NotificationToken] = []
  private var missing: Set<Int> = []
  private var failures = 0

  init(
    _ configuration: Realm.Configuration, on loop: LoopThread, observers: Int, shape: String
  ) throws {
    self.loop = loop
    missing = Set(0..<observers)
    try loop.sync { [self] in
      let realm = try Realm(configuration: configuration)
      for number in 0..<observers {
        let people = realm.objects(Person.self)
        let shaped: Results<Person>
        switch shape {
        case "all": shaped = people
        case "filtered": shaped = people.where { $0.age > 50 }
        case "sorted": shaped = people.sorted(by: \.age)
        default: throw BenchmarkError("shape=\(shape): expected all, filtered or sorted")
        }
        tokens.append(shaped.observe { [unowned self] in arrive($0, at: number, in: realm) })
      }
    }
    // The first call of each, with what is there.
    told.wait()
    try loop.sync { [self] in missing = Set(0..<observers) }
  }

  private func arrive(
    _ change: RealmCollectionChange<Results<Person>>, at number: Int, in realm: Realm
  ) {
    switch change {
    case .initial: missing.remove(number)
    case .update:
      guard let (key, age) = expected.withLock({ $0 }) else { return }
      if realm.object(ofType: Person.self, forPrimaryKey: key)?.age == age {
        missing.remove(number)
      } else {
        return
      }
    case .error: failures += 1
    }
    if missing.isEmpty { told.signal() }
  }

  /// From now on the observers wait for this person's age; called in a write, before its commit.
  func expect(_ last: (key: Int, age: Int)) { expected.withLock { $0 = last } }

  func wait() throws {
    guard told.wait(timeout: .now() + 60) == .success else {
      throw BenchmarkError("after 60 s some observers had not been told of the last commit")
    }
  }

  func end(on track: Track) throws {
    let failures = try loop.sync { [self] in
      for token in tokens { token.invalidate() }
      tokens = []
      return self.failures
    }
    track.check(failures == 0, "\(failures) observers were told of an error")
  }
}
