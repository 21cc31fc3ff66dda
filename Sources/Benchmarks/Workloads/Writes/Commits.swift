import Evidence
import Foundation
import Harness

/// One small durable change after another, and some made durable together.
enum Commits {
  static let all: [Benchmark] = [
    Benchmark(
      "writes.commit", "one transaction changing one Int of one random person",
      [
        // What a commit costs must not depend on the file.
        .init("rows", ["10000", "100000", "1000000"], quick: ["100000"]),
        .init("durability", ["two-phase", "single-flush", "none"], quick: ["two-phase", "none"]),
      ],
      engines: Stores.names, metrics: ["time", "p50", "p99", "flushes", "bytes"], quick: true,
      weight: 2,
      Stores.run(Commit()))
  ]
}

struct Commit: StoreWorkload {
  /// Nil where a parameter says it.
  var durability: Durability?

  static func durability(_ track: Track) throws -> Durability {
    let word = try track.word("durability")
    guard let durability = Durability(rawValue: word) else {
      throw BenchmarkError("durability=\(word): expected two-phase, single-flush or none")
    }
    return durability
  }

  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let durability = try self.durability ?? Commit.durability(track)
    guard Store.durabilities.contains(durability) else {
      throw BenchmarkError("\(Store.name) offers no durability=\(durability.rawValue)")
    }
    let store = try track.stocked(type, rows: rows, durability: durability, writable: true)
    let connection = try store.connect()
    var walk = Changes(rows, track)
    func commit() throws -> UInt64 {
      let (key, age) = walk.next()
      try connection.write { try $0.setAge(key, age) }
      return UInt64(age)
    }
    // The one Int that changes.
    track.payload = MemoryLayout<Int>.size
    try track.time { count in
      var sum: UInt64 = 0
      for _ in 0..<count { sum &+= try commit() }
      return sum
    }
    try track.latencies { try commit() }
    try walk.check(store, track)
  }
}

struct Grouped: StoreWorkload {
  /// How many changes a transaction has.
  let group: Int
  /// How many are measured together.
  let amount: Int
  /// How often in a row; nil for as often as takes a while.
  var batch: Int?

  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
    let connection = try store.connect()
    var walk = Changes(rows, track)
    // One transaction holds the changes: a peer cannot make single ones visible before they are
    // durable.
    track.flag("batched-in-one-transaction")
    let transactions = amount / group
    try track.time(per: transactions * group, batch: batch) { count in
      for _ in 0..<count * transactions {
        try connection.write { writer in
          for _ in 0..<group {
            let (key, age) = walk.next()
            try writer.setAge(key, age)
          }
        }
      }
      return UInt64(walk.count)
    }
    try walk.check(store, track)
  }
}
