import Foundation
import Testing

@testable import Evidence

struct DecisionTests {
  private func question(
    _ metric: String = "time", ratio: Double, noise: Double = 0.01, rounds: Int, seed: UInt64 = 1,
    floor: Double = 0
  ) -> Decision.Question {
    var generator = SeededGenerator(seed: seed)
    let a = (0..<rounds).map { _ in 100 * (1 + noise * (generator.unit() - 0.5)) }
    let b = a.map { $0 * ratio * (1 + noise * (generator.unit() - 0.5)) }
    return Decision.Question(
      benchmark: "x", engine: "reference", metric: .named(metric), a: a, b: b, noiseFloor: floor)
  }

  @Test func `ten percent slower is suspected, confirmed and called regressed`() {
    #expect(Decision.isSuspect(question(ratio: 1.1, rounds: 8)))
    let row = Decision.judge([question(ratio: 1.1, rounds: 24, seed: 2)])[0]
    #expect(row.verdict == .regressed)
    #expect(abs(row.change - 0.1) < 0.01)
    #expect(row.low < row.change && row.change < row.high)
  }

  @Test func `ten percent faster is called improved, and more throughput is better`() {
    #expect(Decision.judge([question(ratio: 0.9, rounds: 24)])[0].verdict == .improved)
    #expect(Decision.judge([question("rate", ratio: 1.1, rounds: 24)])[0].verdict == .improved)
    #expect(Decision.judge([question("rate", ratio: 0.9, rounds: 24)])[0].verdict == .regressed)
  }

  @Test func `the same is called unchanged`() {
    let same = question(ratio: 1, rounds: 8)
    #expect(!Decision.isSuspect(same))
    #expect(Decision.settled(same).verdict == .unchanged)
  }

  @Test func `what reaches over the margin is inconclusive and says how many rounds would help`() {
    let row = Decision.settled(question(ratio: 1.03, noise: 0.06, rounds: 8))
    #expect(row.verdict == .inconclusive)
    #expect((row.moreRounds ?? 0) > 0)
  }

  @Test func `a few rounds never reject, however large the change`() {
    let row = Decision.judge([question(ratio: 2, rounds: 5)])[0]
    #expect(row.verdict == .cannotTell)
    #expect(row.note.contains("too few rounds"))
  }

