import Foundation
import Testing

@testable import Evidence

/// What a comparison may say about what it cannot see: +50 % was *unchanged* because the margin had
/// no ceiling.
struct SightTests {
  /// Pairs of rounds with noise as machines make it: a spread for each round, and now and then a
  /// burst.
  private func question(
    _ metric: String = "time", ratio: Double, noise: Double, burst: Double = 0, rounds: Int,
    floor: Double = 0, resolution: Double = 0.05, seed: UInt64
  ) -> Decision.Question {
    var generator = SeededGenerator(seed: derivedSeed(seed, "sight"))
    func round(_ factor: Double) -> Double {
      // The sum of four is round enough.
      let spread = (0..<4).reduce(-2.0) { sum, _ in sum + generator.unit() }
      let isBurst = generator.unit() < 0.1
      return 100 * factor * exp(noise * spread) * (isBurst ? 1 + burst * generator.unit() : 1)
    }
    let a = (0..<rounds).map { _ in round(1) }
    let b = (0..<rounds).map { _ in round(ratio) }
    return Decision.Question(
      benchmark: "x", engine: "reference", metric: .named(metric), a: a, b: b,
      noiseFloor: log1p(floor), resolution: resolution)
  }

  private func comparison(
    _ verdicts: [(String, Comparison.Verdict)], trusted: Bool = true, blind: Double = 0.25
  ) -> Comparison {
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    return Comparison(
      a: side, b: side, interleaved: true, trusted: trusted, reasons: [], control: nil, q: 0.02,
      rows: verdicts.map { metric, verdict in
        Comparison.Row(
          benchmark: "x", engine: "e", metric: metric, verdict: verdict, a: 1, b: 1, change: 0,
          low: 0, high: 0, p: nil, tau: 0.03, noiseFloor: 0, rounds: 8, sees: 0.04, note: "",
          pairsA: [], pairsB: [])
      }, sight: Sight(blind: blind))
  }

  @Test(arguments: [0, 0.02, 0.1, 0.5, 11.7])
  func `fifty percent slower is never unchanged, whatever the noise floor`(floor: Double) {
    for seed in 0..<60 as Range<UInt64> {
      for (noise, rounds) in [(0.01, 8), (0.1, 8), (0.4, 8), (0.02, 24), (0.3, 24), (0.1, 3)] {
        let asked = question(
          ratio: 1.5, noise: noise, burst: 0.5, rounds: rounds, floor: floor, seed: seed)
        #expect(Decision.settled(asked).verdict != .unchanged, "seed \(seed)")
        let judged = Decision.judge([asked])[0].verdict
        #expect(judged != .unchanged && judged != .improved, "seed \(seed): \(judged)")
      }
    }
  }

  @Test func `a noise floor beyond what is asked cannot tell, and says what it would see`() throws {
    let row = Decision.settled(
      question(ratio: 1, noise: 0.01, rounds: 8, floor: 0.08, seed: 1))
    #expect(row.verdict == .cannotTell)
    let sees = try #require(row.sees)
    #expect(sees > 0.12 && sees < 0.16)
    #expect(row.note.hasPrefix("sees no less than 1"))
    #expect(row.note.contains("noise floor is 8.0 %"))
    #expect(row.tau <= 0.05 + 1e-12)
  }

  @Test func `who asks for less is told more`() {
    for (resolution, verdict) in [(0.05, Comparison.Verdict.cannotTell), (0.2, .unchanged)] {
      let asked = question(
        ratio: 1, noise: 0.01, rounds: 8, floor: 0.08, resolution: resolution, seed: 1)
      #expect(Decision.settled(asked).verdict == verdict)
    }
    // And who asks for more gets no margin beyond it.
    let fine = question(ratio: 1.015, noise: 0.001, rounds: 24, resolution: 0.01, seed: 1)
    #expect(Decision.judge([fine])[0].verdict == .regressed)
    #expect(abs(fine.asked - log(1.01)) < 1e-12)
  }

