import Evidence

extension TextTable {
  /// What `calibrate` prints: rates with what the counts allow at 95 %. A candidate is a line above
  /// its rows, or, for Markdown, a column.
  package static func calibration(_ calibration: Calibration, isMarkdown: Bool = false) -> String {
    var table = TextTable(
      (isMarkdown ? ["the candidate"] : []) + [
        isMarkdown ? "benchmarks" : "  benchmarks", "sessions>", "untrusted>", "questions>",
        "flagged>", "rate>", "at 95 %", "cannot tell>",
      ])
    var last = ""
    for one in calibration.sorted {
      let (low, high) = one.interval
      func percent(_ share: Double) -> String { Figures.percent(share, signed: false) }
      let candidate = one.isSame ? "is the \(one.kind)" : "carries \(one.kind)"
      if !isMarkdown, candidate != last { table.head(["the candidate \(candidate)"]) }
      last = candidate
      let family = one.family.isEmpty ? "all" : one.family
      table.add(
        (isMarkdown ? [candidate, family] : ["  " + family]) + [
          String(one.sessions), String(one.untrusted), String(one.questions), String(one.flagged),
          percent(one.rate),
          one.isSame ? "at most \(percent(high))" : "\(percent(low)) to \(percent(high))",
          String(one.cannotTell),
        ])
    }
    let absent = calibration.absences.map(\.sentence)
    guard !isMarkdown else {
      return table.markdown + absent.map { "\n\($0)\n" }.joined()
    }
    return table.text + absent.map { paragraph($0) }.joined()
  }
}
