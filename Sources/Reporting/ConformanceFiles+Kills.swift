import Evidence

extension ConformanceFiles {
  /// The kill matrix: a line for each mutant, a column for each rule that one was put before.
  ///
  /// A cell says `caught`, `missed`, `also` (it fell although it need not), `holds`, `skipped`, or
  /// nothing where the pair was not tried.
  public static func kills(_ examination: Examination) -> String {
    guard let kills = examination.kills else { return "mutant,story\n" }
    let rules = kills.columns(of: examination)
    var text = CSV.row(["mutant", "story"] + rules)
    for row in kills.rows {
      text += CSV.row([row.mutant, row.story] + rules.map { row.cell($0)?.word ?? "" })
    }
    return text
  }
}

extension KillMatrix {
  /// The rules that a mutant was put before, in the order of their verdicts; where the honest
  /// engine was not asked, in the order of their names.
  package func columns(of examination: Examination) -> [String] {
    let asked = examination.verdicts.filter { $0.state != .untested }.map(\.id)
    if isWhole { return asked }
    let tried = Set(rows.flatMap { $0.caughtBy + $0.missedBy + ($0.skippedBy ?? []) })
    return asked.isEmpty ? tried.sorted() : asked.filter(tried.contains)
  }
}

extension KillMatrix.Row {
  /// What became of a mutant before a rule.
  package enum Cell {
    case caught, missed, also, holds, skipped

    /// As tables have it.
    package var word: String { "\(self)" }
    package var sign: String {
      switch self {
      case .caught: "●"
      case .missed: "✕"
      case .also: "○"
      case .holds: "·"
      case .skipped: "–"
      }
    }
  }

  /// Nil where the pair was not tried.
  package func cell(_ rule: String) -> Cell? {
    if caughtBy.contains(rule) { return .caught }
    if missedBy.contains(rule) { return .missed }
    if skippedBy?.contains(rule) == true { return .skipped }
    guard let alsoCaughtBy else { return nil }
    return alsoCaughtBy.contains(rule) ? .also : .holds
  }
}
