import Evidence

/// What speaks for and against the numbers of a run, next to the answer.
struct TrustBox {
  private let run: Run
  private let comparisons: [Comparison]

  init(run: Run) { self.init(run: run, comparisons: run.comparison.map { [$0] } ?? []) }

  /// Of several comparisons what speaks against any of them is told, once.
  init(run: Run, comparisons: [Comparison]) { (self.run, self.comparisons) = (run, comparisons) }

  var html: String {
    // What the sides do not share comes first: it decides what the rest is worth.
    var warnings: [String] = []
    for told in comparisons.flatMap(\.reasons) + run.environment.warnings
    where !warnings.contains(told) {
      warnings.append(told)
    }
    let isRefused = comparisons.contains { !$0.trusted }
    let kind = isRefused ? "box-bad" : warnings.isEmpty ? "" : "box-warn"
    let items = (lines + warnings.map { "⚠ \($0)" }).map { "<li>\(Markup.escape($0))</li>" }
    return
      "<div class=\"box \(kind)\" id=\"trust\"><p><b>Can these numbers be "
      + "trusted?</b></p><ul>\(items.joined())</ul></div>"
  }

  private var lines: [String] {
    let e = run.environment
    let flush = Figures.text(e.storage.flushMedian, "ns")
    var lines = [
      "Storage: \(e.storage.filesystem), \(e.storage.durability.sentence) "
        + "(flush \(flush), class “\(e.storage.durability.rawValue)”)."
    ]
    for comparison in comparisons {
      guard let control = comparison.control else { continue }
      let whose = comparisons.count > 1 ? " (\(comparison.b.name))" : ""
      let benchmarks = Figures.count(control.benchmarks, "benchmark")
      // Stored runs were not made for each other: each brought a yardstick of its own.
      let stands =
        comparison.interleaved
        ? "a build against itself on \(benchmarks), "
          + "\(Figures.count(control.suspects, "suspect")), \(control.confirmed) confirmed"
        : "\(benchmarks) of both runs together, each measured when its run began and again when it "
          + "ended"
      lines.append(
        "Control\(whose): \(stands); noise floor "
          + "\(Figures.percent(control.noiseFloor, signed: false)).")
    }
    lines.append(
      "Scheduler: \(e.gaps) gaps over 50 µs in half a second of spinning, the longest "
        + "\(Figures.text(e.longestGap, "ns")). Clock read: \(Figures.text(e.clockCost, "ns")).")
    return lines
  }
}