  @Test func `percentiles far out are asked for twice as much`() {
    #expect(abs(question("p99", ratio: 1, noise: 0, rounds: 8, seed: 1).asked - log(1.1)) < 1e-12)
    #expect(abs(question("p50", ratio: 1, noise: 0, rounds: 8, seed: 1).asked - log(1.05)) < 1e-12)
  }

  @Test func `what changed by more than the least margin is not unchanged within a wider one`() {
    // τ is 4.8 %, and the interval of +4 % lies within it.
    let row = Decision.settled(
      question(ratio: 1.04, noise: 0.002, rounds: 8, floor: 0.032, seed: 3))
    #expect(row.low > 0.03 && row.high < row.tau)
    #expect(row.verdict == .inconclusive)
    #expect(row.note.hasPrefix("worse by 3."))
    // "About 1 more round may settle it" was said of what more rounds only make surer.
    #expect(row.moreRounds == nil)
    let faster = Decision.settled(
      question(ratio: 1 / 1.04, noise: 0.002, rounds: 8, floor: 0.032, seed: 3))
    #expect(faster.verdict == .inconclusive && faster.note.hasPrefix("better by 3."))
  }

  @Test func `rounds that differ by more than what is asked cannot tell`() throws {
    let row = Decision.settled(question(ratio: 1, noise: 0.3, rounds: 8, seed: 5))
    #expect(row.verdict == .cannotTell && row.note.contains("the rounds differ too much"))
    #expect(try #require(row.sees) > 0.08)
    #expect(try #require(row.moreRounds) > 8)
  }

  @Test func `too few rounds see nothing`() {
    for rounds in 1...5 {
      let row = Decision.judge([question(ratio: 2, noise: 0.01, rounds: rounds, seed: 2)])[0]
      #expect(row.verdict == .cannotTell && row.sees == nil)
      #expect(row.note.hasPrefix("sees nothing: too few rounds"))
      #expect((row.moreRounds ?? 0) >= 1)
    }
  }

  @Test func `a change that the rounds could have shown is shown by as many rounds`() throws {
    // What `sees` promises: of builds that are slower by it, most are found; of those slower by
    // half of the least margin, none.
    var found = 0
    var alarms = 0
    let sessions = 120
    for seed in 0..<UInt64(sessions) {
      let calm = question(ratio: 1, noise: 0.02, rounds: 24, seed: seed)
      let sees = try #require(Decision.settled(calm).sees)
      let slower = question(ratio: 1 + sees, noise: 0.02, rounds: 24, seed: seed + 10_000)
      let hardly = question(ratio: 1.015, noise: 0.02, rounds: 24, seed: seed + 20_000)
      if Decision.judge([slower])[0].verdict == .regressed { found += 1 }
      if Decision.judge([hardly])[0].verdict == .regressed { alarms += 1 }
    }
    #expect(found > sessions * 7 / 10, "found \(found) of \(sessions)")
    #expect(alarms == 0)
  }

  /// Where twenty are suspects, each needs more evidence than where it is asked alone: of changes
  /// as large as was said to be seen 23 % were found.
  @Test(arguments: [false, true])
  func `beside other suspects a change that would have been shown is shown`(sideBySide: Bool) throws
  {
    func suspects(_ ratio: Double, _ seed: UInt64) -> Decision.Question {
      var asked = question(ratio: ratio, noise: 0.15, rounds: 24, seed: seed)
      asked.isSideBySide = sideBySide
      return asked
    }
    let sessions = 60
    var found = 0
    var imagined = 0
    for session in 0..<UInt64(sessions) {
      let seed = 1000 * session
      let others = (1..<20).map { suspects(1, seed + $0) }
      func judged(_ ratio: Double, _ seed: UInt64) -> Comparison.Row {
        Decision.judge([suspects(ratio, seed)] + others, q: 0.005)[0]
      }
      let sees = try #require(judged(1, seed).sees)
      if judged(1 + sees, seed + 500).verdict == .regressed { found += 1 }
      if judged(1 + sees / 3, seed + 500).verdict == .regressed { imagined += 1 }
    }
    #expect(found > sessions * 6 / 10, "found \(found) of \(sessions)")
    #expect(imagined <= sessions / 10, "a third as large: \(imagined) of \(sessions)")
  }

