import Evidence
import Testing

@testable import Reporting

/// Fourteen kinds were listed, and no report said which of them an engine showed.
struct AnomalyTests {
  private func verdict(_ id: String, _ state: Verdict.State, level: String = "required") -> Verdict
  {
    Verdict(id: id, tier: "documented", level: level, wording: "It MUST.", state: state)
  }

  private var examination: Examination {
    var found = Examination(
      engine: "reference", engineVersion: "1", seed: 1,
      verdicts: [
        verdict("READ-07", .holds), verdict("WRITE-08", .violated), verdict("GROW-03", .skipped),
      ])
    found.explorations = [
      Exploration(
        kind: .histories, name: "history-of-threads", rules: [], seed: 1, count: 4000),
      Exploration(
        kind: .models, name: "model-of-news", rules: [], seed: 1, count: 20,
        failure: .init(sentence: "all: told 3, not 4", repro: "again", anomaly: .tornNotification)),
    ]
    return found
  }

  private func answer(_ kind: AnomalyKind) -> AnomalyAnswer? {
    examination.anomalies.first { $0.kind == kind }
  }

  @Test func `each kind is seen, suspected, looked for or not`() {
    #expect(examination.anomalies.count == AnomalyKind.allCases.count)
    #expect(answer(.tornNotification)?.state == .seen)
    #expect(answer(.tornNotification)?.told == "all: told 3, not 4")
    #expect(answer(.branch)?.state == .suspected && answer(.branch)?.told == "WRITE-08 violated")
    #expect(answer(.versionLeak)?.state == .notAsked && answer(.versionLeak)?.told == "")
    #expect(answer(.abortedRead)?.state == .notSeen)
    #expect(
      answer(.abortedRead)?.told == "4000 transactions of history-of-threads; READ-07 held")
  }

  /// A rule that wavers has been violated once: it was looked for and not seen.
  @Test func `a rule that wavers is suspected`() {
    var other = examination
    other.verdicts = [verdict("READ-04", .flaky), verdict("READ-06", .holds)]
    other.explorations = nil
    let skew = other.anomalies.first { $0.kind == .readSkew }
    #expect(skew?.state == .suspected && skew?.told == "READ-04 flaky")
  }

  @Test func `an exploration that broke off for another reason has looked for nothing`() {
    var other = examination
    other.verdicts = []
    other.explorations = [
      Exploration(
        kind: .histories, name: "history-of-threads", rules: [], seed: 1, count: 4000,
        failure: .init(sentence: "deadlock", repro: "again"))
    ]
    #expect(other.anomalies.allSatisfy { $0.state == .notAsked })
  }

  @Test func `terminal, page and JSON have the table`() {
    let text = ConformanceText().report(examination)
    #expect(text.contains("anomaly seen: torn notification: all: told 3, not 4"))
    #expect(text.contains("anomaly suspected: commit not based on its predecessor:"))
    #expect(text.contains("looked for and not seen"), "\(text)")
    let page = ConformanceSection(examination).sections.map(\.html).joined()
    for part in ["Anomalies by engine", "✕ seen", "! suspected", "– not seen", "? not asked"] {
      #expect(page.contains(part), "\(part)")
    }
    let both = ConformanceMatrix([examination, examination]).section.html
    #expect(both.components(separatedBy: "✕ seen").count > 3)
    let json = ConformanceFiles.json(examination)
    #expect(json.contains("\"kind\" : \"torn notification\""))
    #expect(json.contains("\"state\" : \"not-asked\""))
  }

  @Test func `nothing is claimed of what nobody asked`() {
    var nothing = examination
    (nothing.verdicts, nothing.explorations) = ([], nil)
    #expect(!ConformanceText().report(nothing).contains("anomal"))
  }
}

/// What binds more was counted with what binds less.
struct WeightTests {
  private var examination: Examination {
    func verdict(_ id: String, _ tier: String, _ level: String, _ state: Verdict.State) -> Verdict {
      Verdict(id: id, tier: tier, level: level, wording: "It MUST.", state: state)
    }
    return Examination(
      engine: "reference", engineVersion: "1", seed: 1,
      verdicts: [
        verdict("READ-01", "documented", "required", .holds),
        verdict("READ-02", "documented", "required", .violated),
        verdict("READ-03", "implementation", "required", .holds),
        verdict("READ-04", "implementation", "stochastic", .holds),
        verdict("READ-05", "documented", "informative", .skipped),
      ])
  }

  @Test func `MUST, SHOULD, MAY and DERIVED are counted apart, everywhere`() {
    let said =
      "MUST 1 of 2 hold, SHOULD 1 of 1 hold, MAY 0 of 1 hold, DERIVED 1 of 1 hold"
    #expect(examination.weighed == said)
    #expect(ConformanceText().report(examination).contains("of these \(said)"))
    let page = ConformanceSection(examination).sections.map(\.html).joined()
    for level in ["MUST", "SHOULD", "MAY", "DERIVED"] { #expect(page.contains(">\(level)<")) }
    #expect(ConformanceFiles.json(examination).contains("\"DERIVED\" : {"))
    let csv = CSV.rows(of: ConformanceFiles.csv(examination))
    #expect(csv[3][16] == "DERIVED" && csv[1][16] == "MUST", "\(csv)")
  }

  @Test func `moments have a file of their own, the missed ones too`() throws {
    var marked = examination
    #expect(ConformanceFiles.moments(marked) == nil)
    marked.moments = ["begun", "ended"]
    marked.verdicts[0].marks = ["begun"]
    marked.verdicts[2].marks = ["begun"]
    let rows = CSV.rows(of: try #require(ConformanceFiles.moments(marked)))
    #expect(
      rows == [
        ["moment", "count", "rules"], ["begun", "2", "READ-01 READ-03"],
        ["ended", "0", ""],
      ])
    #expect(CSV.rows(of: ConformanceFiles.csv(marked))[1][17] == "begun")
  }
}
