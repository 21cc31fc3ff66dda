import Evidence

/// How long the main loop stands still while much is written, by the way of writing.
struct StallSection {
  let run: Run

  private var own: [Finding] {
    run.shown.filter { $0.valid && $0.name.family == "writes.stall" && $0["stall"] != nil }
  }

  /// The engine's own ways of writing in a sentence: what a user of an app would notice.
  var finding: String? {
    let ours = own.filter { $0.engine == "reference" }
    guard let size = ours.first?.name.parameters["transaction"] else { return nil }
    let said = ours.filter { $0.name.parameters["transaction"] == size }.compactMap { one in
      one["stall"].map { "\(mode(one)) \(Figures.text($0.value, "ns"))" }
    }
    guard said.count > 1 else { return nil }
    let floors = [("idle", "with nothing to do"), ("disk", "beside a thread that only writes")]
      .compactMap { mode, words in
        own.first { self.mode($0) == mode && $0.name.parameters["transaction"] == size }
          .flatMap { $0["stall"] }.map { "\(words) \(Figures.text($0.value, "ns"))" }
      }
    return "The main loop stood still for at most: \(said.joined(separator: ", ")) "
      + "(transactions of \(size)" + floors.map { "; " + $0 }.joined() + ")."
  }

  private func mode(_ finding: Finding) -> String { finding.name.parameters["mode"] ?? "" }

  var section: PageSection? {
    guard !own.isEmpty else { return nil }
    var table = HTMLTable(
      "While a writer commits durable transactions one after another",
      [
        .init("way of writing"), .init("transaction"), .init("engine"),
        .init("longest stall", number: true), .init("waits p99", number: true),
        .init("late frames at 60 Hz", number: true),
        .init("late frames at 120 Hz", number: true),
      ])
    for one in own {
      func cell(_ metric: String, _ unit: String) -> HTMLTable.Cell {
        HTMLTable.Cell(one[metric].map { Figures.text($0.value, unit) } ?? "")
      }
      table.add([
        .init(mode(one)), .init(one.name.parameters["transaction"] ?? ""), .init(one.engine),
        cell("stall", "ns"), cell("p99", "ns"), cell("dropped60", ""), cell("dropped120", ""),
      ])
    }
    return PageSection(
      id: "stall", title: "What the main loop feels",
      html:
        "<p>A loop that cannot run drops frames: 16.7 ms are one frame at 60 Hz, 8.3 ms one at 120 Hz.</p>"
        + table.html)
  }
}