  /// What the screen settles had to become a suspect, and to be confirmed beside the others.
  @Test(arguments: [8, 30])
  func `what a screen would have shown is found by screen and confirmation`(rounds: Int) throws {
    func asked(_ ratio: Double, _ rounds: Int, _ seed: UInt64) -> Decision.Question {
      var asked = question(ratio: ratio, noise: 0.06, rounds: rounds, seed: seed)
      asked.isSideBySide = true
      return asked
    }
    let fresh = max(24, rounds)
    let bar = Decision.Bar(threshold: 0.005 / 20, rounds: fresh)
    let sessions = 60
    var found = 0
    for session in 0..<UInt64(sessions) {
      let seed = 1000 * session
      let sees = try #require(Decision.settled(asked(1, rounds, seed), bar: bar).sees)
      guard Decision.isSuspect(asked(1 + sees, rounds, seed + 1)) else { continue }
      let others = (3..<22).map { asked(1, fresh, seed + $0) }
      let suspects = [asked(1 + sees, fresh, seed + 2)] + others
      if Decision.judge(suspects, q: 0.005)[0].verdict == .regressed { found += 1 }
    }
    #expect(found > sessions * 6 / 10, "found \(found) of \(sessions)")
  }

  @Test func `where so many questions need more rounds than there are nothing is seen`() throws {
    let asked = (0..<20).map { question(ratio: 1, noise: 0.01, rounds: 8, seed: $0) }
    let rows = Decision.judge(asked)
    #expect(rows.contains { $0.verdict == .unchanged } && rows.allSatisfy { $0.sees == nil })
    #expect(try #require(Decision.judge([asked[0]])[0].sees) < 0.05)
  }

  @Test func `beyond what is asked is called unchanged as seldom as the interval errs`() {
    var wrong = 0
    var told = 0
    for seed in 0..<2000 as Range<UInt64> {
      let noise = [0.005, 0.02, 0.05, 0.1][Int(seed % 4)]
      let asked = question(
        ratio: 1.055, noise: noise, rounds: 8, floor: seed % 8 < 4 ? 0 : 0.033, seed: seed)
      let verdict = Decision.settled(asked).verdict
      told += verdict == .cannotTell ? 0 : 1
      wrong += verdict == .unchanged ? 1 : 0
    }
    #expect(told > 500)
    // One side of a 95 % interval.
    #expect(wrong <= 2000 / 40, "\(wrong) of 2000")
  }

  @Test func `equal sides are flagged in at most one of a hundred questions, at any noise`() {
    var flagged = 0
    let sessions = 60
    let family = 20
    for seed in 0..<UInt64(sessions) {
      let noise = [0.01, 0.05, 0.2][Int(seed % 3)]
      let fresh = (0..<UInt64(family)).map {
        question(ratio: 1, noise: noise, burst: 0.3, rounds: 24, seed: seed * 100 + $0)
      }
      flagged +=
        Decision.judge(fresh).filter { $0.verdict == .regressed || $0.verdict == .improved }.count
    }
    let bound = ClopperPearson.upperBound(flagged, of: sessions * family)
    #expect(bound < 0.01, "\(flagged) of \(sessions * family)")
  }

  @Test func `ten percent slower is found in a calm session, and five percent too`() {
    for (ratio, least) in [(1.1, 0.99), (1.05, 0.9)] {
      var found = 0
      for seed in 0..<200 as Range<UInt64> {
        let fresh = question(ratio: ratio, noise: 0.015, burst: 0.1, rounds: 24, seed: seed)
        if Decision.judge([fresh])[0].verdict == .regressed { found += 1 }
      }
      #expect(Double(found) >= 200 * least, "\(ratio): \(found) of 200")
    }
  }

  // MARK: Counts

