/// What comparisons on this machine see and what they imagine, counted over sessions whose truth is known.
///
/// A build compared with itself must change nowhere; one under a handicap must be found where it carries it. The
/// counts are of judged questions: one metric of one benchmark in one session.
package struct Calibration: Codable, Hashable, Sendable {
  /// Sessions of one kind, taken together.
  package struct Tally: Codable, Hashable, Sendable {
    /// `same` for durations and `same counted` for counts of a build against itself, or the handicap:
    /// `time=0.1`, `allocation`, `flush`.
    package var kind: String
    package var sessions = 0
    /// Sessions whose own control failed: `ab` would have refused to judge durations.
    package var untrusted = 0
    package var questions = 0
    /// Judged changed, of those: for equal builds in either direction, else worse.
    package var flagged = 0
    package var inconclusive = 0

    package init(kind: String) { self.kind = kind }

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
      let kind = kind
      let asked = comparison.rows.filter { row in
        guard row.verdict != .invalid else { return false }
        switch kind {
        case "allocation": return row.metric == "allocations"
        case "flush": return row.metric == "flushes"
        case "same": return Metric.named(row.metric).kind == .timed
        case "same counted": return Metric.named(row.metric).kind != .timed
        // Percentiles of a handicapped side move too, but with a wider margin: the rate is of the head metric.
        default: return Metric.named(row.metric).kind == .timed && row.metric != "p99"
        }
      }
      questions += asked.count
      flagged +=
        asked.filter { $0.verdict == .regressed || isSame && $0.verdict == .improved }
        .count
      inconclusive += asked.filter { $0.verdict == .inconclusive }.count
    }
  }

  package var tallies: [Tally] = []

  package init() {}

  /// Counts a session under its kind; a build against itself answers two questions, of durations and of counts.
  package mutating func add(_ comparison: Comparison, kind: String) {
    for kind in kind == "same" ? ["same", "same counted"] : [kind] {
      let place = tallies.firstIndex { $0.kind == kind } ?? tallies.endIndex
      if place == tallies.endIndex { tallies.append(Tally(kind: kind)) }
      tallies[place].add(comparison)
    }
  }

  package var csv: String {
    let head = CSV.row([
      "kind", "sessions", "untrusted", "questions", "flagged", "inconclusive", "rate", "low",
      "high",
    ])
    return tallies.reduce(head) { text, one in
      let counts = [one.sessions, one.untrusted, one.questions, one.flagged, one.inconclusive]
      let rates = [one.rate, one.interval.low, one.interval.high]
      return text
        + CSV.row([one.kind] + counts.map(String.init) + rates.map { CSV.number($0) })
    }
  }
}
