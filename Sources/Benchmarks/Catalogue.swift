import EngineUnderTest
import Evidence
import Harness

/// Every benchmark there is, in the order reports show them, and the engines this build holds.
package enum Catalogue {
  package static let all: [Benchmark] =
    FloorWorkloads.all + ObjectWorkloads.reads + KeyReads.all + Scans.all + Sorting.all
    + Openings.all + Company.all + Refreshing.all + FirstUse.reads + Commits.all + SteadyCommits.all
    + Batches.all
    + Contention.all + Stall.all + AsyncWorkloads.all + ObjectWorkloads.frozen + FirstUse.frozen
    + Versions.all
    + WayWorkloads.all + [NotificationWay.benchmark] + NotifyWorkloads.all
    + [NotifyStall.benchmark, NotifyStall.idle] + Size.all
    + [Chat.benchmark, Import.benchmark, Events.benchmark] + Classic.all

  /// The engines that take part in this build, with how they are set up.
  package static var engines: [Environment.Engine] {
    var found = [
      Environment.Engine(
        name: RealmStore.name, version: RealmStore.version, setting: RealmStore.setting)
    ]
    #if SQLite
    found.append(
      .init(name: SQLiteStore.name, version: SQLiteStore.version, setting: SQLiteStore.setting))
    #endif
    #if LMDB
    found.append(
      .init(name: LMDBStore.name, version: LMDBStore.version, setting: LMDBStore.setting))
    #endif
    found.append(
      .init(
        name: "c", version: "", setting: "loops in C over plain memory: what the machine allows"))
    found.append(.init(name: "null", version: "", setting: "does nothing: the harness itself"))
    return found
  }

  /// The environment's name for the realm-core library that the engine `realm` is.
  package static var coreLibraryVariable: String { Engine.coreLibraryVariable }

  /// What this build was made without, by trait, and what its runs lack for that.
  package static var missing: [(name: String, loss: String)] {
    [
      (
        isThere: Stores.names.contains("sqlite"), name: "SQLite",
        loss: "nothing is measured beside it"
      ),
      (isThere: Stores.names.contains("lmdb"), name: "LMDB", loss: "nothing is measured beside it"),
      (isThere: Allocations.isWanted, name: "Jemalloc", loss: "allocations are not counted"),
    ].filter { !$0.isThere }.map { ($0.name, $0.loss) }
  }

  /// Whether an engine can do what a full name asks: not every engine knows every durability.
  static func offers(_ engine: String, _ name: BenchmarkName) -> Bool {
    if name.family == "writes.stall" { return Stall.offers(engine, name.parameters["mode"] ?? "") }
    if name.family == "writes.size" { return Size.offers(engine, name.parameters["what"] ?? "") }
    if name.parameters["mode"]?.hasPrefix("mixed") == true { return engine == RealmStore.name }
    guard let durability = name.parameters["durability"].flatMap(Durability.init) else {
      return true
    }
    if engine == RealmStore.name { return RealmStore.durabilities.contains(durability) }
    #if SQLite
    if engine == SQLiteStore.name { return SQLiteStore.durabilities.contains(durability) }
    #endif
    return true
  }

  /// `list benchmarks`.
  package static var text: String {
    all.map { benchmark in
      let parameters = benchmark.parameters.map {
        " \($0.name)=\($0.values.joined(separator: ","))"
      }.joined()
      return
        "\(benchmark.name)\(parameters)\n    \(benchmark.sentence)\n    "
        + "engines: \(benchmark.engines.joined(separator: ", ")); metrics: "
        + "\(benchmark.metrics.joined(separator: ", "))\(benchmark.isQuick ? "; quick" : "")\n"
    }.joined()
  }

  package struct Entry: Codable, Sendable {
    package let name: String
    package let sentence: String
    package let parameters: [String: [String]]
    package let engines: [String]
    package let metrics: [String]
    package let quick: Bool
  }

  /// `list benchmarks --json`.
  package static var entries: [Entry] {
    all.map { one in
      Entry(
        name: one.name, sentence: one.sentence,
        parameters: Dictionary(
          one.parameters.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first }),
        engines: one.engines, metrics: one.metrics, quick: one.isQuick)
    }
  }
}
