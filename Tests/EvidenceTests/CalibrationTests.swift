import Testing

@testable import Evidence

/// Counts of verdicts where the truth is known.
struct CalibrationTests {
  private func comparison(
    _ rows: [(metric: String, verdict: Comparison.Verdict)], trusted: Bool = true
  ) -> Comparison {
    Comparison(
      a: .init(name: "A", commit: "", subject: "", source: ""),
      b: .init(name: "B", commit: "", subject: "", source: ""), interleaved: true,
      trusted: trusted, reasons: [],
      control: .init(benchmarks: 1, suspects: 0, confirmed: trusted ? 0 : 1, noiseFloor: 0),
      q: 0.02,
      rows: rows.map {
        Comparison.Row(
          benchmark: "b", engine: "e", metric: $0.metric, verdict: $0.verdict, a: 1, b: 1,
          change: 0, low: 0, high: 0, p: nil, tau: 0.03, noiseFloor: 0, rounds: 8, note: "",
          pairsA: [], pairsB: [])
      }, voidRounds: 0)
  }

  @Test func `equal builds: every verdict of change is a false alarm, in either direction`() {
    var tally = Calibration.Tally(kind: "same")
    tally.add(comparison([("time", .regressed), ("p99", .improved), ("time", .unchanged)]))
    tally.add(comparison([("flushes", .unchanged), ("time", .invalid)], trusted: false))
    #expect(tally.sessions == 2 && tally.untrusted == 1)
    #expect(tally.questions == 3 && tally.flagged == 2)
    #expect(tally.interval.low == 0 && tally.interval.high > 0.5)
  }

  @Test func `equal builds: durations and counts are told apart`() {
    var calibration = Calibration()
    calibration.add(comparison([("time", .unchanged), ("flushes", .regressed)]), kind: "same")
    calibration.add(comparison([("time", .regressed)]), kind: "time=0.1")
    let all = calibration.tallies.filter(\.family.isEmpty)
    #expect(all.map(\.kind) == ["same", "same counted", "time=0.1"])
    #expect(all.map(\.flagged) == [0, 1, 1])
    // A head, three over all, and the one family of each.
    #expect(calibration.csv.split(separator: "\n").count == 7)
  }

  @Test func `a slower build: only its own kind of question counts, and only worse is found`() {
    var time = Calibration.Tally(kind: "time=0.1")
    time.add(
      comparison([("time", .regressed), ("time", .improved), ("p99", .regressed)]))
    #expect(time.questions == 2 && time.flagged == 1)
    var flush = Calibration.Tally(kind: "flush")
    flush.add(comparison([("time", .regressed), ("flushes", .regressed)]))
    #expect(flush.questions == 1 && flush.rate == 1)
  }

  /// They stood on stderr alone: a file said of ten sessions what two had told.
  @Test func `sessions that were left out are in the file, with why`() {
    var calibration = Calibration()
    calibration.add(comparison([("time", .unchanged)]), kind: "same")
    calibration.absences = [
      .init(kind: "same", sessions: 2, reason: .budget),
      .init(kind: "same", sessions: 1, reason: .interrupted),
      .init(kind: "flush", sessions: 3, reason: .interrupted),
    ]
    let rows = CSV.rows(of: calibration.csv)
    #expect(rows[0].suffix(2) == ["over_budget", "interrupted"])
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    let left = Dictionary(
      rows.dropFirst().map { ("\($0[0])/\($0[1])", Array($0.suffix(2))) }, uniquingKeysWith: { $1 })
    #expect(left["same/"] == ["2", "1"] && left["same/b"] == ["0", "0"], "\(left)")
    #expect(left["flush/"] == ["0", "3"], "of a kind without a session, too: \(left)")
    #expect(
      calibration.absences.map(\.sentence) == [
        "left out, as the budget did not hold them: 2 sessions of same",
        "left out, as the calibration was interrupted: 1 session of same",
        "left out, as the calibration was interrupted: 3 sessions of flush",
      ])
  }

  /// `calibrate --budget 60s` that left out all its sessions printed an empty table and ended with
  /// 0.
  @Test func `a calibration without a session is no success`() {
    var calibration = Calibration()
    calibration.absences = [
      .init(kind: "same", sessions: 8, reason: .budget),
      .init(kind: "flush", sessions: 2, reason: .budget),
    ]
    #expect(
      calibration.failure
        == "there was no time for any of 10 sessions: expected a larger --budget, or fewer "
        + "benchmarks")
    calibration.add(comparison([("time", .unchanged)]), kind: "same")
    #expect(calibration.failure == nil)
  }

  @Test func `no false alarm in 150 questions says at most 2 percent`() {
    var tally = Calibration.Tally(kind: "same")
    for _ in 0..<150 { tally.add(comparison([("time", .unchanged)])) }
    #expect(tally.flagged == 0)
    #expect(abs(tally.interval.high - 0.01977) < 0.0001)
  }

  @Test func `each family has a row of its own, and what cannot be told is counted`() {
    var calibration = Calibration()
    var mixed = comparison([
      ("time", .unchanged), ("time", .cannotTell), ("time", .regressed), ("time", .unchanged),
    ])
    for (place, name) in ["reads.a/rows=1", "writes.contention/mode=x", "writes.b", "ways.c"]
      .enumerated()
    { mixed.rows[place].benchmark = name }
    calibration.add(mixed, kind: "same")
    calibration.add(mixed, kind: "same")
    let rows = calibration.sorted.filter { $0.kind == "same" }
    #expect(rows.map(\.family) == ["", "reads", "ways", "writes", "writes.contention"])
    #expect(rows.map(\.questions) == [8, 2, 2, 2, 2])
    #expect(rows.map(\.flagged) == [2, 0, 0, 2, 0])
    #expect(rows.map(\.cannotTell) == [2, 0, 0, 0, 2])
    #expect(rows.allSatisfy { $0.sessions == 2 })
  }
}
