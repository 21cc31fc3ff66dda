import Evidence

/// Go's benchmark format: benchstat then compares, projects, and takes counts as exact.
enum BenchfmtExport {
  static func text(_ run: Run) -> String {
    let e = run.environment
    var out = "goos: linux\ngoarch: \(e.architecture)\ncpu: \(e.cpu.replacing("\n", with: " "))\n"
    out += "commit: \(run.commit)\n"
    for metric in Metric.all where [.exact, .counted].contains(metric.kind) {
      out += "Unit \(unit(metric)) assume=exact better=\(metric.better.rawValue)\n"
    }
    for metric in Metric.all where metric.kind == .timed && metric.better == .higher {
      out += "Unit \(unit(metric)) better=higher\n"
    }
    for finding in run.own where finding.valid {
      let name = finding.name
      let parameters = name.parameters.filter { $0.key != "threads" }.sorted { $0.key < $1.key }
        .map { "/\(Exporter.plain($0.key))=\(Exporter.plain($0.value))" }.joined()
      let threads = name.parameters["threads"] ?? "1"
      let spelled =
        "Benchmark\(title(name.family))/engine=\(Exporter.plain(finding.engine))"
        + "\(parameters)-\(threads)"
      let timed = finding.values.filter { Metric.named($0.metric).kind == .timed }
      let rounds = (timed.isEmpty ? finding.values : timed).map(\.rounds.count).max() ?? 0
      for round in 0..<rounds {
        let values = finding.values.compactMap { value -> String? in
          let isTimed = Metric.named(value.metric).kind == .timed
          // Counted apart: benchstat wants it on every line. A duration was there or was not.
          guard
            let number = round < value.rounds.count
              ? value.rounds.count > 1 ? value.rounds[round] : value.told
              : isTimed ? nil : value.rounds.last
          else { return nil }
          return "\(CSV.number(number)) \(unit(Metric.named(value.metric)))"
        }
        let iterations = max(1, (finding.headline?.samples ?? 1) / max(1, rounds))
        out += "\(spelled) \(iterations) \(values.joined(separator: " "))\n"
      }
    }
    return out
  }

  private static func unit(_ metric: Metric) -> String {
    switch metric.unit {
    case "ns/op": metric.name == "time" ? "ns/op" : "\(metric.name)-ns/op"
    case "ns": "\(metric.name)-ns"
    case "B/op": metric.name == "allocated" ? "B/op" : "\(metric.name)-B/op"
    case "per op": metric.name == "allocations" ? "allocs/op" : "\(metric.name)/op"
    case "op/s": "op/s"
    default: metric.name
    }
  }

  /// `reads.by-primary-key` → `ReadsByPrimaryKey`: benchmark names begin with a capital.
  private static func title(_ family: String) -> String {
    Exporter.plain(family).split { ".-_/".contains($0) }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}
