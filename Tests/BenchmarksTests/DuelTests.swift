import Evidence
import Foundation
import Synchronization
import Testing

@testable import Benchmarks

/// Two made-up builds whose noise is known: drift over the session, a penalty for going first, and
/// what B adds.
struct DuelTests {
  private static let catalogue = ["reads.a", "reads.b", "writes.c"].map { name in
    Benchmark(name, name, engines: ["x"]) { $0.check(true, "") }
  }

  private func build(_ factor: [String: Double], flushes: Double = 2, seed: UInt64) -> FakeRounds {
    FakeRounds { order, turn in
      var generator = SeededGenerator(seed: seed &+ UInt64(turn) &* 7919)
      let drift = 1 + 0.05 * sin(Double(turn) / 20)
      let noise = 1 + 0.01 * (generator.unit() - 0.5)
      var report = RoundReport()
      let time = 1000 * drift * noise * (factor[order.case.name.family] ?? 1)
      report.values =
        order.pass == .time
        ? [.init(metric: "time", value: time, count: 100)]
        : [.init(metric: "flushes", value: flushes, count: 100)]
      report.checks = 1
      return report
    }
  }

  private func fight(_ a: FakeRounds, _ b: FakeRounds, seed: UInt64 = 5) throws -> Run {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("duel-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var request = RunRequest()
    request.seed = seed
    let duel = try Duel(
      request, base: a, candidate: b, scratch: place, catalogue: DuelTests.catalogue,
      pace: { Pace(loop: 1, ticks: 1, stolen: 0) })
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    return try duel.run(
      into: place.appendingPathComponent("run"), environment: Environment(), sides: (side, side))
  }

  @Test func `equal builds are unchanged and the session is trusted`() throws {
    let run = try fight(build([:], seed: 1), build([:], seed: 2))
    let comparison = try #require(run.comparison)
    #expect(comparison.trusted)
    #expect(comparison.count(.regressed) == 0 && comparison.count(.improved) == 0)
    #expect(comparison.outcome() == .fine)
  }

  @Test func `ten percent slower is found, and only where it is`() throws {
    let run = try fight(build([:], seed: 1), build(["reads.b": 1.1], seed: 2))
    let rows = try #require(run.comparison).rows.filter { $0.metric == "time" }
    let found = rows.filter { $0.verdict == .regressed }.map(\.benchmark)
    #expect(found == ["reads.b"])
    #expect(rows.first { $0.benchmark == "reads.b" }?.rounds == 24)
    #expect(run.comparison?.outcome() == .regressed)
  }

  /// What varies by itself has a control of its own kind: of five drawn from many times none was a
  /// stall.
  @Test func `the control has some times, and one of each other subject`() throws {
    let names = (0..<12).map { "reads.a\($0)" } + ["writes.stall", "reads.beside-writer"]
    let asked = Mutex<Set<String>>([])
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("duel-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let duel = try Duel(
      RunRequest(), base: build([:], seed: 1), candidate: build([:], seed: 2), scratch: place,
      catalogue: names.map { name in
        Benchmark(name, name, engines: ["reference"]) { $0.check(true, "") }
      },
      progress: { said in
        let words = said.current.split(separator: " ")
        if words.first == "control:" { asked.withLock { _ = $0.insert(String(words[1])) } }
      }, pace: { Pace(loop: 1, ticks: 1, stolen: 0) })
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    _ = try duel.run(
      into: place.appendingPathComponent("run"), environment: Environment(), sides: (side, side))
    let controlled = asked.withLock { $0 }
    #expect(controlled.count == 8)
    #expect(controlled.count { $0.hasPrefix("reads.a") } == 6)
    #expect(controlled.isSuperset(of: ["writes.stall", "reads.beside-writer"]), "\(controlled)")
  }

  @Test func `one more flush is found without any statistics`() throws {
    let run = try fight(build([:], seed: 1), build([:], flushes: 3, seed: 2))
    let rows = try #require(run.comparison).rows.filter { $0.metric == "flushes" }
    #expect(rows.count == 3 && rows.allSatisfy { $0.verdict == .regressed })
  }

  @Test func `counts that differ by chance are counted on, and not believed`() throws {
    // Two values that come equally often: three of a side were the one and three the other.
    func build(_ values: [Double]) -> FakeRounds {
      let turns = Mutex<[String: Int]>([:])
      return FakeRounds { order, _ in
        guard order.pass == .count else { return .good(1) }
        let turn = turns.withLock { all in
          all[order.case.name.family, default: 0] += 1
          return all[order.case.name.family, default: 0]
        }
        var report = RoundReport.good(1)
        report.values = [.init(metric: "flushes", value: values[turn - 1], count: 100)]
        return report
      }
    }
    let chance = try fight(build([2, 2, 2, 3, 2]), build([3, 3, 3, 2, 3]))
    let rows = try #require(chance.comparison).rows.filter { $0.metric == "flushes" }
    #expect(rows.count == 3 && rows.allSatisfy { $0.verdict == .cannotTell && $0.rounds == 5 })
    let still = try fight(build([2, 2, 2, 2, 2]), build([2, 2, 2, 9, 9]))
    let calm = try #require(still.comparison).rows.filter { $0.metric == "flushes" }
    #expect(calm.allSatisfy { $0.verdict == .unchanged && $0.rounds == 3 })
  }

  @Test func `how far it is is said of each stage`() throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("duel-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var said: [Runner.Progress] = []
    let duel = try Duel(
      RunRequest(), base: build([:], seed: 1), candidate: build([:], flushes: 3, seed: 2),
      scratch: place, catalogue: DuelTests.catalogue, progress: { said.append($0) },
      pace: { Pace(loop: 1, ticks: 1, stolen: 0) })
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    _ = try duel.run(
      into: place.appendingPathComponent("run"), environment: Environment(), sides: (side, side))
    let stages = Dictionary(grouping: said) { String($0.current.prefix { $0 != ":" }) }
    #expect(stages["control"]?.last.map { [$0.done, $0.total] } == [72, 72])
    #expect(stages["screen"]?.last.map { [$0.done, $0.total] } == [24, 24])
    // What differs is counted twice more than was planned.
    #expect(stages["count"]?.map(\.done) == Array(1...15) && stages["count"]?.last?.total == 15)
    #expect(stages["count"]?.allSatisfy { $0.remaining >= 0 } == true)
  }

  @Test func `what will be done is said before it is`() throws {
    var request = RunRequest()
    request.seed = 5
    let text = try Duel.outline(of: request, catalogue: DuelTests.catalogue)
    #expect(text.hasPrefix("3 measurements of both builds in pairs of rounds of 250 ms"))
    for part in [
      "control: 3 of them, the base against itself, 24 pairs each", "screen: all, 8 pairs each",
      "count: all, 3 times a side, 5 where they differ", "24 fresh pairs each, about",
      "  reads.a  (x)",
    ] { #expect(text.contains(part), "\(part)") }
  }

  @Test func `each round puts both sides next to each other, in a balanced order`() throws {
    let run = try fight(build([:], seed: 1), build([:], seed: 2))
    #expect(run.results.filter { $0.side == "A" }.count == 3)
    #expect(run.results.filter { $0.side == "B" }.count == 3)
    #expect(run.state == .finished)
  }

  @Test func `both sides of a pair work by turns`() throws {
    let log = Mutex<[String]>([])
    func build(_ name: String) -> FakeRounds {
      FakeRounds { order, _ in
        guard order.pass == .time, order.case.name.family == "reads.a" else { return .good(1) }
        for step in 0..<3 {
          order.seat?.giveWay()
          log.withLock { $0.append("\(name)\(step)") }
        }
        return .good(1)
      }
    }
    _ = try fight(build("A"), build("B"))
    // The control comes before; whether A or B is first is drawn.
    let screened = log.withLock { Array($0.suffix(8 * 6)) }
    let byTurns = [["A0", "B0", "A1", "B1", "A2", "B2"], ["B0", "A0", "B1", "A1", "B2", "A2"]]
    for start in stride(from: 0, to: screened.count, by: 6) {
      #expect(byTurns.contains(Array(screened[start..<start + 6])))
    }
  }

  @Test func `a side that yields nothing is an error that says what it said`() throws {
    let mute = FakeRounds { _, _ in
      var report = RoundReport()
      report.failure = "the child said nothing"
      return report
    }
    for (a, b, name) in [
      (mute, build([:], seed: 1), "the base"), (build([:], seed: 1), mute, "the candidate"),
    ] {
      let error = #expect(throws: RecordError.self) { try fight(a, b) }
      #expect(error?.outcome == .unreadable)
      #expect(error?.description.contains("\(name) yields nothing") == true)
      #expect(error?.description.contains("reads.a (x): the child said nothing") == true)
    }
    // An answer that nobody checked is none.
    let unchecked = FakeRounds { _, _ in
      var report = RoundReport.good(1)
      report.checks = 0
      return report
    }
    #expect(throws: RecordError.self) { try fight(build([:], seed: 1), unchecked) }
  }

  @Test func `a side that knows some of the benchmarks is compared by these`() throws {
    let older = FakeRounds { order, turn in
      guard order.case.name.family == "reads.b" else {
        var report = RoundReport()
        report.failure = "unknown benchmark"
        return report
      }
      return .good(1)
    }
    let comparison = try #require(try fight(older, build([:], seed: 1)).comparison)
    #expect(comparison.rows.filter { $0.verdict == .invalid }.count == 2)
    #expect(comparison.outcome() != .unreadable)
  }

  @Test func `a machine that cannot see says so, and half as much again is not lost in it`() throws
  {
    // Each round is off by up to two fifths, in either direction.
    func wild(_ factor: Double, seed: UInt64) -> FakeRounds {
      FakeRounds { order, turn in
        var generator = SeededGenerator(seed: seed &+ UInt64(turn) &* 7919)
        var report = RoundReport.good(0)
        report.values[0].value = 1000 * factor * exp(0.8 * (generator.unit() - 0.5))
        if order.pass == .count { report.values = [] }
        return report
      }
    }
    let same = try #require(try fight(wild(1, seed: 1), wild(1, seed: 2)).comparison)
    #expect(same.count(.unchanged) == 0 && same.count(.cannotTell) == 3)
    #expect(same.outcome() == .untrusted && same.isBlind)
    let slower = try #require(try fight(wild(1, seed: 1), wild(1.5, seed: 2)).comparison)
    #expect(slower.count(.unchanged) == 0 && slower.count(.regressed) == 3)
  }

  @Test func `a wrong answer makes the benchmark invalid, not fast`() throws {
    let wrong = FakeRounds { order, turn in
      var report = RoundReport.good(1)
      if order.case.name.family == "reads.a" { report.failure = "the sum was wrong" }
      return report
    }
    let run = try fight(build([:], seed: 1), wrong)
    let row = try #require(run.comparison?.rows.first { $0.benchmark == "reads.a" })
    #expect(row.verdict == .invalid && row.note == "the sum was wrong" && row.broken == .b)
    #expect(run.comparison?.outcome() == .regressed)
    #expect(run.comparison?.sentence.contains("1 invalid (1 in B alone)") == true)
    let mended = try #require(try fight(wrong, build([:], seed: 1)).comparison)
    #expect(mended.rows.first { $0.benchmark == "reads.a" }?.broken == .a)
    #expect(mended.rows.allSatisfy { !$0.isBrokenByB })
  }

  @Test func `a candidate that dies while it is counted is not green`() throws {
    let dying = FakeRounds { order, turn in
      var report = RoundReport.good(1)
      if order.case.name.family == "reads.a", order.pass == .count {
        report = RoundReport()
        report.failure = "killed by signal 11"
      }
      return report
    }
    let comparison = try #require(try fight(build([:], seed: 1), dying).comparison)
    let rows = comparison.rows.filter { $0.verdict == .invalid }
    #expect(rows.map(\.benchmark) == ["reads.a"] && rows[0].note == "killed by signal 11")
    #expect(rows[0].broken == .b && comparison.outcome() == .regressed)
  }

  // MARK: What a benchmark is about

  /// Two builds of which each has its own say.
  private func judge(
    _ names: [String], _ a: @escaping @Sendable (RoundOrder) -> [String: Double],
    _ b: @escaping @Sendable (RoundOrder) -> [String: Double]
  ) throws -> Comparison {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("duel-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    func build(_ say: @escaping @Sendable (RoundOrder) -> [String: Double]) -> FakeRounds {
      FakeRounds { order, turn in
        var generator = SeededGenerator(seed: UInt64(turn))
        var report = RoundReport()
        report.checks = 1
        report.values = say(order).sorted { $0.key < $1.key }.map { metric, value in
          let isTimed = Metric.named(metric).kind == .timed
          let noise = isTimed ? 1 + 0.01 * (generator.unit() - 0.5) : 1
          return .init(metric: metric, value: value * noise, count: 100)
        }
        return report
      }
    }
    let duel = try Duel(
      RunRequest(), base: build(a), candidate: build(b), scratch: place,
      catalogue: names.map { name in
        Benchmark(name, name, engines: ["reference"]) { $0.check(true, "") }
      }, pace: { Pace(loop: 1, ticks: 1, stolen: 0) })
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    return try #require(
      try duel.run(
        into: place.appendingPathComponent("run"), environment: Environment(), sides: (side, side)
      ).comparison)
  }

  /// No row came of it, and exit code 5 of two healthy builds.
  @Test func `how much a file grows is judged as what is counted`() throws {
    func growth(_ bytes: Double) -> @Sendable (RoundOrder) -> [String: Double] {
      { $0.pass == .time ? ["growth": bytes, "size": 4096 * bytes] : [:] }
    }
    let same = try judge(["frozen.growth"], growth(100), growth(100))
    #expect(same.rows.map(\.metric) == ["growth", "size"])
    #expect(same.rows.allSatisfy { $0.verdict == .unchanged } && same.outcome() == .fine)
    let more = try judge(["frozen.growth"], growth(100), growth(101))
    #expect(more.rows.allSatisfy { $0.verdict == .regressed } && more.outcome() == .regressed)
    let pin = try judge(
      ["frozen.one-old-pin"], { $0.pass == .time ? ["ratio": 1.5] : [:] },
      { $0.pass == .time ? ["ratio": 1.2] : [:] })
    #expect(pin.rows.map(\.verdict) == [.improved] && pin.rows[0].metric == "ratio")
  }

  /// `writes.stall` was judged by its time, `notify.stall` by its median wait,
  /// `reads.beside-writer` by its time, `async.acknowledge` by the rate that its own schedule sets.
  @Test func `each is judged by what it is about`() throws {
    let names = ["writes.stall", "notify.stall", "reads.beside-writer", "async.acknowledge"]
    func say(_ worse: Double) -> @Sendable (RoundOrder) -> [String: Double] {
      { order in
        guard order.pass == .time else { return [:] }
        switch order.case.name.family {
        case "writes.stall": return ["time": 100, "stall": 1e6 * worse, "p50": 10]
        case "notify.stall": return ["p50": 10, "stall": 1e6 * worse]
        case "reads.beside-writer": return ["time": 100, "rate": 1e7, "kept": 0.9 / worse]
        default: return ["rate": 5000, "late": 0.001, "p50": 10, "p99": 500 * worse]
        }
      }
    }
    let found = try judge(names, say(1), say(1.5))
    let told = Dictionary(grouping: found.rows, by: \.benchmark).mapValues { $0.map(\.metric) }
    #expect(
      told == [
        "writes.stall": ["stall"], "notify.stall": ["stall"], "reads.beside-writer": ["kept"],
        "async.acknowledge": ["p99"],
      ])
    #expect(found.rows.allSatisfy { $0.verdict == .regressed }, "\(found.rows.map(\.verdict))")
    #expect(try judge(names, say(1), say(1)).outcome() == .fine)
  }

