import Evidence
import Foundation

/// What a run can see: how many rounds stand behind its numbers, and how small a change would have
/// shown.
struct VisibleChange {
  struct Limit {
    let benchmark: String
    let engine: String
    /// The smallest relative change that this run and another like it would surely tell apart four
    /// times of five: 0.05 is 5 %.
    let change: Double
    /// The control that hides more of it than its own rounds do; nil where none does. A single one
    /// is not the machine, and so it is named.
    var control: String?

    var whose: String { "\(benchmark), \(engine)" + (control.map { "; \($0)" } ?? "") }
  }

  let run: Run

  private var findings: [Finding] {
    // The machine's own limits are a yardstick, not what the run was made for.
    let valid = run.own.filter(\.valid)
    let own = valid.filter {
      $0.name.chapter != "floor" && ($0.engine == "reference" || Rivalry.isPeer($0.engine))
    }
    return own.isEmpty ? valid : own
  }

  /// From the number with the fewest to the one with the most. Of a benchmark whose latencies are
  /// told beside its time, those may stand on fewer rounds than the time.
  var rounds: ClosedRange<Int>? {
    let counts = findings.flatMap { finding in
      [finding.rounds]
        + finding.values.filter { Metric.named($0.metric).kind == .timed }.map(\.rounds.count)
    }
    guard let fewest = counts.min(), let most = counts.max() else { return nil }
    return fewest...most
  }

  /// What the run's own control says of a chapter: no change is seen through what drifted from its
  /// beginning to its end. As in a comparison, half as much again, and a restless disk hides what
  /// is durable, and not what is read.
  private func floor(of name: BenchmarkName) -> Double {
    run.control.map { 1.5 * RunControl.floor($0, $0, for: name) } ?? 0
  }

  /// Which control says so, where it is one of the chapter's own.
  private func hiding(_ name: BenchmarkName, _ floor: Double) -> String? {
    guard let control = run.control,
      let row = RunControl.furthest(control, control, for: name), let drift = row.drift,
      1.5 * abs(drift) >= floor
    else { return nil }
    return "its control \(row.benchmark) (\(row.engine)) drifted by "
      + VisibleChange.spelled(exp(min(abs(drift), 20)) - 1)
  }

  /// From the spread of rounds, by Student's t over logarithms; the sharpest first.
  ///
  /// A change is told where it is surely more than the drift, and larger than what a comparison
  /// cares about. On the bound every second is: so much further that four of five are. With as
  /// much freedom as one run has, from which alone it is known how much rounds differ: with that
  /// of both, three of five are told by three rounds.
  var limits: [Limit] {
    findings.compactMap { finding -> Limit? in
      guard let subject = finding.subject, let value = finding[subject], value.rounds.count > 1,
        value.rounds.allSatisfy({ $0 > 0 })
      else { return nil }
      let n = Double(value.rounds.count)
      let error = (2 * Ratio.variance(value.rounds.map { log($0) }) / n).squareRoot()
      func reach(_ share: Double) -> Double { StudentT.quantile(share, freedom: n - 1) * error }
      let floor = floor(of: finding.name)
      let least = max(Decision.leastMargin, floor + reach(0.975)) + reach(0.8)
      let isHidden = floor > max(Decision.leastMargin, reach(0.975) + reach(0.8))
      return Limit(
        benchmark: finding.benchmark, engine: finding.engine, change: exp(min(least, 20)) - 1,
        control: isHidden ? hiding(finding.name, floor) : nil)
    }.sorted { $0.change < $1.change }
  }

  /// How many numbers stand on a single round, and so on nothing.
  var lone: Int { findings.count { $0.rounds < 2 } }

  /// `2 to 3 rounds behind each number`.
  var spelledRounds: String? {
    guard let rounds else { return nil }
    let most = Figures.count(rounds.upperBound, "round")
    let said = rounds.count == 1 ? most : "\(rounds.lowerBound) to \(most)"
    return "\(said) behind each number"
  }

  /// The smallest change that could have been seen: by half of the benchmarks, and by the worst.
  var sentence: String? {
    guard let spelledRounds else { return nil }
    let limits = limits
    guard let worst = limits.last else {
      return "\(spelledRounds): no change could have been seen, however large"
    }
    let middle = limits[limits.count / 2]
    let said =
      "\(spelledRounds); against another run half of the benchmarks show a change of "
      + "\(VisibleChange.spelled(middle.change)), the worst only one of "
      + "\(VisibleChange.spelled(worst.change)) (\(worst.whose))"
    return lone > 0 ? said + "; \(Figures.count(lone, "number")) of a single round see none" : said
  }

  /// The same without whose change the worst is, unless one odd control says so.
  var brief: String? {
    guard let spelledRounds else { return nil }
    let limits = limits
    guard let worst = limits.last else { return sentence }
    let middle = limits[limits.count / 2]
    return "\(spelledRounds); against another run half of the benchmarks show a change of "
      + "\(VisibleChange.spelled(middle.change)), the worst only one of "
      + VisibleChange.spelled(worst.change) + (worst.control.map { " (\($0))" } ?? "")
  }

  /// What stays out of sight, for whoever asks what the run cannot see.
  var hidden: String? {
    let limits = limits
    guard let worst = limits.last else {
      return rounds == nil ? nil : "Any change at all: a single round says nothing of spread"
    }
    let middle = limits[limits.count / 2]
    let said =
      "From this run to another, changes below \(VisibleChange.spelled(middle.change)) of half of "
      + "the benchmarks, below \(VisibleChange.spelled(worst.change)) of the worst "
      + "(\(worst.whose))"
    return lone > 0
      ? said + "; any change of \(Figures.count(lone, "number")) of a single round" : said
  }

  /// Beyond a doubling a share says less than a factor.
  static func spelled(_ change: Double) -> String {
    change < 1
      ? Figures.percent(change, signed: false)
      : change > 99 ? "a factor of over 100" : "a factor of \(Figures.factor(1 + change))"
  }
}
