import Evidence

/// OpenMetrics 1.0 text: families together, base units, no blank line, `# EOF` last.
enum OpenMetricsExport {
  static func text(_ run: Run) -> String {
    let e = run.environment
    var out = "# TYPE realm_bench_run info\n# HELP realm_bench_run What was measured and where.\n"
    out += "realm_bench_run_info{"
    out += labels([
      ("run", run.id), ("commit", run.commit), ("machine", e.machineID), ("cpu", e.cpu),
      ("durability", e.storage.durability.rawValue),
    ])
    out += "} 1\n"
    for metric in Metric.all {
      let rows = run.own.filter(\.valid).compactMap { finding in
        finding[metric.name].map { (finding, $0) }
      }
      guard !rows.isEmpty else { continue }
      let isTime = metric.unit.hasPrefix("ns")
      let isBytes = metric.unit.hasPrefix("B")
      let suffix = isTime ? "_seconds" : isBytes ? "_bytes" : ""
      let name = "realm_bench_\(metric.name)\(suffix)"
      out += "# TYPE \(name) gauge\n"
      if isTime { out += "# UNIT \(name) seconds\n" }
      if isBytes { out += "# UNIT \(name) bytes\n" }
      out += "# HELP \(name) \(escape(metric.sentence))\n"
      for (finding, value) in rows {
        let factor = isTime ? 1e-9 : 1
        let told = [("median", value.told), ("low", value.low), ("high", value.high)]
        // One round has no interval.
        for (stat, number) in told.prefix(value.rounds.count > 1 ? 3 : 1) {
          out += "\(name){"
          out += labels(
            [("benchmark", finding.benchmark), ("engine", finding.engine), ("stat", stat)]
              // Of several machines each number names its own.
              + [finding.machine.map { ("machine", $0) }].compactMap(\.self))
          out += "} \(CSV.number(number * factor))\n"
        }
      }
    }
    return out + "# EOF\n"
  }

  private static func labels(_ pairs: [(String, String)]) -> String {
    pairs.map { "\($0.0)=\"\(escape($0.1))\"" }.joined(separator: ",")
  }

  private static func escape(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      .replacing("\r", with: " ")
  }
}
