import Evidence

/// A table for a terminal: columns as wide as their widest cell, numbers to the right.
package struct TextTable {
  private let heads: [String]
  private let rightAligned: [Bool]
  private var rows: [[String]] = []

  /// A head that ends in `>` names a column of numbers.
  package init(_ heads: [String]) {
    self.heads = heads.map { $0.hasSuffix(">") ? String($0.dropLast()) : $0 }
    rightAligned = heads.map { $0.hasSuffix(">") }
  }

  package mutating func add(_ cells: [String]) { rows.append(cells) }

  package var text: String {
    let widths = heads.indices.map { column in
      ([heads] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return ([heads] + rows).map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
        line += rightAligned[column] ? padding + cell : cell + padding
        if column + 1 < cells.count { line += "  " }
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// The same as Markdown, for a page or a pull request.
  package var markdown: String {
    let rule = rightAligned.map { $0 ? "--:" : "---" }
    return ([heads, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// What `run` prints: at most 100 columns, the verdict last.
  package static func run(_ run: Run) -> String {
    var table = TextTable(["benchmark", "engine", "time>", "interval>", "p99>", "note"])
    for finding in run.results {
      let time = finding["time"]
      let head = finding.headline
      let shown: String
      if let time {
        shown = Figures.text(time.value, "ns/op", low: time.low, high: time.high)
      } else if let head {
        shown = "\(Figures.text(head.value, Metric.named(head.metric).unit)) (\(head.metric))"
      } else {
        shown = "✕ invalid"
      }
      let p99 = finding["p99"].flatMap {
        $0.samples >= Histogram.needed(for: 0.99) ? Figures.text($0.value, "ns") : nil
      }
      table.add([
        String(finding.benchmark.prefix(44)), finding.engine, shown,
        finding.rounds < 2
          ? ""
          : head.map { Figures.interval($0.value, $0.low, $0.high, Metric.named($0.metric).unit) }
            ?? "",
        p99 ?? "", finding.valid ? finding.flags.joined(separator: " ") : finding.reason,
      ])
    }
    let warnings = run.environment.warnings.map { "! \($0)\n" }.joined()
    return table.text + "\n" + warnings + RunReport(run).sentence + "\n"
  }

  /// What `compare` and `ab` print.
  package static func comparison(_ comparison: Comparison) -> String {
    var table = TextTable([
      "verdict", "benchmark", "engine", "metric", "A>", "B>", "change>", "why",
    ])
    for row in comparison.sortedRows {
      let unit = Metric.named(row.metric).unit
      table.add([
        "\(row.verdict.symbol) \(row.verdict.rawValue)", row.benchmark, row.engine, row.metric,
        Figures.text(row.a, unit), Figures.text(row.b, unit),
        row.high > row.low
          ? "\(Figures.percent(row.change)) (\(Figures.percent(row.low)) … \(Figures.percent(row.high)))"
          : Figures.percent(row.change),
        row.note,
      ])
    }
    let reasons = comparison.reasons.map { "! \($0)\n" }.joined()
    return table.text + "\n" + reasons + comparison.sentence + "\n"
  }

  /// What `calibrate` prints: rates with what the counts allow at 95 %.
  package static func calibration(_ calibration: Calibration) -> TextTable {
    var table = TextTable([
      "the candidate", "sessions>", "untrusted>", "questions>", "flagged>", "rate>", "at 95 %",
    ])
    for one in calibration.tallies {
      let (low, high) = one.interval
      func percent(_ share: Double) -> String { Figures.percent(share, signed: false) }
      table.add([
        one.isSame ? "is the \(one.kind)" : "carries \(one.kind)", String(one.sessions),
        String(one.untrusted), String(one.questions), String(one.flagged), percent(one.rate),
        one.isSame ? "at most \(percent(high))" : "\(percent(low)) to \(percent(high))",
      ])
    }
    return table
  }

  /// What `doctor` prints: facts, engines, and what stands in the way with a remedy for each.
  package static func doctor(
    _ environment: Environment, _ remedies: [(finding: String, remedy: String)]
  ) -> String {
    var table = TextTable(["", ""])
    for fact in environment.facts where !fact.value.isEmpty { table.add([fact.name, fact.value]) }
    let engines = environment.engines.map { engine in
      let name = [engine.name, engine.version].filter { !$0.isEmpty }.joined(separator: " ")
      return "engine \(name): \(engine.setting)\n"
    }
    let said = remedies.map { "! \($0.finding)\n  → \($0.remedy)\n" }.joined()
    return table.text.drop { $0 == "\n" } + engines.joined() + "\n"
      + (said.isEmpty ? "Nothing stands in the way of a good measurement.\n" : said)
  }
}
