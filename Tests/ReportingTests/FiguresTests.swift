import Evidence
import Testing

@testable import Reporting

struct FiguresTests {
  /// Names led to the page in what `run` and `report` print, and not in `ab` and `compare`.
  @Test func `names of a comparison lead to their benchmarks, whole or folded`() {
    var comparison = Fixture.comparison
    comparison.rows[0].verdict = .regressed
    let long = "reads.long/" + String(repeating: "parameter=1/", count: 12) + "end=1"
    comparison.rows[0].benchmark = long
    var shown: [String: String] = [:]
    let text = TextTable.comparison(comparison) { text, name in
      shown[name, default: ""] += text
      return "⟦\(text)⟧"
    }
    let notable = comparison.rows.filter { $0.verdict != .unchanged }
    #expect(Set(shown.keys) == Set(notable.map(\.benchmark)))
    #expect(shown[long]?.hasPrefix("reads.long/") == true)
    #expect(text.contains("⟦reads.long/"))
    #expect(
      text.replacing("⟦", with: "").replacing("⟧", with: "") == TextTable.comparison(comparison))
  }

  @Test func `durations and bytes are scaled`() {
    #expect(Figures.text(61.4, "ns/op") == "61.4 ns/op")
    #expect(Figures.text(2180, "ns") == "2.18 µs")
    #expect(Figures.text(3_400_000, "ns") == "3.40 ms")
    #expect(Figures.text(2048, "B") == "2 KiB")
    #expect(Figures.text(0, "B") == "0 B")
    #expect(Figures.text(16_300_000, "op/s") == "16.3 M op/s")
    #expect(Figures.text(.nan, "ns") == "–")
  }

  @Test func `no digit beyond the first of the interval`() {
    #expect(Figures.text(61.4321, "ns", low: 60.1, high: 62.9) == "61 ns")
    #expect(Figures.text(61.4321, "ns", low: 61.3, high: 61.6) == "61.4 ns")
    #expect(Figures.interval(61.4321, 61.3, 61.6, "ns") == "61.3–61.6")
    // A time of 0 is none: the lower end of a wide interval said so.
    #expect(Figures.interval(4e6, 0.14e6, 4.4e6, "ns") == "0.1–4")
    #expect(Figures.interval(2e6, 0.0031e6, 4.4e6, "ns") == "0.003–4")
    #expect(Figures.interval(2, 0, 4.4, "frames") == "0–4")
  }

  @Test func `changes carry their sign and nothing has none`() {
    #expect(Figures.percent(0.031) == "+3.1 %")
    #expect(Figures.percent(-0.12) == "−12 %")
    #expect(Figures.percent(0.000001) == "±0.00 %")
    #expect(Figures.percent(0.5, signed: false) == "50 %")
  }

  @Test func `results have the promised columns and read back`() {
    let rows = CSV.rows(of: ResultsCSV.text(Fixture.run))
    #expect(rows[0].joined(separator: ",").hasPrefix("schema,run_id,utc,commit,dirty,engine"))
    #expect(rows.allSatisfy { $0.count == 38 })
    #expect(rows.count > 50)
    #expect(!rows.joined().contains { $0 == "nan" || $0 == "inf" })
  }

  @Test func `a summary stays short and its cells closed`() {
    var run = Fixture.run
    run.results += (0..<3000).map { place in
      Finding(benchmark: "reads.a|b\(place)", engine: "reference", valid: false, reason: "x\ny")
    }
    let text = SummaryMarkdown.text(run)
    #expect(text.utf8.count <= 61_000)
    #expect(text.contains("more rows in report.html"))
    #expect(text.contains("a\\|b0"))
  }

  @Test func `a terminal's table lines up`() {
    var table = TextTable(["name", "value>"])
    table.add(["a", "1"])
    table.add(["bcd", "1000"])
    #expect(table.text == "name  value\na         1\nbcd    1000\n")
    #expect(TextTable.run(Fixture.run).contains("✕ invalid"))
    #expect(TextTable.comparison(Fixture.comparison).contains("▲ regressed"))
  }

  @Test func `nothing in a terminal is wider than a hundred columns, and no name is cut`() {
    var run = Fixture.run
    let long = (1...12).map { "parameter\($0)=10000\($0)" }.joined(separator: "/")
    for end in ["rows=1000", "rows=100000"] {
      for engine in ["reference", "lmdb"] {
        run.results.append(
          Finding(
            benchmark: "reads.\(long)/\(end)", engine: engine,
            flags: (0..<9).map { "flag-\($0)-is-told" }, rounds: 3,
            values: [
              .init(
                metric: "time", value: engine == "lmdb" ? 1 : 2, low: 1, high: 2, confidence: 0.75,
                rounds: [1, 2, 2], samples: 9)
            ]))
      }
    }
    run.environment.warnings = [String(repeating: "a warning of many words ", count: 12)]
    var comparison = Fixture.comparison
    comparison.rows[0].benchmark = "reads.\(long)/rows=1000"
    comparison.reasons = run.environment.warnings
    run.environment.engines[0].setting = String(repeating: "set up so and so, ", count: 12)
    for text in [
      TextTable.run(run), TextTable.comparison(comparison), TextTable.doctor(run.environment, []),
    ] {
      for line in text.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }
    let joined = TextTable.run(run).replacing(/\n\s*/, with: "")
    #expect(joined.contains("\(long)/rows=1000 ") || joined.contains("\(long)/rows=1000reference"))
    #expect(joined.contains("\(long)/rows=100000"))
  }

  @Test func `what did not change is a count`() {
    let text = TextTable.comparison(Fixture.comparison)
    #expect(text.contains("= unchanged: 1\n"))
    #expect(!text.contains("= unchanged writes.commit"))
  }

  @Test func `one is not many`() {
    #expect(Figures.count(1, "benchmark") == "1 benchmark")
    #expect(Figures.count(0, "benchmark") == "0 benchmarks")
    #expect(Figures.text(123.456, "ns", low: 123.4, high: 123.5) == "123 ns")
  }

  @Test func `lines that are too long go on below, further in, and lose nothing`() {
    let name = "  writes.steady/" + (1...9).map { "parameter\($0)=100000" }.joined(separator: "/")
    let text = "short\n\(name)  (reference, sqlite, lmdb)\n  b  (reference)\n"
    let lines = TextTable.within(text).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 100 } && lines.count == 6, "\(lines)")
    #expect(lines[0] == "short" && lines[4] == "  b  (reference)" && lines[5] == "")
    #expect(lines[2...3].allSatisfy { $0.hasPrefix("      ") })
    #expect(
      lines[1...3].joined().replacing(" ", with: "")
        == "\(name)(reference,sqlite,lmdb)".replacing(" ", with: ""), "\(lines)")
  }

  @Test func `one round has no interval and no third digit, anywhere`() {
    func run(_ rounds: [Double]) -> Run {
      var samples: [Sample] = []
      for (round, time) in rounds.enumerated() {
        for (metric, value) in [("time", time), ("memory", time), ("check", 1.0)] {
          samples.append(
            Sample(
              utc: "", benchmark: "reads.a", engine: "x", round: round, metric: metric,
              value: value, count: 10, seed: 1))
        }
      }
      var run = Run()
      run.results = Summary.results(samples)
      return run
    }
    func everything(_ run: Run) throws -> String {
      try TextTable.run(run) + SummaryMarkdown.text(run)
        + ["bmf", "github"].flatMap { try Exporter.named($0).files(run) }.map(\.text).joined()
    }
    let one = try? everything(run([1234.5]))
    for told in ["1.2 µs/op", "memory 1.2 KiB", "\"value\": 1200", "1 round, 10 operations"] {
      #expect(one?.contains(told) == true, "\(told) in \(one ?? "")")
    }
    for untold in ["1.23", "1234", "lower_value", "range", "±"] {
      #expect(one?.contains(untold) == false, "\(untold) in \(one ?? "")")
    }
    let three = try? everything(run([1230, 1234.5, 1240]))
    for told in ["lower_value", "range", "3 rounds"] {
      #expect(three?.contains(told) == true, "\(told) in \(three ?? "")")
    }
    #expect(Finding.Value.twoDigits(0.0123) == 0.012 && Finding.Value.twoDigits(279) == 280)
  }

  // Exports kept all digits of what was counted once.
  @Test func `one count has two digits, but for what another would repeat to the last`() throws {
    func told(_ rounds: Int) throws -> String {
      var samples: [Sample] = []
      for round in 0..<rounds {
        for (metric, value) in [("allocations", 1234.0), ("bytes", 5678), ("check", 1)] {
          samples.append(
            Sample(
              utc: "", benchmark: "reads.a", engine: "x", round: round, metric: metric,
              value: value, count: 10, seed: 1))
        }
      }
      var run = Run()
      run.results = Summary.results(samples)
      return try TextTable.run(run) + SummaryMarkdown.text(run)
        + ["bmf", "github", "openmetrics", "benchfmt"].flatMap {
          try Exporter.named($0).files(run)
        }.map(\.text).joined()
    }
    let (once, thrice) = (try told(1), try told(3))
    #expect(once.contains("\"value\": 1200") && once.contains("1200 allocs/op"), "\(once)")
    #expect(!once.contains("1234") && !once.contains("1\u{202F}234"), "\(once)")
    #expect(once.contains("\"value\": 5678"), "\(once)")
    #expect(thrice.contains("\"value\": 1234"), "\(thrice)")
  }

  @Test func `a comparison by one pair of rounds has two digits on each side`() throws {
    let row = Decision.settled(
      Decision.Question(
        benchmark: "reads.a", engine: "x", metric: .named("time"), a: [1234.5, 999], b: [1357.9]))
    let sides = Figures.sides(row)
    #expect(sides == ("1.2 µs/op", "1.4 µs/op"), "\(sides)")
    #expect(row.a == 1234.5 && row.rounds == 1 && row.pairsA == [1234.5])
    var broken = row
    broken.verdict = .invalid
    #expect(Figures.sides(broken) == ("–", "–"))
  }

  /// Beside six rounds "at least 75 %" was said, which is what three counts are sure of, though no
  /// interval of a count stands in the table.
  @Test func `a table says what its own intervals cover`() {
    func caption(rounds: Int, counts: Int) -> String {
      var samples: [Sample] = []
      func add(_ metric: String, _ value: Double, _ round: Int) {
        samples.append(
          Sample(
            utc: "2026-01-02T03:04:05Z", benchmark: "reads.a", engine: "x", round: round,
            metric: metric, value: value, count: 1, seed: 1))
      }
      for round in 0..<rounds {
        add("time", 100 + Double(round), round)
        add("check", 1, round)
      }
      for round in 0..<counts { add("allocations", 3 + Double(round), round) }
      var run = Run()
      run.results = Summary.results(samples)
      let page = Fixture.read(RunReport(run).html)
      return String(page.firstMatch(of: /medians over rounds[^.]*/)?.output ?? "no caption")
    }
    #expect(caption(rounds: 6, counts: 3).contains("cover at least 96 %"))
    #expect(caption(rounds: 3, counts: 3).contains("cover at least 75 %"))
    #expect(caption(rounds: 3, counts: 1).contains("cover at least 75 %"))
    #expect(caption(rounds: 1, counts: 3).contains("of a single round there is no interval"))
  }

  /// What the intervals on a terminal covered stood on the page alone.
  @Test func `a terminal's table says what its intervals cover, and over what`() {
    let run = TextTable.run(Fixture.run)
    #expect(
      run.contains("\nintervals: of the median over the rounds of a row, at least 99 %\n"), "\(run)"
    )
    var comparison = Fixture.comparison
    func line(_ text: String) -> String? {
      text.split(separator: "\n").first { $0.hasPrefix("intervals: ") }.map(String.init)
    }
    let start = "intervals: of the change over the pairs of rounds of a row, "
    #expect(line(TextTable.comparison(comparison)) == start + "95 %")
    comparison.rows[0].rounds = 5
    #expect(
      line(TextTable.comparison(comparison)) == start + "95 % from six pairs on, less below")
    comparison.rows.removeAll { $0.verdict != .unchanged }
    #expect(line(TextTable.comparison(comparison)) == nil)
    #expect(line(TextTable.run(Run())) == nil)
  }

  /// "100 → 99 ns" stood beside "+2 %", and nobody could tell which to believe.
  @Test func `medians that point the other way than the change are explained`() throws {
    // Each pair says +2 %, and the machine becomes slower between two of them.
    let a = [100.0, 100, 100, 120, 120, 120, 120]
    let b = [102.0, 102, 102, 102 * 0.99, 122, 122, 122]
    let row = try #require(
      Decision.judge([
        Decision.Question(
          benchmark: "reads.a", engine: "x", metric: .named("time"), a: a, b: b)
      ]).first)
    #expect(row.a == 120 && row.b == 102 && row.change > 0.01, "\(row.change)")
    var comparison = Fixture.comparison
    comparison.rows = [row]
    if row.verdict == .unchanged { comparison.rows[0].verdict = .inconclusive }
    var run = Fixture.run
    run.comparison = comparison
    let words =
      "the medians point the other way (−15 %): the change is the middle of what the"
    for text in [
      TextTable.comparison(comparison).replacing("\n    ", with: " "), SummaryMarkdown.text(run),
      Annotations.text(run).replacing("%25", with: "%"), Fixture.read(RunReport(run).html),
    ] { #expect(text.contains(words), "\(text.prefix(3000))") }
    // Nothing is to be explained where they agree, or where nothing of it is seen.
    for (b, change) in [(130.0, 0.02), (120.001, -0.02), (102, -0.02), (102, 0.00001)] {
      comparison.rows[0].b = b
      comparison.rows[0].change = change
      #expect(!TextTable.comparison(comparison).contains("the medians"), "\(b), \(change)")
    }
    comparison.rows[0].change = 0.02
    comparison.rows[0].metric = "rate"
    #expect(!TextTable.comparison(comparison).contains("the medians"), "less of it is worse")
  }

  /// A percentile stood beside the rounds of the time, of which there were more.
  @Test func `tails tell the rounds behind them`() throws {
    var run = Fixture.run
    let place = try #require(run.results.firstIndex { $0["p99"] != nil && $0.histogram != nil })
    #expect(!TextTable.run(run).contains(" of 3 rounds"))
    let p99 = try #require(run.results[place].values.firstIndex { $0.metric == "p99" })
    run.results[place].values[p99].rounds = [1, 2, 3]
    #expect(TextTable.run(run).contains(" of 3 rounds"))
    #expect(SummaryMarkdown.text(run).contains(" of 3 rounds"))
    let table = try #require(LatencySection(run: run).section).html
    #expect(table.contains("rounds</th>"))
    #expect(table.contains("data-v=\"3\" data-l=\"rounds\">3</td>"), "\(table.prefix(1500))")
    #expect(table.contains("data-v=\"8\" data-l=\"rounds\">8</td>"))
  }

  @Test func `what is not there is said in text and in the summary`() {
    var run = Run()
    run.leftOut = [LeftOut(benchmark: "reads.z", engine: "x", reason: "it does not fit")]
    run.missingShards = ["2/3"]
    run.crossings = ["reads.a: x on m, y on n"]
    for text in [TextTable.run(run), SummaryMarkdown.text(run)] {
      for told in ["reads.z", "it does not fit", "2/3 is missing", "x on m, y on n"] {
        #expect(text.contains(told), "\(told)")
      }
    }
  }

  /// Each of two runs that were put together said so, and the whole once more.
  @Test func `what was measured apart is said once`() {
    func run(_ machine: String, _ engine: String) -> Run {
      var run = Run()
      run.environment.machineID = machine
      run.results = [Finding(benchmark: "reads.a", engine: engine, valid: true)]
      return run
    }
    let merged = RunMerge.merged([run("m", "x"), run("n", "y")])
    for text in [TextTable.run(merged), SummaryMarkdown.text(merged)] {
      #expect(text.components(separatedBy: "measured apart").count == 2, "\(text)")
      #expect(text.contains("and so not compared: reads.a: x on m, y on n"), "\(text)")
    }
  }

  /// A number from a file that anybody may have written ended the process, or was drawn as one of
  /// three hundred digits.
  @Test(arguments: [
    0, -1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-300, 1e17, 9.3e18, 1e300,
    .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .infinity, .nan,
  ])
  func `no number is too odd to be told or drawn`(odd: Double) {
    for unit in ["ns", "ns/op", "B", "op/s", "share", ""] {
      for (low, high) in [(odd, odd), (-odd, odd), (0, odd), (odd, odd.nextUp)] {
        #expect(Figures.text(odd, unit, low: low, high: high).count < 40)
        #expect(Figures.interval(odd, low, high, unit).count < 80)
      }
    }
    #expect(Figures.percent(odd).count < 30 && Figures.times(odd).count < 30)
    for values in [[odd], [odd, odd], [odd, 1], [-odd, odd], [odd, odd.nextUp, odd.nextDown]] {
      for isLog in [true, false] {
        let axis = Axis(values, log: isLog, from: 10, to: 200)
        #expect(axis.ticks.count < 200 && axis.high > axis.low)
        for value in values { #expect((0...300).contains(axis.place(value))) }
      }
    }
    #expect(Double(Ink.number(odd)) != nil)
  }

  @Test func `of several machines each number names its own`() {
    var run = Fixture.run
    (run.environment.machineID, run.environment.cpu) = ("m", "the first's")
    let other = (run.results[1].name.family, run.results[1].engine)
    for place in run.results.indices
    where (run.results[place].name.family, run.results[place].engine) == other {
      run.results[place].machine = "n"
    }
    let rows = CSV.rows(of: ResultsCSV.text(run))
    let (id, cpu, name, engine) = (7, 8, 16, 5)
    for row in rows.dropFirst() {
      if (row[name], row[engine]) == other {
        #expect(row[id] == "n" && row[cpu].isEmpty, "\(row)")
      } else {
        #expect(row[id] == "m" && row[cpu] == "the first's", "\(row)")
      }
    }
    #expect(rows.contains { $0[id] == "n" } && rows.contains { $0[id] == "m" })
    #expect(InfluxExport.text(run).contains("machine=n"))
    #expect(OpenMetricsExport.text(run).contains(",machine=\"n\"}"))
  }
}
