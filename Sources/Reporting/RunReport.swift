import Evidence
import Foundation

/// The page of one run: the answer first, then what it stands on.
package struct RunReport {
  package let run: Run
  /// Parts made by others, such as the verdicts on rules; they stand before the machine.
  package let extra: [PageSection]

  package init(_ run: Run, extra: [PageSection] = []) {
    self.run = run
    self.extra = extra
  }

  /// The numbers on the page for other programs; single rounds and histograms lie in the files beside it.
  private var data: String {
    var slim = run
    for i in slim.results.indices {
      slim.results[i].histogram = nil
      for j in slim.results[i].values.indices { slim.results[i].values[j].rounds = [] }
    }
    return (try? RunDirectory.encode(slim, pretty: false)) ?? "{}"
  }

  package var html: String {
    var sections: [PageSection] = []
    if let comparison = run.comparison { sections += ComparisonReport.sections(comparison) }
    sections += chapters
    sections += [
      scaling, latency, growth, grouping, ways, resources,
    ].compactMap { $0 }
    if let examination = run.examination {
      if let others = run.otherExaminations {
        sections.append(ConformanceMatrix([examination] + others).section)
      }
      sections.append(ConformanceSection(examination).section)
    }
    sections += extra
    sections.append(RunReport.machine(run.environment))
    sections.append(RunReport.method(run))
    return Page(title: title, lead: lead, sections: sections, data: data).html
  }

  private var title: String {
    switch run.asked.verb {
    case "ab": "realm-bench: two builds compared"
    case "conformance": "realm-bench: rule by rule"
    default: "realm-bench: what each pattern costs"
    }
  }

  // MARK: The answer

  /// What a reader takes home, in one sentence.
  package var sentence: String {
    if let comparison = run.comparison { return comparison.sentence }
    let rules = run.examination.map { ConformanceSection($0).sentence }
    if run.asked.verb == "conformance", let rules { return rules }
    let invalid = run.results.filter { !$0.valid }.count
    let families = Set(run.results.map(\.benchmark)).count
    var said = "\(families) benchmarks on \(engines.count) engines"
    if run.state == .interrupted {
      let rounds = run.results.map(\.rounds).max() ?? 0
      said = "Aborted after \(rounds) rounds: " + said
    }
    said +=
      invalid == 0
      ? "; every answer was checked and right"
      : "; \(invalid) answers were wrong and have no speed"
    if let rules { said += ". " + rules.dropLast() }
    let warnings = run.environment.warnings.count
    said += warnings == 0 ? "." : "; \(warnings) limits of this machine to keep in mind."
    return said
  }

  private var engines: [String] {
    var seen: [String] = []
    for result in run.results where !seen.contains(result.engine) { seen.append(result.engine) }
    return seen
  }

  private func ink(_ engine: String) -> Int {
    ["reference": 0, "sqlite": 1, "lmdb": 2, "c": 3, "null": 5][engine] ?? 4
  }

  private var lead: String {
    let e = run.environment
    let took = run.durationSeconds.map { ", took \(Int($0)) s" } ?? ""
    let rounds = run.results.map(\.rounds).max() ?? 0
    let measured =
      run.results.isEmpty ? "" : " · \(rounds) rounds in fresh processes · seed \(run.asked.seed)"
    let stand =
      "\(e.cpu.isEmpty ? "unknown processor" : e.cpu), \(e.cores) cores, \(e.system) \(e.kernel) · commit \(e.commit)\(e.dirty ? " with uncommitted changes" : "") · \(run.started)\(took)\(measured)"
    return """
      <p class="answer">\(Markup.escape(sentence))</p>
      <p class="soft">\(Markup.escape(stand))</p>
      \(counters)\(highlights)\(RunReport.trust(run))
      """
  }

  private var counters: String {
    let counts: [(Int, String)]
    if let comparison = run.comparison {
      counts = [
        (comparison.count(.regressed), "regressed"), (comparison.count(.improved), "improved"),
        (comparison.count(.inconclusive), "inconclusive"),
        (comparison.count(.unchanged), "unchanged"),
      ]
    } else if run.asked.verb == "conformance", let examination = run.examination {
      counts = [
        (examination.count(.holds), "hold"), (examination.count(.violated), "violated"),
        (examination.count(.skipped), "skipped"), (examination.count(.untested), "untested"),
      ]
    } else {
      counts = [
        (Set(run.results.map(\.benchmark)).count, "benchmarks"), (engines.count, "engines"),
        (run.results.filter { !$0.valid }.count, "invalid"),
        (run.environment.warnings.count, "warnings"),
      ]
    }
    return "<ul class=\"counts\">"
      + counts.map { "<li><b>\($0.0)</b>\($0.1)</li>" }.joined() + "</ul>"
  }

  /// The few sentences that a table of hundreds of numbers is read for.
  private var highlights: String {
    var said: [String] = []
    for (benchmark, results) in byBenchmark {
      guard let ours = results.first(where: { $0.engine == "reference" })?["time"] else { continue }
      let peers = results.filter { ["sqlite", "lmdb"].contains($0.engine) }.compactMap { peer in
        peer["time"].map { (peer.engine, $0) }
      }
      guard !peers.isEmpty else { continue }
      let compared = peers.map { name, peer in
        let ratio = peer.value / ours.value
        return ratio >= 1
          ? "\(Figures.times(ratio)) as fast as \(name)"
          : "\(Figures.times(1 / ratio)) as slow as \(name)"
      }.joined(separator: ", ")
      said.append("\(benchmark): \(Figures.text(ours.value, "ns/op")), \(compared)")
    }
    guard !said.isEmpty else { return "" }
    let items = said.map { "<li>\(Markup.escape($0))</li>" }
    let shown = items.prefix(5).joined()
    let rest =
      items.count > 5
      ? "<details><summary>\(items.count - 5) more beside other engines</summary><ul>\(items.dropFirst(5).joined())</ul></details>"
      : ""
    return "<h3>Beside other engines</h3><ul>\(shown)</ul>\(rest)"
  }

  static func trust(_ run: Run) -> String {
    let e = run.environment
    var lines: [String] = [
      "Storage: \(e.storage.filesystem), \(e.storage.durability.sentence) (flush \(Figures.text(e.storage.flushMedian, "ns")), class “\(e.storage.durability.rawValue)”)."
    ]
    if let control = run.comparison?.control {
      lines.append(
        "Control: a build against itself on \(control.benchmarks) benchmarks, \(control.suspects) suspects, \(control.confirmed) confirmed; noise floor \(Figures.percent(control.noiseFloor, signed: false))."
      )
    }
    lines.append(
      "Scheduler: \(e.gaps) gaps over 50 µs in half a second of spinning, the longest \(Figures.text(e.longestGap, "ns")). Clock read: \(Figures.text(e.clockCost, "ns"))."
    )
    let warned = e.warnings + (run.comparison?.reasons ?? [])
    let kind =
      run.comparison.map { !$0.trusted } ?? false
      ? "box-bad" : warned.isEmpty ? "" : "box-warn"
    let items = (lines + warned.map { "⚠ \($0)" }).map { "<li>\(Markup.escape($0))</li>" }.joined()
    return
      "<div class=\"box \(kind)\"><p><b>Can these numbers be trusted?</b></p><ul>\(items)</ul></div>"
  }

  // MARK: Results, chapter by chapter

  private var byBenchmark: [(String, [Finding])] {
    var order: [String] = []
    var groups: [String: [Finding]] = [:]
    for result in run.results where result.side != "B" {
      if groups[result.benchmark] == nil { order.append(result.benchmark) }
      groups[result.benchmark, default: []].append(result)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }

  private static let chapterTitles: [(String, String)] = [
    ("floor", "Physical limits of this machine"), ("reads", "Reads without locks"),
    ("writes", "Writes and contention"), ("async", "Asynchronous and grouped commits"),
    ("frozen", "Frozen versions"), ("ways", "Ways across threads"), ("notify", "Notifications"),
    ("macro", "Whole programs"),
  ]

  private var chapters: [PageSection] {
    var names = RunReport.chapterTitles
    for (benchmark, _) in byBenchmark {
      let chapter = BenchmarkName(parsing: benchmark).chapter
      if !names.contains(where: { $0.0 == chapter }) { names.append((chapter, chapter)) }
    }
    return names.compactMap { chapter, title in
      let own = byBenchmark.filter { BenchmarkName(parsing: $0.0).chapter == chapter }
      guard !own.isEmpty else { return nil }
      return PageSection(
        id: "chapter-" + Markup.anchor(chapter), title: title,
        html: chart(chapter, title, own) + table(title, own))
    }
  }

  private func chart(_ chapter: String, _ title: String, _ own: [(String, [Finding])]) -> String {
    let rows = own.flatMap { benchmark, results in
      results.compactMap { result -> IntervalChart.Row? in
        guard let time = result["time"], time.value > 0, time.low > 0 else { return nil }
        return IntervalChart.Row(
          group: benchmark, label: result.engine, ink: ink(result.engine), value: time.value,
          low: time.low, high: time.high,
          text: Figures.text(time.value, "ns/op", low: time.low, high: time.high))
      }
    }
    guard rows.count > 1 else { return "" }
    let fastest = rows.min { $0.value < $1.value }
    let slowest = rows.max { $0.value < $1.value }
    let finding =
      "Time of one operation, shorter is better, logarithmic. From \(fastest?.text ?? "") (\(fastest?.group ?? ""), \(fastest?.label ?? "")) to \(slowest?.text ?? "") (\(slowest?.group ?? ""), \(slowest?.label ?? ""))."
    return IntervalChart(
      id: "times-" + Markup.anchor(chapter), title: "\(title): time per operation",
      finding: finding, unit: "ns", rows: rows
    ).figure.html
  }

  private func table(_ title: String, _ own: [(String, [Finding])]) -> String {
    let results = own.flatMap(\.1)
    let sureness =
      results.flatMap(\.values).filter { $0.rounds.count > 1 }.map(\.confidence).min() ?? 0
    let optional = ["rate", "p50", "p99"].filter { name in results.contains { $0[name] != nil } }
    let hasOther = results.contains { !$0.valid || !$0.flags.isEmpty || !other($0).isEmpty }
    var table = HTMLTable(
      "\(title): medians over rounds, intervals that cover at least \(Figures.percent(sureness, signed: false))",
      [.init("engine"), .init("time", number: true), .init("interval", number: true)]
        + optional.map { .init($0, number: true) } + (hasOther ? [.init("also")] : [])
        + [.init("rounds", number: true), .init("again")])
    for (benchmark, results) in own {
      table.group(benchmark)
      let best = results.compactMap { $0["time"]?.value }.min()
      for result in results {
        let isBest = results.count > 1 && result["time"]?.value == best && best != nil
        var cells = timeCells(result, isBest: isBest)
        cells += optional.map { optionalCell(result, $0) }
        if hasOther { cells.append(otherCell(result)) }
        cells += [
          .init(String(result.rounds)),
          .init(
            html:
              "<details><summary>command</summary><code>\(Markup.escape(result.reproduction))</code></details>"
          ),
        ]
        table.add(cells)
      }
    }
    return table.html
  }

  private func timeCells(_ result: Finding, isBest: Bool) -> [HTMLTable.Cell] {
    guard result.valid else {
      return [.init(result.engine), .init("✕ invalid", kind: "bad"), ""]
    }
    let time = result["time"]
    return [
      .init(result.engine),
      .init(
        time.map { Figures.text($0.value, "ns/op", low: $0.low, high: $0.high) } ?? "",
        kind: isBest ? "best" : ""),
      .init(time.map { Figures.interval($0.value, $0.low, $0.high, "ns/op") } ?? ""),
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
      !shown.contains($0.metric) && !RunReport.resourceNames.contains($0.metric)
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

  static let resourceNames = [
    "allocations", "allocated", "instructions", "syscalls", "writes", "bytes", "flushes",
  ]

  // MARK: Views

  private func series(
    _ family: String, by parameter: String, metric: String
  ) -> [(name: String, engine: String, points: [(Double, Finding.Value)])] {
    var order: [String] = []
    var found: [String: (engine: String, points: [(Double, Finding.Value)])] = [:]
    for result in run.results where result.valid && result.side != "B" {
      let name = result.name
      guard name.family == family, let text = name.parameters[parameter],
        let x = Double(text), let value = result[metric]
      else { continue }
      var rest = name.parameters
      rest[parameter] = nil
      let label =
        ([result.engine] + rest.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        .joined(separator: " ")
      if found[label] == nil { order.append(label) }
      found[label, default: (result.engine, [])].points.append((x, value))
    }
    return order.compactMap { label in
      guard let one = found[label], one.points.count > 1 else { return nil }
      return (label, one.engine, one.points.sorted { $0.0 < $1.0 })
    }
  }

  private func lines(
    _ all: [(name: String, engine: String, points: [(Double, Finding.Value)])], hollowAbove: Double
  ) -> [LineChart.Series] {
    var used: Set<Int> = []
    return all.map { one in
      var place = ink(one.engine)
      while used.contains(place), used.count < 6 { place = (place + 1) % 6 }
      used.insert(place)
      return LineChart.Series(
        name: one.name,
        points: one.points.map {
          .init(
            x: $0.0, y: $0.1.value, low: $0.1.low, high: $0.1.high, isHollow: $0.0 > hollowAbove)
        }, ink: place)
    }
  }

  private var scaling: PageSection? {
    var html = ""
    let cores = max(1, run.environment.usableCores)
    for family in Set(run.results.map(\.name.family)).sorted() {
      let all = series(family, by: "threads", metric: "rate")
      guard !all.isEmpty else { continue }
      var said: [String] = []
      var guides: [LineChart.Series] = []
      for one in all {
        let law = Scalability(one.points.map { ($0.0, $0.1.value) })
        if let law {
          said.append(
            "\(one.name): contention σ = \(Figures.percent(law.contention, signed: false)), coherency κ = \(Figures.percent(law.coherency, signed: false))\(law.peak.map { ", peak at \(Figures.fixed($0, 1)) threads" } ?? "")"
          )
        }
        if one.engine == "reference", let first = one.points.first, let last = one.points.last {
          guides.append(
            LineChart.Series(
              name: "linear",
              points: [first.0, last.0].map {
                .init(x: $0, y: first.1.value / first.0 * $0)
              }, ink: 5, isGuide: true))
        }
      }
      let top = all.flatMap { one in one.points.map { (one.name, $0) } }
        .max { $0.1.1.value < $1.1.1.value }
      let finding =
        top.map {
          "Highest: \($0.0) with \(Figures.text($0.1.1.value, "op/s")) at \(Int($0.1.0)) threads."
        } ?? ""
      html +=
        LineChart(
          id: "scale-" + Markup.anchor(family),
          title: "\(family): operations per second by threads",
          finding: finding, xTitle: "threads", yTitle: "all threads together", yUnit: "op/s",
          series: lines(all, hollowAbove: cores) + guides, logX: true,
          shade: (cores * 1.15, "more than \(CSV.number(cores)) cores")
        ).figure.html
        + "<ul>" + said.map { "<li>\(Markup.escape($0))</li>" }.joined() + "</ul>"
    }
    guard !html.isEmpty else { return nil }
    return PageSection(
      id: "scaling", title: "Scaling",
      html:
        "<p>Hollow marks are beyond the cores of this machine: there threads share a core and nothing can be gained. σ is the share that waits in line, κ what threads cost each other by talking (Universal Scalability Law).</p>"
        + html)
  }

  private var latency: PageSection? {
    let timed = run.results.filter { $0.valid && $0.histogram != nil && $0.side != "B" }
    guard !timed.isEmpty else { return nil }
    var html = ""
    var table = HTMLTable(
      "Durations of single operations, all rounds merged",
      [
        .init("benchmark"), .init("engine"), .init("n", number: true), .init("p50", number: true),
        .init("p90", number: true), .init("p99", number: true), .init("p99.9", number: true),
        .init("max", number: true),
      ])
    for (benchmark, results) in byBenchmark {
      var lines: [LineChart.Series] = []
      for result in results {
        guard result.valid, let text = result.histogram, let h = Histogram(encoded: text) else {
          continue
        }
        func cell(_ share: Double) -> HTMLTable.Cell {
          h.total < Histogram.needed(for: share)
            ? .init("n too small", kind: "soft")
            : .init(Figures.text(Double(h.quantile(share)), "ns"))
        }
        table.add([
          .init(benchmark), .init(result.engine), .init(Figures.text(Double(h.total), "")),
          cell(0.5), cell(0.9), cell(0.99), cell(0.999),
          .init(Figures.text(Double(h.largest), "ns")),
        ])
        let nines = [0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999].filter {
          $0 == 0 || h.total >= Histogram.needed(for: $0)
        }
        lines.append(
          LineChart.Series(
            name: result.engine,
            points: nines.map {
              .init(x: 1 / (1 - $0), y: max(1, Double(h.quantile(max($0, 0.01)))))
            },
            ink: ink(result.engine)))
      }
      guard lines.count > 1, lines.contains(where: { $0.points.count > 4 }) else { continue }
      let labels = [(1.0, "0"), (2, "50 %"), (10, "90 %"), (100, "99 %"), (1000, "99.9 %")]
      html +=
        LineChart(
          id: "tail-" + Markup.anchor(benchmark),
          title: "\(benchmark): share of operations done in time",
          finding:
            "Service time, closed loop: each operation starts when the one before has ended. Logarithmic on both axes; percentiles without ten values beyond them are left out.",
          xTitle: "share of operations", yTitle: "no longer than", yUnit: "ns", series: lines,
          logX: true, logY: true,
          xLabels: labels.filter { label in
            label.0 <= (lines.flatMap { $0.points.map(\.x) }.max() ?? 1) * 1.01
          }
        ).figure.html
    }
    return PageSection(id: "latency", title: "Latency", html: table.html + html)
  }

  private var growth: PageSection? {
    let all = series("frozen.growth", by: "held", metric: "growth")
    guard !all.isEmpty else { return nil }
    let worst = all.flatMap { one in one.points.map { (one.name, $0) } }
      .max { $0.1.1.value < $1.1.1.value }
    return PageSection(
      id: "growth", title: "What held versions cost",
      html: LineChart(
        id: "growth-chart", title: "File growth per commit by versions held",
        finding: worst.map {
          "Most: \(Figures.text($0.1.1.value, "B")) per commit with \(Int($0.1.0)) versions held (\($0.0))."
        } ?? "",
        xTitle: "versions held", yTitle: "growth per commit", yUnit: "B",
        series: lines(all, hollowAbove: .infinity)
      ).figure.html)
  }

  private var grouping: PageSection? {
    let times = series("async.commit", by: "group", metric: "time")
    guard !times.isEmpty else { return nil }
    var said = ""
    if let ours = times.first(where: { $0.engine == "reference" }),
      let one = ours.points.first, let most = ours.points.last
    {
      said =
        "A commit costs \(Figures.text(one.1.value, "ns")) in groups of \(Int(one.0)) and \(Figures.text(most.1.value, "ns")) in groups of \(Int(most.0)): \(Figures.times(one.1.value / most.1.value)) as many commits in the same time."
    }
    let chart = LineChart(
      id: "grouping-time", title: "Time per commit by commits in a group", finding: said,
      xTitle: "commits in a group", yTitle: "time per commit", yUnit: "ns",
      series: lines(times, hollowAbove: .infinity), logX: true, logY: true)
    let flushes = series("async.commit", by: "group", metric: "flushes")
    let second =
      flushes.isEmpty
      ? ""
      : LineChart(
        id: "grouping-flushes", title: "Flushes per commit",
        finding: "One flush can make many commits durable.",
        xTitle: "commits in a group", yTitle: "flushes per commit", yUnit: "",
        series: lines(flushes, hollowAbove: .infinity), logX: true
      ).figure.html
    return PageSection(
      id: "grouping", title: "Grouped commits",
      html: "<p>\(Markup.escape(run.environment.storage.durability.sentence)).</p>"
        + chart.figure.html + second)
  }

  private var ways: PageSection? {
    let own = run.results.filter {
      $0.valid && $0.name.chapter == "ways" && $0["time"] != nil && $0.side != "B"
    }
    guard !own.isEmpty else { return nil }
    let sizes = Set(own.compactMap { $0.name.parameters["objects"].flatMap(Int.init) }).sorted()
    guard !sizes.isEmpty else { return nil }
    var table = HTMLTable(
      "Time to hand objects to another thread and read a property of each there",
      [.init("way")] + sizes.map { .init("\($0) objects", number: true) })
    var families: [String] = []
    for one in own where !families.contains(one.name.family) { families.append(one.name.family) }
    func value(_ family: String, _ size: Int) -> Finding.Value? {
      own.first { $0.name.family == family && $0.name.parameters["objects"] == String(size) }?[
        "time"]
    }
    for family in families {
      table.add(
        [HTMLTable.Cell(String(family.dropFirst("ways.".count)))]
          + sizes.map { size in
            guard let time = value(family, size) else { return "" }
            let best = families.compactMap { value($0, size)?.value }.min()
            return HTMLTable.Cell(
              Figures.text(time.value, "ns", low: time.low, high: time.high),
              kind: time.value == best ? "best" : "")
          })
    }
    let advice = sizes.compactMap { size -> String? in
      let known = families.compactMap { family in value(family, size).map { (family, $0.value) } }
      guard let best = known.min(by: { $0.1 < $1.1 }) else { return nil }
      return
        "<li>\(size) objects: <b>\(Markup.escape(String(best.0.dropFirst(5))))</b>, \(Figures.text(best.1, "ns"))</li>"
    }.joined()
    return PageSection(
      id: "ways", title: "Which way across threads",
      html: "<p>Cheapest on this machine:</p><ul>\(advice)</ul>" + table.html)
  }

  private var resources: PageSection? {
    let names = [
      "allocations", "allocated", "instructions", "syscalls", "writes", "bytes", "flushes",
    ]
    let own = run.results.filter { result in
      result.valid && result.side != "B" && result.name.chapter != "floor"
        && names.contains { result[$0] != nil }
    }
    guard !own.isEmpty else { return nil }
    var table = HTMLTable(
      "Per operation, counted in a pass of their own that is never timed",
      [.init("benchmark"), .init("engine")] + names.map { .init($0, number: true) })
    for result in own {
      table.add(
        [HTMLTable.Cell(result.benchmark), HTMLTable.Cell(result.engine)]
          + names.map { name in
            HTMLTable.Cell(
              result[name].map {
                Figures.text($0.value, Metric.named(name).unit == "B/op" ? "B" : "")
              } ?? "")
          })
    }
    return PageSection(id: "resources", title: "What an operation uses", html: table.html)
  }

  // MARK: Machine and method

  static func machine(_ environment: Environment) -> PageSection {
    let facts = environment.facts.filter { !$0.value.isEmpty }.map {
      "<dt>\(Markup.escape($0.name))</dt><dd>\(Markup.escape($0.value))</dd>"
    }.joined()
    var engines = HTMLTable("Engines", [.init("engine"), .init("version"), .init("set up as")])
    for engine in environment.engines {
      engines.add([.init(engine.name), .init(engine.version), .init(engine.setting)])
    }
    return PageSection(
      id: "machine", title: "Machine and engines",
      html: (environment.engines.isEmpty ? "" : engines.html) + "<dl class=\"facts\">\(facts)</dl>")
  }

  static func method(_ run: Run) -> PageSection {
    let metrics = Metric.all.map {
      "<dt>\($0.name)</dt><dd>\(Markup.escape($0.sentence)) (\(Markup.escape($0.unit)), \($0.better.rawValue) is better, \($0.kind.rawValue))</dd>"
    }.joined()
    return PageSection(
      id: "method", title: "How these numbers were made",
      html: """
        <p>Each round is a fresh process that warms up until five batches in a row are steady, then measures batches that
        last at least a thousand times what reading the clock costs. Rounds of all benchmarks and engines are mixed in
        a random order from the printed seed. A value is the median over rounds of the median over batches; its
        interval comes from order statistics of the rounds and covers 95 % from six rounds on, less below. Percentiles
        are read from the merged histogram of all rounds, three significant digits, and are shown only with ten values
        beyond them. Every benchmark checks its answer; a wrong answer has no speed. Counts come from a separate
        process that is never timed.</p>
        <p>Made with: <code>\(Markup.escape(run.asked.command))</code></p>
        <details><summary>Every metric</summary><dl class="facts">\(metrics)</dl></details>
        <p>No score sums up machines or engines: they differ in what they promise.</p>
        """)
  }
}
