/// Two builds or two runs judged against each other: what `compare` and `ab` found.
package struct Comparison: Codable, Hashable, Sendable {
  package enum Verdict: String, Codable, Sendable, CaseIterable {
    case regressed, improved, inconclusive, invalid, unchanged
    /// What was asked to be seen is smaller than what this machine can see: neither unchanged nor
    /// worse.
    case cannotTell = "cannot-tell"

    /// A word and a shape, so that no meaning hangs on colour.
    package var symbol: String {
      switch self {
      case .regressed: "▲"
      case .improved: "▼"
      case .inconclusive: "?"
      case .invalid: "✕"
      case .unchanged: "="
      case .cannotTell: "~"
      }
    }
  }

  /// Who gave no valid answer: it died, or what it said is wrong.
  package enum BrokenSide: String, Codable, Sendable, CaseIterable {
    case a, b, both
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

    /// Empty where the build does not know it.
    package var knownCommit: String { commit == "unknown" ? "" : commit }
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
    /// The smallest change that would have been called one four times of five, by these rounds and
    /// beside the other questions as they were; absent where none would, and in older records.
    package var sees: Double?
    /// Why a change for the worse was accepted, by the repository's thresholds; absent where it was
    /// not.
    package var acknowledged: String?
    /// Which side has no valid answer, where one has none; absent where both have one, and in older
    /// records.
    package var broken: BrokenSide?
    package var note: String
    /// The note of what stands beside each other without a verdict, as of different machines.
    package static let shown = "shown, not judged"
    /// Whether it stands so, and is the same on both sides.
    package var isShownAlike: Bool { note == Row.shown && a == b && verdict == .inconclusive }
    /// The pairs the verdict stands on, in order.
    package var pairsA: [Double]
    package var pairsB: [Double]
    /// ln(B/A) of each pair by the stretches that lay side by side, which is what was judged; nil
    /// where pairs were compared as a whole.
    package var ratios: [Double]?

    package init(
      benchmark: String, engine: String, metric: String, verdict: Verdict, a: Double, b: Double,
      change: Double, low: Double, high: Double, p: Double?, tau: Double, noiseFloor: Double,
      rounds: Int, moreRounds: Int? = nil, sees: Double? = nil, note: String, pairsA: [Double],
      pairsB: [Double]
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
      self.sees = sees
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
  /// The share of what was asked that may have no answer; absent in older records.
  package var blind: Double?
  /// What durations were asked to see, as a share; absent in older records.
  package var resolution: Double?
  /// What the repository's thresholds said to these rows, a sentence each; absent where nothing.
  package var agreed: [String]?
  /// What A has and B was not asked for, by benchmark and engine; absent where nothing, and in
  /// older records.
  package var gone: [String]?
  /// What was measured and has no row, as both sides share no value that is judged, by benchmark
  /// and engine; absent where nothing, and in older records.
  package var unjudged: [String]?
  /// What the budget had no room for, by benchmark and engine; absent where nothing, and in older
  /// records.
  package var leftOut: [String]?
  /// Whether somebody takes what nobody vouches for; absent where not, and in older records.
  package var acceptsUntrusted: Bool?

  package init(
    a: Side, b: Side, interleaved: Bool, trusted: Bool, reasons: [String], control: Control?,
    q: Double, rows: [Row], voidRounds: Int = 0, sight: Sight = Sight()
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
    blind = sight.blind
    resolution = sight.resolution
  }

  package func count(_ verdict: Verdict) -> Int { rows.filter { $0.verdict == verdict }.count }

  /// Rows in the order a reader wants them: what got worse first, largest first.
  package var sortedRows: [Row] {
    let rank: [Verdict: Int] = [
      .regressed: 0, .invalid: 1, .improved: 2, .inconclusive: 3, .cannotTell: 4, .unchanged: 5,
    ]
    return rows.enumerated().sorted { l, r in
      let (a, b) = (rank[l.element.verdict] ?? 9, rank[r.element.verdict] ?? 9)
      if a != b { return a < b }
      let (x, y) = (l.element.size, r.element.size)
      return x != y ? x > y : l.offset < r.offset
    }.map(\.element)
  }
}

extension Comparison.Row {
  /// Whether something is there that was not: no share says how much more that is.
  package var isFromNothing: Bool { verdict != .invalid && a == 0 && b != 0 }

  /// How large the change is, whichever way it goes.
  package var size: Double { isFromNothing ? .infinity : abs(change) }

  /// Whether B has no valid answer where A had one: that is worse, and nobody need trust the
  /// machine's calm to say so.
  package var isBrokenByB: Bool { verdict == .invalid && broken == .b && acknowledged == nil }
}

/// What a comparison is asked to see, and how much of it may be hidden before it is no evidence.
package struct Sight: Codable, Hashable, Sendable {
  /// The change that a duration is asked to show, as a share.
  package var resolution = 0.05
  /// The share of questions that may remain without an answer.
  package var blind = 0.25

  package init(resolution: Double = 0.05, blind: Double = 0.25) {
    self.resolution = resolution
    self.blind = blind
  }
}

// MARK: What follows from the rows

extension Comparison {
  private static func isTimed(_ row: Row) -> Bool { Metric.named(row.metric).kind == .timed }

  private static func isCounted(_ row: Row) -> Bool {
    [.exact, .counted].contains(Metric.named(row.metric).kind)
  }

  /// Of questions, those that nobody could decide, in words; nil where these are few enough.
  private func hidden(_ asked: [Row], _ name: String, beyond share: Double) -> String? {
    let open = asked.filter { [.cannotTell, .inconclusive].contains($0.verdict) }
    guard Double(open.count) > Double(asked.count) * share else { return nil }
    let isAny = open.contains { $0.verdict == .inconclusive }
    return "\(open.count) of \(asked.count) \(name) \(isAny ? "are inconclusive or " : "")"
      + "cannot be told"
  }

  /// Durations and counts apart, because five counts beside each duration would outvote it. However
  /// much may be hidden, where everything is there is no evidence.
  private var hiddenKind: String? {
    let asked = rows.filter { $0.verdict != .invalid }
    let share = blind ?? 1
    return hidden(asked.filter(Comparison.isTimed), "durations", beyond: share)
      ?? hidden(asked.filter(Comparison.isCounted), "counts", beyond: share)
      ?? hidden(asked, "answers", beyond: 1.nextDown)
  }

  /// Whether so much has no answer that the session is no evidence.
  package var isBlind: Bool { hiddenKind != nil }

  /// Whether there is nothing to judge: one side has no valid answer anywhere.
  package var isEmpty: Bool { rows.allSatisfy { $0.verdict == .invalid } }

  /// The smallest change that half of the durations would have shown; nil where that half would
  /// have shown none.
  package var sees: Double? {
    let all = rows.filter { $0.verdict != .invalid && Comparison.isTimed($0) }
      .map { $0.sees ?? .infinity }
    let middle = Quantiles.median(all)
    return middle.isFinite ? middle : nil
  }

  /// The exit code: `strict` counts what could not be decided as worse.
  package func outcome(strict: Bool = false) -> Outcome {
    // Neither this nor exact metrics need trust in the machine's calm.
    if rows.contains(where: \.isBrokenByB) { return .regressed }
    // What there was no time for is nobody's fault but the budget's.
    if isEmpty { return rows.isEmpty && leftOut != nil ? .untrusted : .unreadable }
    let trusted = trusted || acceptsUntrusted == true
    if rows.contains(where: {
      $0.verdict == .regressed && $0.acknowledged == nil && (trusted || !Comparison.isTimed($0))
    }) {
      return .regressed
    }
    if !trusted || isBlind { return .untrusted }
    let open =
      count(.inconclusive) + count(.invalid) + count(.cannotTell) + (gone?.count ?? 0)
      + (unjudged?.count ?? 0) + (leftOut?.count ?? 0)
    if strict, open > 0 { return .regressed }
    return .fine
  }

  /// The sentence a manager reads.
  package var sentence: String {
    let names = sideNames
    let counts = [
      (count(.regressed), "regressed"), (count(.improved), "improved"),
      (count(.inconclusive), "inconclusive"), (count(.unchanged), "unchanged"),
      (count(.cannotTell), "cannot be told"), (count(.invalid), "invalid"),
    ]
    let known = rows.filter { $0.acknowledged != nil }.count
    let brokenByB = rows.count(where: \.isBrokenByB)
    let brokenByA = rows.count { $0.verdict == .invalid && $0.broken == .a }
    let said = counts.filter { $0.0 > 0 || $0.1 != "invalid" }.map { count, word in
      if word == "invalid", brokenByA + brokenByB > 0 {
        let alone = [(brokenByA, names.a), (brokenByB, names.b)].filter { $0.0 > 0 }
          .map { "\($0) in \($1) alone" }
        return "\(count) invalid (\(alone.joined(separator: ", ")))"
      }
      return word == "regressed" && known > 0
        ? "\(count) regressed (\(known) acknowledged)" : "\(count) \(word)"
    }.joined(separator: ", ")
    let gone = gone.map { ", \($0.count) of \(names.a) missing in \(names.b)" } ?? ""
    let unjudged = unjudged.map { ", \($0.count) not judged" } ?? ""
    let leftOut = leftOut.map { ", \($0.count) left out of the budget" } ?? ""
    return "\(said)\(gone)\(unjudged)\(leftOut); \(trustSentence)."
  }

  /// What both sides are called: by their commits where these tell them apart.
  package var sideNames: (a: String, b: String) {
    let (first, second) = (a.knownCommit.prefix(12), b.knownCommit.prefix(12))
    if !first.isEmpty, !second.isEmpty, first != second { return (String(first), String(second)) }
    func named(_ side: Side, _ commit: Substring, _ letter: String) -> String {
      let name = side.name.isEmpty ? letter : side.name
      return commit.isEmpty ? name : "\(name) (\(commit))"
    }
    return (named(a, first, "A"), named(b, second, "B"))
  }

  /// Why what was measured has no row, with its names: what vanished without a word would be taken
  /// for unchanged.
  package mutating func name(unjudged: [String]) {
    guard !unjudged.isEmpty else { return }
    self.unjudged = unjudged
    reasons.append(
      "\(unjudged.count) measured and not judged, as both sides share no value that is: "
        + unjudged.joined(separator: ", "))
  }

  /// What there was no time for, with its names.
  package mutating func name(leftOut: [String]) {
    guard !leftOut.isEmpty else { return }
    self.leftOut = leftOut
    reasons.append(
      "\(leftOut.count) left out, as the budget did not hold them: "
        + leftOut.joined(separator: ", "))
  }

  private var trustSentence: String {
    if isEmpty {
      switch Set(rows.map(\.broken)) {
      case [.a]: return "there is nothing to judge, \(sideNames.a) has no valid answer"
      case [.b]: return "there is nothing to judge, \(sideNames.b) has no valid answer"
      case [.both]: return "there is nothing to judge, neither side has a valid answer"
      default: return "there is nothing to judge"
      }
    }
    let isAccepted = trusted || acceptsUntrusted == true
    var trust =
      trusted
      ? "session trusted" : isAccepted ? "session accepted untrusted" : "session NOT trusted"
    // What ends it with 3 is what it says.
    if isAccepted, let hiddenKind { trust = "session WITHOUT EVIDENCE: \(hiddenKind)" }
    if let control {
      trust +=
        interleaved
        ? " (A/A: \(control.confirmed) of \(control.benchmarks) changed)"
        : " (controls drifted by \(Decision.percent(control.noiseFloor)))"
    }
    if let sees { trust += "; half of the durations would show \(Decision.percent(sees))" }
    return trust
  }
}
