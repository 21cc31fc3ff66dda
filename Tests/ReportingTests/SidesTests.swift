import Evidence
import Foundation
import Testing

@testable import Reporting

/// A run of two builds: whose numbers stand where.
struct SidesTests {
  /// The base, the base again for the control, and the candidate.
  private var duel: Run {
    var samples: [Sample] = []
    for (side, time) in [("A", 100.0), ("A'", 103), ("B", 130)] {
      for round in 0..<8 {
        for (metric, value) in [("time", time + Double(round % 3)), ("check", 1)] {
          samples.append(
            Sample(
              utc: "", benchmark: "reads.a/rows=10", engine: "reference", side: side, round: round,
              metric: metric, value: value, count: 5000, seed: 7))
        }
      }
    }
    var run = Run()
    run.id = "ab1"
    run.state = .finished
    run.started = "2026-01-02T03:04:05Z"
    run.asked.verb = "ab"
    run.asked.quick = true
    run.asked.command =
      "realm-bench ab --base '/a b/old' --candidate new --quick --workdir /disk --timeout=30s "
      + "--realm-core /lib/core.so --seed 7"
    run.environment.commit = "bbbbbb"
    run.environment.machineID = "m"
    run.results = Summary.results(samples)
    run.comparison = Comparison(
      a: .init(name: "A", commit: "aaaaaa", subject: "/a b/old", source: "/a b/old"),
      b: .init(name: "B", commit: "bbbbbb", subject: "new", source: "new"), interleaved: true,
      trusted: true, reasons: [],
      control: .init(benchmarks: 1, suspects: 1, confirmed: 0, noiseFloor: 0.01), q: 0.02,
      rows: Decision.judge([
        Decision.Question(
          benchmark: "reads.a/rows=10", engine: "reference", metric: .named("time"),
          a: run.results[0]["time"]?.rounds ?? [], b: run.results[2]["time"]?.rounds ?? [])
      ]))
    return run
  }

  @Test func `the table names each side by its commit, and the control's twin is nobody`() {
    let rows = CSV.rows(of: ResultsCSV.text(duel))
    func column(_ name: String) -> [String] {
      let place = ResultsCSV.columns.firstIndex(of: name) ?? 0
      return rows.dropFirst().map { $0[place] }
    }
    #expect(column("side") == ["A", "B"])
    #expect(column("commit") == ["aaaaaa", "bbbbbb"])
  }

  @Test func `what two sides do not share is told before what a machine lacks`() throws {
    var run = duel
    run.comparison?.reasons = ["the seeds differ: 1 and 2"]
    run.environment.warnings = ["no hardware counters: instructions are not counted"]
    for text in [SummaryMarkdown.text(run), TrustBox(run: run).html] {
      let seeds = try #require(text.range(of: "the seeds differ"), "\(text)")
      let counters = try #require(text.range(of: "no hardware counters"), "\(text)")
      #expect(seeds.lowerBound < counters.lowerBound, "\(text)")
    }
  }

  @Test func `what is the same on two machines is counted, and not told row by row`() throws {
    var comparison = try #require(duel.comparison)
    var row = try #require(comparison.rows.first)
    (row.verdict, row.note) = (.inconclusive, Comparison.Row.shown)
    comparison.rows = [row]
    for count in 1...3 {
      (row.metric, row.a, row.b, row.change) = ("count \(count)", Double(count), Double(count), 0)
      comparison.rows.append(row)
    }
    let text = TextTable.comparison(comparison)
    #expect(text.contains("reads.a/rows=10 (reference)") && !text.contains("count 1"), "\(text)")
    #expect(text.contains("? shown, not judged, the same on both: 3\n"), "\(text)")
    #expect(!text.contains("= unchanged"))
  }

  @Test(arguments: Exporter.all.map(\.name))
  func `an export holds the candidate alone, under its commit`(name: String) throws {
    var run = duel
    if name == "junit" { run.comparison = nil }
    run.results[2].histogram = {
      let one = Histogram()
      for value in 0..<2000 { one.record(UInt64(130 + value % 7)) }
      return one.encoded
    }()
    run.results[0].histogram = run.results[2].histogram
    let text = try Exporter.named(name).files(run).map { "\($0.name)\n\($0.text)" }.joined()
    // What the candidate is of the base's is a test of Otava's by itself, named by the base.
    let own = name == "otava" ? text.replacing("over-aaaaaa", with: "") : text
    #expect(!own.contains("aaaaaa") && !text.contains("100.5"), "\(text)")
    let marks = [
      "jmh": "primaryMetric", "bmf": "/engine=", "github": "\"name\"",
      "openmetrics": "stat=\"median\"", "benchfmt": "ns/op\n", "hgrm": "hgrm/reads.a",
      "otava": "utc,", "influx": "reads.a,", "junit": "<testcase ",
    ]
    let count = text.components(separatedBy: try #require(marks[name])).count - 1
    #expect(count == ["benchfmt": 8, "otava": 2][name, default: 1], "\(text)")
  }

  @Test func `history has the candidate's number of it, and what that is of the base's`() {
    let rows = CSV.rows(of: TrendReport([duel]).csv).dropFirst()
    #expect(rows.count == 2 && rows.allSatisfy { $0[2] == "bbbbbb" }, "\(rows)")
    #expect(rows.first { $0[11].isEmpty }?[8] == "131")
    let ratio = rows.first { $0[11] == "aaaaaa" }
    #expect(ratio?[7] == "times as dear" && (Double(ratio?[8] ?? "") ?? 0) > 1.2, "\(rows)")
  }

  /// Two rows were called `reference`, both of them the base's, under the candidate's commit.
  @Test func `the page calls both sides by their commits`() throws {
    let html = RunReport(duel).html
    let table = try #require(
      html.components(separatedBy: "id=\"reads.a/rows=10\"").dropFirst().first?
        .components(separatedBy: "</table>").first)
    #expect(table.components(separatedBy: "<tr>").count == 3, "\(table)")
    for commit in ["aaaaaa", "bbbbbb"] {
      #expect(table.contains("reference <span class=\"soft nowrap\">\(commit)</span>"))
    }
    #expect(html.contains("aaaaaa → bbbbbb") && !html.contains("commit bbbbbb ·"))
    #expect(!html.contains("1 benchmarks") && !html.contains("1 suspects"))
    #expect(Run().name(of: Finding(benchmark: "a", engine: "x")) == nil)
  }

