import Evidence

/// The custom JSON of github-action-benchmark. Its tool name sets one direction for a whole file,
/// hence two.
enum GitHubExport {
  static func text(_ run: Run, better: Metric.Direction) -> String {
    var entries: [Json] = []
    for finding in run.own where finding.valid {
      for value in finding.values {
        let metric = Metric.named(value.metric)
        guard metric.better == better, metric.name != "max", metric.name != "p999" else { continue }
        var fields: [(String, Json)] = [
          ("name", .text("\(finding.benchmark) \(finding.engine) \(value.metric)")),
          ("unit", .text(metric.unit)), ("value", .number(value.told)),
        ]
        if value.rounds.count > 1 {
          // The reader wants a plain number after the sign.
          fields.append(("range", .text("± \(CSV.number((value.high - value.low) / 2))")))
        }
        let rounds = Figures.count(value.rounds.count, "round")
        fields.append(("extra", .text("\(rounds), \(value.samples) operations")))
        entries.append(.object(fields))
      }
    }
    return Json.list(entries).spelled + "\n"
  }
}
