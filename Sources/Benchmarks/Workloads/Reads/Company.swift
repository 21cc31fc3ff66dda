import Evidence
import Foundation
import Harness

/// Readers in company: of other readers, of a writer.
enum Company {
  static let all: [Benchmark] = [
    Benchmark(
      "reads.scaling", "reads.by-primary-key on several threads at once", [.oneSize, .threads],
      engines: Stores.names, metrics: ["time", "rate", "fairness"], quick: true,
      Stores.run(Scaling())),
    Benchmark(
      "reads.beside-writer",
      "a read of reads.by-primary-key while one writer commits without pause; kept is the rate with the "
        + "writer over the rate alone",
      [.oneSize, .init("durability", ["two-phase", "none"], quick: ["two-phase"])],
      engines: Stores.names,
      metrics: ["kept", "rate", "time"], quick: true, weight: 2, Stores.run(BesideWriter())),
  ]
}

struct Scaling: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    let threads = try track.integer("threads")
    let store = try track.stocked(type, rows: rows, writable: false)
    guard track.pass == .time else { return track.check(true, "") }
    let seed = track.seed
    let crew = try track.concurrently(threads, chunk: 256) { index in
      let connection = try store.connect()
      var generator = SeededGenerator(seed: derivedSeed(seed, "worker \(index)"))
      var walk = KeyWalk(rows, &generator)
      let fresh = walk
      var check = walk
      let answer = try connection.read { try KeyReads.readMany($0, &check, 200) }
      guard answer == KeyReads.expected(fresh, 200) else {
        throw BenchmarkError("worker \(index) read other ages or names")
      }
      return { count in try connection.read { try KeyReads.readMany($0, &walk, count) } }
    }
    track.report(crew, of: threads)
    track.check(true, "")
  }
}

struct BesideWriter: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    guard track.pass == .time else { return track.check(true, "") }
    let durability = try Commit.durability(track)
    let store = try track.stocked(type, rows: rows, durability: durability, writable: true)
    let seed = track.seed
    @Sendable func reader(_ index: Int) throws -> (Int) throws -> UInt64 {
      let connection = try store.connect()
      var generator = SeededGenerator(seed: derivedSeed(seed, "reader"))
      var walk = KeyWalk(rows, &generator)
      return { count in
        try connection.refresh()
        return try connection.read { try KeyReads.readMany($0, &walk, count) }
      }
    }
    let alone = try track.concurrently(1, chunk: 64) { try reader($0) }
    let both = try track.concurrently(2, chunk: 64) { index in
      if index == 0 { return try reader(0) }
      let connection = try store.connect()
      var generator = SeededGenerator(seed: derivedSeed(seed, "writer"))
      return { _ in
        let key = generator.below(rows)
        try connection.write { try $0.setAge(key, Population.row(key).age) }
        // One commit counts for a whole chunk: only the reader's operations are reported.
        return 1
      }
    }
    let with = Double(both.operations.first ?? 0) / both.seconds
    guard with > 0, alone.total > 0 else {
      throw BenchmarkError("the window of \(both.seconds) s is too short for a single read")
    }
    track.record("kept", with / alone.rate, count: both.operations.first ?? 0)
    track.record("rate", with, count: both.operations.first ?? 0)
    track.record("time", 1e9 / with, count: both.operations.first ?? 0)
    let sum = try store.connect().read { try $0.iterateAges() }
    let right = Population(rows).sumOfAges
    track.check(sum == right, "afterwards the ages add up to \(sum), expected \(right)")
  }
}