  @Test func `a repeat command puts both builds side by side again`() {
    let run = duel
    let again =
      "realm-bench ab --base '/a b/old' --candidate new --filter 'reads.a/rows=10' --engine "
      + "reference --quick --workdir /disk --realm-core /lib/core.so --timeout 30s --seed 7"
    #expect(run.measured.allSatisfy { run.reproduction(of: $0) == again })
    var other = run
    other.asked.command = "realm-bench ab --base=/old"
    #expect(
      other.reproduction(of: run.results[0])
        == "realm-bench ab --base /old --candidate 'new' --filter 'reads.a/rows=10' --engine "
        + "reference --quick --seed 7")
  }

  @Test func `a repeat command keeps the work directory, the library and the timeout`() {
    var run = duel
    run.comparison = nil
    run.asked.verb = "run"
    run.asked.quick = false
    run.asked.command =
      "realm-bench run --workdir '/my disk' --realm-core=/lib/core.so --timeout 30s"
    #expect(
      run.reproduction(of: run.results[0])
        == "realm-bench run --filter 'reads.a/rows=10' --engine reference --workdir '/my disk' "
        + "--realm-core /lib/core.so --timeout 30s --seed 7")
  }

  @Test func `a side without a valid answer is named by its commit`() throws {
    var run = duel
    run.comparison?.rows[0].verdict = .invalid
    run.comparison?.rows[0].broken = .b
    let comparison = try #require(run.comparison)
    for text in [
      TextTable.comparison(comparison), Annotations.text(run), RunReport(run).html,
    ] {
      #expect(text.contains("bbbbbb has no valid answer"))
      #expect(!text.contains("B has no valid answer") && !text.contains("in B alone"))
    }
  }

  @Test func `how many more rounds may settle it is said everywhere`() throws {
    var run = duel
    run.comparison?.rows[0].verdict = .inconclusive
    run.comparison?.rows[0].moreRounds = 12
    let comparison = try #require(run.comparison)
    for text in [
      TextTable.comparison(comparison).replacing("\n    ", with: " "), SummaryMarkdown.text(run),
      Annotations.text(run), RunReport(run).html,
    ] { #expect(text.contains("about 12 more rounds may settle it"), "\(text)") }
  }
}

/// What stood in the way of what a reader came for.
struct ClutterTests {
  @Test func `what was left out is folded behind what was lost, a line for each reason`() throws {
    var run = Fixture.run
    run.leftOut = ["reference", "lmdb"].flatMap { engine in
      [
        LeftOut(benchmark: "reads.z", engine: engine, reason: "it does not fit"),
        LeftOut(benchmark: "reads.y", engine: engine, reason: "nor this"),
      ]
    }
    run.missingShards = ["2/3"]
    let html = RunReport(run).html
    let fold = try #require(html.range(of: "id=\"left-out\""))
    for earlier in ["id=\"wins\"", "shard 2/3 is missing"] {
      let place = try #require(html.range(of: earlier), "\(earlier)")
      #expect(place.upperBound < fold.lowerBound, "\(earlier)")
    }
    #expect(html.contains("<li>reads.z (reference, lmdb): it does not fit</li>"))
    #expect(TextTable.leftOut(run).count == 2)
    #expect(html.contains("4 measurements left out"))
  }

  @Test func `a name that is cut says so and keeps both its ends`() {
    let name = "screen: writes.commit-steady/durability=none/held=0/pieces=0/rows=10000 (lmdb)"
    #expect(TextTable.shortened(name, to: 100) == name)
    let cut = TextTable.shortened(name, to: 48)
    #expect(cut.count == 48 && cut.hasPrefix("screen: writes.") && cut.contains("…"))
    #expect(cut.hasSuffix("rows=10000 (lmdb)"))
    #expect(cut != TextTable.shortened(name.replacing("lmdb", with: "sqlite"), to: 48))
  }

