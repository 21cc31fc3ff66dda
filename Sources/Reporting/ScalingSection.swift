import Evidence

/// Threads against throughput, with the law that fits and what it says.
struct ScalingSection {
  let run: Run

  private var cores: Double { max(1, run.environment.usableCores) }

  var section: PageSection? {
    let families = Set(run.own.map(\.name.family)).sorted()
    let figures = families.map(figure).joined()
    guard !figures.isEmpty else { return nil }
    return PageSection(
      id: "scaling", title: "Scaling",
      html:
        "<p>Hollow marks are beyond the cores of this machine: there threads share a core and "
        + "nothing can be gained. σ is the share that waits in line, κ what threads cost each "
        + "other by talking (Universal Scalability Law).</p>"
        + "<div class=\"charts\">\(figures)</div>")
  }

  private func figure(_ family: String) -> String {
    let all = run.series(family, by: "threads", metric: "rate")
    guard !all.isEmpty else { return "" }
    let top = all.flatMap { one in one.points.map { (one.name, $0) } }
      .max { $0.1.value.value < $1.1.value.value }
    let finding =
      top.map {
        "Highest: \($0.0) with \(Figures.text($0.1.value, "op/s")) at "
          + "\(Figures.count(Int(nearest: $0.1.x), "thread"))."
      } ?? ""
    let chart = LineChart(
      id: "scale-" + Markup.anchor(family), title: "\(family): operations per second by threads",
      finding: finding, xTitle: "threads", yTitle: "all threads together", yUnit: "op/s",
      series: LineChart.Series.lines(all, hollowAbove: cores) + all.compactMap(ideal), logX: true,
      shade: (cores * 1.15, "more than \(CSV.number(cores)) \(cores == 1 ? "core" : "cores")"))
    let laws = all.compactMap(law).map { "<li>\(Markup.escape($0))</li>" }.joined()
    return "<div>\(chart.figure.html)<ul>\(laws)</ul></div>"
  }

  /// What perfect scaling of the first point would be.
  private func ideal(_ one: Run.Series) -> LineChart.Series? {
    guard one.engine == "reference", let first = one.points.first, let last = one.points.last
    else { return nil }
    return LineChart.Series(
      name: "linear",
      points: [first.x, last.x].map { .init(x: $0, y: first.value.value / first.x * $0) },
      ink: 5, isGuide: true)
  }

  private func law(_ one: Run.Series) -> String? {
    guard let law = Scalability(one.points.map { ($0.x, $0.value.value) }) else { return nil }
    let contention = Figures.percent(law.contention, signed: false)
    let coherency = Figures.percent(law.coherency, signed: false)
    let peak = law.peak.map { ", peak at \(Figures.fixed($0, 1)) threads" } ?? ""
    return "\(one.name): contention σ = \(contention), coherency κ = \(coherency)\(peak)"
  }
}
