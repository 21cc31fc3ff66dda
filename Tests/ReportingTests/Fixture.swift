import Evidence
import Foundation

/// A run made up for the reports: every view has something to show, and the names are hostile.
enum Fixture {
  /// A page without the marks that hold numbers and their units together.
  static func read(_ html: String) -> String {
    html.replacing(#/<span class="nowrap">([^<]*)</span>/#) { $0.output.1 }
  }

  static var run: Run {
    var samples: [Sample] = []
    var latencies: [LatencyRecord] = []
    func add(_ benchmark: String, _ engine: String, _ metrics: [String: Double], flags: String = "")
    {
      for round in 0..<8 {
        let wobble = 1 + 0.01 * Double((round * 5) % 7 - 3)
        for (metric, value) in metrics.sorted(by: { $0.key < $1.key }) {
          let isTimed = Metric.named(metric).kind == .timed
          samples.append(
            Sample(
              utc: "2026-01-02T03:04:05Z", benchmark: benchmark, engine: engine, round: round,
              metric: metric, value: isTimed ? value * wobble : value, count: 5000, flags: flags,
              seed: 7))
        }
        samples.append(
          Sample(
            utc: "2026-01-02T03:04:05Z", benchmark: benchmark, engine: engine, round: round,
            metric: "check", value: 1, count: 1, seed: 7))
      }
    }
    for (engine, time) in [("reference", 61.0), ("sqlite", 2180), ("lmdb", 412)] {
      add(
        "reads.by-primary-key/rows=1000000", engine,
        ["time": time, "allocations": engine == "sqlite" ? 2 : 0, "p50": time, "p99": time * 3])
      let histogram = Histogram()
      var generator = SeededGenerator(seed: 9)
      for _ in 0..<20_000 {
        histogram.record(
          UInt64(time * (1 + 0.3 * generator.unit() + pow(generator.unit(), 60) * 20)))
      }
      latencies.append(
        LatencyRecord(
          benchmark: "reads.by-primary-key/rows=1000000", engine: engine, side: "", round: 0,
          histogram: histogram.encoded))
      for threads in [1, 2, 4] {
        add(
          "reads.scaling/rows=100000/threads=\(threads)", engine,
          [
            "rate": 1e9 / time * Double(min(threads, 2)) * (threads == 1 ? 1 : 0.95),
            "fairness": 0.97,
          ])
      }
      for group in [1, 20, 100] {
        add(
          "async.commit/group=\(group)", engine,
          ["time": 40_000 + time * 900 / Double(group), "flushes": 2 / Double(group)])
      }
    }
    for held in [0, 10, 100, 1000] {
      add("frozen.growth/change=1/held=\(held)", "reference", ["growth": 4096 + Double(held) * 3])
    }
    for (way, factor) in [("query", 900.0), ("reference", 700), ("freeze", 90), ("copy", 120)] {
      for objects in [1, 100, 10000] {
        add(
          "ways.\(way)/objects=\(objects)", "reference",
          ["time": 4000 + factor * Double(objects)])
      }
    }
    for (engine, mode, stall) in [
      ("reference", "sync", 40e6), ("reference", "writeAsync", 1.5e6), ("null", "idle", 1.1e6),
    ] {
      add(
        "writes.stall/megabytes=4/mode=\(mode)/transaction=64K", engine,
        ["stall": stall, "p50": 1000, "p99": stall / 2, "dropped60": stall / 16.7e6, "time": 5e5])
    }
    add("floor.flush", "c", ["time": 46_000], flags: "not-steady")
    samples.append(
      Sample(
        utc: "2026-01-02T03:04:05Z", benchmark: "reads.sum/</script><img src=x onerror=alert(1)>",
        engine: "reference", round: 0, metric: "check", value: 0, count: 1,
        note: "sum was 3, expected \"4\" \u{202E}desrever", seed: 7))
    var run = Run()
    run.id = "20260102T030405Z-m-abc"
    run.version = "0.1.0"
    run.started = "2026-01-02T03:04:05Z"
    run.finished = "2026-01-02T03:05:35Z"
    run.state = .finished
    run.asked.seed = 7
    run.asked.command = "realm-bench run --seed 7"
    run.environment.cpu = "Example CPU <2>"
    run.environment.cores = 2
    run.environment.usableCores = 2
    run.environment.machineID = "m1"
    run.environment.kernel = "6.1"
    run.environment.system = "Linux"
    run.environment.storage.filesystem = "ext4"
    run.environment.storage.durability = .volatile
    run.environment.storage.flushMedian = 21_000
    run.environment.engines = [
      .init(name: "reference", version: "0.1.0", setting: "two flushes per commit"),
      .init(name: "sqlite", version: "3.40.1", setting: "WAL, synchronous=FULL"),
    ]
    run.environment.warnings = ["no hardware counters: instructions are not counted"]
    run.results = Summary.results(samples, latencies: latencies)
    return run
  }

  static var comparison: Comparison {
    let names = ["reads.sum", "writes.commit", "reads.first-100", "frozen.thaw"]
    let ratios = [1.12, 1.0, 0.85, 1.03]
    var rows: [Comparison.Row] = []
    for (place, (name, ratio)) in zip(names, ratios).enumerated() {
      var generator = SeededGenerator(seed: UInt64(place))
      // The last one lies at the margin.
      let noise = place == 3 ? 0.2 : 0.02
      let a = (0..<24).map { _ in 100 * (1 + noise * generator.unit()) }
      let b = a.map { $0 * ratio * (1 + noise * (generator.unit() - 0.5)) }
      rows += Decision.judge([
        Decision.Question(
          benchmark: name, engine: "reference", metric: .named("time"), a: a, b: b)
      ])
    }
    if let flushes = Decision.judgeUntimed(
      Decision.Question(
        benchmark: "writes.commit", engine: "reference", metric: .named("flushes"),
        a: [2, 2, 2], b: [3, 3, 3]))
    {
      rows.append(flushes)
    }
    return Comparison(
      a: .init(name: "A", commit: "aaa", subject: "Before <b>", source: ""),
      b: .init(name: "B", commit: "bbb", subject: "After", source: ""), interleaved: true,
      trusted: true, reasons: [],
      control: .init(benchmarks: 5, suspects: 0, confirmed: 0, noiseFloor: 0.008), q: 0.02,
      rows: rows)
  }
}
