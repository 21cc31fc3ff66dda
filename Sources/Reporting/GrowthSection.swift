import Evidence

/// What versions that somebody holds cost the file.
struct GrowthSection {
  let run: Run

  private var all: [Run.Series] { run.series("frozen.growth", by: "held", metric: "growth") }

  /// What each engine's file grows by when most is held: a sentence for each combination of the
  /// other parameters, for one object changed and one in a hundred are two things.
  var findings: [String] {
    let settings = all.map(\.rest).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return settings.compactMap { setting in
      let own = all.filter { $0.rest == setting }
      guard let held = own.compactMap({ $0.points.last?.x }).max() else { return nil }
      let engines = own.compactMap { one in
        one.points.last { $0.x == held }.map { "\(one.engine) \(Figures.text($0.value, "B"))" }
      }
      let versions = Figures.count(Int(nearest: held), "version")
      return "the file grows with each commit while \(versions) are held"
        + (setting.isEmpty ? "" : " (\(setting))") + ": \(engines.joined(separator: ", "))."
    }
  }

  var section: PageSection? {
    guard !all.isEmpty else { return nil }
    let chart = LineChart(
      id: "growth-chart", title: "File growth per commit by versions held",
      finding: findings.map { $0.capitalizedFirst }.joined(separator: " "), xTitle: "versions held",
      yTitle: "growth per commit", yUnit: "B",
      series: LineChart.Series.lines(all), logX: true)
    return PageSection(
      id: "growth", title: "What held versions cost", html: chart.figure.html)
  }
}
