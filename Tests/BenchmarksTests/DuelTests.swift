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
    // Each round is off by up to a fifth, in either direction.
    func wild(_ factor: Double, seed: UInt64) -> FakeRounds {
      FakeRounds { order, turn in
        var generator = SeededGenerator(seed: seed &+ UInt64(turn) &* 7919)
        var report = RoundReport.good(0)
        report.values[0].value = 1000 * factor * exp(0.4 * (generator.unit() - 0.5))
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
}
