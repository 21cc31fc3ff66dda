import Evidence

/// The custom JSON of github-action-benchmark. Its tool name sets one direction for a whole file, hence two.
enum GitHubExport {
  static func text(_ run: Run, better: Metric.Direction) -> String {
    var entries: [Json] = []
    for finding in run.results where finding.valid {
      for value in finding.values {
        let metric = Metric.named(value.metric)
        guard metric.better == better, metric.name != "max", metric.name != "p999" else { continue }
        entries.append(
          .object([
            ("name", .text("\(finding.benchmark) \(finding.engine) \(value.metric)")),
            ("unit", .text(metric.unit)), ("value", .number(value.value)),
            // The reader wants a plain number after the sign.
            ("range", .text("± \(CSV.number((value.high - value.low) / 2))")),
            ("extra", .text("\(value.rounds.count) rounds, \(value.samples) operations")),
          ]))
      }
    }
    return Json.list(entries).spelled + "\n"
  }
}
