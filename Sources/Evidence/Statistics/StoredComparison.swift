import Foundation

/// Judges two runs that lie on disk: nothing can be measured again, so there is one stage and no control.
package enum StoredComparison {
  /// Why two runs cannot be judged against each other; nil when they can.
  package static func refusal(_ a: Run, _ b: Run) -> RecordError? {
    if a.results.isEmpty { return RecordError("the run \(a.id) has no results to compare with") }
    if b.results.isEmpty { return RecordError("the run \(b.id) has no results to compare") }
    let shared = b.results.contains { finding in match(finding, in: a) != nil }
    if !shared {
      return RecordError(
        "the runs \(a.id) and \(b.id) have no benchmark and engine in common: nothing to compare")
    }
    return nil
  }

  package static func compare(_ a: Run, _ b: Run, q: Double = Decision.q) -> Comparison {
    var reasons: [String] = []
    var trusted = true
    if let difference = a.environment.incompatibility(with: b.environment) {
      reasons.append("\(difference): durations are shown, not judged")
      trusted = false
    }
    reasons.append(
      "the runs were made one after the other: drift of the machine is not cancelled; "
        + "'realm-bench ab' alternates builds")
    for run in [a, b] where run.state != .finished {
      reasons.append("the run \(run.id) is incomplete")
    }
    var untimed: [Comparison.Row] = []
    var timed: [Decision.Question] = []
    for finding in b.results where finding.side != "B" {
      guard let base = match(finding, in: a) else { continue }
      for question in questions(base, finding) {
        if let row = Decision.judgeUntimed(question) {
          untimed.append(row)
        } else {
          timed.append(question)
        }
      }
    }
    let rows = untimed + (trusted ? Decision.judge(timed, q: q) : timed.map(shown))
    return Comparison(
      a: side("A", a), b: side("B", b), interleaved: false, trusted: trusted, reasons: reasons,
      control: nil, q: q, rows: rows)
  }

  /// The metrics of a finding that are judged: the first it is about, its 99th percentile, and what was counted.
  package static func questions(
    _ a: Finding, _ b: Finding, noiseFloor: Double? = nil
  ) -> [Decision.Question] {
    let head = b.headline?.metric ?? a.headline?.metric
    guard a.valid, b.valid else {
      let wrong = a.valid ? b : a
      return [
        Decision.Question(
          benchmark: b.benchmark, engine: b.engine, metric: .named(head ?? "time"), a: [], b: [],
          invalid: wrong.reason)
      ]
    }
    return b.values.compactMap { value in
      let metric = Metric.named(value.metric)
      let isAbout =
        value.metric == head || metric.kind != .timed
        || (value.metric == "p99"
          && value.samples / max(1, value.rounds.count) >= Histogram.needed(for: 0.99))
      guard isAbout, metric.kind != .observed, let base = a[value.metric] else { return nil }
      return Decision.Question(
        benchmark: b.benchmark, engine: b.engine, metric: metric, a: base.rounds, b: value.rounds,
        noiseFloor: noiseFloor ?? ownNoise(base.rounds))
    }
  }

  /// How much neighbouring rounds of one side differ: what is left of the control when there is none.
  static func ownNoise(_ rounds: [Double]) -> Double {
    let pairs = stride(from: 0, to: rounds.count - 1, by: 2).compactMap { i -> Double? in
      rounds[i] > 0 && rounds[i + 1] > 0 ? log(rounds[i] / rounds[i + 1]) : nil
    }
    return NoiseFloor.estimate(pairs, seed: 1)
  }

  /// Numbers of different machines stand beside each other without a verdict.
  private static func shown(_ question: Decision.Question) -> Comparison.Row {
    var row = Decision.settled(question)
    if row.verdict != .invalid {
      row.verdict = .inconclusive
      row.note = "shown, not judged"
      row.moreRounds = nil
    }
    return row
  }

  private static func match(_ finding: Finding, in run: Run) -> Finding? {
    run.results.first {
      $0.benchmark == finding.benchmark && $0.engine == finding.engine && $0.side != "B"
    }
  }

  private static func side(_ name: String, _ run: Run) -> Comparison.Side {
    Comparison.Side(
      name: name, commit: run.environment.commit, subject: run.environment.subject, source: run.id)
  }
}
