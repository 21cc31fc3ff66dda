import Evidence

/// What a reader takes home from a run: one sentence, what it can see, where it loses, and what it
/// stands on.
struct Answer {
  let run: Run

  var html: String {
    let screen = run.comparison == nil ? FirstScreen(run: run) : nil
    let cards = screen?.cards ?? ""
    return """
      <p class="answer">\(Markup.escape(cards.isEmpty ? sentence : headline))</p>
      \(cards)<p class="soft">\(whole(Markup.escape(stand)))\(limits)</p>
      \(absent)\(counters)\(screen?.lists ?? "")\(findings)\(leftOut)\(TrustBox(run: run).html)
      """
  }

  var sentence: String {
    if let settled { return settled }
    var said = found
    if let compared = Rivalry(run: run).sentence { said += "; \(compared)" }
    if let sight = VisibleChange(run: run).sentence { said += ". " + sight.capitalizedFirst }
    if let rules { said += ". " + rules.dropLast() }
    return said + "."
  }

  /// The same above cards, which say in full what was lost and what could not be seen.
  private var headline: String {
    if let settled { return settled }
    let held = rules.map { String($0.dropLast()) }
    let sight = VisibleChange(run: run).brief?.capitalizedFirst
    return [found, held, sight].compactMap(\.self).joined(separator: ". ") + "."
  }

  private var rules: String? { run.examination.map { ConformanceSection($0).sentence } }

  /// What a comparison or an examination says by itself.
  private var settled: String? {
    run.comparison?.told ?? (run.asked.verb == "conformance" ? rules : nil)
  }

  /// How much was measured, and whether it was right.
  private var found: String {
    let full = run.measured.filter(\.isOutOfSpace).count
    let stopped = run.measured.filter(\.isStopped).count
    let invalid = run.measured.filter { !$0.valid }.count - full - stopped
    // An engine is what somebody would use; the others say what no engine could be faster than.
    let yardsticks = run.engines.filter { $0 != "reference" && !Rivalry.isPeer($0) }
    let engines = run.engines.count - yardsticks.count
    var said = Figures.count(run.byBenchmark.count, "benchmark")
    if engines > 0 { said += " on \(Figures.count(engines, "engine"))" }
    if !yardsticks.isEmpty {
      said +=
        "\(engines > 0 ? ", beside" : " on") \(Figures.count(yardsticks.count, "yardstick")) "
        + "(\(yardsticks.joined(separator: ", ")))"
    }
    if run.state == .interrupted { said = "Aborted: " + said }
    if invalid > 0 {
      said +=
        "; \(Figures.count(invalid, "answer")) \(invalid == 1 ? "was" : "were") wrong and "
        + "\(invalid == 1 ? "has" : "have") no speed"
    } else if full + stopped == 0 {
      said +=
        run.measured.isEmpty ? ": nothing was measured" : "; every answer was checked and right"
    }
    if stopped > 0 {
      said += "; \(Figures.count(stopped, "measurement")) took too long and gave no answer"
    }
    if full > 0 {
      said += "; the work disk was full: \(Figures.count(full, "measurement")) without a number"
    }
    if let leftOut = run.leftOut, !leftOut.isEmpty {
      said +=
        "; \(Figures.count(leftOut.count, "measurement")) did not fit into \(run.timeLimit)"
    }
    return said
  }

  /// An instant is not broken at its dashes.
  private func whole(_ markup: String) -> String {
    let instant = Markup.escape(run.started)
    guard !instant.isEmpty else { return markup }
    return markup.replacing(instant, with: "<span class=\"nowrap\">\(instant)</span>")
  }

  /// Where and when, in one line.
  private var stand: String {
    let e = run.environment
    let machine =
      "\(e.cpu.isEmpty ? "unknown processor" : e.cpu), \(Figures.count(e.cores, "core"))"
    let commit =
      run.comparison.map { "\($0.sideNames.a) → \($0.sideNames.b)" }
      ?? "commit \(e.commit)\(e.dirty ? " with uncommitted changes" : "")"
    let took = run.durationSeconds.map { ", took \(Int(nearest: $0)) s" } ?? ""
    var parts = ["\(machine), \(e.system) \(e.kernel)", commit, run.started + took]
    if !run.results.isEmpty { parts += ["rounds in fresh processes", "seed \(run.asked.seed)"] }
    return parts.joined(separator: " · ")
  }

  /// What the machine itself hides, where it is told in full.
  private var limits: String {
    let warnings = run.environment.warnings.count
    guard warnings > 0 else { return "" }
    let said = "\(Figures.count(warnings, "limit")) of this machine to keep in mind"
    return " · <a href=\"#trust\">\(Markup.escape(said))</a>"
  }

  /// What a reader would look for and not find, and what the repository's thresholds said.
  private var absent: String {
    let lines = TextTable.gaps(run) + (run.comparison?.agreed ?? [])
    guard !lines.isEmpty else { return "" }
    let items = lines.map { "<li>\(Markup.escape($0))</li>" }.joined()
    return "<div class=\"box box-warn\"><ul>\(items)</ul></div>"
  }

  /// What did not fit, folded: how much it is stands in the first sentence, and what was lost comes
  /// before what was not measured.
  private var leftOut: String {
    let lines = TextTable.leftOut(run)
    guard let all = run.leftOut, !lines.isEmpty else { return "" }
    let items = lines.map { "<li>\(Markup.escape($0))</li>" }.joined()
    return "<details class=\"fold\" id=\"left-out\"><summary>"
      + "\(Figures.count(all.count, "measurement")) left out, as \(run.timeLimit) did not hold them"
      + "</summary><ul>\(items)</ul></details>"
  }

  private var counters: String {
    let counts = counts
    guard !counts.isEmpty else { return "" }
    let items = counts.map { "<li><b>\($0.0)</b> \(Markup.escape($0.1))</li>" }.joined()
    return "<ul class=\"counts\">\(items)</ul>"
  }

  private var counts: [(Int, String)] {
    if let comparison = run.comparison {
      return Comparison.Verdict.allCases.map { (comparison.count($0), $0.rawValue) }
        .filter { $0.0 > 0 || ["regressed", "improved", "unchanged"].contains($0.1) }
    }
    if run.asked.verb == "conformance", let examination = run.examination {
      return [
        (examination.count(.holds), "hold"), (examination.count(.violated), "violated"),
        (examination.count(.skipped), "skipped"), (examination.count(.untested), "untested"),
      ]
    }
    return []
  }

  /// What to decide by, before any table: which way to take, what grouping saves, what holding
  /// costs.
  private var findings: String {
    guard run.comparison == nil else { return "" }
    let said: [(String, String, [String])] = [
      ("stall", "Main loop", StallSection(run: run).findings),
      ("ways", "Across threads", WaysSection(run: run).findings),
      ("grouping", "Grouped commits", GroupingSection(run: run).findings),
      ("growth", "Held versions", GrowthSection(run: run).findings),
    ]
    let items = said.flatMap { id, title, findings in
      findings.map { "<li><a href=\"#\(id)\">\(title)</a>: \(Markup.escape($0))</li>" }
    }
    return items.isEmpty ? "" : "<h2>In short</h2><ul>\(items.joined())</ul>"
  }
}