  private func counts(_ metric: String, _ a: [Double], _ b: [Double]) throws -> Comparison.Row {
    try #require(
      Decision.judgeUntimed(
        Decision.Question(
          benchmark: "x", engine: "e", metric: .named(metric), a: a, b: b)))
  }

  @Test func `counts of one build that differ by more than a hundredth tell nothing`() throws {
    let row = try counts("bytes", [3000, 3000, 10_000], [3000, 10_000, 3000])
    #expect(row.verdict == .cannotTell)
    #expect(row.note.hasPrefix("sees no less than"))
    #expect(try counts("allocated", [7045, 7050, 7049], [7049, 7046, 7051]).verdict == .unchanged)
    #expect(try counts("flushes", [0, 0, 0], [0, 0, 0.01]).verdict == .cannotTell)
    #expect(try counts("flushes", [0, 0, 0], [0, 0, 0]).verdict == .unchanged)
  }

  @Test func `a count is called exact only where it never moved`() throws {
    #expect(try counts("bytes", [100, 100, 100], [120, 120, 120]).note == "exact: +20 B/op")
    #expect(try counts("bytes", [100, 100.2, 100], [120, 120, 120]).note == "counted: +20 B/op")
  }

  @Test func `one more is found however many there are, and however they wobble`() throws {
    for many in [1.0, 40, 1000, 20_000] {
      let a = [many, many + 0.2, many]
      #expect(try counts("allocations", a, a.map { $0 + 1 }).verdict == .regressed)
      #expect(try counts("allocations", a, a.map { $0 - 1 }).verdict == .improved)
    }
  }

  // MARK: The session

  @Test func `more than a quarter beyond sight is no evidence`() {
    func session(_ hidden: Int, of all: Int, blind: Double = 0.25) -> Comparison {
      comparison(
        (0..<all).map { ("time", $0 < hidden ? .cannotTell : .unchanged) }, blind: blind)
    }
    #expect(session(2, of: 8).outcome() == .fine)
    #expect(session(3, of: 8).outcome() == .untrusted)
    #expect(session(3, of: 8, blind: 0.5).outcome() == .fine)
    #expect(session(1, of: 8, blind: 0).outcome() == .untrusted)
    #expect(session(2, of: 8).outcome(strict: true) == .regressed)
    #expect(
      session(3, of: 8).sentence.contains(
        "session WITHOUT EVIDENCE: 3 of 8 durations cannot be told"))
    #expect(session(3, of: 8).sentence.contains("5 unchanged, 3 cannot be told;"))
  }

  /// "Session NOT trusted" was said where that was accepted, and what was hidden ended it with 3.
  @Test func `what is accepted untrusted says what its exit code is about`() {
    let hidden: [(String, Comparison.Verdict)] = (0..<8).map {
      ("time", $0 < 3 ? .cannotTell : .unchanged)
    }
    var found = comparison(hidden, trusted: false)
    #expect(found.sentence.contains("session NOT trusted"))
    #expect(found.outcome() == .untrusted)
    found.acceptsUntrusted = true
    #expect(found.outcome() == .untrusted)
    #expect(found.sentence.contains("session WITHOUT EVIDENCE: 3 of 8 durations cannot be told"))
    #expect(!found.sentence.contains("NOT trusted"))
    var calm = comparison([("time", .unchanged)], trusted: false)
    calm.acceptsUntrusted = true
    #expect(calm.outcome() == .fine)
    #expect(calm.sentence.contains("session accepted untrusted"))
  }

  /// "All held" was said of four that were inconclusive and one that could not be told, with 67
  /// more left out of the budget.
  @Test func `what is inconclusive is no evidence either`() {
    func session(_ open: Int, of all: Int, blind: Double = 0.25) -> Comparison {
      comparison(
        (0..<all).map { ("time", $0 < open ? .inconclusive : .unchanged) }, blind: blind)
    }
    #expect(session(2, of: 8).outcome() == .fine)
    #expect(session(3, of: 8).outcome() == .untrusted)
    #expect(
      session(3, of: 8).sentence.contains(
        "session WITHOUT EVIDENCE: 3 of 8 durations are inconclusive or cannot be told"))
    #expect(session(2, of: 8).outcome(strict: true) == .regressed)
    // However much may be hidden, not everything.
    #expect(session(7, of: 8, blind: 1).outcome() == .fine)
    #expect(session(8, of: 8, blind: 1).outcome() == .untrusted)
    var accepted = session(8, of: 8, blind: 1)
    accepted.acceptsUntrusted = true
    #expect(accepted.outcome() == .untrusted)
    var found = comparison([("time", .inconclusive), ("time", .cannotTell)], blind: 1)
    found.leftOut = ["reads.a (reference)"]
    #expect(found.outcome() == .untrusted)
    #expect(found.sentence.contains("WITHOUT EVIDENCE: 2 of 2 answers are inconclusive or"))
    // What was left out was not asked.
    var cut = comparison([("time", .unchanged)])
    cut.leftOut = (0..<9).map { "reads.a\($0) (reference)" }
    #expect(cut.outcome() == .fine)
  }

  @Test func `counts do not outvote the durations beside them`() {
    let rows: [(String, Comparison.Verdict)] = (0..<4).flatMap { _ in
      [
        ("time", .cannotTell), ("flushes", .unchanged), ("bytes", .unchanged),
        ("allocations", .unchanged), ("writes", .unchanged),
      ]
    }
    #expect(comparison(rows).isBlind)
    // Nor the other way round, and what is invalid was not asked.
    #expect(
      comparison([("time", .unchanged), ("bytes", .cannotTell), ("writes", .unchanged)]).isBlind)
    #expect(!comparison([("time", .unchanged), ("time", .invalid)]).isBlind)
  }

  @Test func `what was found in a blind session is found all the same`() {
    let rows: [(String, Comparison.Verdict)] = [
      ("time", .regressed), ("time", .cannotTell), ("time", .cannotTell),
    ]
    #expect(comparison(rows).outcome() == .regressed)
    #expect(comparison(rows, trusted: false).outcome() == .untrusted)
  }

  @Test func `nothing but invalid answers is nothing to judge`() {
    #expect(comparison([("time", .invalid), ("time", .invalid)]).outcome() == .unreadable)
    #expect(comparison([]).outcome() == .unreadable)
  }

  @Test func `who has no answer is named, and a candidate that broke everything is worse`() {
    func session(_ broken: [Comparison.BrokenSide]) -> Comparison {
      var found = comparison(broken.map { _ in ("time", .invalid) })
      for (place, side) in broken.enumerated() { found.rows[place].broken = side }
      return found
    }
    #expect(session([.b, .b]).outcome() == .regressed)
    #expect(session([.b]).sentence.contains("there is nothing to judge, B has no valid answer"))
    #expect(session([.a]).outcome() == .unreadable)
    #expect(session([.a]).sentence.contains("A has no valid answer"))
    #expect(session([.both]).sentence.contains("neither side has a valid answer"))
    #expect(session([.a, .both]).outcome() == .unreadable)
  }

  @Test func `an older record of a comparison is still read`() throws {
    let text = """
      {"a":{"name":"A","commit":"","subject":"","source":""},"b":{"name":"B","commit":"",
      "subject":"","source":""},"interleaved":true,"trusted":true,"reasons":[],"q":0.02,
      "voidRounds":0,"rows":[{"benchmark":"x","engine":"e","metric":"time","verdict":"unchanged",
      "a":1,"b":1,"change":0,"low":0,"high":0,"tau":0.03,"noiseFloor":0,"rounds":8,"note":"",
      "pairsA":[],"pairsB":[]}]}
      """
    let old = try JSONDecoder().decode(Comparison.self, from: Data(text.utf8))
    #expect(!old.isBlind && old.outcome() == .fine && old.sees == nil)
    let new = comparison([("time", .cannotTell)])
    let again = try JSONDecoder().decode(Comparison.self, from: JSONEncoder().encode(new))
    #expect(again == new)
    #expect(
      String(decoding: try JSONEncoder().encode(new), as: UTF8.self).contains("\"cannot-tell\""))
  }
}
