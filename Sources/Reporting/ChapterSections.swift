import Evidence

/// The results, chapter by chapter: a chart and a table for each.
struct ChapterSections {
  typealias Group = (name: String, results: [Finding])

  let run: Run

  private static let titles: [(String, String)] = [
    ("floor", "Physical limits of this machine"), ("reads", "Reads without locks"),
    ("writes", "Writes and contention"), ("async", "Asynchronous and grouped commits"),
    ("frozen", "Frozen versions"), ("ways", "Ways across threads"), ("notify", "Notifications"),
    ("macro", "Whole programs"),
  ]

  var sections: [PageSection] {
    let groups = run.byBenchmark
    var titles = ChapterSections.titles
    for group in groups {
      let chapter = BenchmarkName(parsing: group.name).chapter
      if !titles.contains(where: { $0.0 == chapter }) { titles.append((chapter, chapter)) }
    }
    return titles.compactMap { chapter, title in
      let own = groups.filter { BenchmarkName(parsing: $0.name).chapter == chapter }
      guard !own.isEmpty else { return nil }
      return PageSection(
        id: "chapter-" + Markup.anchor(chapter), title: title,
        html: chart(chapter, title, own) + table(title, own).html)
    }
  }

  // MARK: The chart

  private func chart(_ chapter: String, _ title: String, _ own: [Group]) -> String {
    let rows = own.flatMap { group in group.results.compactMap { bar(group.name, $0) } }
    guard rows.count > 1, let fastest = rows.min(by: { $0.value < $1.value }),
      let slowest = rows.max(by: { $0.value < $1.value })
    else { return "" }
    let finding =
      "Time of one operation, shorter is better, logarithmic. "
      + "From \(fastest.text) (\(fastest.group), \(fastest.label)) "
      + "to \(slowest.text) (\(slowest.group), \(slowest.label))."
    return IntervalChart(
      id: "times-" + Markup.anchor(chapter), title: "\(title): time per operation",
      finding: finding, unit: "ns", rows: rows
    ).figure.html
  }

  private func bar(_ benchmark: String, _ result: Finding) -> IntervalChart.Row? {
    guard let time = result["time"], time.value > 0, time.low > 0 else { return nil }
    return IntervalChart.Row(
      group: benchmark, label: result.engine, ink: LineChart.Series.ink(result.engine),
      value: time.value, low: time.low, high: time.high,
      text: Figures.text(time.value, "ns/op", low: time.low, high: time.high))
  }

  // MARK: The table

  private func table(_ title: String, _ own: [Group]) -> HTMLTable {
    let results = own.flatMap(\.results)
    let optional = ["rate", "p50", "p99"].filter { name in results.contains { $0[name] != nil } }
    let hasOther = results.contains { !$0.valid || !$0.flags.isEmpty || !other($0).isEmpty }
    var table = HTMLTable(
      "\(title): medians over rounds\(coverage(results))",
      [.init("engine"), .init("time", number: true), .init("interval", number: true)]
        + optional.map { .init($0, number: true) } + (hasOther ? [.init("also")] : [])
        + [.init("rounds", number: true), .init("again")])
    for (benchmark, results) in own {
      table.group(benchmark)
      let best = results.count > 1 ? results.compactMap { $0["time"]?.value }.min() : nil
      for result in results {
        var cells = timeCells(result, isBest: best != nil && result["time"]?.value == best)
        cells += optional.map { optionalCell(result, $0) }
        if hasOther { cells.append(otherCell(result)) }
        cells += [.init(String(result.rounds)), commandCell(result)]
        table.add(cells)
      }
    }
    return table
  }

  /// What the intervals cover, or why there are none.
  private func coverage(_ results: [Finding]) -> String {
    let sureness = results.flatMap(\.values).filter { $0.rounds.count > 1 }.map(\.confidence).min()
    guard let sureness else { return "; of a single round there is no interval" }
    return ", intervals that cover at least \(Figures.percent(sureness, signed: false))"
  }

  private func timeCells(_ result: Finding, isBest: Bool) -> [HTMLTable.Cell] {
    guard result.valid else {
      return [.init(result.engine), .init("✕ invalid", kind: "bad"), ""]
    }
    guard let time = result["time"] else { return [.init(result.engine), "", ""] }
    return [
      .init(result.engine),
      .init(
        Figures.text(time.value, "ns/op", low: time.low, high: time.high),
        kind: isBest ? "best" : ""),
      result.rounds > 1 ? .init(Figures.interval(time.value, time.low, time.high, "ns/op")) : "",
    ]
  }

  private func optionalCell(_ result: Finding, _ name: String) -> HTMLTable.Cell {
    guard let value = result[name] else { return "" }
    if name == "p99", value.samples < Histogram.needed(for: 0.99) {
      return .init("n too small", kind: "soft")
    }
    return .init(
      Figures.text(value.value, Metric.named(name).unit, low: value.low, high: value.high))
  }

  /// What neither the columns nor the table of resources shows.
  private func other(_ result: Finding) -> String {
    let shown: Set = ["time", "rate", "p50", "p90", "p99", "p999", "max", "cpu", "faults"]
    return result.values.filter {
      !shown.contains($0.metric) && !ResourcesSection.metrics.contains($0.metric)
    }.map { value in
      let unit = Metric.named(value.metric).unit
      let spelled = Figures.text(value.value, unit, low: value.low, high: value.high)
      return "\(value.metric) \(spelled)"
    }.joined(separator: " · ")
  }

  private func otherCell(_ result: Finding) -> HTMLTable.Cell {
    guard result.valid else { return .init(result.reason, kind: "bad") }
    let flags = result.flags.map { "<span class=\"tag\">\(Markup.escape($0))</span>" }
    return .init(html: ([Markup.escape(other(result))] + flags).joined(separator: " "))
  }

  private func commandCell(_ result: Finding) -> HTMLTable.Cell {
    .init(
      html:
        "<details><summary>command</summary><code>\(Markup.escape(result.reproduction))</code></details>"
    )
  }
}
