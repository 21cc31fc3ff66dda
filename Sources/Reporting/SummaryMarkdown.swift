import Evidence

/// `summary.md`: what fits under a pull request.
package enum SummaryMarkdown {
  /// Reviews take 65,536 characters; this leaves room for what others say.
  static let limit = 60_000

  package static func text(_ run: Run, extra: String = "") -> String {
    var out = "## realm-bench\n\n\(escape(RunReport(run).sentence))\n\n"
    if let comparison = run.comparison, !comparison.interleaved {
      out += "\(escape(comparison.between))\n\n"
    }
    let e = run.environment
    // Of a build outside a repository nobody knows it.
    let isKnown = !["", "unknown"].contains(e.commit)
    out +=
      "\(escape(e.cpu)), \(e.cores) cores · \(escape(e.storage.filesystem)), durability class "
      + "`\(e.storage.durability.rawValue)` · "
      + (isKnown ? "commit `\(escape(e.commit))` · " : "") + "seed \(run.asked.seed)\n\n"
    for line in TextTable.absent(run) { out += "> \(escape(line))\n" }
    for agreed in run.comparison?.agreed ?? [] { out += "> = \(escape(agreed))\n" }
    // What two runs do not share comes first: it decides what the rest is worth.
    for warning in (run.comparison?.reasons ?? []) + e.warnings {
      out += "> ⚠ \(escape(warning))\n"
    }
    out += "\n"
    var rows: [String] = []
    if let comparison = run.comparison {
      let names = comparison.sideNames
      out += "| | benchmark | engine | metric | \(escape(names.a)) | \(escape(names.b)) "
      out += "| change | interval | rounds | why |\n|---|---|---|---|--:|--:|--:|--:|--:|---|\n"
      let notable = comparison.sortedRows.filter { $0.verdict != .unchanged }
      rows = notable.map { row in
        let sides = Figures.sides(row)
        let interval = Figures.interval(row) ?? ""
        let why = Figures.reasons(row).joined(separator: "; ")
        return "| \(row.verdict.symbol) \(row.verdict.rawValue) | \(escape(row.benchmark)) "
          + "| \(escape(row.engine)) | \(row.metric) | \(sides.a) "
          + "| \(sides.b) | \(Figures.change(row)) | \(interval) "
          + "| \(row.rounds) | \(escape(why)) |\n"
      }
      let calm = comparison.rows.count - notable.count
      if calm > 0 { rows.append("| = unchanged | \(calm) more | | | | | | | | |\n") }
    } else if !run.results.isEmpty {
      out += losses(run)
      if let felt = StallSection(run: run).told { out += "\(escape(felt))\n\n" }
      if let often = ResourcesSection.countings(run.measured.filter(\.valid)) {
        out += "Counts were taken \(often), in processes of their own.\n\n"
      }
      out += "| benchmark | engine | time | interval | rounds | p99 | other |\n"
      out += "|---|---|--:|--:|--:|--:|---|\n"
      rows = run.measured.map { row($0, of: run) }
    }
    let fallen = run.examination?.verdicts.filter(\.state.isBad) ?? []
    if !fallen.isEmpty {
      rows.append(
        "\n| rule | verdict | what it says | what happened | again |\n|---|---|---|---|---|\n")
      rows += fallen.map(row)
    }
    for (place, row) in rows.enumerated() {
      if out.utf8.count + row.utf8.count + extra.utf8.count > limit {
        out += "\n\(rows.count - place) more rows in report.html\n"
        break
      }
      out += row
    }
    return out + (extra.isEmpty ? "" : "\n" + extra) + "\n"
  }

  private static func row(_ verdict: Verdict) -> String {
    let state = verdict.state.rawValue + (verdict.isForgiven ? ", known" : "")
    let happened = [
      verdict.reason, verdict.expected.map { "expected \($0)" },
      verdict.observed.map { "observed \($0)" }, verdict.known.map { "known: \($0)" },
    ].compactMap(\.self).joined(separator: "; ")
    let again = verdict.repro.map { "`\($0.replacing("`", with: "'"))`" } ?? ""
    return
      "| \(verdict.id) | ✕ \(state) | \(escape(verdict.wording)) | \(escape(happened)) | \(again) "
      + "|\n"
  }

  private static func row(_ finding: Finding, of run: Run) -> String {
    let who = [finding.engine, run.name(of: finding) ?? ""].filter { !$0.isEmpty }
    let start = "| \(escape(finding.benchmark)) | \(escape(who.joined(separator: " "))) | "
    guard finding.valid else { return start + "✕ invalid | | | | \(escape(finding.reason)) |\n" }
    let time = finding["time"]
    let p99 = Figures.tail(finding, beside: finding.rounds)
    let shown: Set = ["time", "rate", "p50", "p90", "p99", "p999", "max"]
    // What is zero says nothing in a table that has room for little.
    let other = finding.values.filter { !shown.contains($0.metric) && $0.value != 0 }
      .map { "\($0.metric) \(Figures.text($0, Metric.named($0.metric).unit))" }
      .joined(separator: ", ")
    let spelled = time.map { Figures.text($0, "ns/op") } ?? ""
    let interval =
      time.flatMap {
        $0.rounds.count > 1 ? Figures.interval($0.value, $0.low, $0.high, "ns/op") : nil
      } ?? ""
    return start
      + "\(spelled) | \(interval) | \(finding.rounds) | \(p99 ?? "") | \(other) |\n"
  }

  /// What the engine loses to its peers, before anything else.
  private static func losses(_ run: Run) -> String {
    var out = ""
    var room = mostLosses
    for group in Rivalry(run: run).groups {
      out += "Where it loses; \(group.title):\n\n"
      out += "| benchmark | peer | times as dear | interval |\n|---|---|--:|--:|\n"
      let shown = group.matches.prefix(room)
      room -= shown.count
      for match in shown {
        let interval =
          match.interval.map {
            "\(Figures.times($0.lowerBound))–\(Figures.times($0.upperBound))"
          } ?? match.lackOfInterval
        out += "| \(escape(match.benchmark))\(match.metric == "time" ? "" : ", \(match.metric)") "
        out += "| \(escape(match.peer)) | \(match.told) | \(interval) |\n"
      }
      let more = group.matches.count - shown.count
      if more > 0 { out += "| \(more)\(shown.isEmpty ? "" : " more") in report.html | | | |\n" }
      out += "\n"
    }
    return out
  }

  /// So many losses are told; a page has all.
  private static let mostLosses = 20

  /// Nothing a name holds may end a cell, begin markup or call somebody.
  static func escape(_ text: String) -> String {
    var out = ""
    for character in Markup.escape(Printable.line(text.replacing("\n", with: " "))) {
      if "|\\`*_[]@#".contains(character) && character != "#" { out.append("\\") }
      out.append(character)
    }
    return out
  }
}
