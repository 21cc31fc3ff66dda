import Evidence
import Foundation

/// The page of many runs over time: lines, steps, and where the machine changed.
///
/// A line holds what can be compared: numbers of one machine, of one length of rounds, and ratios
/// to one pinned build apart from numbers of their own.
package struct TrendReport {
  private let runs: [Run]
  /// All numbers, oldest first.
  private let points: [HistoryPoint]
  /// Where each run stands in time.
  private let places: [String: Int]
  private let links: Links
  /// Where the page of a run lies, seen from this one; nil: names of runs are no links.
  private let page: @Sendable (Run) -> String?

  /// `earlier`: numbers of runs whose directories may be gone.
  package init(
    _ runs: [Run], earlier: [HistoryPoint] = [], links: Links = Links(),
    page: @escaping @Sendable (Run) -> String? = { _ in nil }
  ) {
    self.page = page
    self.links = links
    self.runs = runs.filter { !$0.own.isEmpty }.sorted {
      ($0.started, $0.id) < ($1.started, $1.id)
    }
    let there = Set(runs.map(\.id))
    points = (earlier.filter { !there.contains($0.run) } + self.runs.flatMap(HistoryPoint.of))
      .enumerated().sorted {
        ($0.element.time, $0.element.run, $0.offset) < ($1.element.time, $1.element.run, $1.offset)
      }.map(\.element)
    var places: [String: Int] = [:]
    for point in points where places[point.run] == nil { places[point.run] = places.count }
    self.places = places
  }

  private struct Series {
    let key: HistoryPoint.Key
    let unit: String
    var points: [HistoryPoint]

    /// What sets it apart beside its benchmark and engine.
    func label(ofSeveral machines: Bool) -> String {
      let pinned = key.pin.map { "\(key.metric) as a multiple of \($0.prefix(12))'s" }
      return (pinned ?? key.metric) + (key.quick ? ", first impressions" : "")
        + (machines ? ", on \(key.machine)" : "")
    }
  }

  /// Ratios first: only of these drift of the machine is no step.
  private var series: [Series] {
    var order: [HistoryPoint.Key] = []
    var found: [HistoryPoint.Key: Series] = [:]
    for point in points {
      if found[point.key] == nil {
        order.append(point.key)
        found[point.key] = Series(key: point.key, unit: point.unit, points: [])
      }
      found[point.key]?.points.append(point)
    }
    let all = order.compactMap { found[$0] }
    return all.filter { $0.key.pin != nil } + all.filter { $0.key.pin == nil }
  }

  private var machineNames: [String] { Set(points.map(\.machine)).sorted() }

  private func label(_ one: Series) -> String { one.label(ofSeveral: machineNames.count > 1) }

  private func steps(_ one: Series) -> [ChangePoints.Step] {
    ChangePoints.find(
      one.points.map(\.value),
      seed: derivedSeed(1, one.key.benchmark + one.key.engine + (one.key.pin ?? "")))
  }

  package var html: String {
    var table = HTMLTable(
      "Steps, largest first",
      [
        .init("benchmark"), .init("engine"), .init("what"), .init("change", number: true),
        .init("between"), .init("P", number: true),
      ])
    var found: [(Series, ChangePoints.Step)] = []
    var charts = ""
    for one in series where one.points.count >= 2 {
      let own = steps(one)
      found += own.map { (one, $0) }
      charts += chart(one, own)
    }
    if !charts.isEmpty { charts = "<div class=\"charts\">\(charts)</div>" }
    for (one, step) in found.sorted(by: { abs(log($0.1.ratio)) > abs(log($1.1.ratio)) }) {
      table.add([
        .init(html: link(one, at: step)), .init(one.key.engine), .init(label(one)),
        .init(Figures.percent(step.ratio - 1), value: step.ratio),
        .init(
          "\(one.points[step.index - 1].commit) … \(one.points[step.index].commit)"
        ), .init(Figures.fixed(step.p, 4)),
      ])
    }
    let largest = found.max { abs(log($0.1.ratio)) < abs(log($1.1.ratio)) }.map { one, step in
      "; the largest: \(one.key.benchmark) (\(one.key.engine)), \(label(one)), "
        + "\(Figures.percent(step.ratio - 1)) at \(one.points[step.index].commit)"
    }
    let answer =
      "\(Figures.count(places.count, "run")), \(series.count) series, "
      + "\(Figures.count(found.count, "step")) of 3 % or more\(largest ?? "")"
    let list = HTMLTable(
      "Runs", [.init("run"), .init("started"), .init("commit"), .init("machine"), .init("state")])
    var runsTable = list
    for run in runs {
      runsTable.add([
        .init(html: link(run, to: "", as: run.id)), .init(run.started),
        .init(run.commit), .init(run.environment.machineID), .init(run.state.rawValue),
      ])
    }
    return Page(
      title: "realm-bench: history",
      lead: "<p class=\"answer\">\(Markup.escape(answer)).</p>\(machines)",
      sections: [
        PageSection(
          id: "steps", title: "Steps", note: Figures.count(found.count, "step"),
          html: (table.isEmpty ? "<p>No series steps.</p>" : table.html)
            + "<p>A step is where ranks before and after differ most; its P-value comes from "
            + "random orders of the same values. It never gates: confirm with <code>realm-bench "
            + "ab</code>. A multiple of a pinned build, which every <code>ab --base</code> of that "
            + "build adds to, knows nothing of a machine that drifts; one of its own does.</p>",
          isOpen: true),
        PageSection(
          id: "series", title: "Series", note: "\(series.count) over \(places.count) runs",
          html: charts),
        PageSection(id: "runs", title: "Runs", html: runsTable.html),
      ]
    ).html
  }

  /// A benchmark, with a link to it on the page of the run where a step shows first.
  private func link(_ one: Series, at step: ChangePoints.Step) -> String {
    let name = one.key.benchmark
    guard let run = runs.first(where: { $0.id == one.points[step.index].run }) else {
      return Markup.escape(name)
    }
    let place = run.catalogue?.first { $0.name == BenchmarkName(parsing: name).family }?.source
    return [
      link(run, to: Links.anchor(name), as: name),
      links.base == nil ? "" : links.source(place ?? "", as: "source"),
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func link(_ run: Run, to anchor: String, as text: String) -> String {
    guard let page = page(run) else { return Markup.escape(text) }
    let target = anchor.isEmpty ? page : "\(page)#\(anchor)"
    return "<a href=\"\(Markup.escape(target))\">\(Markup.escape(text))</a>"
  }

  private var machines: String {
    let names = machineNames
    guard names.count > 1 else { return "" }
    return
      "<div class=\"box box-warn\"><p>These runs come from \(names.count) machines: each has "
      + "series of its own.</p></div>"
  }

  private func chart(_ one: Series, _ steps: [ChangePoints.Step]) -> String {
    let said =
      steps.isEmpty
      ? "No step."
      : steps.map {
        "\(Figures.percent($0.ratio - 1)) at \(one.points[$0.index].commit)"
      }.joined(separator: ", ") + "."
    let (label, isRatio) = (label(one), one.key.pin != nil)
    let id = [
      one.key.benchmark, one.key.engine, one.key.metric, one.key.pin ?? "",
      one.key.quick ? "quick" : "", machineNames.count > 1 ? one.key.machine : "",
    ].filter { !$0.isEmpty }.joined(separator: "-")
    return LineChart(
      id: "trend-" + Markup.anchor(id),
      title: "\(one.key.benchmark), \(one.key.engine): \(label)", finding: said,
      xTitle: "run, oldest first", yTitle: isRatio ? "times the pinned build" : one.key.metric,
      yUnit: isRatio ? "" : one.unit.replacing("/op", with: ""),
      series: [
        .init(
          name: one.key.engine,
          points: one.points.map {
            .init(x: Double(places[$0.run] ?? 0) + 1, y: $0.value, low: $0.low, high: $0.high)
          }, ink: 0)
      ], fromZero: !isRatio
    ).figure.html
  }

  /// `history.csv`: one row per run and series, oldest first.
  package var csv: String {
    var out = CSV.row([
      "time", "run", "commit", "machine", "benchmark", "engine", "metric", "unit", "value", "low",
      "high", "pin", "quick",
    ])
    for point in series.flatMap(\.points) {
      out += CSV.row([
        point.time, point.run, point.commit, point.machine, point.benchmark, point.engine,
        point.metric, point.unit, CSV.number(point.value), CSV.number(point.low),
        CSV.number(point.high), point.pin ?? "", point.quick ? "yes" : "no",
      ])
    }
    return out
  }

  /// Files for Apache Otava, with all runs in them, and ratios of those that are gone.
  package var otava: [Exporter.File] {
    let there = Set(runs.map(\.id))
    return OtavaExport.files(runs, earlier: points.filter { !there.contains($0.run) })
  }

  /// The numbers of the runs at hand, for `history.ndjson`.
  package var fresh: [HistoryPoint] { runs.flatMap(HistoryPoint.of) }

  package var text: String {
    var out = ""
    for one in series {
      for step in steps(one) {
        out +=
          Printable.line(
            "\(Figures.percent(step.ratio - 1))  \(one.key.benchmark) \(one.key.engine) "
              + "\(label(one)), at run \(one.points[step.index].run)") + "\n"
      }
    }
    return out.isEmpty
      ? "no series steps by 3 % or more over \(Figures.count(places.count, "run"))\n" : out
  }

  /// The steps as a table, for a page or a pull request.
  package var markdown: String {
    var table = TextTable(["benchmark", "engine", "what", "change>", "at run", "commit", "P>"])
    for one in series {
      for step in steps(one) {
        let point = one.points[step.index]
        table.add(
          [
            one.key.benchmark, one.key.engine, label(one), Figures.percent(step.ratio - 1),
            point.run, point.commit,
          ].map(SummaryMarkdown.escape) + [Figures.fixed(step.p, 4)])
      }
    }
    return table.isEmpty ? text : table.markdown
  }

  /// Every series with its points and steps, as one JSON document.
  package var json: String {
    let series = series.map { one -> Json in
      let points = one.points.map { point -> Json in
        .object([
          ("run", .text(point.run)), ("time", .text(point.time)), ("commit", .text(point.commit)),
          ("machine", .text(point.machine)), ("value", .number(point.value)),
          ("low", .number(point.low)), ("high", .number(point.high)),
        ])
      }
      let steps = steps(one).map { step -> Json in
        let (from, to) = (one.points[step.index - 1], one.points[step.index])
        return .object([
          ("run", .text(to.run)), ("after", .text(from.run)), ("commit", .text(to.commit)),
          ("change", .number(step.ratio - 1)), ("p", .number(step.p)),
        ])
      }
      return .object([
        ("benchmark", .text(one.key.benchmark)), ("engine", .text(one.key.engine)),
        ("metric", .text(one.key.metric)), ("unit", .text(one.unit)),
        ("machine", .text(one.key.machine)), ("pin", .text(one.key.pin ?? "")),
        ("points", .list(points)), ("steps", .list(steps)),
      ])
    }
    return Json.object([
      ("schema", .number(1)), ("runs", .number(Double(places.count))), ("series", .list(series)),
    ]).spelled + "\n"
  }
}
