import Foundation

/// Whether something got worse: the two-stage, paired procedure of docs/METHOD.md, as pure
/// functions.
///
/// 1. Screen: all pairs, a few rounds, no test; a suspect's estimate lies beyond half the margin.
/// 2. Confirm: suspects only, fresh rounds. What changed is more than the session is off by
///    (exact signed-rank, Benjamini–Hochberg over the suspects), and its estimate is beyond the
///    margin. The data are independent of the selection, so nothing needs correcting for the
///    screen.
package enum Decision {
  package static let q = 0.02
  package static let screenRounds = 8
  package static let confirmRounds = 24
  /// What a reader cares about of a duration: changes below 3 % are not told, as a logarithm.
  package static let leastMargin = log1p(0.03)
  /// What counts are asked to show, as a share.
  package static let countResolution = 0.01

  /// One metric of one benchmark on one engine, measured on both sides in pairs.
  package struct Question: Sendable {
    package var benchmark: String
    package var engine: String
    package var metric: Metric
    package var a: [Double]
    package var b: [Double]
    /// Estimated from A/A pairs, as a logarithm of the ratio.
    package var noiseFloor: Double
    /// Whether its pairs were made side by side, each in an order that was drawn by lot. Then a
    /// build differs from itself by chance alone, and the test knows how much that is.
    package var isSideBySide = false
    /// ln(B/A) of each pair by its stretches, where both sides were measured by turns.
    package var ratios: [Double]?
    /// The same by the means of the stretches.
    package var means: [Double]?
    /// What a duration is asked to show, as a share.
    package var resolution: Double
    /// How much the repository lets it differ, as a share: a wider margin, in both directions.
    package var tolerance: Double?
    package var invalid: String?
    package var broken: Comparison.BrokenSide?
    /// Why it has fewer rounds than were measured, where it has: those that are there may be the
    /// lucky ones, and nothing is told by them.
    package var short: String?

    package init(
      benchmark: String, engine: String, metric: Metric, a: [Double], b: [Double],
      noiseFloor: Double = 0, resolution: Double = Sight().resolution,
      tolerance: Double? = nil, invalid: String? = nil, broken: Comparison.BrokenSide? = nil
    ) {
      self.benchmark = benchmark
      self.engine = engine
      self.metric = metric
      self.a = a
      self.b = b
      self.noiseFloor = noiseFloor
      self.resolution = resolution
      self.tolerance = tolerance
      self.invalid = invalid
      self.broken = broken
    }

    /// The rounds that a verdict is made from: of a duration those that are in a pair, of a count
    /// all. One of two stored runs may have more, which say nothing of the other.
    package var judged: (a: [Double], b: [Double]) {
      guard metric.kind == .timed, ratios == nil else { return (a, b) }
      let pairs = zip(a, b).filter { $0 > 0 && $1 > 0 }
      return pairs.isEmpty ? (a, b) : (pairs.map(\.0), pairs.map(\.1))
    }

    /// dᵢ = s·ln(Bᵢ/Aᵢ): positive is worse.
    package var differences: [Double] {
      if let ratios { return ratios.map { metric.polarity * $0 } }
      return zip(a, b).filter { $0 > 0 && $1 > 0 }.map { metric.polarity * log($1 / $0) }
    }

    /// Percentiles far out, and the longest of anything, are coarser than medians: they are asked
    /// for twice as much.
    private var isTail: Bool {
      metric.name.hasPrefix("p9") || ["max", "stall"].contains(metric.name)
    }

    /// What this question is asked to see, in logarithms: the ceiling of the margin, and what an
    /// interval must lie within for nothing to have changed.
    package var asked: Double { log1p(max((isTail ? 2 : 1) * resolution, tolerance ?? 0)) }

    /// What a reader cares about: the least margin there is.
    package var floor: Double {
      min(tolerance.map(log1p) ?? (isTail ? log1p(0.10) : leastMargin), asked)
    }

    /// What a change must exceed to be seen above the noise of the session: may be beyond what is
    /// asked.
    package var margin: Double { max(floor, 1.5 * noiseFloor) }

    /// What a change must surely be more than. Of pairs that were made side by side it is what the
    /// session is off by: an estimate beyond the margin is enough then, for it has not come by
    /// chance. Runs that were made one after the other differ by what the machine did between them,
    /// which no test knows: there the whole change must surely be beyond the margin.
    /// And where so much was agreed on, it must surely be more than that.
    package var hurdle: Double { isSideBySide && tolerance == nil ? 1.5 * noiseFloor : margin }
  }

  /// What it takes for a change to be told.
  package struct Bar: Sendable {
    /// The largest P-value that is rejected: with many questions at once less than `q`.
    package var threshold: Double
    /// By so many rounds; nil for those at hand.
    package var rounds: Int?

    package init(threshold: Double = Decision.q, rounds: Int? = nil) {
      (self.threshold, self.rounds) = (threshold, rounds)
    }
  }

  /// A question with what its pairs say, worked out once for all that is asked of it.
  private struct Reading {
    let question: Question
    let differences: [Double]
    let estimate: Double
    let interval: SignedRank.Interval
    /// The smallest change that would have been told four times of five, as a logarithm; nil where
    /// none would.
    let sees: Double?

    init(_ question: Question, _ bar: Bar = Bar()) {
      self.question = question
      differences = question.differences
      let averages = WalshAverages(differences)
      estimate = averages.median
      interval = averages.interval(tail: 0.025)
      let width = interval.high - interval.low
      guard question.metric.kind == .timed, interval.confidence >= 0.949,
        let reach = Reading.reach(bar, differences.count, averages, width)
      else {
        sees = nil
        return
      }
      // The test must put it beyond the hurdle, and its estimate be beyond the margin. As far
      // beyond the hurdle as the test reaches, and on the margin, every second is; a quarter of the
      // interval's width further four of five.
      sees = max(question.margin, question.hurdle + max(width / 2, reach)) + width / 4
    }

    /// How far beyond the hurdle an estimate must be for the test to reject; nil where nothing
    /// would.
    private static func reach(
      _ bar: Bar, _ count: Int, _ averages: WalshAverages, _ width: Double
    ) -> Double? {
      guard MultipleComparisons.fewestRounds(1, q: bar.threshold) <= bar.rounds ?? count else {
        return nil
      }
      guard let rounds = bar.rounds, rounds != count else {
        let certain = averages.interval(tail: bar.threshold)
        return (certain.high - certain.low) / 2
      }
      let ratio =
        SignedRank.normalQuantile(1 - bar.threshold) / SignedRank.normalQuantile(0.975)
      return width / 2 * ratio * (Double(count) / Double(rounds)).squareRoot()
    }
  }

  /// Worth confirming: the estimate is beyond half the margin.
  package static func isSuspect(_ question: Question) -> Bool {
    abs(SignedRank.estimate(question.differences)) > min(question.margin, question.asked) / 2
  }

  /// Whether so many fresh pairs will probably decide a question, as wide apart as these are: their
  /// interval is then as narrow as what is asked, or leaves what must be exceeded behind.
  package static func isWithinReach(_ question: Question, of rounds: Int) -> Bool {
    let reading = Reading(question)
    let (count, interval) = (reading.differences.count, reading.interval)
    let halfWidth = (interval.high - interval.low) / 2
    guard count > 0, rounds > 0, halfWidth.isFinite else { return false }
    let expected = halfWidth * (Double(count) / Double(rounds)).squareRoot()
    return expected <= max(question.asked, abs(reading.estimate) - question.hurdle)
  }

  /// The fewest counts of a side that show whether a count repeats: with less nothing is told.
  package static let fewestCounts = 3
  /// As many as confirm a difference. Three counts of one build lie apart from three others of it
  /// once in ten times, and five from five once in 126; of two values that come equally often three
  /// are the one and three the other once in 32 times, and five once in 512.
  package static let confirmCounts = 5

  /// Judges counted and exact metrics, which need no statistics; nil for timed ones and for those
  /// that are never judged.
  package static func judgeUntimed(
    _ question: Question, tolerance: Double = 0
  ) -> Comparison.Row? {
    if question.metric.kind == .level { return judgeLevel(question) }
    guard [.exact, .counted].contains(question.metric.kind) else { return nil }
    let reading = Reading(question)
    if let invalid = question.invalid { return row(reading, .invalid, note: invalid) }
    if let short = question.short { return row(reading, .cannotTell, note: short) }
    guard let aMin = question.a.min(), let aMax = question.a.max(),
      let bMin = question.b.min(), let bMax = question.b.max()
    else { return row(reading, .invalid, note: "one side has no value") }
    let tolerance = max(tolerance, question.tolerance ?? 0)
    func isMore(_ more: Double, than less: Double) -> Bool {
      more > less + max(less * tolerance, wobble(less, question.metric))
    }
    let within = max(aMax - aMin, bMax - bMin)
    let count = min(question.a.count, question.b.count)
    let isMany = count >= confirmCounts
    func isApart(_ more: Double, from less: Double) -> Bool {
      isMore(more, than: less) && (within == 0 || more - less > within || isMany)
    }
    let (up, down) = (isApart(bMin, from: aMax), isApart(aMin, from: bMax))
    let isLower = question.metric.better == .lower
    let (worse, better) = isLower ? (up, down) : (down, up)
    let spread = max(aMax, bMax) - min(aMin, bMin)
    let typical = abs(Quantiles.median(question.a + question.b))
    if !worse, !better,
      spread
        > max(
          typical * max(countResolution, question.tolerance ?? 0), wobble(typical, question.metric))
    {
      return scattered(reading, typical > 0 ? spread / typical : nil)
    }
    let change = Quantiles.median(question.b) - Quantiles.median(question.a)
    let said =
      change == 0
      ? "the same count"
      : "\(change > 0 ? "+" : "−")\(spelled(abs(change))) \(question.metric.unit)"
    let kind = question.metric.kind == .exact && isStill(question) ? "exact" : "counted"
    let often = count < fewestCounts ? "; counted \(count == 1 ? "once" : "twice")" : ""
    guard often.isEmpty || !(worse || better) else {
      return row(
        reading, .cannotTell,
        note: "\(kind): \(said)\(often), so whether it repeats is not known")
    }
    return row(
      reading, worse ? .regressed : better ? .improved : .unchanged,
      note: "\(kind): \(said)\(often)")
  }

  /// How much more of a level is told: by a share, and by more than pages of the allocator and the
  /// kernel come to. Of 8 rounds of one build the furthest lay less than 1 MiB apart, nearly
  /// always.
  package static let levelShare = 0.25
  package static let levelNoise = 1_048_576.0

  /// Judges what keeps a level by the middles of all rounds, as an odd one, which made its data set
  /// itself, says nothing; and by their middle halves, which must lie apart.
  private static func judgeLevel(_ question: Question) -> Comparison.Row {
    let reading = Reading(question)
    if let invalid = question.invalid { return row(reading, .invalid, note: invalid) }
    if let short = question.short { return row(reading, .cannotTell, note: short) }
    let (a, b) = (question.a, question.b)
    guard !a.isEmpty, !b.isEmpty else {
      return row(reading, .invalid, note: "one side has no value")
    }
    let change = Quantiles.median(b) - Quantiles.median(a)
    let (less, more) = change > 0 ? (a, b) : (b, a)
    let share = max(levelShare, question.tolerance ?? 0)
    let isMore = abs(change) > max(Quantiles.median(less) * share, levelNoise)
    let mebibytes = String(format: "%+.1f MiB", change / levelNoise)
    let said = "level: \(mebibytes.replacing("-", with: "−"))"
    guard isMore else { return row(reading, .unchanged, note: said) }
    let count = min(a.count, b.count)
    guard count >= fewestCounts else {
      return row(
        reading, .cannotTell,
        note: "\(said); measured \(count == 1 ? "once" : "twice"), so whether it repeats is not "
          + "known")
    }
    guard Quantiles.quantile(more, 0.25) > Quantiles.quantile(less, 0.75) else {
      return row(reading, .cannotTell, note: "\(said); the rounds of one build differ by as much")
    }
    let isWorse = (change > 0) == (question.metric.better == .lower)
    return row(reading, isWorse ? .regressed : .improved, note: said)
  }

  /// An amount that was counted, without the last digits of a division.
  private static func spelled(_ amount: Double) -> String { String(format: "%.4g", amount) }

  /// Counts of one build that differ by more than is asked: they say nothing about another build.
  private static func scattered(_ reading: Reading, _ share: Double?) -> Comparison.Row {
    let said = share.map { "sees no less than \(percent($0))" } ?? "sees nothing"
    var found = row(
      reading, .cannotTell, note: "\(said): the counts of one build differ by as much")
    found.sees = share
    return found
  }

  /// Whether the counts of each side were always the same: only then is a count exact.
  private static func isStill(_ question: Question) -> Bool {
    question.a.min() == question.a.max() && question.b.min() == question.b.max()
  }

  /// What a count may differ by although nothing has changed: how threads meet decides how often a
  /// queue grows, a block is made anew or a group is written in two. A hundredth of what is counted
  /// one by one, but less than one more for each operation, which is always found; a thousandth of
  /// bytes and instructions; nothing of what a file is in the end.
  private static func wobble(_ count: Double, _ metric: Metric) -> Double {
    switch metric.unit {
    case "per op" where metric.name != "instructions": min(count * countResolution, 0.5)
    case "per op", "B/op": count * 0.001
    default: 0
    }
  }

  /// Judges timed metrics by one set of rounds, all of them asked together.
  ///
  /// Used for confirmed suspects, and for stored runs where no further round can be had.
  package static func judge(_ questions: [Question], q: Double = Decision.q) -> [Comparison.Row] {
    func isAsked(_ one: Question) -> Bool { one.invalid == nil && one.short == nil }
    let worse = Test(
      questions.map { isAsked($0) ? pBeyond($0.differences, $0.hurdle) : 1 }, q)
    let better = Test(
      questions.map { isAsked($0) ? pBeyond($0.differences.map { -$0 }, $0.hurdle) : 1 }, q)
    let fewest = MultipleComparisons.fewestRounds(questions.count, q: q)
    return questions.enumerated().map { i, question in
      // Whichever way it had changed.
      let reading = Reading(
        question, Bar(threshold: min(worse.thresholds[i], better.thresholds[i])))
      var found = settled(reading, fewest: fewest)
      guard found.verdict != .invalid, isAsked(question) else { return found }
      if worse.rejected[i], reading.estimate > question.margin {
        found = row(reading, .regressed, p: worse.adjusted[i], note: "")
      } else if better.rejected[i], -reading.estimate > question.margin {
        found = row(reading, .improved, p: better.adjusted[i], note: "")
      } else {
        found.p = min(worse.adjusted[i], better.adjusted[i])
      }
      return found
    }
  }

  /// P-values of one direction, with Benjamini and Hochberg's answer to them.
  private struct Test {
    let rejected: [Bool]
    let adjusted: [Double]
    let thresholds: [Double]

    init(_ p: [Double], _ q: Double) {
      rejected = MultipleComparisons.rejected(p, q: q)
      adjusted = MultipleComparisons.adjusted(p)
      thresholds = MultipleComparisons.thresholds(p, q: q)
    }
  }

  /// What is left where nothing was rejected: unchanged, beyond sight, or open.
  ///
  /// 1. Beyond sight: fewer rounds than could ever reject anything (`fewest`), a session whose
  ///    noise is larger than what is asked, or an interval wider than that.
  /// 2. Unchanged: the interval lies within what is asked, and does not exclude zero by more than
  ///    the least margin, nor at all where its estimate is beyond the margin.
  /// 3. Else inconclusive: it lies at the margin.
  ///
  /// `bar`: what a change would have had to get over, which the row tells by its size.
  package static func settled(
    _ question: Question, fewest: Int = 1, bar: Bar = Bar()
  ) -> Comparison.Row {
    settled(Reading(question, bar), fewest: fewest)
  }

  private static func settled(_ reading: Reading, fewest: Int) -> Comparison.Row {
    let (question, interval) = (reading.question, reading.interval)
    let count = reading.differences.count
    guard question.invalid == nil, count > 0 else {
      return row(reading, .invalid, note: question.invalid ?? "one side has no value")
    }
    if let short = question.short {
      var found = row(reading, .cannotTell, note: short)
      found.sees = nil
      return found
    }
    let isSure = interval.confidence >= 0.949
    let inside = interval.low > -question.asked && interval.high < question.asked
    let isBeyond = abs(reading.estimate) > question.margin
    let isApart =
      interval.low > (isBeyond ? 0 : question.floor)
      || interval.high < (isBeyond ? 0 : -question.floor)
    if question.margin > question.asked {
      return hidden(
        reading, "the session's noise floor is \(percent(exp(question.noiseFloor) - 1))")
    }
    if inside, isSure, !isApart {
      guard isSlowAnotherShare(question) else { return row(reading, .unchanged, note: "") }
      var found = row(
        reading, .inconclusive,
        note: "a typical stretch takes the same, but another share of them is slow")
      found.moreRounds = count
      return found
    }
    if count < fewest || !isSure {
      var found = hidden(reading, "nothing can be told below \(max(6, fewest)) rounds")
      found.sees = nil
      found.note = "sees nothing: too few rounds, nothing can be told below \(max(6, fewest))"
      found.moreRounds = max(6, fewest) - count
      return found
    }
    let halfWidth = (interval.high - interval.low) / 2
    if halfWidth > question.asked {
      var found = hidden(reading, "the rounds differ too much")
      found.moreRounds = further(count, halfWidth / question.asked)
      return found
    }
    var found = row(reading, .inconclusive, note: "the interval reaches over the margin")
    if isApart {
      let least = min(abs(interval.low), abs(interval.high))
      let which = interval.low > 0 ? "worse" : "better"
      found.note = "\(which) by \(percent(exp(least) - 1)) at least, within the margin"
    }
    // As narrow as it takes where the estimate stays: to leave the hurdle behind, or to lie within
    // what is asked. What is surely there and within the margin only becomes surer.
    let room =
      isBeyond ? abs(reading.estimate) - question.hurdle : question.asked - abs(reading.estimate)
    found.moreRounds =
      (isApart && !isBeyond) || room <= 0 ? nil : further(count, halfWidth / room)
    return found
  }

  /// Whether the means of the stretches surely differ by more than is asked, although a typical one
  /// does not: a slow way that is taken more often.
  private static func isSlowAnotherShare(_ question: Question) -> Bool {
    guard let means = question.means, abs(SignedRank.estimate(means)) > question.asked else {
      return false
    }
    return min(pBeyond(means, 0), pBeyond(means.map { -$0 }, 0)) <= q
  }

  /// A suspect for whose confirmation there was no time: by the rounds that made it one, nothing is
  /// said for certain, nor would it be of a larger change.
  ///
  /// - Parameter rounds: By how many it would have been confirmed. As many to begin with say as
  ///   much.
  package static func unconfirmed(_ question: Question, rounds: Int) -> Comparison.Row {
    guard question.short == nil else { return settled(question) }
    var found = row(
      Reading(question), .inconclusive,
      note: "seems to differ, and there was no time left to confirm it")
    found.moreRounds = max(1, rounds - found.rounds)
    found.sees = nil
    return found
  }

  /// A question that this machine, or these rounds, cannot answer.
  private static func hidden(_ reading: Reading, _ reason: String) -> Comparison.Row {
    var found = row(reading, .cannotTell, note: "")
    let least = found.sees.map { "no less than \(percent($0))" } ?? "nothing"
    found.note = "sees \(least): \(reason)"
    return found
  }

  /// Rounds beyond `count` with which an interval would shrink by `ratio`.
  private static func further(_ count: Int, _ ratio: Double) -> Int {
    max(1, Int(min((Double(count) * ratio * ratio).rounded(.up), 10_000)) - count)
  }

  /// `4.2 %`, with as many digits as a limit deserves. One beyond a factor of a hundred is none.
  static func percent(_ share: Double) -> String {
    if share > 99 { return "a factor of over 100" }
    let value = share * 100
    return String(format: value < 9.95 ? "%.1f %%" : "%.0f %%", value)
  }

  /// P of differences this far beyond the margin if they were not beyond it.
  private static func pBeyond(_ d: [Double], _ margin: Double) -> Double {
    SignedRank.pGreater(d.map { $0 - margin })
  }

  /// What the row says changed: of durations the estimate, of counts from one typical count to the
  /// other, as its words do.
  private static func change(_ reading: Reading) -> Double {
    let question = reading.question
    let (a, b) = (Quantiles.median(question.a), Quantiles.median(question.b))
    guard question.metric.kind == .timed || a <= 0 || b <= 0 else {
      return exp(question.metric.polarity * log(b / a)) - 1
    }
    return reading.differences.isEmpty ? 0 : exp(reading.estimate) - 1
  }

  private static func row(
    _ reading: Reading, _ verdict: Comparison.Verdict, p: Double? = nil, note: String
  ) -> Comparison.Row {
    let (question, interval) = (reading.question, reading.interval)
    let isTimed = question.metric.kind == .timed
    func share(_ x: Double) -> Double { x.isFinite ? exp(x) - 1 : 0 }
    func finite(_ x: Double) -> Double { x.isFinite ? x : 0 }
    let judged = question.judged
    var made = Comparison.Row(
      benchmark: question.benchmark, engine: question.engine, metric: question.metric.name,
      verdict: verdict, a: finite(Quantiles.median(judged.a)),
      b: finite(Quantiles.median(judged.b)),
      change: change(reading), low: share(interval.low),
      high: share(interval.high), p: p, tau: isTimed ? exp(question.asked) - 1 : 0,
      noiseFloor: exp(question.noiseFloor) - 1, rounds: min(judged.a.count, judged.b.count),
      sees: reading.sees.map(share), note: note,
      pairsA: judged.a, pairsB: judged.b)
    made.broken = verdict == .invalid ? question.broken : nil
    made.ratios = question.ratios
    return made
  }
}
