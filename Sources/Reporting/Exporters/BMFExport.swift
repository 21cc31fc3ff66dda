import Evidence

/// Bencher Metric Format: a benchmark's measures with their intervals.
enum BMFExport {
  private static let slugs = ["time": "latency", "rate": "throughput"]

  static func text(_ run: Run) -> String {
    let entries = run.results.filter(\.valid).map { finding -> (String, Json) in
      let measures = finding.values.map { value -> (String, Json) in
        (
          slugs[value.metric] ?? value.metric,
          .object([
            ("value", .number(value.value)), ("lower_value", .number(min(value.low, value.value))),
            ("upper_value", .number(max(value.high, value.value))),
          ])
        )
      }
      return (
        String("\(finding.benchmark)/engine=\(finding.engine)".prefix(1024)), .object(measures)
      )
    }
    return Json.object(entries).spelled + "\n"
  }
}
