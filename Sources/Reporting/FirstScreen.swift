import Evidence

/// What a run of benchmarks says at once: what it can see, where the engine loses, what the main
/// loop feels, where it wins.
///
/// Whoever stops here must not think better of the engine than who reads on.
struct FirstScreen {
  let run: Run

  private let rivalry: Rivalry

  init(run: Run) {
    self.run = run
    rivalry = Rivalry(run: run)
  }

  /// So many limits of the machine stand in their card; the others follow below.
  private static let mostLimits = 3
  /// And so many losses in theirs.
  private static let mostLosses = 3

  /// What was lost, what the main loop felt and what cannot be seen, in three boxes before any
  /// list.
  var cards: String {
    var cards: [(String, String)] = []
    if let said = rivalry.sentence {
      cards.append(("Where it loses", Markup.escape(said.capitalizedFirst) + "." + worst))
    }
    let stall = StallSection(run: run)
    if let worst = stall.worst { cards.append((stall.title, Markup.breakable(worst))) }
    if let hidden = VisibleChange(run: run).hidden {
      cards.append(("What cannot be seen here", Markup.breakable(hidden) + "." + limits))
    }
    guard !cards.isEmpty else { return "" }
    let boxes = cards.map { "<li><h3>\(Markup.escape($0))</h3><div>\($1)</div></li>" }.joined()
    return "<ul class=\"cards\">\(boxes)</ul>"
  }

  /// The worst that was lost, under the words that stand over all of it below.
  private var worst: String {
    var room = Self.mostLosses
    return rivalry.groups.map { group in
      let shown = group.matches.prefix(room)
      room -= shown.count
      var items = shown.map { match in
        "<li>\(Links.here(match.benchmark, as: name(match))): \(Markup.escape(spelled(match)))</li>"
      }
      let more = group.matches.count - shown.count
      if more > 0 {
        let what = shown.isEmpty ? "all \(more)" : "\(more) more"
        items.append("<li><a href=\"#losses\">\(what)</a></li>")
      }
      return " \(Markup.escape(group.title.capitalizedFirst)):<ul>\(items.joined())</ul>"
    }.joined()
  }

  /// What the machine itself hides.
  private var limits: String {
    let all = run.environment.warnings
    guard !all.isEmpty else { return "" }
    var items = all.prefix(Self.mostLimits).map { "<li>\(Markup.escape($0))</li>" }
    if all.count > items.count {
      items.append("<li><a href=\"#trust\">\(all.count - items.count) more</a></li>")
    }
    return "<ul>\(items.joined())</ul>"
  }

  /// Every comparison with a peer: lost ones in full, then what was won.
  var lists: String { losses + wins }

  private var losses: String {
    let groups = rivalry.groups
    guard !groups.isEmpty else { return "" }
    return "<section id=\"losses\" aria-labelledby=\"losses-h\">"
      + "<h2 id=\"losses-h\">Where it loses</h2>\(groups.map(table).joined())</section>"
  }

  private func table(_ group: Rivalry.Group) -> String {
    let isSure = group.matches.allSatisfy(\.isTold)
    var table = HTMLTable(
      "\(group.title.capitalizedFirst)"
        + (isSure ? "; intervals cover 95 %" : ": the interval, of 95 %, holds 1 or there is none")
        + "; /op is for one operation of the benchmark",
      [
        .init("benchmark"), .init("peer"), .init("times as dear", number: true),
        .init("interval", number: true), .init("here", number: true), .init("peer's", number: true),
        .init("rounds", number: true),
      ], stacks: true)
    for match in group.matches {
      table.add([
        .init(html: Links.here(match.benchmark, as: name(match))),
        .init(match.peer),
        .init(
          match.told + match.doubt, kind: "verdict bad", value: match.ratio),
        .init(interval(match) ?? match.lackOfInterval),
        cell(match.ours, match.metric), cell(match.theirs, match.metric),
        .init(String(match.rounds)),
      ])
    }
    return table.html
  }

  private var wins: String {
    let won = rivalry.wins
    guard !won.isEmpty else { return "" }
    let ratios = won.map { 1 / $0.ratio }
    let ends = won.flatMap { match in
      match.interval.map { [1 / $0.lowerBound, 1 / $0.upperBound] } ?? []
    }
    let strip = Strip(ratios + ends, middle: 1) { Figures.times($0) }
    var table = HTMLTable(
      "How many times as dear the peer is, on one logarithmic axis, the largest first; bars "
        + "cover 95 %",
      [
        .init("benchmark"), .init("peer"), .init(axis: strip.head, title: "ratio, logarithmic"),
        .init("ratio", number: true), .init("interval", number: true),
        .init("rounds", number: true),
      ], stacks: true)
    for match in won {
      let ratio = 1 / match.ratio
      table.add([
        .init(html: Links.here(match.benchmark, as: name(match))), .init(match.peer),
        .init(
          html: strip.row(
            ratio, low: match.interval.map { 1 / $0.upperBound },
            high: match.interval.map { 1 / $0.lowerBound },
            ink: LineChart.Series.ink(match.peer))),
        .init(match.toldTurned + match.doubt, value: ratio),
        .init(interval(match, turned: true) ?? match.lackOfInterval), .init(String(match.rounds)),
      ])
    }
    let title = "Where it wins"
    return "<section id=\"wins\" aria-labelledby=\"wins-h\"><h2 id=\"wins-h\">\(title)</h2>"
      + "\(table.html)</section>"
  }

  // MARK: Words

  /// The benchmark with its parameters, and which of its metrics is not its time.
  private func name(_ match: Rivalry.Match) -> String {
    match.metric == "time" ? match.benchmark : "\(match.benchmark), \(match.metric)"
  }

  private func spelled(_ match: Rivalry.Match) -> String {
    let within = interval(match) ?? match.lackOfInterval
    return "\(match.told)\(match.doubt) as dear as \(match.peer) (\(within))"
  }

  private func interval(_ match: Rivalry.Match, turned: Bool = false) -> String? {
    guard let interval = match.interval else { return nil }
    let (low, high) =
      turned
      ? (1 / interval.upperBound, 1 / interval.lowerBound)
      : (interval.lowerBound, interval.upperBound)
    return "\(Figures.times(low))–\(Figures.times(high))"
  }

  private func cell(_ value: Finding.Value, _ metric: String) -> HTMLTable.Cell {
    .init(Figures.text(value, Metric.named(metric).unit), value: value.value)
  }
}

extension String {
  /// With a capital letter in front; the rest as it is.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
