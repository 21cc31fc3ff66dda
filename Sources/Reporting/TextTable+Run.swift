import Evidence

extension TextTable {
  /// What `run` prints: each benchmark by its whole name, its engines below it, the verdict last.
  package static func run(_ run: Run, link: (String, String) -> String = { text, _ in text })
    -> String
  {
    var table = TextTable(["  engine", "median>", "interval>", "rounds>", "p99>", "note"])
    var last = ""
    for finding in run.measured {
      if finding.benchmark != last {
        last = finding.benchmark
        table.head(folded(Printable.line(last)).map { link($0, last) })
      }
      table.add(cells(finding, of: run))
    }
    let covered =
      Figures.coverage(run.measured.filter(\.valid))
      .map { paragraph("intervals: of the median over the rounds of a row, \($0)") } ?? ""
    let text = run.results.isEmpty ? "" : table.text + covered
    let lost = losses(run)
    let felt = StallSection(run: run).told.map { "\n" + paragraph($0) } ?? ""
    let warnings = run.environment.warnings.map { paragraph($0, start: "! ") }.joined()
    return text + (lost.isEmpty ? "" : "\n" + lost) + felt + "\n"
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
      + (run.crossings ?? []).map { "! measured apart, and so not compared: \($0)" }
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
    return [
      engine, Figures.text(head, unit),
      head.rounds.count < 2 ? "" : Figures.interval(head.value, head.low, head.high, unit),
      String(head.rounds.count), Figures.tail(finding, beside: head.rounds.count) ?? "",
      ((head.metric == "time" ? [] : [head.metric]) + finding.flags
        + [Successors.successor(of: finding.name.family).map { "whole: \($0)" }].compactMap(\.self))
        .joined(separator: " "),
    ]
  }

  /// Where the engine is behind a peer.
  private static func losses(_ run: Run) -> String {
    Rivalry(run: run).groups.map { group in
      "where it loses; \(group.title):\n"
        + group.matches.map { match in
          let within =
            match.interval.map {
              "\(Figures.times($0.lowerBound))–\(Figures.times($0.upperBound))"
            } ?? match.lackOfInterval
          let metric = match.metric == "time" ? "" : ", \(match.metric)"
          return paragraph(
            "\(match.benchmark)\(metric) · \(match.told) as dear as "
              + "\(match.peer) (\(within))",
            start: "  ")
        }.joined()
    }.joined()
  }
}
