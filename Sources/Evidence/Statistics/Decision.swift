import Foundation

/// Whether something got worse: the two-stage, paired procedure of docs/METHOD.md, as pure functions.
///
/// 1. Screen: all pairs, a few rounds, no test; a suspect's estimate lies beyond half the margin.
/// 2. Confirm: suspects only, fresh rounds, exact signed-rank against the margin, Benjamini–Hochberg over them.
///    The data are independent of the selection, so nothing needs correcting for the screen.
package enum Decision {
  package static let q = 0.02
  package static let screenRounds = 8
  package static let confirmRounds = 24

  /// One metric of one benchmark on one engine, measured on both sides in pairs.
  package struct Question: Sendable {
    package var benchmark: String
    package var engine: String
    package var metric: Metric
    package var a: [Double]
    package var b: [Double]
    /// Estimated from A/A pairs, as a logarithm of the ratio.
    package var noiseFloor: Double
    package var invalid: String?

    package init(
      benchmark: String, engine: String, metric: Metric, a: [Double], b: [Double],
      noiseFloor: Double = 0, invalid: String? = nil
    ) {
      self.benchmark = benchmark
      self.engine = engine
      self.metric = metric
      self.a = a
      self.b = b
      self.noiseFloor = noiseFloor
      self.invalid = invalid
    }

    /// dᵢ = s·ln(Bᵢ/Aᵢ): positive is worse.
    package var differences: [Double] {
      zip(a, b).filter { $0 > 0 && $1 > 0 }.map { metric.polarity * log($1 / $0) }
    }

    /// The margin in logarithms: what a reader cares about, but never below what this session cannot see.
    package var tau: Double {
      let user = metric.name.hasPrefix("p9") || metric.name == "max" ? log(1.10) : log(1.03)
      return max(user, 1.5 * noiseFloor)
    }
  }

  /// Worth confirming: the estimate is beyond half the margin.
  package static func isSuspect(_ question: Question) -> Bool {
    let d = question.differences
    return !d.isEmpty && abs(SignedRank.estimate(d)) > question.tau / 2
  }

  /// Judges counted and exact metrics, which need no statistics; nil for timed ones.
  package static func judgeUntimed(
    _ question: Question, tolerance: Double = 0
  ) -> Comparison.Row? {
    guard question.metric.kind != .timed else { return nil }
    if let invalid = question.invalid { return row(question, .invalid, note: invalid) }
    guard let aMin = question.a.min(), let aMax = question.a.max(),
      let bMin = question.b.min(), let bMax = question.b.max()
    else { return row(question, .invalid, note: "one side has no value") }
    func isMore(_ more: Double, than less: Double) -> Bool {
      more > less + max(less * tolerance, wobble(less, question.metric))
    }
    let isLower = question.metric.better == .lower
    let worse = isLower ? isMore(bMin, than: aMax) : isMore(aMin, than: bMax)
    let better = isLower ? isMore(aMin, than: bMax) : isMore(bMin, than: aMax)
    let change = Quantiles.median(question.b) - Quantiles.median(question.a)
    let said =
      change == 0
      ? "the same count" : "\(change > 0 ? "+" : "")\(CSV.number(change)) \(question.metric.unit)"
    return row(
      question, worse ? .regressed : better ? .improved : .unchanged,
      note: question.metric.kind == .exact ? "exact: \(said)" : "counted: \(said)")
  }

  /// What a count may differ by although nothing has changed: how threads meet decides how often a queue grows or a block is made
  /// anew. A thousandth, but of what is counted one by one less than one more for each operation, which is always found.
  private static func wobble(_ count: Double, _ metric: Metric) -> Double {
    guard metric.kind == .counted else { return 0 }
    let isSingle = metric.unit == "per op" && metric.name != "instructions"
    return isSingle ? min(count * 0.001, 0.5) : count * 0.001
  }

  /// Judges timed metrics by one set of rounds; `family` is how many questions were asked together.
  ///
  /// Used for confirmed suspects, and for stored runs where no further round can be had.
  package static func judge(_ questions: [Question], q: Double = Decision.q) -> [Comparison.Row] {
    let worse = questions.map { $0.invalid == nil ? pBeyond($0.differences, $0.tau) : 1 }
    let better = questions.map {
      $0.invalid == nil ? pBeyond($0.differences.map { -$0 }, $0.tau) : 1
    }
    let worseRejected = MultipleComparisons.rejected(worse, q: q)
    let betterRejected = MultipleComparisons.rejected(better, q: q)
    let worseAdjusted = MultipleComparisons.adjusted(worse)
    let betterAdjusted = MultipleComparisons.adjusted(better)
    return questions.indices.map { i in
      let question = questions[i]
      if let invalid = question.invalid { return row(question, .invalid, note: invalid) }
      guard !question.differences.isEmpty else {
        return row(question, .invalid, note: "one side has no value")
      }
      if worseRejected[i] { return row(question, .regressed, p: worseAdjusted[i], note: "") }
      if betterRejected[i] { return row(question, .improved, p: betterAdjusted[i], note: "") }
      var verdict = settled(question)
      let fewest = MultipleComparisons.fewestRounds(questions.count, q: q)
      if verdict.verdict == .inconclusive, question.differences.count < fewest {
        verdict.note = "too few rounds: nothing can be told below \(fewest)"
        verdict.moreRounds = max(verdict.moreRounds ?? 0, fewest - question.differences.count)
      }
      verdict.p = min(worseAdjusted[i], betterAdjusted[i])
      return verdict
    }
  }

  /// Unchanged when the interval lies within the margin, else inconclusive.
  package static func settled(_ question: Question) -> Comparison.Row {
    let d = question.differences
    guard question.invalid == nil, !d.isEmpty else {
      return row(question, .invalid, note: question.invalid ?? "one side has no value")
    }
    let interval = SignedRank.interval(d)
    let inside = interval.low > -question.tau && interval.high < question.tau
    if inside && interval.confidence >= 0.949 { return row(question, .unchanged, note: "") }
    var found = row(question, .inconclusive, note: "the interval reaches over the margin")
    let width = (interval.high - interval.low) / 2
    let ratio = width / question.tau
    let needed = (Double(d.count) * ratio * ratio).rounded(.up)
    found.moreRounds = max(1, Int(min(needed, 10_000)) - d.count)
    return found
  }

  /// P of differences this far beyond the margin if they were not beyond it.
  private static func pBeyond(_ d: [Double], _ tau: Double) -> Double {
    SignedRank.pGreater(d.map { $0 - tau })
  }

  private static func row(
    _ question: Question, _ verdict: Comparison.Verdict, p: Double? = nil, note: String
  ) -> Comparison.Row {
    let d = question.differences
    let interval = SignedRank.interval(d)
    func percent(_ x: Double) -> Double { x.isFinite ? exp(x) - 1 : 0 }
    func finite(_ x: Double) -> Double { x.isFinite ? x : 0 }
    return Comparison.Row(
      benchmark: question.benchmark, engine: question.engine, metric: question.metric.name,
      verdict: verdict, a: finite(Quantiles.median(question.a)),
      b: finite(Quantiles.median(question.b)),
      change: percent(d.isEmpty ? 0 : SignedRank.estimate(d)), low: percent(interval.low),
      high: percent(interval.high), p: p,
      tau: question.metric.kind == .timed ? exp(question.tau) - 1 : 0,
      noiseFloor: exp(question.noiseFloor) - 1, rounds: min(question.a.count, question.b.count),
      note: note, pairsA: question.a, pairsB: question.b)
  }
}
