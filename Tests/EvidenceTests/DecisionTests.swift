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
    let row = Decision.settled(question(ratio: 1.04, noise: 0.1, rounds: 8))
    #expect(row.verdict == .inconclusive)
    #expect((row.moreRounds ?? 0) > 0)
  }

  /// Pairs that are by turns so far above and below a middle, as logarithms.
  private func pairs(around middle: Double, by reach: Double) -> Decision.Question {
    Decision.Question(
      benchmark: "x", engine: "reference", metric: .named("time"),
      a: Array(repeating: 100, count: 8),
      b: (0..<8).map { 100 * exp(middle + ($0.isMultiple(of: 2) ? reach : -reach)) })
  }

  @Test func `what more pairs will decide is told from what they will leave open`() {
    // Eight pairs reach as far as they lie; 32 half as far.
    #expect(Decision.isWithinReach(pairs(around: 0.02, by: 0.04), of: 32))
    #expect(!Decision.isWithinReach(pairs(around: 0.02, by: 0.2), of: 32))
    // Far off by more than it scatters is decided, however much that is.
    #expect(Decision.isWithinReach(pairs(around: 1, by: 0.5), of: 32))
    #expect(!Decision.isWithinReach(pairs(around: 0.6, by: 3), of: 32))
    #expect(Decision.isWithinReach(pairs(around: 0.6, by: 3), of: 3200))
    // Of nothing nothing is known.
    #expect(!Decision.isWithinReach(question(ratio: 1, rounds: 0), of: 24))
  }

  /// It was "about 1 more round", wherever the interval reached over.
  @Test func `the nearer the margin, the more rounds it takes`() throws {
    func more(_ ratio: Double) throws -> Int {
      let row = Decision.settled(question(ratio: ratio, noise: 0.12, rounds: 12))
      #expect(row.verdict == .inconclusive, "\(ratio): \(row.note)")
      return try #require(row.moreRounds, "\(ratio)")
    }
    let (far, near) = try (more(1.055), more(1.037))
    #expect(near > 2 * far, "\(far) and \(near)")
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

  /// Two of ten were slow, and now four and a half: the median ratio of neighbours is the same.
  @Test func `a slow way that is taken more often is not unchanged`() {
    func asked(_ share: Double, seed: UInt64) -> Decision.Question {
      var generator = SeededGenerator(seed: seed)
      var asked = question(ratio: 1, noise: 0.005, rounds: 24, seed: seed)
      asked.isSideBySide = true
      asked.ratios = asked.differences
      asked.means = (0..<24).map { _ in
        func mean(_ share: Double) -> Double {
          (0..<40).reduce(0.0) { sum, _ in sum + (generator.unit() < share ? 70 : 15) } / 40
        }
        return log(mean(share) / mean(0.2))
      }
      return asked
    }
    for seed in 0..<20 as Range<UInt64> {
      let row = Decision.settled(asked(0.45, seed: seed))
      #expect(row.verdict == .inconclusive && row.note.contains("share"), "seed \(seed)")
    }
    let same = (UInt64(0)..<100).filter {
      Decision.settled(asked(0.2, seed: $0)).verdict == .unchanged
    }
    #expect(same.count >= 90, "\(same.count) of 100")
  }

  @Test func `what is tolerated must surely be exceeded`() {
    func verdict(_ ratio: Double, seed: UInt64) -> Comparison.Verdict {
      var asked = question(ratio: ratio, noise: 0.1, rounds: 24, seed: seed)
      (asked.isSideBySide, asked.tolerance) = (true, 0.1)
      return Decision.judge([asked], q: 0.005)[0].verdict
    }
    #expect((UInt64(0)..<100).count { verdict(1.09, seed: $0) == .regressed } <= 2)
    #expect((UInt64(0)..<100).count { verdict(1.2, seed: $0) == .regressed } >= 98)
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

  @Test func `the floor of a session is what its control is off by, not what chance does to few`() {
    func control(_ name: String, off ratio: Double, noise: Double) -> Decision.Question {
      var asked = question(ratio: ratio, noise: noise, rounds: 24, seed: 7)
      asked.benchmark = name
      return asked
    }
    let floors = NoiseFloors([
      control("calm", off: 1, noise: 0.01), control("restless", off: 1, noise: 0.1),
      control("off", off: 1.2, noise: 0.01),
    ])
    func floor(_ name: String, _ metric: String = "time") -> Double {
      var asked = question(metric, ratio: 1, rounds: 8)
      asked.benchmark = name
      return floors.applied(to: asked).noiseFloor
    }
    #expect(floor("calm") < 0.003 && floor("restless") < 0.03)
    #expect(abs(floor("off") - log(1.2)) < 0.01)
    // What was not controlled itself has the typical floor of its metric; a metric that no control
    // has, that of all.
    #expect(floor("other") == floor("restless") && floor("other", "p99") == floor("restless"))
    #expect(NoiseFloors([]).headline == 0)
  }

  /// Pairs whose order is drawn differ by chance alone, and the test knows how much that is: what
  /// is surely no chance and looks larger than the margin has changed. Of two runs that were made
  /// one after the other the whole change must surely be beyond the margin.
  @Test func `of pairs side by side five percent are seen where stored runs cannot tell`() {
    func asked(_ seed: UInt64, ratio: Double, isSideBySide: Bool) -> Decision.Question {
      var asked = question(ratio: ratio, noise: 0.15, rounds: 24, seed: seed, floor: 0.004)
      asked.isSideBySide = isSideBySide
      return asked
    }
    func found(ratio: Double, isSideBySide: Bool) -> Int {
      (UInt64(0)..<200).count { seed in
        Decision.judge([asked(seed, ratio: ratio, isSideBySide: isSideBySide)])[0].verdict
          == .regressed
      }
    }
    #expect(found(ratio: 1.05, isSideBySide: true) >= 160)
    #expect(found(ratio: 1.05, isSideBySide: false) < 120)
    #expect(found(ratio: 1, isSideBySide: true) <= 2)
    // Less than a reader cares about is no regression, however sure it is.
    #expect(
      (UInt64(0)..<50).allSatisfy { seed in
        var small = question(ratio: 1.02, noise: 0.005, rounds: 24, seed: seed)
        small.isSideBySide = true
        return Decision.judge([small])[0].verdict == .unchanged
      })
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
    // What cannot be decided is no answer, and without any there is no evidence.
    #expect(comparison(.inconclusive, "time", trusted: true).outcome() == .untrusted)
    #expect(comparison(.inconclusive, "time", trusted: true).outcome(strict: true) == .untrusted)
    #expect(comparison(.improved, "time", trusted: true).outcome() == .fine)
  }
}
