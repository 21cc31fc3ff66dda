import Evidence
import Foundation

/// The engine beside those that people would use instead: every comparison a run holds, won or
/// lost.
struct Rivalry {
  /// One benchmark, one metric of it, one peer.
  struct Match: Hashable {
    let benchmark: String
    let metric: String
    let peer: String
    let ours: Finding.Value
    let theirs: Finding.Value
    /// How many times as dear as the peer, whichever way the metric is better: above 1 is a loss.
    let ratio: Double
    /// What the ratio lies within at 95 %; nil where one side has a single round.
    let interval: ClosedRange<Double>?

    var isLoss: Bool { ratio > 1 }
    /// Whether the run can tell which of the two is ahead.
    var isTold: Bool { interval.map { !$0.contains(1) } ?? false }
    /// How many rounds stand behind it.
    let rounds: Int
    /// Whether it is of all rounds together, because none of them has enough operations by itself.
    let isMerged: Bool

    /// How many times as dear: of a single round in two digits.
    var told: String { told(ratio) }
    /// The same, seen from the peer.
    var toldTurned: String { told(1 / ratio) }
    /// What says that it may be otherwise.
    var doubt: String { isTold ? "" : " ?" }

    private func told(_ ratio: Double) -> String {
      rounds < 2 ? Figures.loneTimes(ratio) : Figures.times(ratio)
    }

    /// Why there is no interval.
    var lackOfInterval: String { isMerged ? "all rounds as one" : "one round" }
  }

  /// Losses first, the largest first; then what was won, the largest last.
  let matches: [Match]
  /// Who was measured, in which version: of another one the same need not be true.
  private let engines: [Environment.Engine]

  init(run: Run) {
    engines = run.environment.engines
    // Of two that measure the same beginning the one that includes the first use speaks.
    let current = Set(run.current.map { "\($0.benchmark) \($0.engine)" })
    // Of two builds the one that the run was made to judge.
    matches = run.byBenchmark.flatMap { _, all -> [Match] in
      let results = all.filter {
        $0.side != Run.Side.base && current.contains("\($0.benchmark) \($0.engine)")
      }
      guard let ours = results.first(where: { $0.engine == "reference" && $0.valid }) else {
        return []
      }
      // What was measured apart is no comparison.
      return results.filter {
        $0.valid && Rivalry.isPeer($0.engine) && $0.machine == ours.machine
      }
      .flatMap { Rivalry.match(ours, $0) }
    }.enumerated().sorted { l, r in
      l.element.ratio != r.element.ratio
        ? l.element.ratio > r.element.ratio : l.offset < r.offset
    }.map(\.element)
  }

  /// Loops in C and the empty engine are limits of the machine, nothing that somebody would use
  /// instead.
  static func isPeer(_ engine: String) -> Bool { !["reference", "c", "null"].contains(engine) }

  var losses: [Match] { matches.filter(\.isLoss) }

  /// What was lost, as pages, terminals and summaries tell it: what the run can tell before what
  /// only looks so, the largest first in either, for the largest ratio of all may be the least sure
  /// one.
  struct Group {
    let title: String
    let matches: [Match]
  }
  var groups: [Group] {
    [
      Group(title: "surely lost, the largest first", matches: losses.filter(\.isTold)),
      Group(
        title: "looks lost, though this run cannot be sure, the largest first",
        matches: losses.filter { !$0.isTold }),
    ].filter { !$0.matches.isEmpty }
  }
  /// The largest first.
  var wins: [Match] { matches.filter { !$0.isLoss }.reversed() }

  /// What a benchmark is about, and its tail where there are enough values for one.
  private static func match(_ ours: Finding, _ theirs: Finding) -> [Match] {
    var metrics = [ours.subject].compactMap(\.self)
    let needed = Histogram.needed(for: 0.99)
    let isOfRounds = [ours, theirs].allSatisfy { ($0["p99"]?.samples ?? 0) >= needed }
    if !metrics.contains("p99"), isOfRounds { metrics.append("p99") }
    let told = metrics.compactMap { metric in
      if let a = ours[metric], let b = theirs[metric] {
        match(metric, (ours, a), (theirs, b), isMerged: false)
      } else {
        nil
      }
    }
    guard !metrics.contains("p99"), let a = tail(ours), let b = tail(theirs) else { return told }
    return told + [match("p99", (ours, a), (theirs, b), isMerged: true)].compactMap(\.self)
  }

  /// The 99th percentile of all rounds together; nil where that is too few operations, too.
  private static func tail(_ finding: Finding) -> Finding.Value? {
    guard let histogram = finding.histogram.flatMap({ Histogram(encoded: $0) }),
      histogram.total >= Histogram.needed(for: 0.99)
    else { return nil }
    let value = Double(histogram.quantile(0.99))
    return Finding.Value(
      metric: "p99", value: value, low: value, high: value, confidence: 0, rounds: [value],
      samples: histogram.total)
  }

  private static func match(
    _ metric: String, _ ours: (finding: Finding, value: Finding.Value),
    _ theirs: (finding: Finding, value: Finding.Value), isMerged: Bool
  ) -> Match? {
    let (a, b) = (ours.value, theirs.value)
    guard a.value > 0, b.value > 0 else { return nil }
    let polarity = Metric.named(metric).polarity
    let interval = Ratio.interval(a.rounds, b.rounds)
    let ratio = pow(a.value / b.value, polarity)
    return Match(
      benchmark: ours.finding.benchmark, metric: metric, peer: theirs.finding.engine, ours: a,
      theirs: b, ratio: ratio,
      interval: interval.map { range in
        let ends = [pow(range.lowerBound, polarity), pow(range.upperBound, polarity), ratio]
        return ends.min()!...ends.max()!
      },
      rounds: isMerged
        ? min(ours.finding.rounds, theirs.finding.rounds) : min(a.rounds.count, b.rounds.count),
      isMerged: isMerged)
  }

