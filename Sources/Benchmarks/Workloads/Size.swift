import EngineUnderTest
import Evidence
import Foundation
import Harness

/// The same four operations over people by the ten thousand and by the ten million: nothing but
/// what the memory costs may grow with the file.
enum Size {
  private static let sizes = Benchmark.Parameter(
    "rows", ["10000", "100000", "1000000", "10000000"])

  static let all: [Benchmark] = [
    Benchmark(
      "reads.size", "one person by primary key at random, or the ages of all added up, by size",
      [sizes, .init("what", ["by-primary-key", "sum"])], engines: Stores.names, weight: 2,
      least: .init { $0.parameters["what"] == "sum" ? $0.number("rows") * 2e-7 : 0 }
    ) { track in
      switch try track.word("what") {
      case "by-primary-key": try Stores.run(ByPrimaryKey())(track)
      case "sum": try Stores.run(Sum())(track)
      case let what: throw BenchmarkError("what=\(what): expected by-primary-key or sum")
      }
    },
    Benchmark(
      "writes.size",
      "a durable commit of one changed Int, or one that flushes nothing until an observer on a "
        + "queue is told, by size",
      [sizes, .init("what", ["commit", "told"])], engines: Stores.names,
      metrics: ["time", "p50", "p99"], weight: 2,
      least: .init { $0.number("rows") * ($0.parameters["what"] == "commit" ? 3e-7 : 9e-8) }
    ) { track in
      switch try track.word("what") {
      case "commit": try Stores.run(Commit(durability: .twoPhase))(track)
      case "told": try NotifyWorkloads.oneObserver(track)
      case let what: throw BenchmarkError("what=\(what): expected commit or told")
      }
    },
  ]

  /// Whether an engine tells anybody of what was written: of these only Realm does.
  static func offers(_ engine: String, _ what: String) -> Bool {
    what != "told" || engine == RealmStore.name
  }
}
