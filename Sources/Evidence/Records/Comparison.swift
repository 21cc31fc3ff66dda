/// Two builds or two runs judged against each other: what `compare` and `ab` found.
package struct Comparison: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable, CaseIterable {
    case regressed, improved, inconclusive, invalid, unchanged

    /// A word and a shape, so that no meaning hangs on colour.
    package var symbol: String {
      switch self {
      case .regressed: "▲"
      case .improved: "▼"
      case .inconclusive: "?"
      case .invalid: "✕"
      case .unchanged: "="
      }
    }
  }

  package struct Side: Codable, Hashable, Sendable {
    package var name = ""
    package var commit = ""
    package var subject = ""
    package var source = ""
    package init(name: String, commit: String, subject: String, source: String) {
      self.name = name
      self.commit = commit
      self.subject = subject
      self.source = source
    }
  }

  /// One benchmark, engine and metric.
  package struct Row: Codable, Hashable, Sendable {
    package var benchmark: String
    package var engine: String
    package var metric: String
    package var verdict: Verdict
    /// Medians of both sides.
    package var a: Double
    package var b: Double
    /// Relative change for the worse (positive) or the better, with its interval: 0.03 is 3 %.
    package var change: Double
    package var low: Double
    package var high: Double
    /// P-value after Benjamini–Hochberg; absent where none was needed.
    package var p: Double?
    package var tau: Double
    package var noiseFloor: Double
    package var rounds: Int
    /// Further rounds that would probably settle an inconclusive one.
    package var moreRounds: Int?
    package var note: String
    /// The pairs the verdict stands on, in order.
    package var pairsA: [Double]
    package var pairsB: [Double]

    package init(
      benchmark: String, engine: String, metric: String, verdict: Verdict, a: Double, b: Double,
      change: Double, low: Double, high: Double, p: Double?, tau: Double, noiseFloor: Double,
      rounds: Int, moreRounds: Int? = nil, note: String, pairsA: [Double], pairsB: [Double]
    ) {
      self.benchmark = benchmark
      self.engine = engine
      self.metric = metric
      self.verdict = verdict
      self.a = a
      self.b = b
      self.change = change
      self.low = low
      self.high = high
      self.p = p
      self.tau = tau
      self.noiseFloor = noiseFloor
      self.rounds = rounds
      self.moreRounds = moreRounds
      self.note = note
      self.pairsA = pairsA
      self.pairsB = pairsB
    }
  }

  /// The control: a build against itself.
  package struct Control: Codable, Hashable, Sendable {
    package var benchmarks = 0
    package var suspects = 0
    package var confirmed = 0
    package var noiseFloor = 0.0
    package init(benchmarks: Int, suspects: Int, confirmed: Int, noiseFloor: Double) {
      self.benchmarks = benchmarks
      self.suspects = suspects
      self.confirmed = confirmed
      self.noiseFloor = noiseFloor
    }
  }

  package var a: Side
  package var b: Side
  /// Whether A and B were measured alternately: only then is drift of the machine cancelled.
  package var interleaved: Bool
  package var trusted: Bool
  /// Why the session is not trusted, or what limits it.
  package var reasons: [String]
  package var control: Control?
  package var q: Double
  package var rows: [Row]
  package var voidRounds: Int

  package init(
    a: Side, b: Side, interleaved: Bool, trusted: Bool, reasons: [String], control: Control?,
    q: Double, rows: [Row], voidRounds: Int = 0
  ) {
    self.a = a
    self.b = b
    self.interleaved = interleaved
    self.trusted = trusted
    self.reasons = reasons
    self.control = control
    self.q = q
    self.rows = rows
    self.voidRounds = voidRounds
  }

  package func count(_ verdict: Verdict) -> Int { rows.filter { $0.verdict == verdict }.count }

  /// Rows in the order a reader wants them: what got worse first, largest first.
  package var sortedRows: [Row] {
    let rank: [Verdict: Int] = [
      .regressed: 0, .invalid: 1, .improved: 2, .inconclusive: 3, .unchanged: 4,
    ]
    return rows.enumerated().sorted { l, r in
      let (a, b) = (rank[l.element.verdict] ?? 9, rank[r.element.verdict] ?? 9)
      if a != b { return a < b }
      let (x, y) = (abs(l.element.change), abs(r.element.change))
      return x != y ? x > y : l.offset < r.offset
    }.map(\.element)
  }

  /// The exit code: `strict` counts what could not be decided as worse.
  package func outcome(strict: Bool = false) -> Outcome {
    // Exact metrics need no trust in the machine's calm.
    if rows.contains(where: { $0.verdict == .regressed && (trusted || isUntimed($0)) }) {
      return .regressed
    }
    if !trusted { return .untrusted }
    if strict, count(.inconclusive) + count(.invalid) > 0 { return .regressed }
    return .fine
  }

  private func isUntimed(_ row: Row) -> Bool { Metric.named(row.metric).kind != .timed }

  /// The sentence a manager reads.
  package var sentence: String {
    let counts = [
      (count(.regressed), "regressed"), (count(.improved), "improved"),
      (count(.inconclusive), "inconclusive"), (count(.unchanged), "unchanged"),
      (count(.invalid), "invalid"),
    ]
    let said = counts.enumerated().filter { $0.offset != 4 || $0.element.0 > 0 }
      .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
    var trust = trusted ? "session trusted" : "session NOT trusted"
    if let control {
      trust += " (A/A: \(control.confirmed) of \(control.benchmarks) changed)"
    }
    return "\(said); \(trust)."
  }
}
