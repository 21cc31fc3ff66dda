import Evidence

/// Counts per operation, from the pass that is never timed.
struct ResourcesSection {
  static let metrics = [
    "allocations", "allocated", "instructions", "syscalls", "switches", "writes", "bytes",
    "amplification", "stored", "read", "fetched", "flushes", "flushing",
  ]
  /// Of the process that was timed, not of one operation.
  private static let peak = "memory"

  let run: Run

  var section: PageSection? {
    let own = run.measured.filter { result in
      result.valid && result.name.chapter != "floor"
        && (Self.metrics + [Self.peak]).contains { result[$0] != nil }
    }
    guard !own.isEmpty else { return nil }
    var table = HTMLTable(
      "Per operation, counted in a pass of their own that is never timed; beside them the largest "
        + "memory of the process that was timed, its data set and mapped file included",
      [.init("benchmark"), .init("engine")]
        + Self.metrics.map { .init($0, number: true) } + [.init("peak memory", number: true)])
    for result in own {
      table.add(
        [HTMLTable.Cell(html: Links.here(result.benchmark)), HTMLTable.Cell(html: run.who(result))]
          + (Self.metrics + [Self.peak]).map { cell(result[$0]) })
    }
    return PageSection(id: "resources", title: "What an operation uses", html: table.html)
  }

  private func cell(_ value: Finding.Value?) -> HTMLTable.Cell {
    guard let value else { return "" }
    let unit = Metric.named(value.metric).unit
    let shown = unit.hasPrefix("B") ? "B" : unit == "ns" ? "ns" : ""
    return HTMLTable.Cell(Figures.text(value.value, shown), value: value.value)
  }
}
