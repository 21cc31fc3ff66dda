import EngineUnderTest
import Evidence
import Foundation
import Harness

/// What only live objects have: accessors, confinement, refreshing, freezing. No peer has an
/// equivalent.
enum ObjectWorkloads {
  private static let ours = [RealmStore.name]

  static let reads: [Benchmark] = [
    Benchmark(
      "reads.held-int", "one Int property of an object already held; 1,000 objects in turn",
      [.oneSize], engines: ours + ["c"], quick: true
    ) { track in
      if track.engine == "c" { return try HeldInC.int(track) }
      try held(track, { ObjectLoops.ages($0, $1, from: 0) }, right: { UInt64($0.age) })
    },
    Benchmark(
      "reads.held-string", "one String property of an object already held; 1,000 objects in turn",
      [.oneSize], engines: ours + ["c"], quick: true
    ) { track in
      if track.engine == "c" { return try HeldInC.string(track) }
      try held(
        track, { ObjectLoops.nameLengths($0, $1) }, right: { UInt64($0.name.utf8.count) })
    },
    Benchmark(
      "reads.frozen-int", "one Int property of frozen objects that all threads share",
      [.oneSize, .threads], engines: ours, metrics: ["time", "rate", "fairness"], quick: true,
      frozenInt),
    Benchmark(
      "reads.queue-int", "one Int property of an object confined to a serial queue, read there",
      [.oneSize], engines: ours, quick: true, queueInt),
    Benchmark(
      "reads.actor-int", "one Int property of an object confined to an actor, read there",
      [.oneSize], engines: ours, quick: true, actorInt),
    Benchmark(
      "reads.accessor",
      "one element of a walk over all people that keeps each until the next and reads its age: an "
        + "object made for each",
      [.oneSize], engines: ours, quick: true
    ) { track in
      let rows = try track.integer("rows")
      let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
      let people = try Realm(configuration: store.configuration).objects(Person.self)
      var last = 0
      var kept: Person?
      try track.time(per: rows, batch: 1) { count in
        for _ in 0..<count { last = ObjectLoops.keptAges(people, &kept) }
        return UInt64(last)
      }
      let right = Population(rows).sumOfAges
      track.check(last == right, "the ages add up to \(last), expected \(right)")
    },
  ]

  static let frozen: [Benchmark] = [
    Benchmark(
      "frozen.freeze-realm", "freeze a realm", [.oneSize], engines: ours, quick: true
    ) { track in
      let (realm, person) = try people(track)
      var last: Realm?
      try track.time { count in
        for _ in 0..<count { last = realm.freeze() }
        return UInt64(count)
      }
      let found = last?.object(ofType: Person.self, forPrimaryKey: person.id)?.age
      track.check(
        found == person.age && last?.isFrozen == true, "the frozen realm shows \(found ?? -1)")
    },
    Benchmark(
      "frozen.freeze-object", "freeze an object", [.oneSize], engines: ours, quick: true
    ) { track in
      let (_, person) = try people(track)
      var last: Person?
      try track.time { count in
        for _ in 0..<count { last = person.freeze() }
        return UInt64(count)
      }
      track.check(
        last?.age == person.age && last?.isFrozen == true, "the frozen object has another age")
    },
    Benchmark(
      "frozen.thaw", "thaw a frozen object", [.oneSize], engines: ours, quick: true
    ) { track in
      let (_, person) = try people(track)
      let frozen = person.freeze()
      var last: Person?
      try track.time { count in
        for _ in 0..<count { last = frozen.thaw() }
        return UInt64(count)
      }
      track.check(
        last?.age == person.age && last?.isFrozen == false, "the thawed object has another age")
    },
  ]

  // MARK: Setting up

  /// A realm with people on this thread, and one of them.
  private static func people(_ track: Track) throws -> (realm: Realm, person: Person) {
    let store = try track.stocked(
      RealmStore.self, rows: try track.integer("rows"), writable: false)
    let realm = try Realm(configuration: store.configuration)
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: 7) else {
      throw BenchmarkError("there is no person 7")
    }
    return (realm, person)
  }

  static func thousand(_ realm: Realm, _ rows: Int, _ track: Track) throws -> [Person] {
    var generator = track.generator("held")
    return try (0..<1000).map { _ in
      let key = generator.below(rows)
      guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
        throw BenchmarkError("there is no person \(key)")
      }
      return person
    }
  }

  /// Times one property of a thousand held objects in turn.
  private static func timeHeld(
    _ track: Track, _ people: [Person], _ read: ([Person], Int) -> UInt64,
    right: (Population.Row) -> UInt64
  ) throws {
    try track.time { read(people, $0) }
    let wrong = people.first { read([$0], 1) != right(Population.row($0.id)) }
    track.check(wrong == nil, "person \(wrong?.id ?? 0) has another value")
  }

  private static func timeAges(_ track: Track, _ people: [Person]) throws {
    try timeHeld(
      track, people, { ObjectLoops.ages($0, $1, from: 0) }, right: { UInt64($0.age) })
  }

  private static func held(
    _ track: Track, _ read: ([Person], Int) -> UInt64, right: (Population.Row) -> UInt64
  ) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
    let realm = try Realm(configuration: store.configuration)
    try timeHeld(track, try thousand(realm, rows, track), read, right: right)
  }

  private static func frozenInt(_ track: Track) throws {
    let rows = try track.integer("rows")
    let threads = try track.integer("threads")
    guard track.pass == .time else { return track.check(true, "") }
    let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
    let frozen = try Realm(configuration: store.configuration).freeze()
    let shared = Handed(try thousand(frozen, rows, track))
    let crew = try track.concurrently(threads, chunk: 4096) { index in
      let people = shared.value
      let start = index * 97 % people.count
      return { ObjectLoops.ages(people, $0, from: start) }
    }
    track.report(crew, of: threads)
    let wrong = shared.value.first { $0.age != Population.row($0.id).age }
    track.check(wrong == nil, "person \(wrong?.id ?? 0) has another age")
  }

  private static func queueInt(_ track: Track) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
    let queue = DispatchQueue(label: "home")
    try queue.sync {
      let realm = try Realm(configuration: store.configuration, queue: queue)
      try timeAges(track, try thousand(realm, rows, track))
    }
  }

  private static func actorInt(_ track: Track) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(RealmStore.self, rows: rows, writable: false)
    let lane = Handed(track)
    try waitFor {
      try await Home().run { home in
        let realm = try await Realm(configuration: store.configuration, actor: home)
        try timeAges(lane.value, try thousand(realm, rows, lane.value))
      }
    }
  }
}

/// A value that crosses threads because the benchmark sees to it: frozen, or used on one side at a
/// time.
struct Handed<Value>: @unchecked Sendable {
  // Unchecked: each use says why; frozen objects may be shared, and other values wait for a join.
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// An actor to be at home on.
actor Home {
  func run<Result: Sendable>(
    _ body: @Sendable (isolated Home) async throws -> Result
  ) async throws -> Result {
    try await body(self)
  }
}

/// Lets synchronous code wait for asynchronous code that never needs the waiting thread.
func waitFor<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws
  -> Result
{
  let done = DispatchSemaphore(value: 0)
  // Written before the signal, read after it.
  nonisolated(unsafe) var outcome: Swift.Result<Result, any Error>?
  Task.detached {
    do {
      outcome = .success(try await body())
    } catch {
      outcome = .failure(error)
    }
    done.signal()
  }
  done.wait()
  guard let outcome else { throw BenchmarkError("a task ended without an outcome") }
  return try outcome.get()
}
