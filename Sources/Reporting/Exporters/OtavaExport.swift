import Evidence

/// Files for Apache Otava: a CSV per benchmark and engine, and one configuration that names them.
///
/// Of every `ab` the ratio to its base is a test by itself, for each pinned build: a machine that
/// drifts moves the numbers, and not these.
///
/// Otava reads rows in the order of the file, fails a whole test over an empty cell and goes silent
/// over `nan`: rows are sorted by time, only metrics that every run has are written, and nothing
/// else. The instant is the column `utc`: `time` is a metric, and of two columns of one name Otava
/// reads the wrong one.
enum OtavaExport {
  /// `earlier`: numbers of runs whose directories may be gone; only ratios are taken of them, for
  /// of the others histories keep one metric.
  static func files(_ runs: [Run], earlier: [HistoryPoint] = []) -> [Exporter.File] {
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
            instant(run.started), known(run.commit), known(run.environment.machineID),
          ] + metrics.map { CSV.number(finding[$0]?.value) })
      }
      files.append(.init(name: "otava/\(name).csv", text: csv))
      yaml += entry(name, metrics.map { ($0, Metric.named($0).better == .lower ? -1 : 1) })
    }
    for (name, points) in ratios(earlier + runs.flatMap(HistoryPoint.of)) {
      var csv = CSV.row(["utc", "commit", "machine", "times"])
      for point in points {
        csv += CSV.row(
          [instant(point.time), known(point.commit), known(point.machine), CSV.number(point.value)])
      }
      files.append(.init(name: "otava/\(name).csv", text: csv))
      // A change for the worse is more of it, whichever way the metric is better.
      yaml += entry(name, [("times", -1)])
    }
    return files + [.init(name: "otava.yaml", text: yaml)]
  }

  /// The ratios to pinned builds, by the name of their test, each in the order of time.
  private static func ratios(
    _ points: [HistoryPoint]
  ) -> [(name: String, points: [HistoryPoint])] {
    let pinned = points.filter { $0.pin != nil }
    let isOneMachine = Set(pinned.map(\.machine)).count < 2
    var order: [String] = []
    var found: [String: [HistoryPoint]] = [:]
    for point in pinned {
      let name = plain(
        "\(point.benchmark)-\(point.engine)-\(point.metric)-over-\((point.pin ?? "").prefix(12))"
          + (point.quick ? "-quick" : "") + (isOneMachine ? "" : "-on-\(point.machine)"))
      if found[name] == nil { order.append(name) }
      found[name, default: []].append(point)
    }
    return order.map { name in
      (name, (found[name] ?? []).sorted { ($0.time, $0.run) < ($1.time, $1.run) })
    }
  }

  private static func entry(_ name: String, _ metrics: [(name: String, direction: Int)]) -> String {
    var yaml = "  \(name):\n    type: csv\n    file: otava/\(name).csv\n    time_column: utc\n"
    yaml += "    attributes: [commit, machine]\n    metrics:\n"
    for (metric, direction) in metrics {
      yaml += "      \(metric): {column: \(metric), direction: \(direction), scale: 1}\n"
    }
    return yaml + "    csv_options: {delimiter: ',', quote_char: '\"'}\n"
  }

  private static func instant(_ time: String) -> String { time.replacing("Z", with: "+00:00") }

  private static func known(_ word: String) -> String { word.isEmpty ? "unknown" : word }

  private static func test(_ finding: Finding) -> String {
    plain("\(finding.benchmark)-\(finding.engine)")
  }

  private static func plain(_ name: String) -> String {
    String(Exporter.plain(name).map { "/=%".contains($0) ? "_" : $0 })
  }
}
