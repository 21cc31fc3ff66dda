import Evidence

/// What speaks for and against the numbers of a run, next to the answer.
struct TrustBox {
  let run: Run

  var html: String {
    let warnings = run.environment.warnings + (run.comparison?.reasons ?? [])
    let isRefused = run.comparison.map { !$0.trusted } ?? false
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
    if let control = run.comparison?.control {
      lines.append(
        "Control: a build against itself on \(Figures.count(control.benchmarks, "benchmark")), "
          + "\(Figures.count(control.suspects, "suspect")), \(control.confirmed) confirmed; "
          + "noise floor \(Figures.percent(control.noiseFloor, signed: false)).")
    }
    lines.append(
      "Scheduler: \(e.gaps) gaps over 50 µs in half a second of spinning, the longest "
        + "\(Figures.text(e.longestGap, "ns")). Clock read: \(Figures.text(e.clockCost, "ns")).")
    return lines
  }
}
