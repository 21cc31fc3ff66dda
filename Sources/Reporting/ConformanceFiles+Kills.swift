import Evidence

extension ConformanceFiles {
  /// The kill matrix: a line for each mutant, a column for each rule that one was put before.
  ///
  /// A cell says `caught`, `missed`, or nothing where the pair was not tried.
  public static func kills(_ examination: Examination) -> String {
    guard let kills = examination.kills else { return "mutant,story\n" }
    let tried = Set(kills.rows.flatMap { $0.caughtBy + $0.missedBy })
    let rules = examination.verdicts.map(\.id).filter(tried.contains)
    var text = CSV.row(["mutant", "story"] + rules)
    for row in kills.rows {
      let cells = rules.map {
        row.caughtBy.contains($0) ? "caught" : row.missedBy.contains($0) ? "missed" : ""
      }
      text += CSV.row([row.mutant, row.story] + cells)
    }
    return text
  }
}
