import Evidence
import Testing

@testable import Reporting

struct FiguresTests {
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
    #expect(rows.allSatisfy { $0.count == 37 })
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
}
