import Evidence

/// How long the main loop stands still while much is written, by the way of writing.
struct StallSection {
  let run: Run

  /// Whatever says how long a loop stood still.
  private var all: [Finding] { run.own.filter { $0.valid && $0["stall"] != nil } }

  /// What is about nothing else, way by way.
  private var own: [Finding] { all.filter(isByWay) }

  private var ours: [Finding] { own.filter { $0.engine == "reference" } }

  private func isByWay(_ finding: Finding) -> Bool { finding.name.family == "writes.stall" }

  /// The longest that anything of the engine kept the loop, beside a loop that nothing happens next
  /// to.
  var worst: String? {
    guard
      let worst = all.filter({ $0.engine == "reference" })
        .max(by: { stall($0) < stall($1) })
    else { return nil }
    var said = "The loop stood still for \(spelled(worst)) at most: \(way(worst))"
    if let frames = frames(ofWorst: worst) {
      let count = Int(nearest: frames)
      if count > 0 { said += ", \(Figures.count(count, "frame")) late at 60 Hz" }
    }
    let idle =
      beside("idle", size(worst)) ?? longest(own.filter { mode($0) == "idle" })
      ?? longest(all.filter { $0.name.family == "notify.idle" })
    said +=
      idle.map { "; the same loop with nothing to do: \(spelled($0))" }
      ?? "; how long a loop with nothing to do stands still was not measured beside it"
    said += "."
    // A program does more than write: what a write alone does to a loop stands beside it.
    if !isByWay(worst), let alone = ours.max(by: { stall($0) < stall($1) }) {
      said += " A write alone: \(spelled(alone)) at most, \(way(alone))."
    }
    // A first impression leaves out the largest, and that is what stands still for longest.
    if sizes.count > 1 {
      said += " Writes of \(sizes.map(bytes).joined(separator: " and ")) were measured, no others."
    }
    let lacking = lacking
    if !lacking.isEmpty {
      let named = lacking.prefix(4).joined(separator: "; ")
      let others = lacking.count > 4 ? "; and \(lacking.count - 4) more" : ""
      said += " Not measured, as the time did not hold it: \(named)\(others)."
    }
    return said
  }

  /// Ways of writing that were asked for and left out: any of them may be the worst.
  private var lacking: [String] {
    lackingWays.map { mode, size in mode + (size.map { ", \(bytes($0))" } ?? "") }
  }

  private var lackingWays: [(mode: String, size: String?)] {
    (run.leftOut ?? []).filter { $0.engine == "reference" }.compactMap { one in
      let name = BenchmarkName(parsing: one.benchmark)
      guard name.family == "writes.stall" else { return nil }
      return (name.parameters["mode"] ?? one.benchmark, name.parameters["transaction"])
    }
  }

  /// What the worst is about: most runs watch a loop beside writes alone.
  var title: String {
    let isOfAll = all.contains { $0.engine == "reference" && !isByWay($0) }
    let what = isOfAll ? "The main loop" : "What writes cost the main loop"
    return what + (lacking.isEmpty ? " at worst" : ", as far as it was measured")
  }

  /// The same where no title above says what it is about.
  var told: String? { worst.map { "\(title): \($0)" } }

  private func spelled(_ finding: Finding) -> String {
    let isLone = finding["stall"]?.isLone ?? false
    return isLone ? Figures.lone(stall(finding), "ns") : Figures.text(stall(finding), "ns")
  }

  private func longest(_ findings: [Finding]) -> Finding? {
    findings.max { stall($0) < stall($1) }
  }

  /// What was written how; of how much at once nobody knows more than was measured.
  private func way(_ finding: Finding) -> String {
    guard isByWay(finding) else { return finding.benchmark }
    return "\(mode(finding)), writes of \(bytes(size(finding))) each"
      + (sizes.count == 1 ? ", other sizes were not measured" : "")
  }

