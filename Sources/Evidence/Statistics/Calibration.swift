/// What comparisons on this machine see and what they imagine, counted over sessions whose truth is
/// known.
///
/// A build compared with itself must change nowhere; one under a handicap must be found where it
/// carries it. The counts are of judged questions: one metric of one benchmark in one session.
package struct Calibration: Codable, Hashable, Sendable {
  /// Sessions of one kind, taken together.
  package struct Tally: Codable, Hashable, Sendable {
    /// `same` for durations and `same counted` for counts of a build against itself, or the
    /// handicap: `time=0.1`, `allocation`, `flush`.
    package var kind: String
    /// The family of benchmarks, or nothing for all of them.
    package var family = ""
    package var sessions = 0
    /// Sessions whose own control failed: `ab` would have refused to judge durations.
    package var untrusted = 0
    package var questions = 0
    /// Judged changed, of those: for equal builds in either direction, else worse.
    package var flagged = 0
    package var inconclusive = 0
    /// Beyond what the machine could see, and said so.
    package var cannotTell = 0

    package init(kind: String, family: String = "") { (self.kind, self.family) = (kind, family) }

    package var isSame: Bool { kind.hasPrefix("same") }
    package var rate: Double { questions == 0 ? 0 : Double(flagged) / Double(questions) }
    /// What the counts allow at 95 %: at most for false alarms, at least to at most for findings.
    package var interval: (low: Double, high: Double) {
      isSame
        ? (0, ClopperPearson.upperBound(flagged, of: questions))
        : ClopperPearson.interval(flagged, of: questions)
    }

    /// Counts what one session said.
    package mutating func add(_ comparison: Comparison) {
      sessions += 1
      if !comparison.trusted { untrusted += 1 }
      let (kind, family) = (kind, family)
      let asked = comparison.rows.filter { row in
        guard row.verdict != .invalid else { return false }
        guard family.isEmpty || family == Calibration.family(of: row.benchmark) else {
          return false
        }
        switch kind {
        case "allocation": return row.metric == "allocations"
        case "flush": return row.metric == "flushes"
        case "same": return Metric.named(row.metric).kind == .timed
        case "same counted": return Metric.named(row.metric).kind != .timed
        // Percentiles of a handicapped side move too, but with a wider margin: the rate is of the
        // head metric. A stall, or what is kept beside a writer, is no section that lasts longer.
        default:
          let subject = Subjects.metric(of: BenchmarkName(parsing: row.benchmark).family)
          return row.metric == "time" || row.metric == "p99" && subject == "p99"
        }
      }
      questions += asked.count
      flagged +=
        asked.filter { $0.verdict == .regressed || isSame && $0.verdict == .improved }
        .count
      inconclusive += asked.filter { $0.verdict == .inconclusive }.count
      cannotTell += asked.filter { $0.verdict == .cannotTell }.count
    }
  }

  /// Sessions of one kind that were asked for and count for nothing, and why.
  package struct Absence: Codable, Hashable, Sendable {
    package enum Reason: String, Codable, Sendable {
      /// The budget did not hold them.
      case budget
      /// Somebody ended the calibration before them, or in one.
      case interrupted
    }

    package var kind: String
    package var sessions: Int
    package var reason: Reason

    package init(kind: String, sessions: Int, reason: Reason) {
      (self.kind, self.sessions, self.reason) = (kind, sessions, reason)
    }

    /// Said after the last session, and under its table.
    package var sentence: String {
      let why =
        switch reason {
        case .budget: "as the budget did not hold \(sessions == 1 ? "it" : "them")"
        case .interrupted: "as the calibration was interrupted"
        }
      return "left out, \(why): \(Plural.text(sessions, "session")) of \(kind)"
    }
  }

  package var tallies: [Tally] = []
  /// What is in no tally: rates are of fewer sessions than were asked for.
  package var absences: [Absence] = []

  package init() {}

  /// Why the calibration as a whole is no success: no session ended; nil where one did.
  package var failure: String? {
    guard tallies.isEmpty else { return nil }
    let left = absences.reduce(0) { $0 + $1.sessions }
    return "there was no time for any of \(Plural.text(left, "session")): expected a larger "
      + "--budget, or fewer benchmarks"
  }

  /// How many sessions of a kind are missing for a reason.
  private func absent(_ kind: String, _ reason: Absence.Reason) -> Int {
    absences.filter { $0.kind == kind && $0.reason == reason }.reduce(0) { $0 + $1.sessions }
  }

  /// Counts a session under its kind; a build against itself answers two questions, of durations
  /// and of counts.
  ///
  /// Once over all, and once for each family that was asked: an average hides what cannot be told.
  package mutating func add(_ comparison: Comparison, kind: String) {
    var families = [""]
    for row in comparison.rows {
      let family = Calibration.family(of: row.benchmark)
      if !families.contains(family) { families.append(family) }
    }
    for kind in kind == "same" ? ["same", "same counted"] : [kind] {
      for family in families {
        let place = tallies.firstIndex { $0.kind == kind && $0.family == family }
        if place == nil { tallies.append(Tally(kind: kind, family: family)) }
        tallies[place ?? tallies.endIndex - 1].add(comparison)
      }
    }
    tallies.removeAll { !$0.family.isEmpty && $0.questions == 0 }
  }

  /// What a benchmark is published under: its chapter, but for what is measured in another way than
  /// its neighbours.
  package static func family(of benchmark: String) -> String {
    let name = BenchmarkName(parsing: benchmark)
    let apart: Set = [
      "writes.contention", "reads.scaling", "macro.chat", "macro.import", "macro.events",
    ]
    return apart.contains(name.family) ? name.family : name.chapter
  }

  /// Tallies by kind, each with its families below.
  package var sorted: [Tally] {
    var kinds: [String] = []
    for one in tallies where !kinds.contains(one.kind) { kinds.append(one.kind) }
    return kinds.flatMap { kind in
      tallies.filter { $0.kind == kind }.sorted { $0.family < $1.family }
    }
  }

  /// A row for each tally, and one for a kind of which no session was held. The last two columns
  /// count the sessions of a kind that were left out, by reason: what was interrupted is marked so.
  package var csv: String {
    let head = CSV.row([
      "kind", "family", "sessions", "untrusted", "questions", "flagged", "inconclusive",
      "cannot_tell",
      "rate", "low", "high", "over_budget", "interrupted",
    ])
    let known = Set(tallies.map(\.kind))
    var without: [Tally] = []
    for one in absences where !known.contains(one.kind) {
      if !without.contains(where: { $0.kind == one.kind }) { without.append(Tally(kind: one.kind)) }
    }
    return (sorted + without).reduce(head) { text, one in
      let counts = [
        one.sessions, one.untrusted, one.questions, one.flagged, one.inconclusive, one.cannotTell,
      ]
      let rates = [one.rate, one.interval.low, one.interval.high]
      // Said once for a kind: families have the sessions of all.
      let left = [Absence.Reason.budget, .interrupted].map {
        one.family.isEmpty ? absent(one.kind, $0) : 0
      }
      return text
        + CSV.row(
          [one.kind, one.family] + counts.map(String.init) + rates.map { CSV.number($0) }
            + left.map(String.init))
    }
  }
}
