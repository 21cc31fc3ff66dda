import Evidence

/// What versions that somebody holds cost the file.
struct GrowthSection {
  let run: Run

  private var all: [Run.Series] { run.series("frozen.growth", by: "held", metric: "growth") }

  /// What each engine's file grows by when most is held; nil when nothing was held.
  var finding: String? {
    let engines = all.compactMap { one -> String? in
      guard let most = one.points.last else { return nil }
      return "\(one.engine) \(Figures.text(most.value.value, "B"))"
    }
    guard !engines.isEmpty, let held = all.compactMap({ $0.points.last?.x }).max() else {
      return nil
    }
    return "The file grows with each commit while \(Int(held)) versions are held: "
      + "\(engines.joined(separator: ", "))."
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
