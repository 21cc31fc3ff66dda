import Evidence
import Foundation

/// The page of two runs or two builds side by side.
package enum ComparisonReport {
  /// A page of its own, for `compare`: the first run beside each of the others.
  package static func html(runs: [Run], comparisons: [Comparison]) -> String {
    var sections: [PageSection] = []
    for (place, comparison) in comparisons.enumerated() {
      for section in self.sections(comparison) {
        let suffix = comparisons.count > 1 ? ": \(runs[place + 1].id)" : ""
        sections.append(
          PageSection(
            id: "\(section.id)-\(place)", title: section.title + suffix, html: section.html))
      }
    }
    sections.append(
      PageSection(
        id: "machines", title: "Machines",
        html: machines(runs.map { ($0.id.isEmpty ? "run" : $0.id, $0.environment) })
          + calibrated(runs)))
    var page = runs.last ?? Run()
    page.comparison = comparisons.last
    sections.append(MethodSection(run: page).section)
    let answers = comparisons.map { comparison in
      """
      <p class="answer">\(Markup.escape(comparison.sentence))</p>
      <p class="soft">A: \(Markup.escape(describe(comparison.a))) → B: \(Markup.escape(describe(comparison.b)))</p>
      """
    }.joined()
    return Page(
      title: "realm-bench: comparison", lead: answers + TrustBox(run: page).html, sections: sections
    ).html
  }

  /// Each machine's own yardstick: numbers of different machines are read as multiples of it, never ranked.
  private static func calibrated(_ runs: [Run]) -> String {
    guard Set(runs.map(\.environment.machineID)).count > 1 else { return "" }
    func limit(_ run: Run, _ family: String) -> Double? {
      run.results.first { $0.name.family == family }?["time"]?.value
    }
    let yardsticks = [
      "floor.null", "floor.memory-sum", "floor.cache-miss", "floor.flush", "floor.queue-hop",
    ]
    var table = HTMLTable(
      "Each machine's own limits", [.init("limit")] + runs.map { .init($0.id, number: true) })
    for name in yardsticks where runs.contains(where: { limit($0, name) != nil }) {
      table.add(
        [HTMLTable.Cell(name)]
          + runs.map { HTMLTable.Cell(limit($0, name).map { Figures.text($0, "ns") } ?? "–") })
    }
    var ratios = HTMLTable(
      "Times as multiples of the machine's own cache miss or flush",
      [.init("benchmark"), .init("engine"), .init("yardstick")]
        + runs.map { .init($0.id, number: true) })
    for finding in runs.first?.results ?? [] where finding["time"] != nil {
      let isDurable = (finding["flushes"]?.value ?? 0) > 0
      let yardstick = isDurable ? "floor.flush" : "floor.cache-miss"
      let cells = runs.map { run -> HTMLTable.Cell in
        guard let unit = limit(run, yardstick),
          let time = run.results.first(where: {
            $0.benchmark == finding.benchmark && $0.engine == finding.engine
          })?["time"]?.value
        else { return "–" }
        return HTMLTable.Cell(Figures.times(time / unit))
      }
      ratios.add(
        [.init(finding.benchmark), .init(finding.engine), .init(yardstick)] + cells)
    }
    return (table.isEmpty ? "" : table.html) + (ratios.isEmpty ? "" : ratios.html)
      + "<p>No score sums up machines.</p>"
  }

  private static func describe(_ side: Comparison.Side) -> String {
    [side.name, side.commit, side.subject].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  static func sections(_ comparison: Comparison) -> [PageSection] {
    let rows = comparison.sortedRows
    let notable = rows.filter { $0.verdict != .unchanged }
    let calm = rows.filter { $0.verdict == .unchanged }
    var html = ""
    let drawn = rows.filter {
      Metric.named($0.metric).kind == .timed && $0.verdict != .invalid && $0.high > $0.low
    }
    if !drawn.isEmpty {
      html +=
        IntervalChart(
          id: "changes", title: "Changes with their 95 % intervals",
          finding:
            "Right of zero is worse. Within the band nothing is said to have changed; its half-width is the margin τ.",
          unit: "share",
          rows: drawn.prefix(40).map { row in
            .init(
              group: row.benchmark, label: "\(row.engine) \(row.metric)",
              ink: row.verdict == .regressed ? 1 : row.verdict == .improved ? 2 : 0,
              value: row.change, low: row.low, high: row.high,
              text: "\(row.verdict.symbol) \(Figures.percent(row.change))")
          }, isLog: false, margin: Quantiles.median(drawn.map(\.tau)),
          label: { Figures.percent($0) }
        ).figure.html
    }
    html +=
      notable.isEmpty ? "<p>Nothing changed.</p>" : table("What changed, or may have", notable)
    if !calm.isEmpty {
      html +=
        "<details><summary>\(calm.count) unchanged</summary>\(table("Unchanged", calm))</details>"
    }
    return [PageSection(id: "changes-section", title: "What changed", html: html)]
  }

  private static func table(_ caption: String, _ rows: [Comparison.Row]) -> String {
    var table = HTMLTable(
      caption,
      [
        .init("verdict"), .init("benchmark"), .init("engine"), .init("metric"),
        .init("A", number: true), .init("B", number: true), .init("change", number: true),
        .init("95 % interval", number: true), .init("margin", number: true),
        .init("P", number: true), .init("rounds", number: true), .init("why"),
      ])
    for row in rows {
      let unit = Metric.named(row.metric).unit
      let kind =
        row.verdict == .regressed || row.verdict == .invalid
        ? "verdict bad" : row.verdict == .improved ? "verdict good" : "verdict"
      let more = row.moreRounds.map { " About \($0) more rounds may settle it." } ?? ""
      table.add([
        .init("\(row.verdict.symbol) \(row.verdict.rawValue)", kind: kind),
        .init(row.benchmark), .init(row.engine), .init(row.metric),
        .init(Figures.text(row.a, unit)), .init(Figures.text(row.b, unit)),
        .init(Figures.percent(row.change)),
        .init(
          row.high > row.low ? "\(Figures.percent(row.low)) … \(Figures.percent(row.high))" : ""),
        .init(row.tau > 0 ? "±" + Figures.percent(row.tau, signed: false) : "exact"),
        .init(row.p.map { $0 < 0.0001 ? "< 0.0001" : Figures.fixed($0, 4) } ?? ""),
        .init(String(row.rounds)), .init(html: Markup.escape(row.note + more) + pairs(row)),
      ])
    }
    return table.html
  }

  /// One dot per pair: drift and outliers show here first.
  private static func pairs(_ row: Comparison.Row) -> String {
    let count = min(row.pairsA.count, row.pairsB.count)
    guard count >= 3 else { return "" }
    let values = zip(row.pairsA, row.pairsB).map { $1 / $0 - 1 }.filter(\.isFinite)
    let axis = Axis(values + [0], log: false, from: 100, to: 10)
    var svg = Ink.line(8, axis.place(0), 232, axis.place(0), kind: "axis")
    for (place, value) in values.enumerated() {
      svg += Ink.marker(
        14 + 210 * Double(place) / Double(max(1, values.count - 1)), axis.place(value),
        series: row.verdict == .regressed ? 1 : 0)
    }
    let said = "B over A in each of \(count) rounds, in order"
    return
      "<details><summary>pairs</summary><svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"\(said)\" width=\"240\" height=\"110\" viewBox=\"0 0 240 110\">\(svg)</svg><p class=\"soft\">\(said): \(values.map { Figures.percent($0) }.joined(separator: ", "))</p></details>"
  }

  /// What differs between machines, before any number.
  package static func machines(_ machines: [(String, Environment)]) -> String {
    let names = machines.first?.1.facts.map(\.name) ?? []
    var table = HTMLTable(
      "What differs between the machines", [.init("fact")] + machines.map { .init($0.0) })
    for (place, name) in names.enumerated() {
      let values = machines.map { $0.1.facts[place].value }
      if Set(values).count > 1 {
        table.add([HTMLTable.Cell(name)] + values.map { HTMLTable.Cell($0) })
      }
    }
    return table.isEmpty ? "<p>The machines do not differ.</p>" : table.html
  }
}