  /// `19 of 87 comparisons of the reference engine with lmdb and sqlite are surely lost, and 12
  /// more look lost, though this run cannot be sure, and 5 cannot be told, though they do not look
  /// lost`.
  var sentence: String? {
    let all = matches
    guard !all.isEmpty else { return nil }
    let lost = all.filter(\.isLoss)
    let names = Set(all.map(\.peer)).sorted().map { $0 + version(of: $0) }
    let peers =
      names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "")
      + (names.last ?? "")
    let compared =
      "\(Figures.count(all.count, "comparison")) of the reference engine"
      + "\(version(of: "reference")) with \(peers)"
    let sure = lost.count { $0.isTold }
    let untold = lost.count - sure
    let unsure = all.count { !$0.isLoss && !$0.isTold }
    let surely = "\(sure == 0 ? "none" : "\(sure)") of \(compared) \(sure < 2 ? "is" : "are")"
    guard untold + unsure > 0 else { return surely + " lost" }
    var said = surely + " surely lost, \(sure == 0 ? "but" : "and") "
    if untold > 0 {
      said +=
        "\(untold)\(sure == 0 ? "" : " more") \(untold == 1 ? "looks" : "look") lost, though this "
        + "run cannot be sure"
    }
    // What cannot be told need not be won, either.
    if unsure > 0 {
      said +=
        "\(untold > 0 ? ", and " : "")\(unsure) cannot be told, though "
        + (unsure == 1 ? "it does" : "they do") + " not look lost"
    }
    return said
  }

  /// With a space in front; nothing where none is recorded.
  private func version(of engine: String) -> String {
    let version = engines.first { $0.name == engine }?.version ?? ""
    return version.isEmpty ? "" : " \(version)"
  }
}

/// How many times one set of rounds is another, and how sure that is.
enum Ratio {
  /// What the ratio of two sets of rounds lies within at 95 %; nil where one holds less than two.
  ///
  /// Rounds of two engines are not paired. Where enough of them allow it the interval is that of
  /// ranks (Mann and Whitney, Hodges and Lehmann), which asks nothing of their distribution; below,
  /// it is Welch's, over logarithms.
  static func interval(_ a: [Double], _ b: [Double]) -> ClosedRange<Double>? {
    guard a.count > 1, b.count > 1, (a + b).allSatisfy({ $0 > 0 }) else { return nil }
    let (a, b) = (a.map { log($0) }, b.map { log($0) })
    let range = ranked(a, b) ?? welch(a, b)
    return exp(range.lowerBound)...exp(range.upperBound)
  }

  /// All differences in order, without as many at each end as may be wrong; nil where even the
  /// whole range is not 95 % sure.
  private static func ranked(_ a: [Double], _ b: [Double]) -> ClosedRange<Double>? {
    guard let cut = cut(a.count, b.count) else { return nil }
    let differences = PairRanks(differencesOf: a, from: b)
    return differences[cut - 1]...differences[differences.count - cut]
  }

  /// How many of the differences at each end are left out; nil where even the whole range is not
  /// 95 % sure. Beyond thirty rounds a side it is the normal distribution that says so.
  private static func cut(_ a: Int, _ b: Int) -> Int? {
    guard max(a, b) <= 30 else {
      let (m, n) = (Double(a), Double(b))
      let reach = SignedRank.normalQuantile(0.975) * (m * n * (m + n + 1) / 12).squareRoot()
      let cut = Int(m * n / 2 - 0.5 - reach)
      return cut > 0 ? cut : nil
    }
    // P(U = u): how often each sum of ranks occurs among all ways to deal the ranks out.
    var ways = [[Double]](
      repeating: [Double](repeating: 0, count: a * b + 1), count: a + 1)
    ways[0][0] = 1
    for rank in 1...(a + b) {
      for taken in stride(from: min(rank, a), through: 1, by: -1) {
        let gain = rank - taken
        for u in stride(from: a * b, through: gain, by: -1) {
          ways[taken][u] += ways[taken - 1][u - gain]
        }
      }
    }
    let total = ways[a].reduce(0, +)
    var tail = 0.0
    var cut = 0
    for u in 0..<(a * b) {
      tail += ways[a][u] / total
      guard tail <= 0.025 else { break }
      cut = u + 1
    }
    return cut > 0 ? cut : nil
  }

  private static func welch(_ a: [Double], _ b: [Double]) -> ClosedRange<Double> {
    let (u, v) = (variance(a) / Double(a.count), variance(b) / Double(b.count))
    let middle = Quantiles.mean(a) - Quantiles.mean(b)
    guard u + v > 0 else { return middle...middle }
    let freedom =
      (u + v) * (u + v)
      / (u * u / Double(a.count - 1) + v * v / Double(b.count - 1))
    let half = StudentT.quantile(0.975, freedom: freedom) * (u + v).squareRoot()
    guard half.isFinite, middle.isFinite else { return -.infinity ... .infinity }
    return middle - half...middle + half
  }

  static func variance(_ values: [Double]) -> Double {
    let mean = Quantiles.mean(values)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
  }
}
