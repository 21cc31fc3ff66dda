import Evidence

/// Many commits made durable together: time and flushes of each by the size of the group.
struct GroupingSection {
  let run: Run

  private var times: [Run.Series] { run.series("async.commit", by: "group", metric: "time") }

  /// What grouping saves on this machine: a sentence for each combination of the other parameters.
  var findings: [String] {
    times.filter { $0.engine == "reference" }.compactMap { ours in
      guard let one = ours.points.first, let most = ours.points.last else { return nil }
      let (alone, together) = (one.value.value, most.value.value)
      let saved = alone / together
      let isLone = one.value.isLone || most.value.isLone
      let times = isLone ? Figures.loneTimes(saved) : Figures.times(saved)
      let compared =
        saved >= 1
        ? "\(times) as many commits in the same time" : "grouping gained nothing here"
      let setting = ours.rest.isEmpty ? "" : " (\(ours.rest))"
      let groups = (Int(nearest: one.x), Int(nearest: most.x))
      return "a commit costs \(Figures.text(one.value, "ns")) in groups of \(groups.0) and "
        + "\(Figures.text(most.value, "ns")) in groups of \(groups.1)\(setting): "
        + "\(compared)\(savedFlushes(ours.rest))."
    }
  }

  /// Why: the flushes that each commit has to pay for.
  private func savedFlushes(_ setting: String) -> String {
    let counted = run.series("async.commit", by: "group", metric: "flushes")
    guard let ours = counted.first(where: { $0.engine == "reference" && $0.rest == setting }),
      let one = ours.points.first, let most = ours.points.last, one.x < most.x
    else { return "" }
    let (alone, together) = (one.value.value, most.value.value)
    return
      ", with \(Figures.text(together, "")) flushes for each instead of \(Figures.text(alone, ""))"
  }

  var section: PageSection? {
    guard !times.isEmpty else { return nil }
    let chart = LineChart(
      id: "grouping-time", title: "Time per commit by commits in a group",
      finding: findings.map { $0.capitalizedFirst }.joined(separator: " "),
      xTitle: "commits in a group", yTitle: "time per commit", yUnit: "ns",
      series: LineChart.Series.lines(times), logX: true)
    let durability = Markup.escape(run.environment.storage.durability.sentence)
    return PageSection(
      id: "grouping", title: "Grouped commits",
      html:
        "<p>\(durability.capitalizedFirst).</p><div "
        + "class=\"charts\">\(chart.figure.html)\(flushes)</div>"
    )
  }

  private var flushes: String {
    let flushes = run.series("async.commit", by: "group", metric: "flushes")
    guard !flushes.isEmpty else { return "" }
    return LineChart(
      id: "grouping-flushes", title: "Flushes per commit",
      finding: "One flush can make many commits durable.",
      xTitle: "commits in a group", yTitle: "flushes per commit", yUnit: "",
      series: LineChart.Series.lines(flushes), logX: true
    ).figure.html
  }
}
