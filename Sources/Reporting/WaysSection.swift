import Evidence

/// Which way across threads: what each costs, by what arrives there, because a cheap copy does not
/// serve whoever needs a live object.
struct WaysSection {
  let run: Run

  /// What the other thread has afterwards.
  private enum Arrival: String, CaseIterable {
    case live
    case values = "values only"
    case frozen
    case news = "as news of a write"
  }

  /// A way is named by its benchmark: `ways.freeze` is *freeze*.
  private struct Way {
    let name: String
    let arrival: Arrival
    /// What is done, and what it gives.
    let story: String
  }

  private static let known = [
    Way(name: "query", arrival: .live, story: "send the key, look the object up there"),
    Way(
      name: "reference", arrival: .live,
      story: "a ThreadSafeReference to each, resolved there, once; needs no key"),
    Way(name: "thread-safe", arrival: .live, story: "an @ThreadSafe variable for each"),
    Way(
      name: "copy", arrival: .values,
      story: "copied to plain structs: they never change and cost the file nothing"),
    Way(
      name: "freeze", arrival: .frozen,
      story:
        "frozen objects: any thread reads them; the file keeps their version as long as they live"),
    Way(
      name: "notification", arrival: .news,
      story: "written, and an observer there is told: a transaction is part of it"),
  ]

  private var own: [Finding] {
    run.own.filter { $0.valid && $0.name.chapter == "ways" && $0["time"] != nil }
  }

  private var sizes: [Int] {
    Set(own.compactMap { $0.name.parameters["objects"].flatMap(Int.init) }).sorted()
  }

  private var ways: [Way] {
    let measured = Set(own.map { String($0.name.family.dropFirst("ways.".count)) })
    return Self.known.filter { measured.contains($0.name) }
  }

  private func time(_ way: Way, _ size: Int) -> Finding.Value? {
    own.first {
      $0.name.family == "ways.\(way.name)" && $0.name.parameters["objects"] == String(size)
    }?["time"]
  }

  /// The ways by which so many objects arrive so, the cheapest first.
  private func ranking(_ arrival: Arrival, _ size: Int) -> [(way: String, time: Finding.Value)] {
    ways.filter { $0.arrival == arrival }
      .compactMap { way in time(way, size).map { (way.name, $0) } }
      .sorted { $0.1.value < $1.1.value }
  }

  /// For each kind of arrival its cheapest way, and how much dearer the others are.
  private func advice(_ size: Int) -> String {
    Arrival.allCases.compactMap { arrival -> String? in
      let ranking = ranking(arrival, size)
      guard let best = ranking.first else { return nil }
      let isLone = ranking.contains(where: \.time.isLone)
      let others = ranking.dropFirst().map {
        let ratio = $0.time.value / best.time.value
        return "\($0.way) \(isLone ? Figures.loneTimes(ratio) : Figures.times(ratio))"
      }
      let rest = others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"
      return "\(arrival.rawValue), \(best.way) \(Figures.text(best.time, "ns"))\(rest)"
    }.joined(separator: "; ")
  }

  /// What to take, for each number of objects.
  var findings: [String] {
    guard ways.count > 1 else { return [] }
    return sizes.map { "\(Figures.count($0, "object")) by the cheapest way: \(advice($0))." }
  }

  var section: PageSection? {
    guard !sizes.isEmpty else { return nil }
    let lines = sizes.map {
      "<li>\(Figures.count($0, "object")): \(Markup.escape(advice($0)))</li>"
    }.joined()
    return PageSection(
      id: "ways", title: "Which way across threads",
      html: "<p>Cheapest on this machine, by what arrives on the other thread:</p>"
        + "<ul>\(lines)</ul>" + table.html)
  }

  private var table: HTMLTable {
    var table = HTMLTable(
      "Time to hand objects to another thread and read a property of each there",
      [.init("way"), .init("arrives")]
        + sizes.map { .init(Figures.count($0, "object"), number: true) }
        + [.init("how")])
    for way in ways {
      let cells = sizes.map { size -> HTMLTable.Cell in
        guard let time = time(way, size) else { return "" }
        return HTMLTable.Cell(
          Figures.text(time, "ns"),
          kind: time.value == ranking(way.arrival, size).first?.time.value ? "best" : "")
      }
      table.add(
        [HTMLTable.Cell(way.name), HTMLTable.Cell(way.arrival.rawValue)] + cells
          + [HTMLTable.Cell(way.story)])
    }
    return table
  }
}
