/// What the samples of a run say, benchmark by benchmark: computed, never stored as truth.
package enum Summary {
  /// One finding per benchmark, engine and side, in the order of first appearance; the control is
  /// none of them.
  package static func results(_ samples: [Sample], latencies: [LatencyRecord] = []) -> [Finding] {
    findings(samples.filter { RunControl.End(rawValue: $0.side) == nil }, latencies)
  }

  /// The same of what was measured at one end of the run.
  static func control(_ samples: [Sample], _ end: RunControl.End) -> [Finding] {
    findings(samples.filter { $0.side == end.rawValue }, [])
  }

  private static func findings(_ samples: [Sample], _ latencies: [LatencyRecord]) -> [Finding] {
    struct Key: Hashable {
      let benchmark: String
      let engine: String
      let side: String
    }
    var order: [Key] = []
    var groups: [Key: [Sample]] = [:]
    for sample in samples {
      let key = Key(benchmark: sample.benchmark, engine: sample.engine, side: sample.side)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(sample)
    }
    var histograms: [Key: Histogram] = [:]
    for record in latencies {
      let key = Key(benchmark: record.benchmark, engine: record.engine, side: record.side)
      guard let one = Histogram(encoded: record.histogram) else { continue }
      if let sum = histograms[key] { sum.merge(one) } else { histograms[key] = one }
    }
    return order.map { key in
      finding(
        key.benchmark, key.engine, key.side, groups[key] ?? [], histogram: histograms[key])
    }
  }

  private static func finding(
    _ benchmark: String, _ engine: String, _ side: String, _ samples: [Sample],
    histogram: Histogram?
  ) -> Finding {
    let checks = samples.filter { $0.metric == "check" }
    let wrong = checks.first { $0.value != 1 }
    // What is only counted has rounds of its own, and they stand behind no duration.
    let timed = samples.filter { $0.metric != "check" && Metric.named($0.metric).kind == .timed }
    let rounds = Set((timed.isEmpty ? samples : timed).map(\.round)).count
    var flags: [String] = []
    for flag in samples.flatMap({ $0.flags.split(separator: " ").map(String.init) })
    where !flags.contains(flag) { flags.append(flag) }
    let reason = wrong?.note ?? (checks.isEmpty ? "the answer was never checked" : idleness(timed))
    var finding = Finding(
      benchmark: benchmark, engine: engine, side: side, valid: reason == nil,
      reason: reason ?? "", flags: flags,
      rounds: rounds, seed: samples.first?.seed ?? 0, histogram: histogram?.encoded)
    // A wrong answer has no speed.
    guard finding.valid else {
      finding.histogram = nil
      return finding
    }
    let metrics = Set(samples.map(\.metric)).subtracting(["check"])
    for metric in metrics.sorted(by: { (Metric.rank($0), $0) < (Metric.rank($1), $1) }) {
      let rows = samples.filter { $0.metric == metric }.sorted { $0.round < $1.round }
      finding.values.append(value(metric, rows, histogram))
    }
    // Of what the benchmark is about: a round far out is told where the number is.
    if let far = finding.subjectValue?.outliers { finding.flags.append("outliers=\(far)") }
    return finding
  }

  /// Rounds of a rate of 0 and without a time, as other builds made them: the time would be that of
  /// the lucky ones. Nil where there are none.
  private static func idleness(_ timed: [Sample]) -> String? {
    let rates = timed.filter { $0.metric == "rate" }
    let withTime = Set(timed.filter { $0.metric == "time" }.map(\.round))
    let idle = rates.count { $0.value == 0 && !withTime.contains($0.round) }
    return Finding.idleness(idle, of: Set(timed.map(\.round)).count)
  }

  /// How many rounds lie beyond Tukey's far fence: three times the middle half's width outside of
  /// it. Fewer than five rounds have no middle half that one of them would not be part of: of three
  /// or four it is Dixon's quotient that tells one that lies apart from the others.
  static func outliers(_ rounds: [Double]) -> Int {
    guard rounds.count >= fewestForOutliers else { return isOneApart(rounds) ? 1 : 0 }
    let (low, high) = (Quantiles.quantile(rounds, 0.25), Quantiles.quantile(rounds, 0.75))
    let reach = 3 * (high - low)
    guard reach > 0 else { return 0 }
    return rounds.count { $0 < low - reach || $0 > high + reach }
  }

  private static let fewestForOutliers = 5

  /// Dixon's test at 99 %: the gap before the outermost, as a share of the whole range. Two rounds
  /// that happen to agree make anything lie apart: a gap below 3 % is none.
  private static func isOneApart(_ rounds: [Double]) -> Bool {
    guard let least = [3: 0.994, 4: 0.926][rounds.count] else { return false }
    let sorted = rounds.sorted()
    let range = sorted[sorted.count - 1] - sorted[0]
    let gap = max(sorted[1] - sorted[0], sorted[sorted.count - 1] - sorted[sorted.count - 2])
    return range > 0 && gap / range > least && gap > 0.03 * abs(Quantiles.median(rounds))
  }

  private static let shares: [String: Double] = [
    "p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999,
  ]

  private static func value(
    _ metric: String, _ rows: [Sample], _ histogram: Histogram?
  ) -> Finding.Value {
    let rounds = rows.map(\.value)
    let count = rows.reduce(0) { $0 + $1.count }
    var middle = Quantiles.median(rounds)
    var interval = Quantiles.medianInterval(rounds)
    if let share = shares[metric], let histogram, histogram.total > 0 {
      // Percentiles come from the merged distribution; their interval from resampling rounds.
      middle = Double(histogram.quantile(share))
      if rounds.count >= 2 {
        let resampled = Bootstrap.interval(
          rounds, resamples: 1000, seed: 1, Quantiles.median)
        interval = (min(resampled.low, middle), max(resampled.high, middle), 0.95)
      }
    } else if metric == "max" {
      middle = rounds.max() ?? middle
    }
    var found = Finding.Value(
      metric: metric, value: middle, low: interval.low, high: interval.high,
      confidence: interval.confidence, rounds: rounds, samples: count)
    let far = Metric.named(metric).kind == .timed ? outliers(rounds) : 0
    found.outliers = far > 0 ? far : nil
    return found
  }
}
