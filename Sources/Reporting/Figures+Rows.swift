import Evidence
import Foundation

/// What is told of a row of a comparison, in the same words wherever it stands.
extension Figures {
  /// What both sides of a row came to; of a single round two digits, as anywhere, and nothing where
  /// there is no answer.
  static func sides(_ row: Comparison.Row) -> (a: String, b: String) {
    if row.verdict == .invalid { return ("–", "–") }
    let metric = Metric.named(row.metric)
    let isLone = row.rounds < 2 && metric.isRestless
    func spelled(_ value: Double) -> String {
      isLone ? lone(value, metric.unit) : text(value, metric.unit)
    }
    return (spelled(row.a), spelled(row.b))
  }

  /// The change of a row; a share says nothing of what came from nothing, or of no answer. Where a
  /// single round stands behind it, two digits.
  static func change(_ row: Comparison.Row) -> String {
    if row.verdict == .invalid { return "–" }
    if row.isFromNothing { return "from nothing" }
    let isRestless = Metric.named(row.metric).isRestless
    return percent(
      row.rounds < 2 && isRestless ? Finding.Value.twoDigits(row.change) : row.change)
  }

  /// `+3.1 % (+1.2 % … +5.0 %)`: the change with its interval, where it has one.
  static func changeWithin(_ row: Comparison.Row) -> String {
    interval(row).map { "\(change(row)) (\($0))" } ?? change(row)
  }

  /// The interval of the change alone; nil where there is none.
  static func interval(_ row: Comparison.Row) -> String? {
    row.high > row.low ? "\(percent(row.low)) … \(percent(row.high))" : nil
  }

  /// What stands behind a verdict: its note, what looks wrong in its numbers and is not, and how
  /// many rounds more may settle it.
  static func reasons(_ row: Comparison.Row) -> [String] {
    [row.note, contradiction(row) ?? "", further(row) ?? ""].filter { !$0.isEmpty }
  }

  /// How many further rounds would probably settle a row that is open; nil where none would.
  static func further(_ row: Comparison.Row) -> String? {
    row.moreRounds.map { more in
      // A record may say anything.
      let (all, isBeyond) = row.rounds.addingReportingOverflow(more)
      return "about \(count(more, "more round")) may settle it"
        + (!isBeyond && all <= 200 ? " (--rounds \(all))" : "")
    }
  }

  /// Why the medians of the sides point the other way than the change, where they do as printed:
  /// the change is the middle of what the pairs say, each of which saw the same machine; the
  /// medians are of rounds that lie apart.
  static func contradiction(_ row: Comparison.Row) -> String? {
    let metric = Metric.named(row.metric)
    guard row.verdict != .invalid, metric.kind == .timed, row.a > 0, row.b > 0 else { return nil }
    let medians = exp(metric.polarity * log(row.b / row.a)) - 1
    let (sides, said) = (sides(row), percent(medians))
    guard medians * row.change < 0, sides.a != sides.b,
      ![said, change(row)].contains(where: { $0.hasPrefix("±") })
    else { return nil }
    return "the medians point the other way (\(said)): the change is the middle of what the pairs "
      + "of rounds say, one by one"
  }

  /// Who has no answer, of a row that is invalid.
  static func silent(_ row: Comparison.Row, _ names: (a: String, b: String)) -> String {
    switch row.broken {
    case .a: "\(names.a) has no valid answer"
    case .b: "\(names.b) has no valid answer"
    case .both, nil: "there is no valid answer"
    }
  }

  /// What the intervals of changes cover; nil where none is shown.
  static func coverage(_ rows: [Comparison.Row]) -> String? {
    let counts = rows.filter { interval($0) != nil }.map(\.rounds)
    // Below six pairs nothing covers as much.
    return counts.min().map { $0 < 6 ? "95 % from six pairs on, less below" : "95 %" }
  }
}
