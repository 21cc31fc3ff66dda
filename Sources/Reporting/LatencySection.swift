import Evidence

/// Whole distributions: percentiles in a table, their curves on an axis of nines.
struct LatencySection {
  let run: Run

  /// Whether operations came by a schedule of their own or each after the one before.
  private enum Loop: CaseIterable {
    case closed, open

    var title: String {
      switch self {
      case .closed:
        "Service time, closed loop: each operation starts when the one before has ended"
      case .open:
        "Response time, open loop: from when an operation should have started, so that one that "
          + "waits counts its waiting"
      }
    }

    /// Only a generator of arrivals can be late itself; and who finds a loop busy came by the
    /// clock.
    init(_ finding: Finding) {
      self = ["late", "stall"].contains { finding[$0] != nil } ? .open : .closed
    }
  }

  private var own: [(finding: Finding, histogram: Histogram)] {
    run.measured.compactMap { finding in
      histogram(finding).map { (finding, $0) }
    }
  }

  var section: PageSection? {
    guard !own.isEmpty else { return nil }
    let tables = Loop.allCases.map { loop in
      let rows = own.filter { Loop($0.finding) == loop }
      return rows.isEmpty ? "" : table(loop, rows).html
    }.joined()
    let curves = curves
    return PageSection(
      id: "latency", title: "Latency", note: Figures.count(own.count, "distribution"),
      html: tables + (curves.isEmpty ? "" : "<div class=\"charts\">\(curves)</div>"))
  }

  private static let shares = [0.5, 0.75, 0.9, 0.99, 0.999]
  private static let nines = [0, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999]

  private func histogram(_ result: Finding) -> Histogram? {
    result.valid ? result.histogram.flatMap(Histogram.init(encoded:)) : nil
  }

  private func table(_ loop: Loop, _ rows: [(finding: Finding, histogram: Histogram)]) -> HTMLTable
  {
    var table = HTMLTable(
      "\(loop.title). All rounds merged; a share of operations took no longer than",
      [
        .init("benchmark"), .init("engine"), .init("rounds", number: true),
        .init("n", number: true),
      ]
        + LatencySection.shares.map { .init(Self.percent($0), number: true) }
        + [.init("longest", number: true)], stacks: true)
    for (result, histogram) in rows {
      let isLone = rounds(result) == 1
      func time(_ value: Double) -> String {
        isLone ? Figures.lone(value, "ns") : Figures.text(value, "ns")
      }
      let cells = LatencySection.shares.map { share -> HTMLTable.Cell in
        let value = Double(histogram.quantile(share))
        return histogram.total < Histogram.needed(for: share)
          ? .init("n too small", kind: "soft") : .init(time(value), value: value)
      }
      table.add(
        [
          .init(html: Links.here(result.benchmark)), .init(html: run.who(result)),
          .init(String(rounds(result)), value: Double(rounds(result))),
          .init(Figures.text(Double(histogram.total), ""), value: Double(histogram.total)),
        ] + cells
          + [
            .init(time(Double(histogram.largest)), value: Double(histogram.largest))
          ])
    }
    return table
  }

  /// How many rounds were merged: of a benchmark that is about something else, those may be fewer.
  private func rounds(_ result: Finding) -> Int {
    result["p99"]?.rounds.count ?? result["p50"]?.rounds.count ?? result.rounds
  }

  /// `99.9 %`, without noughts behind.
  private static func percent(_ share: Double) -> String {
    CSV.number((share * 1e6).rounded() / 1e4) + " %"
  }

  private var curves: String {
    run.byBenchmark.map { benchmark, results in
      let known = results.compactMap { result in histogram(result).map { (result, $0) } }
      let lines = known.map { curve($0.0, $0.1) }
      guard lines.count > 1, lines.contains(where: { $0.points.count > 4 }),
        let first = known.first
      else { return "" }
      return figure(benchmark, Loop(first.0), lines)
    }.joined()
  }

  private func curve(_ finding: Finding, _ histogram: Histogram) -> LineChart.Series {
    let usable = LatencySection.nines.filter {
      $0 == 0 || histogram.total >= Histogram.needed(for: $0)
    }
    return LineChart.Series(
      name: [finding.engine, run.name(of: finding) ?? ""].filter { !$0.isEmpty }
        .joined(separator: " "),
      points: usable.map {
        .init(x: 1 / (1 - $0), y: max(1, Double(histogram.quantile(max($0, 0.01)))))
      }, ink: LineChart.Series.ink(finding))
  }

  private func figure(_ benchmark: String, _ loop: Loop, _ lines: [LineChart.Series]) -> String {
    let widest = lines.flatMap { $0.points.map(\.x) }.max() ?? 1
    let labels = LatencySection.nines.map { (1 / (1 - $0), Self.percent($0)) }
    return LineChart(
      id: "tail-" + Markup.anchor(benchmark),
      title: "\(benchmark): share of operations done in time",
      finding: loop.title
        + ". Logarithmic on both axes; percentiles without ten values beyond them are left out.",
      xTitle: "share of operations", yTitle: "no longer than", yUnit: "ns", series: lines,
      logX: true, logY: true, xLabels: labels.filter { $0.0 <= widest * 1.01 }
    ).figure.html
  }
}
