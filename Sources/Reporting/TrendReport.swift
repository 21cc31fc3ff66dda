import Evidence
import Foundation

/// The page of many runs over time: lines, steps, and where the machine changed.
package struct TrendReport {
  private let runs: [Run]
  /// Where the page of a run lies, seen from this one; nil: names of runs are no links.
  private let page: @Sendable (Run) -> String?

  package init(_ runs: [Run], page: @escaping @Sendable (Run) -> String? = { _ in nil }) {
    self.page = page
    self.runs = runs.filter { !$0.own.isEmpty }.sorted {
      ($0.started, $0.id) < ($1.started, $1.id)
    }
  }

  private struct Series {
    let benchmark: String
    let engine: String
    let metric: String
    var points: [(run: Int, value: Finding.Value)]
  }

  private var series: [Series] {
    var order: [String] = []
    var found: [String: Series] = [:]
    for (place, run) in runs.enumerated() {
      for finding in run.own where finding.valid {
        guard let head = finding.subjectValue else { continue }
        let key = "\(finding.benchmark) \(finding.engine)"
        if found[key] == nil {
          order.append(key)
          found[key] = Series(
            benchmark: finding.benchmark, engine: finding.engine, metric: head.metric, points: [])
        }
        if found[key]?.metric == head.metric { found[key]?.points.append((place, head)) }
      }
    }
    return order.compactMap { found[$0] }
  }

  /// Steps of a series that are not the machine's: runs of the last machine only.
  private func steps(_ one: Series) -> [ChangePoints.Step] {
    ChangePoints.find(
      one.points.map(\.value.value), seed: derivedSeed(1, one.benchmark + one.engine))
  }

  package var html: String {
    var table = HTMLTable(
      "Steps, largest first",
      [
        .init("benchmark"), .init("engine"), .init("metric"), .init("change", number: true),
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
        .init(html: link(one, at: step)), .init(one.engine), .init(one.metric),
        .init(Figures.percent(step.ratio - 1), value: step.ratio),
        .init(
          "\(runs[one.points[step.index - 1].run].commit) "
            + "… \(runs[one.points[step.index].run].commit)"
        ), .init(Figures.fixed(step.p, 4)),
      ])
    }
    let answer =
      "\(Figures.count(runs.count, "run")), \(series.count) series, "
      + "\(Figures.count(found.count, "step")) of 3 % or more"
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
      title: "realm-bench: history", lead: "<p class=\"answer\">\(answer).</p>\(machines)",
      sections: [
        PageSection(
          id: "steps", title: "Steps",
          html: (table.isEmpty ? "<p>No series steps.</p>" : table.html)
            + "<p>A step is where ranks before and after differ most; its P-value comes from "
            + "random orders of the same values. It never gates: confirm with <code>realm-bench "
            + "ab</code>.</p>"
        ),
        PageSection(
          id: "series", title: "Series", note: "\(series.count) over \(runs.count) runs",
          html: charts),
        PageSection(id: "runs", title: "Runs", html: runsTable.html),
      ]
    ).html
  }

  /// A benchmark, with a link to it on the page of the run where a step shows first.
  private func link(_ one: Series, at step: ChangePoints.Step) -> String {
    link(runs[one.points[step.index].run], to: Links.anchor(one.benchmark), as: one.benchmark)
  }

  private func link(_ run: Run, to anchor: String, as text: String) -> String {
    guard let page = page(run) else { return Markup.escape(text) }
    let target = anchor.isEmpty ? page : "\(page)#\(anchor)"
    return "<a href=\"\(Markup.escape(target))\">\(Markup.escape(text))</a>"
  }

  private var machines: String {
    let names = Set(runs.map(\.environment.machineID))
    guard names.count > 1 else { return "" }
    return
      "<div class=\"box box-warn\"><p>These runs come from \(names.count) machines: a step may be "
      + "a change of machine.</p></div>"
  }

  private func chart(_ one: Series, _ steps: [ChangePoints.Step]) -> String {
    let unit = Metric.named(one.metric).unit
    let said =
      steps.isEmpty
      ? "No step."
      : steps.map {
        "\(Figures.percent($0.ratio - 1)) at \(runs[one.points[$0.index].run].commit)"
      }.joined(separator: ", ") + "."
    return LineChart(
      id: "trend-" + Markup.anchor("\(one.benchmark)-\(one.engine)"),
      title: "\(one.benchmark), \(one.engine): \(one.metric)", finding: said,
      xTitle: "run, oldest first",
      yTitle: one.metric, yUnit: unit.replacing("/op", with: ""),
      series: [
        .init(
          name: one.engine,
          points: one.points.map {
            .init(x: Double($0.run + 1), y: $0.value.value, low: $0.value.low, high: $0.value.high)
          }, ink: 0)
      ]
    ).figure.html
  }

  /// `history.csv`: one row per run and series, oldest first.
  package var csv: String {
    var out = CSV.row([
      "time", "run", "commit", "machine", "benchmark", "engine", "metric", "unit", "value", "low",
      "high",
    ])
    for one in series {
      for point in one.points {
        let run = runs[point.run]
        out += CSV.row([
          run.started, run.id, run.commit, run.environment.machineID, one.benchmark,
          one.engine, one.metric, Metric.named(one.metric).unit, CSV.number(point.value.value),
          CSV.number(point.value.low), CSV.number(point.value.high),
        ])
      }
    }
    return out
  }

  /// Files for Apache Otava, with all runs in them.
  package var otava: [Exporter.File] { OtavaExport.files(runs) }

  package var text: String {
    var out = ""
    for one in series {
      for step in steps(one) {
        out +=
          "\(Figures.percent(step.ratio - 1))  \(one.benchmark) \(one.engine) \(one.metric), at "
          + "run \(runs[one.points[step.index].run].id)\n"
      }
    }
    return out.isEmpty
      ? "no series steps by 3 % or more over \(Figures.count(runs.count, "run"))\n" : out
  }

  /// The steps as a table, for a page or a pull request.
  package var markdown: String {
    var table = TextTable(["benchmark", "engine", "metric", "change>", "at run", "commit", "P>"])
    for one in series {
      for step in steps(one) {
        let run = runs[one.points[step.index].run]
        table.add(
          [one.benchmark, one.engine, one.metric, Figures.percent(step.ratio - 1), run.id]
            .map(SummaryMarkdown.escape)
            + [SummaryMarkdown.escape(run.commit), Figures.fixed(step.p, 4)])
      }
    }
    return table.isEmpty ? text : table.markdown
  }

  /// Every series with its points and steps, as one JSON document.
  package var json: String {
    let series = series.map { one -> Json in
      let points = one.points.map { point -> Json in
        let run = runs[point.run]
        return .object([
          ("run", .text(run.id)), ("time", .text(run.started)), ("commit", .text(run.commit)),
          ("machine", .text(run.environment.machineID)), ("value", .number(point.value.value)),
          ("low", .number(point.value.low)), ("high", .number(point.value.high)),
        ])
      }
      let steps = steps(one).map { step -> Json in
        let (from, to) = (runs[one.points[step.index - 1].run], runs[one.points[step.index].run])
        return .object([
          ("run", .text(to.id)), ("after", .text(from.id)), ("commit", .text(to.commit)),
          ("change", .number(step.ratio - 1)), ("p", .number(step.p)),
        ])
      }
      return .object([
        ("benchmark", .text(one.benchmark)), ("engine", .text(one.engine)),
        ("metric", .text(one.metric)), ("unit", .text(Metric.named(one.metric).unit)),
        ("points", .list(points)), ("steps", .list(steps)),
      ])
    }
    return Json.object([
      ("schema", .number(1)), ("runs", .number(Double(runs.count))), ("series", .list(series)),
    ]).spelled + "\n"
  }
}