  @Test func `counts that are zero are neither drawn nor listed`() throws {
    var comparison = Fixture.comparison
    comparison.rows[0].pairsA = [0, 0, 0]
    comparison.rows[0].pairsB = [0, 0, 0]
    comparison.rows = [comparison.rows[0]]
    let html = ComparisonReport.html(
      runs: [Fixture.run, Fixture.run], comparisons: [comparison])
    #expect(!html.contains("<summary>pairs</summary>"))
    let summary = SummaryMarkdown.text(Fixture.run)
    let row = try #require(
      summary.split(separator: "\n").first {
        $0.hasPrefix("| reads.by-primary-key") && $0.contains("| lmdb |")
      })
    #expect(!row.contains("allocations 0"), "\(row)")
  }

  /// Runs that lay in folders of one name had columns of one name, and a telephone showed of their
  /// tables the first column.
  @Test func `columns of machines are told apart, and stand row by row on a telephone`() {
    let runs = ["m1", "m2"].map { machine in
      var run = Fixture.run
      run.id = "run"
      run.environment.machineID = machine
      run.results.append(
        Finding(
          benchmark: "floor.cache-miss", engine: "c", rounds: 1, seed: 7,
          values: [
            .init(
              metric: "time", value: 100, low: 100, high: 100, confidence: 0, rounds: [100],
              samples: 1)
          ]))
      return run
    }
    let html = ComparisonReport.html(runs: runs, comparisons: [Fixture.comparison])
    #expect(html.contains(">run on m1</th>") && html.contains(">run on m2</th>"))
    #expect(html.contains("<td class=\"n\" data-l=\"run on m2\">"))
  }

  @Test func `growth has a logarithmic axis with room for nothing held`() throws {
    let html = try #require(GrowthSection(run: Fixture.run).section).html
    #expect(html.contains("versions held, logarithmic but for 0"))
    // 0, 10, 100 and 1000 lie at equal distances.
    let places = html.matches(of: /<circle[^>]*cx="([0-9.]+)"/).compactMap {
      Double($0.output.1)
    }.filter { $0 > 20 }.prefix(4)
    let steps = zip(places, places.dropFirst()).map { $1 - $0 }
    #expect(steps.count == 3 && steps.allSatisfy { abs($0 - steps[0]) < 0.02 * steps[0] + 1 })
  }

  @Test func `a loop that nothing idle was measured beside is told to stand alone`() throws {
    var run = Run()
    run.results = [
      Finding(
        benchmark: "notify.stall/observers=3", engine: "reference", rounds: 3,
        values: [
          .init(
            metric: "stall", value: 4e6, low: 3e6, high: 5e6, confidence: 0.9,
            rounds: [3e6, 4e6, 5e6], samples: 3)
        ])
    ]
    let worst = try #require(StallSection(run: run).worst)
    #expect(
      worst.hasSuffix(
        "; how long a loop with nothing to do stands still was not measured beside it."),
      "\(worst)")
    #expect(TextTable.run(run).contains("stall"))
    // The loop's own rest stands beside it where that was measured.
    var idle = run.results[0]
    (idle.benchmark, idle.engine) = ("notify.idle", "null")
    idle.values[0].value = 2e6
    idle.values[0].rounds = [1e6, 2e6, 3e6]
    run.results.append(idle)
    #expect(
      StallSection(run: run).worst?.contains("; the same loop with nothing to do: 3") == true,
      "\(StallSection(run: run).worst ?? "")")
  }

  @Test func `moments that no rule comes by are named on the page`() {
    var examination = Examination(
      engine: "reference", engineVersion: "1", seed: 1,
      verdicts: [
        Verdict(
          id: "READ-01", tier: "documented", level: "required", wording: "It MUST.", state: .holds)
      ])
    examination.verdicts[0].marks = ["begun"]
    examination.moments = ["begun", "ended"]
    examination.coverage = .init(sentences: 3, binding: 2, probed: 1, rules: 1)
    let html = ConformanceSection(examination).sections.map(\.html).joined()
    #expect(
      html.contains("Moments of the engine that a rule comes by: 1 of 2; none comes by ended."),
      "\(html.prefix(600))")
  }

  @Test func `history is told as one document of the format that was asked for`() throws {
    let runs = (0..<3).map { number -> Run in
      var run = Fixture.run
      run.id = "r\(number)"
      run.started = "2026-01-0\(number + 1)T03:04:05Z"
      return run
    }
    let report = TrendReport(runs)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    #expect(document["runs"] as? Int == 3 && document["schema"] as? Int == 1)
    let series = try #require(document["series"] as? [[String: Any]])
    #expect(series.allSatisfy { ($0["points"] as? [Any])?.count == 3 })
    let stall = series.first { ($0["benchmark"] as? String)?.hasPrefix("writes.stall") == true }
    #expect(stall?["metric"] as? String == "stall")
    #expect(report.markdown.contains("no series steps") || report.markdown.hasPrefix("| "))
  }
}
