import Evidence
import Foundation
import Harness

/// A workload that any embedded store can do, written once and specialised per store.
///
/// A protocol because Swift's closures cannot be generic.
protocol StoreWorkload: Sendable {
  func run<Store: KeyValueStore>(_ track: Track, _ store: Store.Type) throws
}

/// The stores this build holds.
enum Stores {
  /// Ours first.
  static var names: [String] {
    var names = [RealmStore.name]
    #if SQLite
    names.append(SQLiteStore.name)
    #endif
    #if LMDB
    names.append(LMDBStore.name)
    #endif
    return names
  }

  /// All but LMDB, which has no secondary order, no text search and no library around it.
  static var libraries: [String] { names.filter { $0 != "lmdb" } }

  /// Opens the generic workload for the store that the track asks for.
  static func run(_ workload: some StoreWorkload) -> @Sendable (Track) throws -> Void {
    { track in
      switch track.engine {
      case RealmStore.name: try workload.run(track, RealmStore.self)
      #if SQLite
      case SQLiteStore.name: try workload.run(track, SQLiteStore.self)
      #endif
      #if LMDB
      case LMDBStore.name: try workload.run(track, LMDBStore.self)
      #endif
      default: throw BenchmarkError("this build holds no store '\(track.engine)'")
      }
    }
  }

  /// Lets plain C take part beside the stores.
  static func run(
    _ workload: some StoreWorkload, c: @escaping @Sendable (Track) throws -> Void
  ) -> @Sendable (Track) throws -> Void {
    let stores = run(workload)
    return { try $0.engine == "c" ? c($0) : stores($0) }
  }
}

extension Benchmark.Parameter {
  static let sizes = Benchmark.Parameter("rows", ["100000", "1000000"], quick: ["100000"])
  static let oneSize = Benchmark.Parameter("rows", ["100000"])
  /// A first impression leaves out more threads than cores.
  static let threads = Benchmark.Parameter(
    "threads", threadCounts.map(String.init),
    quick: threadCounts.dropLast(threadCounts.count > 1 ? 1 : 0).map(String.init))

  /// 1, 2, … up to twice the cores that this process may use.
  static let threadCounts: [Int] = {
    let cores = max(1, Int(Processors.usable))
    var counts = [1]
    while let last = counts.last, last * 2 <= cores * 2 { counts.append(last * 2) }
    return counts
  }()
}

extension Track {
  /// What workers did together, and how evenly. A rate without a time, of nothing that was
  /// finished, would be in the one's rounds and not in the other's.
  func report(_ crew: Crew, of workers: Int) {
    guard crew.total > 0 else { return check(false, crew.idleness) }
    record("rate", crew.rate, count: crew.total)
    // Ratios of a few operations are those of small numbers: one half, one, two.
    let isMany = Quantiles.median(crew.parts.map(Double.init)) >= 50
    let length = crew.seconds * 1e9 / Double(max(1, crew.parts.count))
    record(
      "time", 1e9 / crew.rate,
      turns: isMany ? crew.parts.map { length / Double(max(1, $0)) } : [], count: crew.total)
    if workers > 1 { record("fairness", crew.fairness, count: crew.total) }
    if Double(workers) > Processors.usable { flag("oversubscribed") }
  }
}
