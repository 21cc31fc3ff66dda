import Evidence

/// What versions that somebody holds cost the file.
struct GrowthSection {
  let run: Run

  private var all: [Run.Series] { run.series("frozen.growth", by: "held", metric: "growth") }

  /// The dearest line in words; nil when nothing was held.
  var finding: String? {
    all.flatMap { one in one.points.map { (one.name, $0) } }
      .max { $0.1.value.value < $1.1.value.value }
      .map { name, point in
        let growth = Figures.text(point.value.value, "B")
        return "Most: \(growth) per commit with \(Int(point.x)) versions held (\(name))."
      }
  }

  var section: PageSection? {
    guard !all.isEmpty else { return nil }
    let chart = LineChart(
      id: "growth-chart", title: "File growth per commit by versions held",
      finding: finding ?? "", xTitle: "versions held", yTitle: "growth per commit", yUnit: "B",
      series: LineChart.Series.lines(all))
    return PageSection(
      id: "growth", title: "What held versions cost", html: chart.figure.html)
  }
}
