import Evidence
import Testing

@testable import Reporting

struct SizeSectionTests {
  private func run(_ sizes: [Int]) -> Run {
    var run = Run()
    for (engine, power) in [("reference", 1.0), ("lmdb", 2.0)] {
      for (step, size) in sizes.enumerated() {
        for what in ["by-primary-key", "sum"] {
          let time = 100 * (1 + power * Double(step))
          run.results.append(
            Finding(
              benchmark: "reads.size/rows=\(size)/what=\(what)", engine: engine, rounds: 3,
              values: [("time", time), ("memory", 1024 * Double(size))].map {
                .init(
                  metric: $0.0, value: $0.1, low: $0.1, high: $0.1, confidence: 0.95,
                  rounds: [$0.1, $0.1, $0.1], samples: 9)
              }))
        }
      }
    }
    return run
  }

  @Test func `what grows with the file is drawn by its size, and its growth is told`() throws {
    let run = run([10_000, 100_000, 1_000_000, 10_000_000])
    let html = try #require(SizeSection(run: run).section).html
    #expect(
      html.contains(
        "With 10\u{202F}000\u{202F}000 rows, of what it takes with 10\u{202F}000: reference 4.0×, "
          + "lmdb 7.0×."))
    for id in ["size-by-primary-key", "size-by-primary-key-memory", "size-sum"] {
      #expect(html.contains("id=\"\(id)-t\""))
    }
    #expect(!html.contains("what="), "names say only what differs")
    #expect(!html.contains("size-commit"), "what was not measured is not drawn")
    #expect(RunReport(run).html.contains("What grows with the file"))
  }

  @Test func `one size is no growth`() {
    #expect(SizeSection(run: run([10_000])).section == nil)
  }
}
