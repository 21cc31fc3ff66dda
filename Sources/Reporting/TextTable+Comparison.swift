import Evidence

extension TextTable {
  /// What `compare` and `ab` print: what changed or may have, a line for how many did not.
  package static func comparison(_ comparison: Comparison) -> String {
    let names = comparison.sideNames
    var text = ""
    let notable = comparison.sortedRows.filter { $0.verdict != .unchanged }
    for row in notable {
      let sides = Figures.sides(row)
      let metric = row.metric == "time" ? "" : ", \(row.metric)"
      text += paragraph(
        "\(row.benchmark)\(metric) (\(row.engine))",
        start: "\(row.verdict.symbol) \(row.verdict.rawValue) ")
      let measured = [
        "\(sides.a) → \(sides.b)", Figures.changeWithin(row), Figures.count(row.rounds, "round"),
      ]
      let parts =
        (row.verdict == .invalid ? [Figures.silent(row, names)] : measured) + Figures.reasons(row)
      text += paragraph(parts.joined(separator: " · "), start: "    ")
    }
    let calm = comparison.rows.count - notable.count
    if calm > 0 { text += "= unchanged: \(calm)\n" }
    text +=
      Figures.coverage(notable)
      .map { paragraph("intervals: of the change over the pairs of rounds of a row, \($0)") } ?? ""
    let reasons =
      comparison.reasons.map { paragraph($0, start: "! ") }.joined()
      + (comparison.agreed ?? []).map { paragraph($0, start: "= ") }.joined()
    // Of stored runs there may be several comparisons in a row.
    let sides = comparison.interleaved ? "\(names.a) → \(names.b)" : comparison.between
    return text + "\n" + reasons + paragraph(sides)
      + paragraph(comparison.told)
  }
}
