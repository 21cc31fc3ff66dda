import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Calls together with the first use of what they give: what a call puts off is paid there, and
/// belongs to it.
///
/// Each of these succeeds a benchmark that ends when the call returns, or measures a pair of calls
/// that had none.
enum FirstUse {
  private static let ours = [RealmStore.name]

  static let reads: [Benchmark] = [
    Benchmark(
      "reads.refresh-and-read",
      "refresh() after one commit on another thread, then one person by key, age and name read; of "
        + "a peer: a renewed read transaction and the get", [.oneSize], engines: Stores.names,
      metrics: ["time", "p50", "p99"], quick: true, weight: 2, Stores.run(RefreshAndRead())),
    Benchmark(
      "reads.resolve-and-read",
      "a ThreadSafeReference made on another thread, resolved here, one property read", [.oneSize],
      engines: ours, metrics: ["time", "p50", "p99"], quick: true, weight: 2, resolveAndRead),
    Benchmark(
      "reads.open-configured",
      "open with a configuration made on the spot, already open on this thread, one person read; "
        + "of a peer: one more connection to the open file", [.oneSize], engines: Stores.names,
      quick: true, Stores.run(OpenConfigured())),
    Benchmark(
      "reads.open-and-read",
      "open a file that nobody has open, in a process that has opened another, read one person, "
        + "close",
      [.oneSize], engines: Stores.names, quick: true, Stores.run(OpenAndRead())),
    Benchmark(
      "reads.query-and-read",
      "the first of all people older than 98, the query made on the spot, its age read", [.oneSize],
      engines: Stores.names, quick: true, Stores.run(QueryAndRead())),
  ]

  static let frozen: [Benchmark] = [
    Benchmark(
      "frozen.freeze-and-read",
      "freeze() of a version that nobody has frozen, one person by key, age and name read; of a "
        + "peer: a renewed read transaction and the get", [.oneSize], engines: Stores.names,
      metrics: ["time", "p50", "p99"], quick: true, weight: 2, Stores.run(FreezeAndRead())),
    Benchmark(
      "frozen.freeze-object-and-read",
      "an object of a version that nobody has frozen is frozen, one property of it read",
      [.oneSize], engines: ours, metrics: ["time", "p50", "p99"], quick: true, weight: 2,
      freezeObjectAndRead),
    Benchmark(
      "frozen.thaw-and-read", "a frozen object thawed, one property read", [.oneSize],
      engines: ours, quick: true, thawAndRead),
  ]

  @Sendable private static func resolveAndRead(_ track: Track) throws {
    let store = try track.stocked(
      RealmStore.self, rows: try track.integer("rows"), writable: false)
    let realm = try Realm(configuration: store.configuration)
    let thread = LoopThread("other")
    defer { thread.stop() }
    let other = try thread.sync { () throws -> Handed<Realm> in
      Handed(try Realm(configuration: store.configuration))
    }
    var reference: ThreadSafeReference<Person>?
    var wrong = 0
    let right = Population.row(7).age
    try track.timeEach {
      reference = try thread.sync { () throws -> Handed<ThreadSafeReference<Person>> in
        guard let person = other.value.object(ofType: Person.self, forPrimaryKey: 7) else {
          throw BenchmarkError("there is no person 7")
        }
        return Handed(ThreadSafeReference(to: person))
      }.value
    } _: {
      let age = reference.flatMap { realm.resolve($0) }?.age ?? -1
      if age != right { wrong += 1 }
      return UInt64(bitPattern: Int64(age))
    }
    track.check(wrong == 0, "\(wrong) references led to another age than \(right)")
  }

  @Sendable private static func freezeObjectAndRead(_ track: Track) throws {
    var growing = try Growing(track, RealmStore.self)
    defer { growing.stop() }
    let realm = growing.connection.realm
    guard let person = realm.object(ofType: Person.self, forPrimaryKey: 7) else {
      throw BenchmarkError("there is no person 7")
    }
    var frozen: Person?
    var age = 0
    var wrong = 0
    try track.timeEach {
      // As with a whole realm: the last to let go gives the version back, and not on the clock.
      frozen = nil
      try growing.grow()
      realm.refresh()
    } _: {
      frozen = person.freeze()
      age = frozen?.age ?? -1
      return UInt64(bitPattern: Int64(age))
    } after: {
      if age != growing.age || frozen?.isFrozen != true { wrong += 1 }
    }
    withExtendedLifetime(frozen) {}
    track.check(wrong == 0, "\(wrong) frozen objects were not those of their version")
  }

