import Evidence

/// The same operations on files of all sizes: what they take, and how much memory.
struct SizeSection {
  let run: Run

  private struct Work {
    let family: String
    /// Its value of the parameter `what`.
    let what: String
    let title: String

    var id: String { "size-\(what)" }
  }

  private static let works = [
    Work(family: "reads.size", what: "by-primary-key", title: "One person by primary key"),
    Work(family: "reads.size", what: "sum", title: "The ages of all added up"),
    Work(family: "writes.size", what: "commit", title: "A durable commit of one Int"),
    Work(family: "writes.size", what: "told", title: "A commit, until an observer is told"),
  ]

  private func lines(_ work: Work, _ metric: String) -> [LineChart.Series] {
    LineChart.Series.lines(series(work, metric)).map { line in
      var line = line
      line.name = line.name.replacing(" what=\(work.what)", with: "")
      return line
    }
  }

  private func series(_ work: Work, _ metric: String) -> [Run.Series] {
    run.series(work.family, by: "rows", metric: metric).filter { $0.rest == "what=\(work.what)" }
  }

  /// How many times as long it takes in the largest file as in the smallest.
  private func finding(_ work: Work) -> String {
    let all = series(work, "time")
    guard let first = all.first?.points.first, let last = all.first?.points.last else { return "" }
    let growth = all.compactMap { one -> String? in
      guard let from = one.points.first, let to = one.points.last, from.value.value > 0,
        from.x == first.x, to.x == last.x
      else { return nil }
      return "\(one.engine) \(Figures.times(to.value.value / from.value.value))"
    }
    return "With \(Figures.tick(last.x, "")) rows, of what it takes with "
      + "\(Figures.tick(first.x, "")): \(growth.joined(separator: ", "))."
  }

  var section: PageSection? {
    let figures = SizeSection.works.flatMap { work -> [String] in
      let times = lines(work, "time")
      if times.isEmpty { return [] }
      let memory = lines(work, "memory")
      let time = LineChart(
        id: work.id, title: "\(work.title), by rows", finding: finding(work), xTitle: "rows",
        yTitle: "time", yUnit: "ns", series: times, logX: true)
      let peak = LineChart(
        id: "\(work.id)-memory", title: "\(work.title): memory by rows",
        finding: "The peak of what is resident, the file's mapped pages and its set-up included.",
        xTitle: "rows", yTitle: "memory", yUnit: "B", series: memory, logX: true)
      return [time.figure.html] + (memory.isEmpty ? [] : [peak.figure.html])
    }
    guard !figures.isEmpty else { return nil }
    return PageSection(
      id: "size", title: "What grows with the file",
      html: "<div class=\"charts\">\(figures.joined())</div>")
  }
}