  /// Where the candidate's writers finished nothing in some rounds it was faster by the others.
  @Test func `nothing is told by the pairs that happen to have a time`() throws {
    let turns = Mutex(0)
    let whole: @Sendable (RoundOrder) -> [String: Double] = {
      $0.pass == .time ? ["rate": 1e7, "time": 100] : [:]
    }
    let found = try judge(["writes.c"], whole) { order in
      guard order.pass == .time else { return [:] }
      let turn = turns.withLock {
        $0 += 1
        return $0
      }
      return turn % 3 == 0 ? ["rate": 0] : ["rate": 2e7, "time": 50]
    }
    let row = try #require(found.rows.first)
    #expect(found.rows.count == 1 && row.metric == "time" && row.verdict == .cannotTell)
    #expect(row.note == "it is of 16 of 24 pairs: B had none in 8", "\(row.note)")
    #expect(found.outcome() == .untrusted)
    let never = try judge(["writes.c"], whole) { $0.pass == .time ? ["rate": 0] : [:] }
    #expect(never.rows.first?.note == "it has no time" && never.rows.first?.broken == .b)
  }

  @Test func `what was measured and has no row is named`() throws {
    func say(_ memory: String) -> @Sendable (RoundOrder) -> [String: Double] {
      { order in
        guard order.pass == .time else { return [:] }
        return order.case.name.family == "reads.a" ? ["time": 100] : [memory: 5]
      }
    }
    let found = try judge(["reads.a", "writes.c"], say("rate"), say("p50"))
    #expect(found.unjudged == ["writes.c (reference)"] && found.sentence.contains(", 1 not judged"))
    #expect(found.outcome() == .fine && found.outcome(strict: true) == .regressed)
  }
}
