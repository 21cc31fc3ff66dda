import Evidence
import Foundation
import Testing

@testable import Reporting

/// What each format promises its readers; Tests/Clients/read_exports.py has the readers themselves.
struct ExporterTests {
  private func text(_ name: String, _ run: Run = Fixture.run) throws -> String {
    try Exporter.named(name).files(run)[0].text
  }

  private func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  @Test(arguments: Exporter.all.map(\.name))
  func `every export is the same twice and never says nan`(name: String) throws {
    let one = try Exporter.named(name).files(Fixture.run)
    let two = try Exporter.named(name).files(Fixture.run)
    #expect(one.map(\.text) == two.map(\.text))
    #expect(!one.isEmpty)
    for file in one {
      #expect(!file.text.contains("inf ") && !file.text.contains(" nan"))
      #expect(!file.name.contains(" ") && !file.name.contains(".."))
    }
  }

  @Test func `one round is one round, however often it was counted`() throws {
    var samples: [Sample] = []
    func add(_ round: Int, _ metric: String, _ value: Double) {
      samples.append(
        Sample(
          utc: "", benchmark: "reads.a", engine: "x", side: "", round: round, metric: metric,
          value: value, count: 10, seed: 1))
    }
    add(0, "time", 123.456)
    for round in 0..<3 {
      add(round, "check", 1)
      add(round, "flushes", 2)
    }
    var run = Fixture.run
    run.comparison = nil
    run.results = Summary.results(samples)
    #expect(run.results.map(\.rounds) == [1])
    #expect(VisibleChange(run: run).spelledRounds == "1 round behind each number")
    let said = SummaryMarkdown.text(run)
    #expect(said.contains("1 round") && !said.contains("3 rounds"))
    #expect(try text("influx", run).contains("time=123.456,"))
    #expect(try !text("influx", run).contains("time_low"))
    #expect(try text("openmetrics", run).components(separatedBy: "stat=\"low\"").count == 2)
    let lines = try text("benchfmt", run).split(separator: "\n").filter { $0.hasPrefix("Bench") }
    #expect(lines.count == 1 && lines[0].contains("120 ns/op"))
    let rows = ResultsCSV.text(run).split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (low, metric) = (
      try #require(ResultsCSV.columns.firstIndex(of: "ci_lo")),
      try #require(ResultsCSV.columns.firstIndex(of: "metric"))
    )
    #expect(rows.first { $0[metric] == "time" }?[low...(low + 2)] == ["", "", "1"])
    #expect(rows.first { $0[metric] == "flushes" }?[low...(low + 2)] == ["2", "2", "3"])
  }

  @Test func `an unknown export is refused and the known ones are named`() {
    let error = #expect(throws: RecordError.self) { try Exporter.named("excel") }
    #expect(error?.description.contains("jmh, bmf, github") == true)
  }

  @Test func `jmh keeps a fork per round and no space in a name`() throws {
    let entries = try #require(try json(try text("jmh")) as? [[String: Any]])
    let first = try #require(entries.first)
    #expect(entries.allSatisfy { ($0["benchmark"] as? String)?.contains(" ") == false })
    let metric = try #require(first["primaryMetric"] as? [String: Any])
    #expect((metric["rawData"] as? [[Double]])?.count == 8)
    #expect(first["secondaryMetrics"] != nil)
  }

  @Test func `the t interval is the textbook's`() {
    // t(0.9995, 9) = 4.780912…
    #expect(abs(StudentT.quantile(0.9995, freedom: 9) - 4.780912585931212) < 1e-9)
    #expect(abs(StudentT.quantile(0.975, freedom: 1) - 12.706204736174694) < 1e-8)
  }

  @Test func `influx gets a point for each benchmark, and nothing in a name parts it`() throws {
    let lines = try text("influx").split(separator: "\n")
    #expect(lines.count == Fixture.run.results.filter(\.valid).count)
    for line in lines {
      // Parted by spaces that nothing escapes: what and where, the numbers, and when.
      let parts = line.replacing("\\ ", with: "_").split(separator: " ")
      #expect(parts.count == 3, "\(line)")
      #expect(parts[0].contains(",engine="), "\(line)")
      #expect(parts[1].split(separator: ",").allSatisfy { $0.contains("=") }, "\(line)")
      #expect(Int(parts[2]) != nil, "\(line)")
    }
    var odd = Fixture.run
    odd.results = [odd.results[0]]
    odd.results[0].engine = "a b,c=d"
    #expect(try text("influx", odd).contains(#"engine=a\ b\,c\=d"#))
  }

