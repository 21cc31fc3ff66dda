import Evidence

/// What a reader takes home from a run: one sentence, a few counts, the findings that matter.
struct Answer {
  let run: Run

  var html: String {
    """
    <p class="answer">\(Markup.escape(sentence))</p>
    <p class="soft">\(Markup.escape(stand))</p>
    \(counters)\(findings)\(highlights)\(TrustBox(run: run).html)
    """
  }

  var sentence: String {
    if let comparison = run.comparison { return comparison.sentence }
    let rules = run.examination.map { ConformanceSection($0).sentence }
    if run.asked.verb == "conformance", let rules { return rules }
    let invalid = run.results.filter { !$0.valid }.count
    var said = "\(run.byBenchmark.count) benchmarks on \(run.engines.count) engines"
    if run.state == .interrupted { said = "Aborted after \(rounds): " + said }
    said +=
      invalid == 0
      ? "; every answer was checked and right"
      : "; \(invalid) answers were wrong and have no speed"
    if let rules { said += ". " + rules.dropLast() }
    let warnings = run.environment.warnings.count
    guard warnings > 0 else { return said + "." }
    return said
      + "; \(warnings) \(warnings == 1 ? "limit" : "limits") of this machine to keep in mind."
  }

  private var rounds: String {
    let rounds = run.results.map(\.rounds).max() ?? 0
    return rounds == 1 ? "1 round" : "\(rounds) rounds"
  }

  /// Where and when, in one line.
  private var stand: String {
    let e = run.environment
    let machine = "\(e.cpu.isEmpty ? "unknown processor" : e.cpu), \(e.cores) cores"
    let commit = "commit \(e.commit)\(e.dirty ? " with uncommitted changes" : "")"
    let took = run.durationSeconds.map { ", took \(Int($0)) s" } ?? ""
    var parts = ["\(machine), \(e.system) \(e.kernel)", commit, run.started + took]
    if !run.results.isEmpty {
      parts += ["\(rounds) in fresh processes", "seed \(run.asked.seed)"]
    }
    return parts.joined(separator: " · ")
  }

  private var counters: String {
    let items = counts.map { "<li><b>\($0.0)</b> \($0.1)</li>" }.joined()
    return "<ul class=\"counts\">\(items)</ul>"
  }

  private var counts: [(Int, String)] {
    if let comparison = run.comparison {
      return [
        (comparison.count(.regressed), "regressed"), (comparison.count(.improved), "improved"),
        (comparison.count(.inconclusive), "inconclusive"),
        (comparison.count(.unchanged), "unchanged"),
      ]
    }
    if run.asked.verb == "conformance", let examination = run.examination {
      return [
        (examination.count(.holds), "hold"), (examination.count(.violated), "violated"),
        (examination.count(.skipped), "skipped"), (examination.count(.untested), "untested"),
      ]
    }
    return [
      (run.byBenchmark.count, "benchmarks"), (run.engines.count, "engines"),
      (run.results.filter { !$0.valid }.count, "invalid"),
      (
        run.environment.warnings.count,
        run.environment.warnings.count == 1 ? "warning" : "warnings"
      ),
    ]
  }

  /// What to decide by, before any table: which way to take, what grouping saves, what holding costs.
  private var findings: String {
    guard run.comparison == nil else { return "" }
    let said: [(String, String, String?)] = [
      ("ways", "Across threads", WaysSection(run: run).finding),
      ("grouping", "Grouped commits", GroupingSection(run: run).finding),
      ("stall", "Main loop", StallSection(run: run).finding),
      ("growth", "Held versions", GrowthSection(run: run).finding),
    ]
    let items = said.compactMap { id, title, finding in
      finding.map { "<li><a href=\"#\(id)\">\(title)</a>: \(Markup.escape($0))</li>" }
    }
    return items.isEmpty ? "" : "<h3>In short</h3><ul>\(items.joined())</ul>"
  }

  /// The engine beside those that people would use instead.
  private var highlights: String {
    let items = run.byBenchmark.compactMap { benchmark, results in
      compared(results).map { "<li>\(Markup.escape("\(benchmark): \($0)"))</li>" }
    }
    guard !items.isEmpty else { return "" }
    let (shown, rest) = (items.prefix(5), items.dropFirst(5))
    let more =
      rest.isEmpty
      ? ""
      : "<details><summary>\(rest.count) more beside other engines</summary><ul>\(rest.joined())</ul></details>"
    return "<h3>Beside other engines</h3><ul>\(shown.joined())</ul>\(more)"
  }

  private func compared(_ results: [Finding]) -> String? {
    guard let ours = results.first(where: { $0.engine == "reference" })?["time"] else { return nil }
    let peers = results.filter { ["sqlite", "lmdb"].contains($0.engine) }.compactMap { peer in
      peer["time"].map { time in
        let ratio = time.value / ours.value
        // Closer than a tenth is nothing to choose an engine by.
        if (1 / 1.1...1.1).contains(ratio) { return "about as fast as \(peer.engine)" }
        return ratio > 1
          ? "\(Figures.times(ratio)) as fast as \(peer.engine)"
          : "\(Figures.times(1 / ratio)) as slow as \(peer.engine)"
      }
    }
    guard !peers.isEmpty else { return nil }
    return "\(Figures.text(ours.value, "ns/op")), \(peers.joined(separator: ", "))"
  }
}
