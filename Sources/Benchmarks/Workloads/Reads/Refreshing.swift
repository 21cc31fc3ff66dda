import Evidence
import Foundation
import Harness

/// Moving a reader to the newest version: `refresh()` of a realm, a new read transaction of a peer.
///
/// A peer looks at one person within the new transaction, as SQLite begins in earnest with the
/// first look.
enum Refreshing {
  static let all: [Benchmark] = [
    Benchmark(
      "reads.refresh-idle", "refresh() with nothing new; of a peer: a new read transaction",
      [.oneSize],
      engines: Stores.names, quick: true, Stores.run(RefreshIdle())),
    Benchmark(
      "reads.refresh-after-commit",
      "refresh() after one commit on another thread; of a peer: a new read transaction", [.oneSize],
      engines: Stores.names, metrics: ["time", "p50", "p99"], quick: true, weight: 2,
      Stores.run(RefreshAfterCommit())),
  ]
}

extension KeyValueConnection {
  /// Sees what others have committed: whatever that takes here.
  @inline(__always)
  func renew(_ isRealm: Bool) throws {
    if isRealm { return try refresh() }
    _ = try read { try $0.ageAndName(0) }
  }
}

struct RefreshIdle: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, writable: false)
    let connection = try store.connect()
    let isRealm = Store.name == RealmStore.name
    try track.time { count in
      for _ in 0..<count { try connection.renew(isRealm) }
      return UInt64(count)
    }
    let sum = try connection.read { try $0.iterateAges() }
    let right = Population(rows).sumOfAges
    track.check(sum == right, "the ages add up to \(sum), expected \(right)")
  }
}

struct RefreshAfterCommit: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, durability: .none, writable: true)
    let connection = try store.connect()
    let isRealm = Store.name == RealmStore.name
    let thread = LoopThread("other")
    defer { thread.stop() }
    let other = try thread.sync { Handed(try store.connect()) }
    var age = 100
    var wrong = 0
    try track.timeEach {
      age += 1
      let new = age
      try thread.sync { try other.value.write { try $0.setAge(7, new) } }
    } _: {
      try connection.renew(isRealm)
      return UInt64(age)
    } after: {
      let name = Population.row(7).name.utf8.count
      let seen = try connection.read { try $0.ageAndName(7) }
      if seen != Population.digest(age: age, nameLength: name) { wrong += 1 }
    }
    track.check(wrong == 0, "\(wrong) refreshes did not show the newest commit")
  }
}