  @Sendable private static func thawAndRead(_ track: Track) throws {
    let store = try track.stocked(
      RealmStore.self, rows: try track.integer("rows"), writable: false)
    let realm = try Realm(configuration: store.configuration)
    guard let frozen = realm.object(ofType: Person.self, forPrimaryKey: 7)?.freeze() else {
      throw BenchmarkError("there is no person 7")
    }
    var age = 0
    try track.time { count in
      var sum = 0
      for _ in 0..<count {
        age = frozen.thaw()?.age ?? -1
        sum &+= age
      }
      return UInt64(bitPattern: Int64(sum))
    }
    track.check(age == Population.row(7).age, "the thawed object has the age \(age)")
  }
}

/// A reader and another thread that commits between its turns: person 7 is a year older each time.
private struct Growing<Store: KeyValueStore> {
  let connection: Store.Connection
  private let thread: LoopThread
  private let other: Handed<Store.Connection>
  private let nameLength: Int
  private(set) var age = 100

  init(_ track: Track, _ type: Store.Type) throws {
    let store = try track.stocked(
      type, rows: try track.integer("rows"), durability: .none, writable: true)
    connection = try store.connect()
    let thread = LoopThread("other")
    self.thread = thread
    other = try thread.sync { Handed(try store.connect()) }
    nameLength = Population.row(7).name.utf8.count
  }

  mutating func grow() throws {
    age += 1
    let (new, other) = (age, other)
    try thread.sync { try other.value.write { try $0.setAge(7, new) } }
  }

  func isNewest(_ digest: UInt64?) -> Bool {
    digest == Population.digest(age: age, nameLength: nameLength)
  }

  func stop() { thread.stop() }
}

struct RefreshAndRead: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    var growing = try Growing(track, type)
    defer { growing.stop() }
    let connection = growing.connection
    var seen: UInt64?
    var wrong = 0
    try track.timeEach {
      try growing.grow()
    } _: {
      try connection.refresh()
      seen = try connection.read { try $0.ageAndName(7) }
      return seen ?? 0
    } after: {
      if !growing.isNewest(seen) { wrong += 1 }
    }
    track.check(wrong == 0, "\(wrong) reads did not see the newest commit")
  }
}

struct FreezeAndRead: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    var growing = try Growing(track, type)
    defer { growing.stop() }
    let connection = growing.connection
    let isRealm = Store.name == RealmStore.name
    var held: Store.Connection.Held?
    var seen: UInt64?
    var wrong = 0
    try track.timeEach {
      // Let go of before the clock runs: a version is frozen once, and given back by whoever comes
      // last.
      held = nil
      try growing.grow()
      try connection.refresh()
    } _: {
      if isRealm {
        let frozen = try connection.hold()
        seen = try connection.read(in: frozen) { try $0.ageAndName(7) }
        held = frozen
      } else {
        seen = try connection.read { try $0.ageAndName(7) }
      }
      return seen ?? 0
    } after: {
      if !growing.isNewest(seen) { wrong += 1 }
    }
    withExtendedLifetime(held) {}
    track.check(wrong == 0, "\(wrong) frozen reads did not see their version")
  }
}

struct OpenConfigured: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let directory = try track.shelved(type, rows: rows)
    let store = try Store(directory: directory, durability: .none)
    let kept = try store.connect()
    let isRealm = Store.name == RealmStore.name
    var digest: UInt64?
    try track.time { count in
      for _ in 0..<count {
        // A peer's file is opened once in a process; what is opened again is a connection.
        let again = isRealm ? try Store(directory: directory, durability: .none) : store
        digest = try again.connect().read { try $0.ageAndName(7) }
      }
      return digest ?? 0
    }
    withExtendedLifetime(kept) {}
    track.check(
      digest == Population.digest(Population.row(7)), "person 7 has another age or name")
  }
}

struct OpenAndRead: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let directory = try track.shelved(type, rows: try track.integer("rows"))
    let other = try track.stocked(type, rows: 100, writable: true, as: "other")
    let kept = try other.connect()
    _ = try kept.read { try $0.ageAndName(7) }
    var digest: UInt64?
    try track.time { count in
      for _ in 0..<count {
        let store = try Store(directory: directory, durability: .none)
        digest = try store.connect().read { try $0.ageAndName(7) }
      }
      return digest ?? 0
    }
    withExtendedLifetime(kept) {}
    track.check(
      digest == Population.digest(Population.row(7)), "person 7 has another age or name")
  }
}

struct QueryAndRead: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    var age: Int?
    try track.time { count in
      for _ in 0..<count { age = try connection.read { try $0.firstAge(above: 98) } }
      return UInt64(age ?? 0)
    }
    let right = (0..<rows).contains { Population.row($0).age == 99 } ? 99 : nil
    track.check(
      age == right, "the first above 98 is \(age ?? -1) years old, expected \(right ?? -1)")
  }
}
