import Evidence
import Foundation
import Harness
import Testing

@testable import Benchmarks

/// Every workload once, as small as it goes: the answers must be right before any of them is timed.
@Suite(.serialized) struct WorkloadTests {
  private static let smallest = [
    "rows": "200", "batch": "10", "held": "3", "group": "5", "threads": "2", "writers": "2",
    "objects": "5", "observers": "2", "megabytes": "1", "bursts": "3", "events": "20",
    "messages": "200", "pieces": "5", "amount": "40", "change": "7",
  ]

  static let cases: [Case] = Catalogue.all.flatMap { benchmark in
    benchmark.engines.map { engine in
      var parameters: [String: String] = [:]
      for parameter in benchmark.parameters {
        parameters[parameter.name] = smallest[parameter.name] ?? parameter.quick.first ?? ""
      }
      // Modes are different code: each of them once.
      let choice = benchmark.parameters.first { ["mode", "what", "shape"].contains($0.name) }
      return (choice?.values ?? [""]).filter { $0 != "processes" }.map { mode in
        if let choice { parameters[choice.name] = mode }
        return Case(BenchmarkName(benchmark.name, parameters), engine)
      }
    }.flatMap { $0 }
  }

  @Test func `every one has a right answer in both passes`() throws {
    // One directory for all: data sets are made once, as in a run. In memory where that can be:
    // answers are asked for here and not times, and hundreds of flushes to a disk that others use
    // are most of what these take.
    let memory = URL(fileURLWithPath: "/dev/shm")
    let place =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    let work = place.appendingPathComponent("workloads-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    // Tens of thousands of commits: these are for release builds.
    let long: Set = ["frozen.one-old-pin", "frozen.after-release"]
    // Threads that race need a window in which each of them runs, on a busy machine too.
    let waiting: Set = ["reads.beside-writer", "reads.scaling", "writes.contention"]
    for one in WorkloadTests.cases where !long.contains(one.name.family) {
      guard Catalogue.offers(one.engine, one.name) else { continue }
      // A second process is this program again, which the tests are not: CommandTests use the tool
      // for these.
      if one.name.family == "notify.process" { continue }
      // Counting is one piece of code, whoever is counted.
      let passes: [Track.Pass] = one.engine == RealmStore.name ? [.time, .count] : [.time]
      for pass in passes {
        let report = MeasureCommand.run(
          benchmark: one.name.description, engine: one.engine, seed: 3, pass: pass,
          seconds: waiting.contains(one.name.family) ? 0.1 : 0.005,
          workdir: work)
        #expect(report.failure == nil, "\(one) \(pass)")
        #expect(report.checks > 0, "\(one)")
        if pass == .time { #expect(!report.values.isEmpty, "\(one)") }
      }
    }
  }

  @Test func `names, families and engines are what the specification says`() {
    let names = Catalogue.all.map(\.name)
    #expect(Set(names).count == names.count)
    for benchmark in Catalogue.all {
      #expect(benchmark.engines.isEmpty == false, "\(benchmark.name) runs on no engine")
      #expect(benchmark.sentence.first?.isUppercase == false, "\(benchmark.name)")
      for metric in benchmark.metrics { #expect(Metric.rank(metric) < Metric.all.count) }
    }
  }

  @Test func `each is judged by the first of its metrics`() {
    for benchmark in Catalogue.all {
      #expect(Subjects.metric(of: benchmark.name) == benchmark.metrics[0], "\(benchmark.name)")
      let known = Subjects.all[benchmark.name] ?? []
      #expect(Array(benchmark.metrics.prefix(known.count)) == known, "\(benchmark.name)")
    }
    #expect(Set(Subjects.all.keys).isSubset(of: Set(Catalogue.all.map(\.name))))
  }

  @Test func `context switches are counted where page faults are`() throws {
    let counted = Meter(Counters())
    _ = counted.during { sched_yield() }
    let metrics = counted.values(per: 1).map(\.metric)
    #expect(metrics.contains("switches") && metrics.contains("faults"))
    #expect(metrics.contains("preempted") && metrics.contains("pageins"))
    for name in ["switches", "preempted", "faults", "pageins"] {
      #expect(Metric.named(name).kind == .observed)
    }
  }

  @Test func `benchmarks that end too early have successors`() {
    let names = Set(Catalogue.all.map(\.name))
    for (old, new) in Successors.all {
      #expect(names.contains(old) && names.contains(new), "\(old) and \(new)")
    }
    #expect(
      names.isSuperset(of: [
        "reads.refresh-and-read", "reads.resolve-and-read", "frozen.freeze-and-read",
        "frozen.freeze-object-and-read", "frozen.thaw-and-read", "reads.open-configured",
        "reads.open-and-read", "reads.query-and-read",
      ]))
  }

  @Test func `an unknown benchmark or engine is a report that says so`() {
    let work = FileManager.default.temporaryDirectory
    let one = MeasureCommand.run(
      benchmark: "reads.none", engine: "x", seed: 1, pass: .time, seconds: 0.01, workdir: work)
    #expect(one.failure == "unknown benchmark 'reads.none'")
    let two = MeasureCommand.run(
      benchmark: "floor.null", engine: "x", seed: 1, pass: .time, seconds: 0.01, workdir: work)
    #expect(two.failure?.contains("knows no engine 'x'") == true)
  }

  @Test func `the people are the same every time`() {
    let row = Population.row(77)
    let again = Population.row(77)
    #expect(row.name == again.name && row.age == again.age && row.note == again.note)
    #expect((0..<500).allSatisfy { (8...15).contains(Population.row($0).name.utf8.count) })
    #expect((0..<500).allSatisfy { (0...99).contains(Population.row($0).age) })
    #expect(Set(Population(500).keys) == Set(0..<500))
    #expect(Population(500).keys != Array(0..<500))
    #expect(Population.stringKey(9).utf8.count == 16)
  }
}
