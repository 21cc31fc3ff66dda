import Evidence

/// Which way across threads: the cost of each, and the cheapest for each number of objects.
struct WaysSection {
  let run: Run

  private var own: [Finding] {
    run.shown.filter { $0.valid && $0.name.chapter == "ways" && $0["time"] != nil }
  }

  private var sizes: [Int] {
    Set(own.compactMap { $0.name.parameters["objects"].flatMap(Int.init) }).sorted()
  }

  /// A way is named by its benchmark: `ways.freeze` is *freeze*.
  private var ways: [String] {
    var ways: [String] = []
    for one in own where !ways.contains(way(one)) { ways.append(way(one)) }
    return ways
  }

  private func way(_ finding: Finding) -> String {
    String(finding.name.family.dropFirst("ways.".count))
  }

  private func time(_ way: String, _ size: Int) -> Finding.Value? {
    own.first { self.way($0) == way && $0.name.parameters["objects"] == String(size) }?["time"]
  }

  /// All ways for so many objects, the cheapest first.
  private func ranking(_ size: Int) -> [(way: String, time: Double)] {
    ways.compactMap { way in time(way, size).map { (way, $0.value) } }.sorted { $0.1 < $1.1 }
  }

  /// What to take for 100 objects, or for the middle of what was measured.
  var finding: String? {
    guard let size = sizes.contains(100) ? 100 : sizes.dropFirst(sizes.count / 2).first else {
      return nil
    }
    let ranking = ranking(size)
    guard let best = ranking.first, ranking.count > 1 else { return nil }
    let others = ranking.dropFirst().map {
      "\($0.way) takes \(Figures.times($0.time / best.time)) that"
    }.joined(separator: ", ")
    return "To hand \(size) objects to another thread, \(best.way) is cheapest: "
      + "\(Figures.text(best.time, "ns")); \(others)."
  }

  var section: PageSection? {
    guard !sizes.isEmpty else { return nil }
    let advice = sizes.compactMap { size in
      ranking(size).first.map {
        "<li>\(size) objects: <b>\(Markup.escape($0.way))</b>, \(Figures.text($0.time, "ns"))</li>"
      }
    }.joined()
    return PageSection(
      id: "ways", title: "Which way across threads",
      html: "<p>Cheapest on this machine:</p><ul>\(advice)</ul>" + table.html)
  }

  private var table: HTMLTable {
    var table = HTMLTable(
      "Time to hand objects to another thread and read a property of each there",
      [.init("way")] + sizes.map { .init("\($0) objects", number: true) })
    for way in ways {
      let cells = sizes.map { size -> HTMLTable.Cell in
        guard let time = time(way, size) else { return "" }
        return HTMLTable.Cell(
          Figures.text(time.value, "ns", low: time.low, high: time.high),
          kind: time.value == ranking(size).first?.time ? "best" : "")
      }
      table.add([HTMLTable.Cell(way)] + cells)
    }
    return table
  }
}
