import Evidence
import Testing

@testable import Reporting

struct AnnotationsTests {
  @Test func `what got worse is an error, and nothing in a name ends the command`() throws {
    var run = Fixture.run
    run.comparison = Fixture.comparison
    let place = try #require(
      run.comparison?.rows.firstIndex { $0.verdict == .regressed && $0.metric == "time" })
    run.comparison?.rows[place].benchmark = "reads.a,b:c\nd%"
    let lines = Annotations.text(run).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error title=regressed%3A ") } == 2)
    let odd = try #require(lines.first { $0.contains("reads.a") })
    #expect(odd.contains("title=regressed%3A reads.a%2Cb%3Ac%0Ad%25 (reference)%2C time::+12 %25"))
    #expect(lines.last?.hasPrefix("::notice title=realm-bench::2 regressed, 1 improved") == true)
    #expect(!lines.contains { $0.contains("unchanged") && !$0.hasPrefix("::notice") })
  }

  @Test func `what the repository has accepted is a warning`() throws {
    var run = Fixture.run
    run.comparison = Fixture.comparison
    for place in run.comparison?.rows.indices ?? 0..<0 {
      run.comparison?.rows[place].acknowledged = "the second flush is worth it"
    }
    let text = Annotations.text(run)
    #expect(!text.contains("::error title=regressed"))
    #expect(text.contains("::acknowledged: the second flush is worth it; "))
  }

  @Test func `no more than ten of a kind, the tenth counts the rest`() {
    var run = Run()
    run.results = (0..<30).map {
      Finding(benchmark: "reads.\($0)", engine: "reference", valid: false, reason: "three, not 4")
    }
    let lines = Annotations.text(run).split(separator: "\n").filter { $0.hasPrefix("::error") }
    #expect(lines.count == 10)
    #expect(lines[9] == "::error title=realm-bench::21 more; see the summary")
  }

  @Test func `a violated rule is an error, a known one a warning`() {
    var run = Run()
    run.asked.verb = "conformance"
    var known = Verdict(
      id: "READ-02", tier: "documented", level: "required", wording: "B", state: .violated,
      repro: "realm-bench repro READ-02")
    known.known = "since ever"
    run.examination = Examination(
      engine: "reference", engineVersion: "1", seed: 1,
      verdicts: [
        Verdict(
          id: "READ-01", tier: "documented", level: "required", wording: "A", state: .violated),
        known,
      ])
    let text = Annotations.text(run)
    #expect(text.contains("::error title=READ-01 violated::A\n"))
    #expect(
      text.contains(
        "::warning title=READ-02 violated::B; known: since ever; again: realm-bench repro READ-02\n"
      ))
  }
}