  @Test func `bmf holds the value between its bounds`() throws {
    let document = try #require(try json(try text("bmf")) as? [String: [String: [String: Double]]])
    #expect(
      document.values.allSatisfy { measures in
        measures.values.allSatisfy { measure in
          guard let value = measure["value"], let low = measure["lower_value"],
            let high = measure["upper_value"]
          else { return false }
          return low <= value && value <= high
        }
      })
    #expect(document.keys.contains { $0.hasSuffix("/engine=lmdb") })
  }

  @Test func `github gets a file for each direction`() throws {
    let files = try Exporter.named("github").files(Fixture.run)
    #expect(files.map(\.name) == ["github-smaller.json", "github-bigger.json"])
    let bigger = try #require(try json(files[1].text) as? [[String: Any]])
    #expect(
      bigger.allSatisfy {
        ($0["name"] as? String)?.contains("rate") == true
          || ($0["name"] as? String)?.contains("fairness") == true
      })
  }

  @Test func `openmetrics keeps families together and ends where it must`() throws {
    let lines = try text("openmetrics").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.suffix(2) == ["# EOF", ""])
    #expect(lines.dropLast().allSatisfy { !$0.isEmpty })
    var seen: [Substring] = []
    for line in lines where !line.hasPrefix("#") && !line.isEmpty {
      let name = line.prefix { $0 != "{" }
      if seen.last != name {
        #expect(!seen.contains(name))
        seen.append(name)
      }
    }
    #expect(try text("openmetrics").contains("# UNIT realm_bench_time_seconds seconds"))
  }

  @Test func `benchfmt says which counts are exact`() throws {
    let text = try text("benchfmt")
    #expect(text.contains("Unit allocs/op assume=exact better=lower"))
    #expect(text.contains("BenchmarkReadsScaling/engine=lmdb/rows=100000-4 "))
  }

  @Test func `hgrm rises to the largest value`() throws {
    let files = try Exporter.named("hgrm").files(Fixture.run)
    #expect(files.count == 3)
    let values = files[0].text.split(separator: "\n").dropFirst().compactMap { line in
      line.hasPrefix("#") ? nil : line.split(separator: " ").first.flatMap { Double($0) }
    }
    #expect(values == values.sorted())
    #expect(files[0].text.contains("1.000000000000"))
  }

  @Test func `otava gets no empty cell and rows in the order of time`() throws {
    var older = Fixture.run
    older.started = "2025-12-31T00:00:00Z"
    let files = OtavaExport.files([Fixture.run, older])
    let csv = try #require(files.first { $0.name.hasSuffix(".csv") })
    let rows = CSV.rows(of: csv.text)
    #expect(rows.count == 3)
    #expect(rows[1][0] < rows[2][0])
    #expect(rows.allSatisfy { $0.allSatisfy { !$0.isEmpty } })
    #expect(files.last?.text.contains("quote_char") == true)
  }

  private func duel(_ id: String, _ started: String, pin: String, change: Double) -> Run {
    var run = Fixture.run
    (run.id, run.started, run.asked.verb) = (id, started, "ab")
    var found = Fixture.comparison
    (found.a.commit, found.b.commit, found.interleaved) = (pin, "candidate", true)
    for place in found.rows.indices { found.rows[place].change = change }
    run.comparison = found
    for place in run.results.indices { run.results[place].side = "B" }
    return run
  }

  /// A machine that drifts moves the numbers of an `ab`, and not what they are of the base's.
  @Test func `otava gets the ratios to each pinned build, also of runs that are gone`() throws {
    let runs = [
      duel("new", "2026-03-01T00:00:00Z", pin: "pinned", change: 0.5),
      duel("other", "2026-02-01T00:00:00Z", pin: "another", change: 0.1),
    ]
    let gone = HistoryPoint.of(duel("old", "2026-01-01T00:00:00Z", pin: "pinned", change: 0.25))
    let files = OtavaExport.files(runs, earlier: gone)
    let yaml = try #require(files.last?.text)
    let ratios = files.filter { $0.name.contains("-over-pinned.csv") }
    #expect(!ratios.isEmpty && files.contains { $0.name.contains("-over-another.csv") })
    for file in ratios {
      let rows = CSV.rows(of: file.text)
      #expect(rows[0] == ["utc", "commit", "machine", "times"])
      #expect(rows.dropFirst().map { $0[3] } == ["1.25", "1.5"], "\(rows)")
      #expect(rows[1][0] == "2026-01-01T00:00:00+00:00" && rows[1][1] == "candidate")
      let name = try #require(file.name.split(separator: "/").last?.dropLast(4))
      #expect(yaml.contains("  \(name):\n    type: csv\n    file: \(file.name)\n"))
    }
    #expect(yaml.contains("times: {column: times, direction: -1, scale: 1}"))
  }

  /// The instant was called `time` like the metric, and Otava stopped over series of unequal
  /// length.
  @Test func `otava gets no two columns of one name`() {
    for file in OtavaExport.files([Fixture.run]) where file.name.hasSuffix(".csv") {
      let head = CSV.rows(of: file.text)[0]
      #expect(Set(head).count == head.count, "\(file.name): \(head)")
    }
  }

  @Test func `junit counts its children and calls a regression a failure`() throws {
    var run = Fixture.run
    run.comparison = Fixture.comparison
    let text = try text("junit", run)
    let cases = text.components(separatedBy: "<testcase ").count - 1
    #expect(text.contains("tests=\"\(cases)\" failures=\"2\""))
    #expect(text.components(separatedBy: "<failure ").count - 1 == 2)
    #expect(try self.text("junit").contains("<error message="))
  }
}
