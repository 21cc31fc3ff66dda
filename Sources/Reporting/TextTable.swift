import Evidence

/// A table for a terminal: columns as wide as their widest cell, numbers to the right.
package struct TextTable {
  /// Nothing that is printed is wider.
  package static let limit = 100

  private let heads: [String]
  private let rightAligned: [Bool]
  private var rows: [[String]] = []
  /// Lines of their own, by the row that they stand above.
  private var headings: [Int: [String]] = [:]

  /// A head that ends in `>` names a column of numbers.
  package init(_ heads: [String]) {
    self.heads = heads.map { $0.hasSuffix(">") ? String($0.dropLast()) : $0 }
    rightAligned = heads.map { $0.hasSuffix(">") }
  }

  package mutating func add(_ cells: [String]) { rows.append(cells) }

  var isEmpty: Bool { rows.isEmpty }

  /// Lines over the rows that follow; as long as they are.
  package mutating func head(_ lines: [String]) { headings[rows.count, default: []] += lines }

  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// One for each row, the heads first; wider than the limit only by their last cell, which is then
  /// continued below.
  private var lines: [String] {
    let widths = heads.indices.map { column in
      ([heads] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return ([heads] + rows).enumerated().flatMap { place, cells -> [String] in
      let above = headings[place - 1] ?? []
      var line = ""
      for (column, cell) in cells.enumerated() {
        let isLast = column + 1 == cells.count
        if isLast, line.count + cell.count > TextTable.limit, !rightAligned[column] {
          return above + TextTable.wrapped(line, cell)
        }
        let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
        line += rightAligned[column] ? padding + cell : cell + padding
        if !isLast { line += "  " }
      }
      return above + [TextTable.trimmed(line)]
    }
  }

  /// Words behind a beginning, continued below it as far as they do not fit.
  static func wrapped(_ start: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: min(start.count, limit / 2))
    var lines: [String] = []
    var line = start.count > limit / 2 ? trimmed(start) + "\n" + indent : start
    if start.count > limit / 2 {
      lines.append(trimmed(start))
      line = indent
    }
    for word in pieces(of: text, width: limit - indent.count) {
      let isFirst = line == start || line == indent
      if !isFirst, line.count + 1 + word.count > limit {
        lines.append(trimmed(line))
        line = indent + word
      } else {
        line += (isFirst ? "" : " ") + word
      }
    }
    return lines + [trimmed(line)]
  }

  /// Words, and those that are longer than a line in parts: a name breaks between its parameters
  /// only.
  private static func pieces(of text: String, width: Int) -> [String] {
    text.split(separator: " ").flatMap { folded(String($0), width: width) }
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The same as Markdown, for a page or a pull request.
  package var markdown: String {
    let rule = rightAligned.map { $0 ? "--:" : "---" }
    return ([heads, rule] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// A sentence that may be long, at most so wide.
  package static func paragraph(_ text: String, start: String = "") -> String {
    wrapped(start, text).map { $0 + "\n" }.joined()
  }

  // MARK: What verbs print

  /// What `run` prints: each benchmark by its whole name, its engines below it, the verdict last.
  package static func run(_ run: Run, link: (String, String) -> String = { text, _ in text })
    -> String
  {
    var table = TextTable(["  engine", "median>", "interval>", "rounds>", "p99>", "note"])
    var last = ""
    for finding in run.measured {
      if finding.benchmark != last {
        last = finding.benchmark
        table.head(folded(last).map { link($0, last) })
      }
      table.add(cells(finding, of: run))
    }
    let text = run.results.isEmpty ? "" : table.text
    let lost = losses(run)
    let warnings = run.environment.warnings.map { paragraph($0, start: "! ") }.joined()
    return text + (lost.isEmpty ? "" : "\n" + lost) + "\n"
      + absent(run).map { paragraph($0) }.joined() + warnings
      + paragraph(RunReport(run).sentence)
  }

  /// What a reader would look for and not find: what did not fit, shards that are missing,
  /// comparisons that are none.
  static func absent(_ run: Run) -> [String] {
    var lines: [String] = []
    if let leftOut = run.leftOut, !leftOut.isEmpty {
      lines.append(
        "left out, as \(run.timeLimit) did not hold them: "
          + Figures.count(leftOut.count, "measurement"))
      lines += self.leftOut(run).map { "  " + $0 }
    }
    return lines + gaps(run)
  }

  /// Shards that are missing, and comparisons that are none.
  static func gaps(_ run: Run) -> [String] {
    (run.missingShards ?? []).map { "! shard \($0) is missing" }
      + (run.crossings ?? []).map { "! compares different machines: \($0)" }
  }

  /// What did not fit, a line for each benchmark and reason, with its engines.
  static func leftOut(_ run: Run) -> [String] {
    var order: [LeftOut] = []
    var engines: [LeftOut: [String]] = [:]
    for one in run.leftOut ?? [] {
      var key = one
      key.engine = ""
      if engines[key] == nil { order.append(key) }
      engines[key, default: []].append(one.engine)
    }
    return order.map { key in
      "\(key.benchmark) (\((engines[key] ?? []).joined(separator: ", "))): \(key.reason)"
    }
  }

  private static func cells(_ finding: Finding, of run: Run) -> [String] {
    let engine = "  " + finding.engine + (run.name(of: finding).map { " \($0)" } ?? "")
    guard finding.valid, let head = finding.subjectValue else {
      return [engine, "✕ invalid", "", String(finding.rounds), "", finding.reason]
    }
    let unit = Metric.named(head.metric).unit
    let p99 = finding["p99"].flatMap {
      $0.samples >= Histogram.needed(for: 0.99) ? Figures.text($0, "ns") : nil
    }
    return [
      engine, Figures.text(head, unit),
      head.rounds.count < 2 ? "" : Figures.interval(head.value, head.low, head.high, unit),
      String(head.rounds.count), p99 ?? "",
      ((head.metric == "time" ? [] : [head.metric]) + finding.flags
        + [Successors.successor(of: finding.name.family).map { "whole: \($0)" }].compactMap(\.self))
        .joined(separator: " "),
    ]
  }

  /// Where the engine is behind a peer, the largest first.
  private static func losses(_ run: Run) -> String {
    let lost = Rivalry(run: run).losses
    guard !lost.isEmpty else { return "" }
    var text = "where it loses, the largest first:\n"
    for match in lost {
      let within =
        match.interval.map {
          "\(Figures.times($0.lowerBound))–\(Figures.times($0.upperBound))"
            + (match.isTold ? "" : ", cannot be told")
        } ?? "one round"
      let metric = match.metric == "time" ? "" : ", \(match.metric)"
      text += paragraph(
        "\(match.benchmark)\(metric) · \(Figures.times(match.ratio)) as dear as \(match.peer) "
          + "(\(within))",
        start: "  ")
    }
    return text
  }

  /// A name in as many lines as it takes, broken between its parameters and never cut.
  static func folded(_ name: String, width: Int = limit) -> [String] {
    guard name.count > width else { return [name] }
    var lines = [""]
    for (place, part) in name.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
      let piece = (place == 0 ? "" : "/") + part
      if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + piece.count > width {
        lines.append(piece)
      } else {
        lines[lines.count - 1] += piece
      }
    }
    return lines
  }

  /// A text within a width, with a sign where it was cut: in the middle, for names are told apart
  /// by both their ends.
  package static func shortened(_ text: String, to width: Int) -> String {
    guard text.count > width else { return text }
    let kept = max(0, width - 1)
    return text.prefix(kept / 2) + "…" + text.suffix(kept - kept / 2)
  }

  /// What `compare` and `ab` print: what changed or may have, a line for how many did not.
  package static func comparison(_ comparison: Comparison) -> String {
    let names = comparison.sideNames
    var text = ""
    let notable = comparison.sortedRows.filter { $0.verdict != .unchanged }
    for row in notable {
      let unit = Metric.named(row.metric).unit
      let metric = row.metric == "time" ? "" : ", \(row.metric)"
      text += paragraph(
        "\(row.benchmark)\(metric) (\(row.engine))",
        start: "\(row.verdict.symbol) \(row.verdict.rawValue) ")
      let change =
        row.high > row.low
        ? "\(Figures.percent(row.change)) (\(Figures.percent(row.low)) … "
          + "\(Figures.percent(row.high)))"
        : Figures.change(row)
      let measured = [
        "\(Figures.text(row.a, unit)) → \(Figures.text(row.b, unit))", change,
        Figures.count(row.rounds, "round"),
      ]
      let parts =
        ((row.verdict == .invalid ? [Figures.silent(row, names)] : measured)
        + [row.note, Figures.further(row) ?? ""]).filter { !$0.isEmpty }
      text += paragraph(parts.joined(separator: " · "), start: "    ")
    }
    let calm = comparison.rows.count - notable.count
    if calm > 0 { text += "= unchanged: \(calm)\n" }
    let reasons =
      comparison.reasons.map { paragraph($0, start: "! ") }.joined()
      + (comparison.agreed ?? []).map { paragraph($0, start: "= ") }.joined()
    return text + "\n" + reasons + paragraph("\(names.a) → \(names.b)")
      + paragraph(comparison.told)
  }

  /// What `run --profile` prints: the functions in which the processor was found most often.
  package static func hottest(_ stacks: FoldedStacks, count: Int = 15) -> String {
    var table = TextTable(["share>", "samples>", "function itself, without what it called"])
    for one in stacks.hottest(count) {
      let share = Double(one.samples) / Double(max(1, stacks.total))
      table.add([Figures.percent(share, signed: false), String(one.samples), one.name])
    }
    return table.text
  }

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
    return isMarkdown ? table.markdown : table.text
  }

  /// What `doctor` prints: facts, engines, and what stands in the way with a remedy for each.
  package static func doctor(
    _ environment: Environment, _ remedies: [(finding: String, remedy: String)]
  ) -> String {
    var table = TextTable(["", ""])
    for fact in environment.facts where !fact.value.isEmpty { table.add([fact.name, fact.value]) }
    let engines = environment.engines.map { engine in
      let name = [engine.name, engine.version].filter { !$0.isEmpty }.joined(separator: " ")
      return paragraph(engine.setting, start: "engine \(name): ")
    }
    let said = remedies.map {
      paragraph($0.finding, start: "! ") + paragraph($0.remedy, start: "  → ")
    }.joined()
    return table.text.drop { $0 == "\n" } + engines.joined() + "\n"
      + (said.isEmpty ? "Nothing stands in the way of a good measurement.\n" : said)
  }
}