  @Test func `a noisy session widens the margin`() {
    let floor = log(1.10)
    #expect(
      Decision.judge([question(ratio: 1.1, rounds: 24, floor: floor)])[0].verdict != .regressed)
    #expect(
      Decision.judge([question(ratio: 1.3, rounds: 24, floor: floor)])[0].verdict == .regressed)
  }

  @Test func `one more flush is a regression without statistics`() throws {
    let question = Decision.Question(
      benchmark: "writes.commit", engine: "reference", metric: .named("flushes"), a: [2, 2, 2],
      b: [3, 3, 3])
    let row = try #require(Decision.judgeUntimed(question))
    #expect(row.verdict == .regressed)
    #expect(row.note == "exact: +1 per op")
  }

  @Test func `one more allocation is a regression, a wobble of instructions is not`() throws {
    func judge(_ metric: String, _ a: [Double], _ b: [Double]) throws -> Comparison.Verdict {
      try #require(
        Decision.judgeUntimed(
          Decision.Question(
            benchmark: "x", engine: "reference", metric: .named(metric), a: a + a + a,
            b: b + b + b))
      ).verdict
    }
    #expect(try judge("allocations", [4, 4, 4], [5, 5, 5]) == .regressed)
    #expect(try judge("allocations", [4, 4, 4], [3, 3, 3]) == .improved)
    #expect(
      try judge("instructions", [7_015_314, 7_015_344], [7_015_350, 7_015_360]) == .unchanged)
    #expect(try judge("instructions", [7_015_314], [7_100_000]) == .regressed)
    // Two runs of one build: a queue that grew once more among thousands of commits.
    #expect(try judge("allocations", [42.597], [42.606]) == .unchanged)
    #expect(try judge("allocated", [7045.1], [7049.3]) == .unchanged)
    // A group of asynchronous commits that was written in two, once in a hundred.
    #expect(try judge("writes", [2.04, 2.04, 2.04], [2.05, 2.05, 2.05]) == .unchanged)
    #expect(try judge("bytes", [2410.72, 2410.72], [2410.8, 2410.8]) == .unchanged)
    #expect(try judge("writes", [2.04, 2.04, 2.04], [2.14, 2.14, 2.14]) == .regressed)
    #expect(try judge("bytes", [2410, 2410], [2474, 2474]) == .regressed)
    #expect(try judge("size", [2_400_000], [2_400_016]) == .regressed)
    #expect(try judge("allocations", [20_000], [20_001]) == .regressed)
    #expect(try judge("flushes", [0.02], [0.03]) == .regressed)
  }

  @Test func `a count that was taken less than three times tells nothing`() throws {
    for (a, b, said) in [([2.0], [3.0], "counted once"), ([2, 2], [3, 3, 3], "counted twice")] {
      let row = try #require(
        Decision.judgeUntimed(
          Decision.Question(
            benchmark: "x", engine: "reference", metric: .named("flushes"), a: a, b: b)))
      #expect(row.verdict == .cannotTell && row.note.contains(said))
    }
    let same = try #require(
      Decision.judgeUntimed(
        Decision.Question(
          benchmark: "x", engine: "reference", metric: .named("flushes"), a: [2], b: [2])))
    #expect(same.verdict == .unchanged)
  }

  @Test func `counts that vary are told apart by more than they vary, or by many`() throws {
    func judge(_ a: [Double], _ b: [Double]) throws -> Comparison.Row {
      try #require(
        Decision.judgeUntimed(
          Decision.Question(
            benchmark: "x", engine: "reference", metric: .named("allocations"), a: a, b: b)))
    }
    #expect(try judge([100, 104, 108], [111, 112, 118]).verdict == .cannotTell)
    #expect(try judge([100, 104, 108], [120, 122, 124]).verdict == .regressed)
    #expect(try judge([120, 122, 124], [100, 104, 108]).verdict == .improved)
    #expect(try judge([100, 103, 104, 106, 108], [111, 112, 114, 116, 118]).verdict == .regressed)
    // Three of one build beside three others: one time in ten they lie apart.
    var generator = SeededGenerator(seed: 5)
    func three() -> [Double] { (0..<3).map { _ in 100 + 20 * generator.unit() } }
    var told = 0
    for _ in 0..<2000 {
      let verdict = try judge(three(), three()).verdict
      if verdict == .regressed || verdict == .improved { told += 1 }
    }
    #expect(told < 50, "\(told) of 2000")
  }

  @Test func `what came from nothing is told first, and by no share`() throws {
    func row(_ name: String, _ a: Double, _ b: Double) throws -> Comparison.Row {
      try #require(
        Decision.judgeUntimed(
          Decision.Question(
            benchmark: name, engine: "e", metric: .named("flushes"), a: [a, a, a], b: [b, b, b])))
    }
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    let comparison = Comparison(
      a: side, b: side, interleaved: true, trusted: true, reasons: [], control: nil, q: 0.02,
      rows: [try row("twice", 1, 3), try row("from nothing", 0, 1)])
    #expect(comparison.sortedRows.map(\.benchmark) == ["from nothing", "twice"])
    #expect(comparison.sortedRows[0].isFromNothing && !comparison.sortedRows[1].isFromNothing)
    #expect(comparison.outcome() == .regressed)
  }

  @Test func `who sees nothing does not say that it sees a change of no percent`() {
    let row = Decision.settled(
      question(ratio: 1, noise: 0.01, rounds: 5, floor: log(2)), fewest: 6)
    #expect(row.verdict == .cannotTell && row.sees == nil)
    #expect(row.note.hasPrefix("sees nothing") && !row.note.contains("0.0 %"))
  }

  @Test func `a wrong answer has no verdict on speed`() {
    var invalid = question(ratio: 1.5, rounds: 24)
    invalid.invalid = "the sum was wrong"
    #expect(Decision.judge([invalid])[0].verdict == .invalid)
    #expect(Decision.settled(invalid).verdict == .invalid)
  }

  @Test func `equal sides are rarely suspected and never confirmed over two hundred sessions`() {
    var confirmed = 0
    for seed in 0..<200 {
      let fresh = question(ratio: 1, noise: 0.06, rounds: 24, seed: UInt64(seed) + 1000)
      if Decision.judge([fresh])[0].verdict == .regressed { confirmed += 1 }
    }
    #expect(confirmed == 0)
  }

  @Test func `the noise floor grows with the noise`() {
    let calm = NoiseFloor.estimate([0.001, -0.002, 0.001, 0, -0.001, 0.002, 0, 0.001], seed: 3)
    let wild = NoiseFloor.estimate([0.1, -0.2, 0.1, 0, -0.1, 0.2, 0, 0.1], seed: 3)
    #expect(abs(wild - calm * 100) < 1e-9)
    #expect(NoiseFloor.estimate([], seed: 1) == 0)
  }

  @Test func `the noise floor shrinks with the rounds, but not below what the control is off by`() {
    var generator = SeededGenerator(seed: 4)
    func control(_ offset: Double) -> [Double] {
      (0..<24).map { _ in offset + 0.1 * (generator.unit() - 0.5) }
    }
    let calm = control(0)
    let floors = [4, 8, 24, 96].map { NoiseFloor.estimate(calm, rounds: $0, seed: 3) }
    #expect(floors == floors.sorted(by: >))
    #expect(floors[3] < floors[0] / 2)
    let off = control(0.2)
    #expect([4, 8, 24, 96].allSatisfy { NoiseFloor.estimate(off, rounds: $0, seed: 3) > 0.19 })
    #expect(NoiseFloor.estimate([], rounds: 8, seed: 1) == 0)
    #expect(NoiseFloor.estimate(calm, rounds: 0, seed: 1) == 0)
  }

  @Test func `a question is judged by the floor of its own rounds`() {
    var controls = [question(ratio: 1, noise: 0.1, rounds: 24, seed: 7)]
    controls[0].benchmark = "own"
    let floors = NoiseFloors(controls, rounds: [8, 24], seed: 1)
    func floor(_ name: String, _ rounds: Int, _ metric: String = "time") -> Double {
      var asked = question(metric, ratio: 1, rounds: rounds)
      asked.benchmark = name
      return floors.applied(to: asked).noiseFloor
    }
    #expect(floor("own", 24) > 0 && floor("own", 24) < floor("own", 8))
    // What was not controlled itself has the typical floor of its metric; of another metric none is
    // known.
    #expect(floor("other", 8) == floor("own", 8) && floor("other", 8, "p99") == 0)
    // Rounds that failed make no finer floor.
    #expect(floor("own", 23) == floor("own", 8) && floor("own", 40) == floor("own", 24))
    #expect(NoiseFloors([], rounds: [8], seed: 1).headline(rounds: 8) == 0)
  }

  @Test func `a comparison's exit code follows trust, strictness and exactness`() {
    func comparison(_ verdict: Comparison.Verdict, _ metric: String, trusted: Bool) -> Comparison {
      let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
      let row = Comparison.Row(
        benchmark: "x", engine: "e", metric: metric, verdict: verdict, a: 1, b: 2, change: 1,
        low: 0, high: 2, p: nil, tau: 0, noiseFloor: 0, rounds: 1, note: "", pairsA: [], pairsB: [])
      return Comparison(
        a: side, b: side, interleaved: true, trusted: trusted, reasons: [], control: nil, q: 0.02,
        rows: [row])
    }
    #expect(comparison(.regressed, "time", trusted: true).outcome() == .regressed)
    #expect(comparison(.regressed, "time", trusted: false).outcome() == .untrusted)
    #expect(comparison(.regressed, "flushes", trusted: false).outcome() == .regressed)
    #expect(comparison(.inconclusive, "time", trusted: true).outcome() == .fine)
    #expect(comparison(.inconclusive, "time", trusted: true).outcome(strict: true) == .regressed)
    #expect(comparison(.improved, "time", trusted: true).outcome() == .fine)
  }
}
