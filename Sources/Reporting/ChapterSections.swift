import Evidence

/// The results, chapter by chapter: a table whose rows are drawn on one axis, each with its own
/// rounds.
struct ChapterSections {
  typealias Group = (name: String, results: [Finding])

  let run: Run
  var links = Links()

  private static let titles: [(String, String)] = [
    ("floor", "Physical limits of this machine"), ("reads", "Reads without locks"),
    ("writes", "Writes and contention"), ("async", "Asynchronous and grouped commits"),
    ("frozen", "Frozen versions"), ("ways", "Ways across threads"), ("notify", "Notifications"),
    ("macro", "Whole programs"),
  ]

  var sections: [PageSection] {
    let groups = run.byBenchmark
    var titles = ChapterSections.titles
    for group in groups {
      let chapter = BenchmarkName(parsing: group.name).chapter
      if !titles.contains(where: { $0.0 == chapter }) { titles.append((chapter, chapter)) }
    }
    let rivalry = Rivalry(run: run)
    return titles.compactMap { chapter, title in
      let own = groups.filter { BenchmarkName(parsing: $0.name).chapter == chapter }
      guard !own.isEmpty else { return nil }
      let names = Set(own.map(\.name))
      let compared = rivalry.matches.filter { names.contains($0.benchmark) }
      let lost = compared.count(where: \.isLoss)
      let note =
        Figures.count(own.count, "benchmark")
        + (compared.isEmpty
          ? "" : ", \(lost) of \(Figures.count(compared.count, "comparison")) lost")
      return PageSection(
        id: "chapter-" + Markup.anchor(chapter), title: title, note: note,
        html: table(title, own).html)
    }
  }

  // MARK: The table

  private func table(_ title: String, _ own: [Group]) -> HTMLTable {
    let results = own.flatMap(\.results)
    let drawn = results.compactMap(drawing)
    let strip = Strip(drawn.flatMap { [$0.value, $0.low, $0.high] + $0.rounds }) {
      Figures.text($0, "ns")
    }
    var table = HTMLTable(
      "\(title): medians over rounds\(coverage(results)). The axis is logarithmic, shorter is "
        + "better",
      [
        .init("engine"), .init("median", number: true), .init("interval", number: true),
        .init(axis: drawn.isEmpty ? "" : strip.head, title: "time, logarithmic"),
        .init("rounds about the median"), .init("also"), .init("again"),
      ], stacks: true)
    for (benchmark, results) in own {
      table.group(benchmark, id: Links.anchor(benchmark), html: about(benchmark))
      let best = results.count > 1 ? results.compactMap { $0["time"]?.value }.min() : nil
      for result in results {
        table.add(row(result, strip, isBest: best != nil && result["time"]?.value == best))
      }
    }
    return table
  }

  /// The benchmark's own sentence and its source, where the run tells them, and a link to itself.
  private func about(_ benchmark: String) -> String {
    let anchor = Markup.escape(Links.anchor(benchmark))
    var html = " <a class=\"self\" href=\"#\(anchor)\" aria-label=\"link to this benchmark\">#</a>"
    let family = BenchmarkName(parsing: benchmark).family
    if let heir = Successors.successor(of: family) {
      let there = run.byBenchmark.first { BenchmarkName(parsing: $0.name).family == heir }
      let name = there.map { Links.here($0.name) } ?? Markup.escape(heir)
      html += "<div class=\"soft\">Ends before the first use is paid for; the whole: \(name)</div>"
    }
    if let entry = run.catalogue?.first(where: { $0.name == family }) {
      html +=
        "<div class=\"soft\">\(Markup.escape(entry.sentence)) \(links.source(entry.source))</div>"
    }
    return html
  }

  /// What the intervals cover, or why there are none.
  private func coverage(_ results: [Finding]) -> String {
    Figures.coverage(results).map { ", intervals that cover \($0)" }
      ?? "; of a single round there is no interval"
  }

  /// What is drawn: times only, for they share an axis.
  private func drawing(_ result: Finding) -> Finding.Value? {
    guard result.valid, let time = result["time"], time.value > 0, time.low > 0 else { return nil }
    return time
  }

  private func row(_ result: Finding, _ strip: Strip, isBest: Bool) -> [HTMLTable.Cell] {
    let again = HTMLTable.Cell(
      html: "<details><summary>command</summary><code>"
        + "\(Markup.command(run.reproduction(of: result)))</code></details>")
    let who = HTMLTable.Cell(html: run.who(result))
    guard result.valid else {
      return [
        who, .init("✕ invalid", kind: "bad"), "", "", "",
        .init(result.reason, kind: "bad"), again,
      ]
    }
    guard let subject = result.subjectValue else {
      return [who, "", "", "", "", "", again]
    }
    let unit = Metric.named(subject.metric).unit
    let isTime = subject.metric == "time"
    let ink = LineChart.Series.ink(result)
    let plot = drawing(result).map { time in
      strip.row(
        time.value, low: time.rounds.count > 1 ? time.low : nil, high: time.high,
        rounds: time.rounds.count > 1 ? time.rounds : [], ink: ink)
    }
    return [
      who,
      .init(
        Figures.text(subject, unit) + (isTime ? "" : " (\(subject.metric))"),
        kind: isBest ? "best" : "", value: subject.value),
      subject.rounds.count > 1
        ? .init(Figures.interval(subject.value, subject.low, subject.high, unit)) : "",
      .init(html: plot ?? ""),
      .init(
        html: Spread(
          value: subject.value, low: subject.low, high: subject.high, rounds: subject.rounds,
          ink: ink
        ).html, value: Double(subject.rounds.count)),
      alsoCell(result, besides: subject.metric), again,
    ]
  }

  private func alsoCell(_ result: Finding, besides shown: String) -> HTMLTable.Cell {
    let flags = result.flags.map { "<span class=\"tag\">\(Markup.escape($0))</span>" }
    return .init(
      html: ([Markup.escape(other(result, besides: shown))] + flags).joined(separator: " "))
  }

  /// What neither the columns nor the tables of resources and of latencies show.
  private func other(_ result: Finding, besides shown: String) -> String {
    let elsewhere: Set = ["p90", "p999", "max", "cpu", "memory", shown]
    return result.values.filter {
      !elsewhere.contains($0.metric) && !ResourcesSection.metrics.contains($0.metric)
    }.map { value in
      if value.metric == "p99", value.samples < Histogram.needed(for: 0.99) {
        return "p99 n too small"
      }
      return "\(value.metric) \(Figures.text(value, Metric.named(value.metric).unit))"
    }.joined(separator: " · ")
  }
}
