import Evidence
import Foundation
import Harness

/// Many changes in one transaction.
enum Batches {
  static let all: [Benchmark] = [
    Benchmark(
      "writes.insert", "one person, inserted in batches of that size per durable transaction",
      [.init("batch", ["1", "1000", "100000"], quick: ["1", "1000"])], engines: Stores.names,
      metrics: ["time", "bytes"], quick: true, weight: 2, Stores.run(Insert())),
    BulkInsert.benchmark,
    Benchmark(
      "writes.update-many", "one person of a tenth, changed in one durable transaction", [.oneSize],
      engines: Stores.names, quick: false, weight: 2, Stores.run(UpdateMany())),
    Benchmark(
      "writes.delete-many", "one person of a tenth, deleted in one durable transaction", [.oneSize],
      engines: Stores.names, quick: false, weight: 2, Stores.run(DeleteMany())),
  ]
}

struct Insert: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let batch = try track.integer("batch")
    let store = try track.stocked(type, rows: 0, durability: .twoPhase, writable: true)
    let connection = try store.connect()
    let population = Population(max(batch, 1 << 14))
    let prepared = population.keys.map(Population.row)
    var inserted = 0
    var agesSum = 0
    func transaction() throws -> UInt64 {
      try connection.write { writer in
        for _ in 0..<batch {
          var row = prepared[inserted % prepared.count]
          row.id += inserted / prepared.count * prepared.count
          try writer.insert(row)
          agesSum += row.age
          inserted += 1
        }
      }
      return UInt64(agesSum)
    }
    track.payload = prepared.reduce(0) { $0 + $1.payload } / prepared.count
    try track.time(per: batch, batch: batch > 1 ? 1 : nil) { count in
      var last: UInt64 = 0
      for _ in 0..<count { last = try transaction() }
      return last
    }
    let (found, sum) = try store.connect().read { (try $0.count(), try $0.iterateAges()) }
    track.check(found == inserted && sum == agesSum, "\(found) people, expected \(inserted)")
  }
}

struct UpdateMany: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
    let connection = try store.connect()
    let chosen = Population(rows).keys.filter { $0 % 10 == 3 }
    var turn = 0
    track.payload = MemoryLayout<Int>.size
    try track.time(per: chosen.count, batch: 1) { count in
      for _ in 0..<count {
        turn += 1
        try connection.write { writer in
          for key in chosen { try writer.setAge(key, 100 + turn) }
        }
      }
      return UInt64(turn)
    }
    let right =
      Population(rows).sumOfAges + chosen.reduce(0) { $0 + 100 + turn - Population.row($1).age }
    let sum = try store.connect().read { try $0.iterateAges() }
    track.check(sum == right, "the ages add up to \(sum), expected \(right)")
  }
}

struct DeleteMany: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let store = try track.stocked(type, rows: rows, durability: .twoPhase, writable: true)
    let connection = try store.connect()
    guard track.pass == .time else { return track.check(true, "") }
    // Each turn deletes another tenth of what there was: the first is the warm-up, nothing is put
    // back.
    var times: [Double] = []
    for turn in 0..<5 {
      let chosen = Population(rows).keys.filter { $0 % 10 == turn }
      let start = Stopwatch.now
      try connection.write { writer in for key in chosen { try writer.delete(key) } }
      track.handicap?.delay(since: start)
      if turn > 0 { times.append(Double(Stopwatch.now - start) / Double(chosen.count)) }
    }
    track.record("time", Quantiles.median(times), count: times.count * rows / 10)
    let left = try store.connect().read { try $0.count() }
    track.check(left == rows / 2, "\(left) people left, expected \(rows / 2)")
  }
}
