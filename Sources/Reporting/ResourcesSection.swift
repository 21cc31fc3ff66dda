import Evidence

/// Counts per operation, from the pass that is never timed.
struct ResourcesSection {
  static let metrics = [
    "allocations", "allocated", "instructions", "syscalls", "writes", "bytes", "flushes",
  ]

  let run: Run

  var section: PageSection? {
    let own = run.shown.filter { result in
      result.valid && result.name.chapter != "floor"
        && ResourcesSection.metrics.contains { result[$0] != nil }
    }
    guard !own.isEmpty else { return nil }
    var table = HTMLTable(
      "Per operation, counted in a pass of their own that is never timed",
      [.init("benchmark"), .init("engine")]
        + ResourcesSection.metrics.map { .init($0, number: true) })
    for result in own {
      table.add(
        [HTMLTable.Cell(result.benchmark), HTMLTable.Cell(result.engine)]
          + ResourcesSection.metrics.map { cell(result[$0]) })
    }
    return PageSection(id: "resources", title: "What an operation uses", html: table.html)
  }

  private func cell(_ value: Finding.Value?) -> HTMLTable.Cell {
    guard let value else { return "" }
    let isBytes = Metric.named(value.metric).unit == "B/op"
    return HTMLTable.Cell(Figures.text(value.value, isBytes ? "B" : ""))
  }
}
