import Evidence

/// What a run found, as commands that a GitHub job reads from its output: errors and warnings
/// beside the change.
///
/// GitHub shows ten of a kind for a step: the tenth says how many more there are.
package enum Annotations {
  static let limit = 10

  package static func text(_ run: Run) -> String {
    var errors: [(title: String, text: String)] = []
    var warnings: [(title: String, text: String)] = []
    if let comparison = run.comparison {
      let names = comparison.sideNames
      for row in comparison.sortedRows {
        let title = "\(row.verdict.rawValue): \(row.benchmark) (\(row.engine)), \(row.metric)"
        switch row.verdict {
        case .regressed where row.acknowledged != nil:
          warnings.append((title, "acknowledged: \(row.acknowledged ?? ""); \(told(row, names))"))
        case .regressed, .invalid: errors.append((title, told(row, names)))
        case .improved, .unchanged: continue
        default: warnings.append((title, told(row, names)))
        }
      }
      for reason in comparison.reasons { warnings.append(("realm-bench", reason)) }
    }
    for verdict in run.examination?.verdicts ?? [] where verdict.state.isBad {
      let told = (
        "\(verdict.id) \(verdict.state.rawValue)",
        [
          verdict.wording, verdict.known.map { "known: \($0)" },
          verdict.repro.map { "again: \($0)" },
        ]
        .compactMap(\.self).joined(separator: "; ")
      )
      if verdict.isForgiven { warnings.append(told) } else { errors.append(told) }
    }
    for finding in run.own where !finding.valid && run.comparison == nil {
      let what = finding.isOutOfSpace ? "no room" : "wrong"
      errors.append(("\(what): \(finding.benchmark) (\(finding.engine))", finding.reason))
    }
    return lines("error", errors) + lines("warning", warnings)
      + line("notice", "realm-bench", RunReport(run).sentence)
  }

  private static func told(_ row: Comparison.Row, _ names: (a: String, b: String)) -> String {
    if row.verdict == .invalid { return "\(Figures.silent(row, names)): \(row.note)" }
    let change = Figures.changeWithin(row)
    return ([change, Figures.count(row.rounds, "round")] + Figures.reasons(row))
      .joined(separator: "; ")
  }

  private static func lines(_ kind: String, _ found: [(title: String, text: String)]) -> String {
    let shown = found.count <= limit ? found[...] : found.prefix(limit - 1)
    let rest = found.count - shown.count
    return shown.map { line(kind, $0.title, $0.text) }.joined()
      + (rest > 0 ? line(kind, "realm-bench", "\(rest) more; see the summary") : "")
  }

  private static func line(_ kind: String, _ title: String, _ text: String) -> String {
    "::\(kind) title=\(escaped(title, isProperty: true))::\(escaped(text))\n"
  }

  /// What would end a command, or a property of it, becomes a number; what a terminal would obey is
  /// spelled.
  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    let text = Printable.text(text.replacing("\r\n", with: "\n")).replacing("%", with: "%25")
      .replacing("\n", with: "%0A")
    return isProperty ? text.replacing(":", with: "%3A").replacing(",", with: "%2C") : text
  }
}
