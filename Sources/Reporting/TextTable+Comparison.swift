import Evidence

extension TextTable {
  /// What `compare` and `ab` print: what changed or may have, a line for how many did not.
  ///
  /// `link`: makes of a line of a row's head one that leads to the benchmark it is about.
  package static func comparison(
    _ comparison: Comparison, link: (String, String) -> String = { text, _ in text }
  ) -> String {
    let names = comparison.sideNames
    var text = ""
    // What is the same on two machines is no news, and nothing of theirs is judged.
    let alike = comparison.rows.filter(\.isShownAlike)
    let notable = comparison.sortedRows.filter { $0.verdict != .unchanged && !$0.isShownAlike }
    for row in notable {
      let sides = Figures.sides(row)
      let metric = row.metric == "time" ? "" : ", \(row.metric)"
      let start = "\(row.verdict.symbol) \(row.verdict.rawValue) "
      let head = paragraph("\(row.benchmark)\(metric) (\(row.engine))", start: start)
      // What the page is reached by is the name, not the verdict before it or an indent.
      for (place, line) in head.split(separator: "\n").enumerated() {
        let before = place == 0 ? line.prefix(start.count) : line.prefix { $0 == " " }
        let rest = String(line.dropFirst(before.count))
        text += before + (rest.isEmpty ? "" : link(rest, row.benchmark)) + "\n"
      }
      let measured = [
        "\(sides.a) → \(sides.b)", Figures.changeWithin(row), Figures.count(row.rounds, "round"),
      ]
      let parts =
        (row.verdict == .invalid ? [Figures.silent(row, names)] : measured) + Figures.reasons(row)
      text += paragraph(parts.joined(separator: " · "), start: "    ")
    }
    if !alike.isEmpty { text += "? \(Comparison.Row.shown), the same on both: \(alike.count)\n" }
    let calm = comparison.rows.count - notable.count - alike.count
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
