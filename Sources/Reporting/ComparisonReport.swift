import Evidence
import Foundation

/// The page of two runs or two builds side by side.
package enum ComparisonReport {
  /// A page of its own, for `compare`: the first run beside each of the others.
  /// `page`: where the page of a run lies, seen from this one; nil where there is none to lead to.
  package static func html(
    runs: [Run], comparisons: [Comparison], links: Links = Links(),
    page where: (Run) -> String? = { _ in nil }
  ) -> String {
    var sections: [PageSection] = []
    for (place, comparison) in comparisons.enumerated() {
      let page = `where`(runs[place + 1])
      for section in self.sections(
        comparison, of: runs[place + 1],
        link: { name in
          let shown = Markup.breakable(name)
          let link =
            page.map {
              "<a href=\"\(Markup.escape("\($0)#\(Links.anchor(name))"))\">\(shown)</a>"
            } ?? shown
          let family = BenchmarkName(parsing: name).family
          let source = runs[place + 1].catalogue?.first { $0.name == family }?.source ?? ""
          return links.base == nil || source.isEmpty ? link : "\(link) \(links.source(source))"
        })
      {
        let suffix = comparisons.count > 1 ? ": \(runs[place + 1].id)" : ""
        sections.append(
          PageSection(
            id: "\(section.id)-\(place)", title: section.title + suffix,
            note: section.note, html: section.html, isOpen: section.isOpen))
      }
    }
    // Of several machines nothing is judged: what they are, and what they can do, is the answer.
    let areSeveral = Set(runs.map(\.environment.machineID)).count > 1
    sections.insert(
      PageSection(
        id: "machines", title: "Machines",
        html: machines(zip(names(runs), runs.map(\.environment)).map { ($0, $1) })
          + calibrated(runs), isOpen: areSeveral),
      at: areSeveral ? 0 : sections.count)
    var page = runs.last ?? Run()
    page.comparison = comparisons.last
    let trust = TrustBox(run: page, comparisons: comparisons).html
    sections.append(MethodSection(run: page).section)
    let answers = comparisons.map { comparison in
      """
      <p class="answer">\(Markup.escape(comparison.told))</p>
      <p class="soft">\(Markup.escape(comparison.between))</p>
      """
    }.joined()
    return Page(
      title: "realm-bench: comparison", lead: answers + trust, sections: sections
    ).html
  }

  /// What columns of runs are called: folders of several machines may have one name.
  private static func names(_ runs: [Run]) -> [String] {
    let ids = runs.map { $0.id.isEmpty ? "run" : $0.id }
    guard Set(ids).count < ids.count else { return ids }
    return zip(ids, runs).map { id, run in "\(id) on \(run.environment.machineID)" }
  }

  /// Each machine's own yardstick: numbers of different machines are read as multiples of it, never
  /// ranked.
  private static func calibrated(_ runs: [Run]) -> String {
    guard Set(runs.map(\.environment.machineID)).count > 1 else { return "" }
    func limit(_ run: Run, _ family: String) -> Double? {
      run.own.first { $0.name.family == family }?["time"]?.value
    }
    let yardsticks = [
      "floor.null", "floor.memory-sum", "floor.cache-miss", "floor.flush", "floor.queue-hop",
      "floor.atomic-add", "floor.ping-pong",
    ]
    var table = HTMLTable(
      "Each machine's own limits",
      [.init("limit")] + names(runs).map { .init($0, number: true) })
    for name in yardsticks where runs.contains(where: { limit($0, name) != nil }) {
      table.add(
        [HTMLTable.Cell(name)]
          + runs.map { HTMLTable.Cell(limit($0, name).map { Figures.text($0, "ns") } ?? "–") })
    }
    var ratios = HTMLTable(
      "Times as multiples of the machine's own cache miss or flush",
      [.init("benchmark"), .init("engine"), .init("yardstick")]
        + names(runs).map { .init($0, number: true) }, stacks: true)
    for finding in runs.first?.own ?? []
    where finding["time"] != nil && finding.name.chapter != "floor" {
      let isDurable = (finding["flushes"]?.value ?? 0) > 0
      let yardstick = isDurable ? "floor.flush" : "floor.cache-miss"
      let cells = runs.map { run -> HTMLTable.Cell in
        guard let unit = limit(run, yardstick),
          let time = run.own.first(where: {
            $0.benchmark == finding.benchmark && $0.engine == finding.engine
          })?["time"]?.value
        else { return "–" }
        return HTMLTable.Cell(Figures.times(time / unit))
      }
      ratios.add(
        [
          .init(html: Markup.breakable(finding.benchmark)), .init(finding.engine),
          .init(yardstick),
        ] + cells)
    }
    return (table.isEmpty ? "" : table.html) + (ratios.isEmpty ? "" : ratios.html)
      + fitted(runs) { limit($0, $1) } + "<p>No score sums up machines.</p>"
  }

  /// From three machines on: what each machine's limits predict, and how far off it is. Of a
  /// machine with several runs the newest counts.
  private static func fitted(_ runs: [Run], _ limit: (Run, String) -> Double?) -> String {
    var own: [Run] = []
    for run in runs.reversed()
    where !own.contains(where: {
      $0.environment.machineID == run.environment.machineID
    }) { own.insert(run, at: 0) }
    guard own.count >= MachineFit.fewestMachines else { return "" }
    let names = [
      "floor.null", "floor.cache-miss", "floor.atomic-add", "floor.ping-pong", "floor.flush",
    ]
    let limits = own.map { run in
      Dictionary(
        uniqueKeysWithValues: names.compactMap { name in limit(run, name).map { (name, $0) } })
    }
    var table = HTMLTable(
      "Times as multiples of what the machine's own limits predict: ln x = α + Σ w·ln c, fitted "
        + "over \(own.count) machines with weights in quarters",
      [.init("benchmark"), .init("engine"), .init("follows")]
        + Self.names(own).map { .init($0, number: true) }, stacks: true)
    for finding in own.first?.own ?? [] where finding.name.chapter != "floor" {
      let times = own.map { run in
        run.own.first { $0.benchmark == finding.benchmark && $0.engine == finding.engine }?["time"]?
          .value ?? 0
      }
      guard let fit = MachineFit(times: times, limits: limits) else { continue }
      let weights = fit.weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\(Figures.percent($0.value, signed: false)) \($0.key)" }
      table.add(
        [
          .init(html: Markup.breakable(finding.benchmark)), .init(finding.engine),
          .init(weights.joined(separator: ", ")),
        ]
          + zip(fit.residuals, fit.predicted).map { residual, predicted in
            HTMLTable.Cell(
              "\(Figures.percent(residual - 1)) of \(Figures.text(predicted, "ns"))",
              value: residual)
          })
    }
    return table.isEmpty ? "" : table.html
  }

  /// `link`: the markup of a benchmark's name, which leads to it on this page or another.
  static func sections(
    _ comparison: Comparison, of run: Run,
    link: @escaping (String) -> String = { Links.here($0) }
  ) -> [PageSection] {
    let rows = comparison.sortedRows
    let notable = rows.filter { $0.verdict != .unchanged }
    let calm = rows.filter { $0.verdict == .unchanged }
    let drawn = rows.filter(isDrawn)
    let strip = Strip(drawn.flatMap { [1 + $0.low, 1 + $0.change, 1 + $0.high] }, middle: 1) {
      $0 == 1 ? "0 %" : Figures.percent($0 - 1)
    }
    func table(_ caption: String, _ rows: [Comparison.Row]) -> String {
      self.table(caption, rows, comparison, strip, link)
    }
    var html =
      notable.isEmpty
      ? "<p>Nothing changed.</p>"
      : table(
        "What changed, or may have. Right of the line is worse; within the grey band nothing is "
          + "said to have changed",
        notable)
    if !calm.isEmpty {
      html +=
        "<details class=\"fold\"><summary>\(calm.count) unchanged</summary>"
        + "\(table("Unchanged", calm))</details>"
    }
    return [PageSection(id: "changes-section", title: "What changed", html: html, isOpen: true)]
  }

  private static func isDrawn(_ row: Comparison.Row) -> Bool {
    Metric.named(row.metric).kind == .timed && row.verdict != .invalid && row.high > row.low
      && row.low > -1
  }

  private static func table(
    _ caption: String, _ rows: [Comparison.Row], _ comparison: Comparison, _ strip: Strip,
    _ link: (String) -> String
  ) -> String {
    let names = comparison.sideNames
    // Where both are of one commit, which stands above, a letter is enough.
    let isOne = comparison.a.commit == comparison.b.commit
    let heads = isOne ? (a: "A", b: "B") : names
    var table = HTMLTable(
      caption,
      [
        .init("benchmark"), .init("verdict"),
        .init(axis: rows.contains(where: isDrawn) ? strip.head : "", title: "change"),
        .init("change and 95 % interval", number: true),
        .init("\(heads.a) → \(heads.b)", number: true), .init("rounds", number: true),
        .init("why"),
      ], stacks: true)
    for row in rows {
      let sides = Figures.sides(row)
      let kind =
        row.verdict == .regressed || row.verdict == .invalid
        ? "verdict bad" : row.verdict == .improved ? "verdict good" : "verdict"
      let plot =
        isDrawn(row)
        ? strip.row(
          1 + row.change, low: 1 + row.low, high: 1 + row.high,
          ink: row.verdict == .regressed ? 1 : row.verdict == .improved ? 2 : 0,
          margin: row.tau > 0 ? 1 / (1 + row.tau)...(1 + row.tau) : nil) : ""
      table.add([
        .init(
          html: link(row.benchmark)
            + " <span class=\"soft\">\(Markup.escape("\(row.engine), \(row.metric)"))</span>"
        ),
        .init("\(row.verdict.symbol) \(row.verdict.rawValue)", kind: kind),
        .init(html: plot),
        .init(
          Figures.changeWithin(row), value: row.change),
        .init(
          row.verdict == .invalid
            ? Figures.silent(row, names)
            : "\(sides.a) → \(sides.b)",
          value: row.b),
        .init(String(row.rounds), value: Double(row.rounds)),
        .init(html: whole(Markup.escape(why(row))) + pairs(row, names), kind: "why"),
      ])
    }
    return table.html
  }

  /// What the verdict stands on, in words.
  private static func why(_ row: Comparison.Row) -> String {
    let p = row.p.map { $0 < 0.0001 ? "P < 0.0001" : "P \(Figures.fixed($0, 4))" }
    let asked =
      row.tau > 0
      ? "asked to show \(Figures.percent(row.tau, signed: false))"
      : Metric.named(row.metric).kind == .level
        ? "\(Figures.percent(Decision.levelShare, signed: false)) and a MiB more counts"
        : "any difference counts"
    let seen = row.sees.map { "a change of \(Figures.percent($0, signed: false)) would have shown" }
    let accepted = row.acknowledged.map { "acknowledged: \($0)" }
    // A verdict that says what it cannot see has said it in its note.
    return [
      accepted, row.note.isEmpty ? nil : row.note, Figures.contradiction(row), asked, p,
      row.verdict == .cannotTell ? nil : seen, Figures.further(row),
    ].compactMap(\.self)
      .joined(separator: "; ")
  }

  /// An option is not broken behind its dashes.
  private static func whole(_ markup: String) -> String {
    markup.replacing(/\(--rounds \d+\)/) { "<span class=\"nowrap\">\($0.output)</span>" }
  }

  /// One dot per pair: drift and outliers show here first.
  private static func pairs(_ row: Comparison.Row, _ names: (a: String, b: String)) -> String {
    let count = min(row.pairsA.count, row.pairsB.count)
    guard count >= 3 else { return "" }
    let values =
      row.ratios?.map { exp($0) - 1 }
      ?? zip(row.pairsA, row.pairsB).map { $1 / $0 - 1 }.filter(\.isFinite)
    // Counts that are zero have no ratio to draw.
    guard values.count >= 3 else { return "" }
    let axis = Axis(values + [0], log: false, from: 100, to: 10)
    var svg = Ink.line(8, axis.place(0), 232, axis.place(0), kind: "axis")
    for (place, value) in values.enumerated() {
      svg += Ink.marker(
        14 + 210 * Double(place) / Double(max(1, values.count - 1)), axis.place(value),
        series: row.verdict == .regressed ? 1 : 0)
    }
    let said = Markup.escape(
      "\(names.b) over \(names.a) in each of \(Figures.count(count, "round")), in order")
    let changes = values.map { Figures.percent($0) }.joined(separator: ", ")
    return "<details><summary>pairs</summary>"
      + "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
      + "aria-label=\"\(said)\" width=\"240\" height=\"110\" viewBox=\"0 0 240 110\">\(svg)</svg>"
      + "<p class=\"soft\">\(said): \(changes)</p></details>"
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

extension Comparison.Side {
  /// What it is called, where it lies, and of which commit it is.
  fileprivate var told: String {
    // A stored run is called by its name, a build by where it lies.
    let place = source == commit ? "" : source
    return [name, place, knownCommit, subject].filter { !$0.isEmpty }
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .joined(separator: " · ")
  }
}

extension Comparison {
  /// What it is about: both sides in full.
  var between: String { "\(a.told) → \(b.told)" }

  /// Its sentence, with how many rounds stand behind its verdicts.
  var told: String {
    let rounds = rows.filter { $0.verdict != .invalid }.map(\.rounds)
    guard let fewest = rounds.min(), let most = rounds.max() else { return sentence }
    let said = fewest == most ? "" : "\(fewest) to "
    return "\(sentence) \(said)\(Figures.count(most, "round")) behind each verdict."
  }
}
