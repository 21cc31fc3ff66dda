import Evidence

/// InfluxDB's line protocol: a point for each benchmark on each engine, a field for each metric.
enum InfluxExport {
  static func text(_ run: Run) -> String {
    let e = run.environment
    let time = Timestamp.seconds(run.started).map { " \(Int(nearest: $0 * 1000))000000" } ?? ""
    var out = ""
    for finding in run.own where finding.valid {
      let name = finding.name
      let tags =
        [
          ("engine", finding.engine), ("commit", run.commit),
          ("machine", finding.machine ?? e.machineID),
        ]
        + name.parameters.sorted { $0.key < $1.key }.map { ("p_\($0.key)", $0.value) }
      let fields = finding.values.flatMap { value in
        // One round has no interval.
        [("", value.value), ("_low", value.low), ("_high", value.high)]
          .prefix(value.rounds.count > 1 ? 3 : 1)
          .map { "\(value.metric)\($0.0)=\(CSV.number($0.1))" }
      }
      guard !fields.isEmpty else { continue }
      out += escape(name.family)
      for (key, value) in tags where !value.isEmpty { out += ",\(escape(key))=\(escape(value))" }
      out += " \(fields.joined(separator: ","))\(time)\n"
    }
    return out
  }

  /// Commas, spaces and equal signs part a line; a name that has one says so.
  private static func escape(_ text: String) -> String {
    text.replacing("\\", with: "/").replacing("\n", with: " ").replacing(",", with: "\\,")
      .replacing(" ", with: "\\ ").replacing("=", with: "\\=")
  }
}
