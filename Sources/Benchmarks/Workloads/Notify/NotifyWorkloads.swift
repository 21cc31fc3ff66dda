import EngineUnderTest
import Evidence
import Foundation
import Harness

/// News: how long from a commit to the block that is told, and what it costs the committing side.
///
/// Time runs from just before the commit, on one thread, to the moment when the last observer has
/// been called on a serial queue, or in another process. The commit flushes nothing: a disk would
/// hide the news.
enum NotifyWorkloads {
  private static let sizes = Benchmark.Parameter("rows", ["1000", "100000"], quick: ["100000"])
  private static let metrics = ["time", "p50", "p99", "cpu"]

  static let all: [Benchmark] = [
    Benchmark(
      "notify.latency",
      "from the commit of one changed Int on one thread to the last observer's block on a serial "
        + "queue, with its change set; cpu is all that the commit and its news cost, on every "
        + "thread",
      [sizes, .init("observers", ["1", "10", "100"], quick: ["1", "100"])],
      engines: [RealmStore.name], metrics: metrics, quick: true
    ) { track in
      try run(track, observers: try track.integer("observers"), keyPaths: nil)
    },
    Benchmark(
      "notify.key-paths",
      "the same for ten observers that watch one property: the changed one, or another, when only "
        + "one more observer without key paths is told",
      [sizes, .init("watched", ["changed", "other"])], engines: [RealmStore.name], metrics: metrics
    ) { track in
      let watched = try track.word("watched")
      guard watched == "changed" || watched == "other" else {
        throw BenchmarkError("watched=\(watched): expected changed or other")
      }
      try run(track, observers: 10, keyPaths: [watched == "changed" ? "age" : "name"])
    },
    Benchmark(
      "notify.process",
      "from the commit of one changed Int in one process to an observer's block in another, with "
        + "its change "
        + "set", [sizes], engines: [RealmStore.name], metrics: metrics, quick: true, process),
  ]

  /// From a commit to one observer's block.
  @Sendable static func oneObserver(_ track: Track) throws {
    try run(track, observers: 1, keyPaths: nil)
  }

  private static func run(_ track: Track, observers: Int, keyPaths: [String]?) throws {
    let store = try track.stocked(
      RealmStore.self, rows: try track.integer("rows"), writable: true)
    let watchers = try Watchers(store.configuration, observers: observers, keyPaths: keyPaths)
    let writer = try Writer(store)
    try track.spans {
      let (start, age) = try writer.commit { watchers.expect() }
      return try watchers.wait(for: age) - start
    }
    try watchers.end(on: track)
    try writer.check(store, track)
  }

  // MARK: Another process

  private static func process(_ track: Track) throws {
    if track.part != nil { return try observe(track) }
    let rows = try track.integer("rows")
    let store = try track.stocked(RealmStore.self, rows: rows, writable: true)
    let writer = try Writer(store)
    let companion = try Companion(
      "observer", of: track, in: track.directory.appendingPathComponent("store"))
    var wrong = 0
    try track.spans {
      let (start, age) = try writer.commit {}
      let words = try companion.line().split(separator: " ").compactMap { UInt64($0) }
      guard words.count == 2 else { throw BenchmarkError("the observer said no time and age") }
      if words[1] != UInt64(age) { wrong += 1 }
      return words[0] - start
    }
    try companion.end()
    track.check(wrong == 0, "\(wrong) news did not show the newest commit")
    try writer.check(store, track)
  }

  /// The other process: says when it was told, and what it then saw.
  private static func observe(_ track: Track) throws {
    let store = try RealmStore(directory: track.directory, durability: .none)
    let queue = DispatchQueue(label: "observer")
    let configuration = store.configuration
    let token = try queue.sync {
      let people = try Realm(configuration: configuration, queue: queue).objects(Person.self)
      return people.observe { change in
        switch change {
        case .initial: CompanionTalk.say("ready")
        case .update(let people, _, _, let modifications):
          let seen = Stopwatch.now
          CompanionTalk.say("\(seen) \(modifications.first.map { people[$0].age } ?? -1)")
        case .error: break
        }
      }
    }
    while CompanionTalk.hear() != nil {}
    queue.sync { _ = token.invalidate() }
    track.check(true, "")
  }

  // MARK: The committing side

  /// Changes one person at a time, on the calling thread.
  private final class Writer {
    private let realm: Realm
    private let person: Person
    private var age = 100

    init(_ store: RealmStore) throws {
      realm = try Realm(configuration: store.configuration)
      guard let person = realm.object(ofType: Person.self, forPrimaryKey: 7) else {
        throw BenchmarkError("there is no person 7")
      }
      self.person = person
    }

    /// Commits another age; returns when the commit began.
    func commit(_ before: () -> Void) throws -> (start: UInt64, age: Int) {
      age += 1
      realm.beginWrite()
      person.age = age
      before()
      let start = Stopwatch.now
      try realm.commitWrite()
      return (start, age)
    }

    func check(_ store: RealmStore, _ track: Track) throws {
      let found = try store.connect().read { try $0.ageAndName(7) }
      let right = Population.digest(age: age, nameLength: Population.row(7).name.utf8.count)
      track.check(found == right, "afterwards person 7 is not \(age) years old")
    }
  }
}

/// A serial queue with a realm and observers of its people, who are all told of each commit.
final class Watchers: @unchecked Sendable {
  // Unchecked: all but the semaphore is touched on the queue alone, or before the queue hears of a
  // commit.
  private let queue = DispatchQueue(label: "watchers")
  private let told = DispatchSemaphore(value: 0)
  private var tokens: [NotificationToken] = []
  private let needed: Int
  private var missing: Int
  private var seen: UInt64 = 0
  private var age = 0
  private var wrong = 0

  /// `keyPaths` narrow what the observers watch; one more watches everything, and is always told.
  init(_ configuration: Realm.Configuration, observers: Int, keyPaths: [String]?) throws {
    let isNarrow = keyPaths != nil
    needed = !isNarrow ? observers : keyPaths == ["age"] ? observers + 1 : 1
    missing = observers + (isNarrow ? 1 : 0)
    try queue.sync {
      let people = try Realm(configuration: configuration, queue: queue).objects(Person.self)
      for _ in 0..<observers { watch(people, keyPaths) }
      if isNarrow { watch(people, nil) }
    }
    told.wait()
  }

  private func watch(_ people: Results<Person>, _ keyPaths: [String]?) {
    tokens.append(people.observe(keyPaths: keyPaths) { [unowned self] in arrive($0) })
  }

  private func arrive(_ change: RealmCollectionChange<Results<Person>>) {
    if case .update(let people, let deletions, let insertions, let modifications) = change {
      if modifications.count == 1, deletions.isEmpty, insertions.isEmpty {
        age = people[modifications[0]].age
      } else {
        wrong += 1
      }
    }
    missing -= 1
    guard missing == 0 else { return }
    seen = Stopwatch.now
    told.signal()
  }

  /// Called before a commit, when nobody is told anything.
  func expect() { queue.sync { missing = needed } }

  /// Waits until the last observer has been told; returns when that was.
  func wait(for age: Int) throws -> UInt64 {
    guard told.wait(timeout: .now() + 20) == .success else {
      throw BenchmarkError("after 20 s some of \(needed) observers had not been told of a commit")
    }
    return queue.sync {
      if self.age != age { wrong += 1 }
      return seen
    }
  }

  func end(on track: Track) throws {
    let wrong = queue.sync {
      for token in tokens { token.invalidate() }
      tokens = []
      return self.wrong
    }
    track.check(wrong == 0, "\(wrong) change sets did not show the newest commit alone")
  }
}
