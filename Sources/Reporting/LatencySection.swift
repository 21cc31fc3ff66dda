import Evidence

/// Whole distributions: percentiles in a table, their curves on an axis of nines.
struct LatencySection {
  let run: Run

  var section: PageSection? {
    guard run.shown.contains(where: { $0.valid && $0.histogram != nil }) else { return nil }
    return PageSection(id: "latency", title: "Latency", html: table.html + curves)
  }

  private static let shares = [0.5, 0.9, 0.99, 0.999]
  private static let nines = [0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999]

  private func histogram(_ result: Finding) -> Histogram? {
    result.valid ? result.histogram.flatMap(Histogram.init(encoded:)) : nil
  }

  private var table: HTMLTable {
    var table = HTMLTable(
      "Durations of single operations, all rounds merged",
      [.init("benchmark"), .init("engine"), .init("n", number: true)]
        + LatencySection.shares.map { .init("p" + CSV.number($0 * 100), number: true) }
        + [.init("max", number: true)])
    for result in run.shown {
      guard let histogram = histogram(result) else { continue }
      let cells = LatencySection.shares.map { share -> HTMLTable.Cell in
        histogram.total < Histogram.needed(for: share)
          ? .init("n too small", kind: "soft")
          : .init(Figures.text(Double(histogram.quantile(share)), "ns"))
      }
      table.add(
        [
          .init(result.benchmark), .init(result.engine),
          .init(Figures.text(Double(histogram.total), "")),
        ] + cells + [.init(Figures.text(Double(histogram.largest), "ns"))])
    }
    return table
  }

  private var curves: String {
    run.byBenchmark.map { benchmark, results in
      let lines = results.compactMap { result in
        histogram(result).map { curve(result.engine, $0) }
      }
      guard lines.count > 1, lines.contains(where: { $0.points.count > 4 }) else { return "" }
      return figure(benchmark, lines)
    }.joined()
  }

  private func curve(_ engine: String, _ histogram: Histogram) -> LineChart.Series {
    let usable = LatencySection.nines.filter {
      $0 == 0 || histogram.total >= Histogram.needed(for: $0)
    }
    return LineChart.Series(
      name: engine,
      points: usable.map {
        .init(x: 1 / (1 - $0), y: max(1, Double(histogram.quantile(max($0, 0.01)))))
      }, ink: LineChart.Series.ink(engine))
  }

  private func figure(_ benchmark: String, _ lines: [LineChart.Series]) -> String {
    let labels = [(1.0, "0"), (2, "50 %"), (10, "90 %"), (100, "99 %"), (1000, "99.9 %")]
    let widest = lines.flatMap { $0.points.map(\.x) }.max() ?? 1
    return LineChart(
      id: "tail-" + Markup.anchor(benchmark),
      title: "\(benchmark): share of operations done in time", finding: said(benchmark),
      xTitle: "share of operations", yTitle: "no longer than", yUnit: "ns", series: lines,
      logX: true, logY: true, xLabels: labels.filter { $0.0 <= widest * 1.01 }
    ).figure.html
  }

  private func said(_ benchmark: String) -> String {
    let loop =
      BenchmarkName(parsing: benchmark).family == "async.acknowledge"
      ? "Response time, open loop: measured from when an operation should have started, so that one that waits counts its waiting."
      : "Service time, closed loop: each operation starts when the one before has ended."
    return loop
      + " Logarithmic on both axes; percentiles without ten values beyond them are left out."
  }
}