  /// A size of a transaction, which benchmarks name with a letter.
  private func bytes(_ size: String) -> String {
    size.replacing("K", with: " KiB").replacing("M", with: " MiB")
  }

  /// The sizes of transactions that were measured.
  private var sizes: [String] {
    ours.map(size).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// A sentence for each size of transaction, the worst way first.
  var findings: [String] {
    sizes.compactMap { size in
      let said = ours.filter { self.size($0) == size }.sorted { stall($0) > stall($1) }.map {
        "\(mode($0)) \(spelled($0))"
      }
      guard !said.isEmpty else { return nil }
      let floors = [("idle", "with nothing to do"), ("disk", "beside a thread that only writes")]
        .compactMap { mode, words in
          beside(mode, size).map { "; \(words) \(spelled($0))" }
        }
      let lacking = lackingWays.filter { $0.size == size }.map(\.mode)
      let others =
        lacking.isEmpty
        ? "" : "; not measured, as the time did not hold it: \(lacking.joined(separator: ", "))"
      return "with transactions of \(size) the main loop stood still for at most "
        + "\(said.joined(separator: ", "))\(floors.joined())\(others)."
    }
  }

  private func beside(_ mode: String, _ size: String) -> Finding? {
    own.first { self.mode($0) == mode && self.size($0) == size }
  }

  /// The frames of the round in which the loop stood still for longest: what is dropped in most
  /// rounds says nothing of the worst.
  private func frames(ofWorst finding: Finding) -> Double? {
    guard let frames = finding["dropped60"] else { return nil }
    let stalls = finding["stall"]?.rounds ?? []
    guard stalls.count == frames.rounds.count,
      let round = stalls.indices.max(by: { stalls[$0] < stalls[$1] })
    else { return max(frames.value, frames.rounds.max() ?? 0) }
    return frames.rounds[round]
  }

  /// The longest of any round, not the middle of them: that is what a user sees.
  private func stall(_ finding: Finding) -> Double {
    finding["stall"].map { max($0.value, $0.rounds.max() ?? 0) } ?? 0
  }

  /// The way of writing; elsewhere what was measured.
  private func mode(_ finding: Finding) -> String {
    isByWay(finding) ? finding.name.parameters["mode"] ?? "" : finding.benchmark
  }
  private func size(_ finding: Finding) -> String {
    finding.name.parameters["transaction"] ?? "unknown size"
  }

  var section: PageSection? {
    guard !all.isEmpty else { return nil }
    var table = HTMLTable(
      "While a writer commits durable transactions one after another, and in whatever else a loop "
        + "was watched",
      [
        .init("way of writing"), .init("transaction"), .init("in all"), .init("engine"),
        .init("longest stall of all rounds", number: true), .init("median of rounds", number: true),
        .init("99 % of waits", number: true), .init("late frames at 60 Hz", number: true),
        .init("late frames at 120 Hz", number: true), .init("rounds", number: true),
      ], stacks: true)
    for one in all.sorted(by: { stall($0) > stall($1) }) {
      func cell(_ metric: String, _ unit: String) -> HTMLTable.Cell {
        one[metric].map { .init(Figures.text($0, unit), value: $0.value) } ?? ""
      }
      let megabytes = one.name.parameters["megabytes"].map { "\($0)\u{00A0}MB" } ?? ""
      table.add([
        .init(html: Links.here(one.benchmark, as: mode(one))),
        .init(isByWay(one) ? size(one) : ""), .init(megabytes),
        .init(one.engine), .init(spelled(one), value: stall(one)),
        cell("stall", "ns"), cell("p99", "ns"), cell("dropped60", ""), cell("dropped120", ""),
        .init(String(one.rounds)),
      ])
    }
    return PageSection(
      id: "stall", title: "What the main loop feels",
      html:
        "<p>A loop that cannot run drops frames: 16.7 ms are one frame at 60 Hz, 8.3 ms one at 120 "
        + "Hz.</p>"
        + table.html)
  }
}
