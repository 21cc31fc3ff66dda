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
      "a read of reads.by-primary-key while one writer commits without pause; kept is the rate "
        + "with the writer over the rate alone",
      [.oneSize, .init("durability", ["two-phase", "none"], quick: ["two-phase"])],
      engines: Stores.names,
      metrics: ["kept", "rate", "time", "beside"], quick: true, weight: 2,
      Stores.run(BesideWriter())),
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
