import Evidence

/// Files for Apache Otava: a CSV per benchmark and engine, and one configuration that names them.
///
/// Otava reads rows in the order of the file, fails a whole test over an empty cell and goes silent
/// over `nan`: rows are sorted by time, only metrics that every run has are written, and nothing
/// else. The instant is the column `utc`: `time` is a metric, and of two columns of one name Otava
/// reads the wrong one.
enum OtavaExport {
  static func files(_ runs: [Run]) -> [Exporter.File] {
    let runs = runs.sorted { $0.started < $1.started }
    var names: [String] = []
    var series: [String: [(Run, Finding)]] = [:]
    for run in runs {
      for finding in run.own where finding.valid && !finding.values.isEmpty {
        let name = test(finding)
        if series[name] == nil { names.append(name) }
        series[name, default: []].append((run, finding))
      }
    }
    var files: [Exporter.File] = []
    var yaml = "tests:\n"
    for name in names {
      let rows = series[name] ?? []
      let shared =
        rows.map { Set($0.1.values.map(\.metric)) }
        .reduce(nil as Set<String>?) { $0?.intersection($1) ?? $1 } ?? []
      let metrics = shared.subtracting(["max", "p999"]).sorted {
        (Metric.rank($0), $0) < (Metric.rank($1), $1)
      }
      guard !metrics.isEmpty else { continue }
      var csv = CSV.row(["utc", "commit", "machine"] + metrics)
      for (run, finding) in rows {
        csv += CSV.row(
          [
            run.started.replacing("Z", with: "+00:00"),
            run.commit.isEmpty ? "unknown" : run.commit,
            run.environment.machineID.isEmpty ? "unknown" : run.environment.machineID,
          ] + metrics.map { CSV.number(finding[$0]?.value) })
      }
      files.append(.init(name: "otava/\(name).csv", text: csv))
      yaml += "  \(name):\n    type: csv\n    file: otava/\(name).csv\n    time_column: utc\n"
      yaml += "    attributes: [commit, machine]\n    metrics:\n"
      for metric in metrics {
        let direction = Metric.named(metric).better == .lower ? -1 : 1
        yaml += "      \(metric): {column: \(metric), direction: \(direction), scale: 1}\n"
      }
      yaml += "    csv_options: {delimiter: ',', quote_char: '\"'}\n"
    }
    return files + [.init(name: "otava.yaml", text: yaml)]
  }

  private static func test(_ finding: Finding) -> String {
    String(
      Exporter.plain("\(finding.benchmark)-\(finding.engine)").map { "/=%".contains($0) ? "_" : $0 }
    )
  }
}
