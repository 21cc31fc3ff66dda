import Evidence

/// Counts per operation, from the pass that is never timed.
struct ResourcesSection {
  /// What of the processor and of memory, and what of files: together they are wider than a screen.
  private static let inside = [
    "allocations", "allocated", "instructions", "syscalls", "switches", "faults", "pageins",
  ]
  private static let files = [
    "writes", "bytes", "amplification", "stored", "read", "fetched", "flushes", "flushing",
  ]
  static let metrics = inside + files
  /// Of the process that was timed, not of one operation.
  private static let peak = "memory"

  /// How often what these hold of an operation was counted; nil where nothing was.
  static func countings(_ findings: [Finding]) -> String? {
    let passes = findings.flatMap { finding in metrics.compactMap { finding[$0]?.rounds.count } }
    guard let fewest = passes.min(), let most = passes.max() else { return nil }
    if fewest < most { return "\(fewest) to \(most) times" }
    return most == 1 ? "once" : "\(most) times"
  }

  let run: Run

  var section: PageSection? {
    let all = Self.metrics + [Self.peak]
    let own = run.measured.filter { result in
      result.valid && result.name.chapter != "floor" && all.contains { result[$0] != nil }
    }
    guard !own.isEmpty else { return nil }
    // A column that says the same of all is a sentence, and leaves room for those that do not.
    let counted = all.filter { metric in own.contains { $0[metric] != nil } }
    let zero = counted.filter { metric in own.allSatisfy { ($0[metric]?.value ?? 0) == 0 } }
    let shown = counted.filter { !zero.contains($0) }
    let often = Self.countings(own).map { " \($0)" } ?? ""
    let tables = [
      table(
        "Per operation, counted\(often) in processes of their own that are never timed; beside "
          + "them the largest memory of the processes that were timed, data set and mapped file "
          + "included",
        (Self.inside + [Self.peak]).filter(shown.contains), own),
      table(
        "Of files, per operation, counted in the same processes",
        Self.files.filter(shown.contains), own),
    ]
    let said = [
      ("Zero for every benchmark", zero),
      ("Not counted in this run", all.filter { !counted.contains($0) }),
    ].filter { !$1.isEmpty }
      .map { "<p class=\"soft\">\($0): \($1.joined(separator: ", ")).</p>" }
    return PageSection(
      id: "resources", title: "What an operation uses", html: (tables + said).joined())
  }

  private func table(_ caption: String, _ metrics: [String], _ own: [Finding]) -> String {
    let rows = own.filter { result in metrics.contains { result[$0] != nil } }
    guard !rows.isEmpty else { return "" }
    var table = HTMLTable(
      caption,
      [.init("benchmark"), .init("engine")]
        + metrics.map { .init($0 == Self.peak ? "peak memory" : $0, number: true) }, stacks: true)
    for result in rows {
      table.add(
        [HTMLTable.Cell(html: Links.here(result.benchmark)), HTMLTable.Cell(html: run.who(result))]
          + metrics.map { cell(result[$0]) })
    }
    return table.html
  }

  private func cell(_ value: Finding.Value?) -> HTMLTable.Cell {
    guard let value else { return "" }
    let unit = Metric.named(value.metric).unit
    let shown = unit.hasPrefix("B") ? "B" : unit == "ns" ? "ns" : ""
    let text =
      value.rounds.count == 1 ? Figures.text(value, shown) : Figures.text(value.value, shown)
    return HTMLTable.Cell(text, value: value.value)
  }
}
