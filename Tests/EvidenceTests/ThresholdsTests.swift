import Foundation
import Testing

@testable import Evidence

/// What a repository agreed on must be obeyed, listed, and refused where it is not understood.
struct ThresholdsTests {
  private func read(_ text: String) throws -> Thresholds {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("thresholds-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let below = folder.appendingPathComponent("a/b")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(Thresholds.place)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    let found = try #require(Thresholds.find(from: below))
    #expect(found.path == file.standardizedFileURL.path)
    return try Thresholds.load(found)
  }

  private func comparison(_ rows: [(String, String, Comparison.Verdict)]) -> Comparison {
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    return Comparison(
      a: side, b: side, interleaved: true, trusted: true, reasons: [], control: nil, q: 0.02,
      rows: rows.map { benchmark, metric, verdict in
        Comparison.Row(
          benchmark: benchmark, engine: "e", metric: metric, verdict: verdict, a: 1, b: 2,
          change: 1, low: 0.9, high: 1.1, p: nil, tau: 0.03, noiseFloor: 0, rounds: 8, note: "",
          pairsA: [], pairsB: [])
      })
  }

  @Test func `a known change does not fail the comparison, until its day is over`() throws {
    let thresholds = try read(
      """
      {"schema": 1, "acknowledged": [{"benchmark": "writes.commit*", "metric": "flushes",
      "reason": "worth it", "until": "2027-01-31"}]}
      """)
    let found = comparison([
      ("writes.commit/rows=1", "flushes", .regressed), ("reads.a", "time", .unchanged),
    ])
    #expect(found.outcome() == .regressed)
    let known = thresholds.applied(to: found, today: "2027-01-31")
    #expect(known.outcome() == .fine && known.rows[0].verdict == .regressed)
    #expect(known.rows[0].acknowledged == "worth it")
    #expect(known.sentence.hasPrefix("1 regressed (1 acknowledged)"))
    #expect(known.agreed?.first?.hasPrefix("acknowledged until 2027-01-31") == true)
    let late = thresholds.applied(to: found, today: "2027-02-01")
    #expect(late.outcome() == .regressed && late.rows[0].acknowledged == nil)
    #expect(late.agreed?.first?.hasPrefix("no longer acknowledged since 2027-01-31") == true)
    // Of that benchmark and metric only.
    let other = comparison([
      ("writes.commit/rows=1", "time", .regressed), ("writes.insert", "flushes", .regressed),
    ])
    #expect(thresholds.applied(to: other, today: "2027-01-01").outcome() == .regressed)
    #expect(thresholds.applied(to: other, today: "2027-01-01").agreed == nil)
  }

  /// A reason of two lines began a command of GitHub's.
  @Test func `a reason is one line, whatever is in it`() throws {
    let thresholds = try read(
      #"""
      {"schema": 1, "acknowledged": [{"benchmark": "reads.a",
      "reason": "a\n::error::b\r\u001b[2J\u2028c\u202e é", "until": "2027-01-31"}]}
      """#)
    let found = comparison([("reads.a", "time", .regressed)])
    for day in ["2027-01-31", "2027-02-01"] {
      let said = thresholds.applied(to: found, today: day)
      let spelled = #"a\n::error::b\r\u{1B}[2J\u{2028}c\u{202E} é"#
      #expect(said.agreed?.first?.hasSuffix(": " + spelled) == true, "\(said.agreed ?? [])")
      #expect(said.rows[0].acknowledged == (day < "2027-02" ? spelled : nil))
    }
  }

  @Test func `patterns that name no benchmark are found`() throws {
    let agreed = try read(
      """
      {"schema": 1, "tolerances": [{"benchmark": "reads.*", "tolerance": 0.1},
       {"benchmark": "writes.comit/*", "tolerance": 0.1}], "acknowledged": [
       {"benchmark": "writes.commit/batch=1", "reason": "known", "until": "2027-01-31"},
       {"benchmark": "gone.*", "reason": "known", "until": "2027-01-31"}]}
      """)
    #expect(agreed.strangers(among: ["reads.a", "writes.commit"]) == ["writes.comit/*", "gone.*"])
  }

  /// It was obeyed as 1000 %, without a word.
  @Test func `a share of more than 1 is obeyed, and doubted`() throws {
    let agreed = try read(
      """
      {"schema": 1, "tolerances": [
      {"benchmark": "ways.*", "metric": "time", "tolerance": 10},
      {"benchmark": "reads.*", "tolerance": 1.5}, {"benchmark": "writes.*", "tolerance": 1},
      {"benchmark": "frozen.*", "metric": "time", "absolute": 500}]}
      """)
    #expect(
      agreed.doubts == [
        "the tolerance of ways.*, time, is 10, which is a share: up to 1000 % worse is tolerated; "
          + "expected 1 at most, as most are: if you mean 10 %, write 0.1",
        "the tolerance of reads.*, every metric, is 1.5, which is a share: up to 150 % worse is "
          + "tolerated; expected 1 at most, as most are: if you mean 1.5 %, write 0.015",
      ])
    #expect(agreed.tolerance("reads.a", "time", from: [1]) == 1.5)
  }

  @Test func `an amount is as wide a margin as it is of what was there`() throws {
    let thresholds = try read(
      """
      {"schema": 1, "tolerances": [
      {"benchmark": "reads.*", "metric": "time", "absolute": 5},
      {"benchmark": "writes.*", "metric": "time", "absolute": 5, "tolerance": 0.1}]}
      """)
    #expect(thresholds.tolerance("reads.a", "time", from: [90, 100, 120]) == 0.05)
    #expect(thresholds.tolerance("reads.a", "time", from: [1, 2, 3]) == 2.5)
    #expect(thresholds.tolerance("reads.a", "p99", from: [1, 2, 3]) == nil)
    #expect(thresholds.tolerance("writes.a", "time", from: [100]) == 0.1)
    #expect(thresholds.tolerance("writes.a", "time", from: [10]) == 0.5)
    #expect(thresholds.tolerance("writes.a", "time", from: []) == 0.1)
    for wrong in [
      #"{"benchmark": "reads.*"}"#, #"{"benchmark": "reads.*", "absolute": 5}"#,
      #"{"benchmark": "reads.*", "metric": "time", "absolute": -5}"#,
    ] {
      #expect(throws: RecordError.self) {
        try read(#"{"schema": 1, "tolerances": [\#(wrong)]}"#)
      }
    }
  }

  @Test func `a tolerance is a wider margin, and no wider than it says`() throws {
    let thresholds = try read(
      """
      {"schema": 1, "tolerances": [{"benchmark": "ways.*", "tolerance": 0.5},
      {"benchmark": "ways.query/*", "metric": "time", "tolerance": 0.2}]}
      """)
    #expect(thresholds.tolerance("ways.query/objects=1", "time", from: [7]) == 0.2)
    #expect(thresholds.tolerance("ways.query/objects=1", "p99", from: [7]) == 0.5)
    #expect(thresholds.tolerance("reads.a", "time", from: [7]) == nil)
    func judge(_ ratio: Double, _ tolerance: Double?) -> Comparison.Verdict {
      var generator = SeededGenerator(seed: 9)
      let a = (0..<24).map { _ in 100 + generator.unit() }
      let b = (0..<24).map { _ in (100 + generator.unit()) * ratio }
      return Decision.judge([
        Decision.Question(
          benchmark: "ways.query", engine: "e", metric: .named("time"), a: a, b: b,
          tolerance: tolerance)
      ])[0].verdict
    }
    #expect(judge(1.15, nil) == .regressed)
    #expect(judge(1.15, 0.2) == .unchanged)
    #expect(judge(1.25, 0.2) == .regressed)
    #expect(judge(1.02, 0.01) == .regressed)
    func count(_ more: Double, _ tolerance: Double?) -> Comparison.Verdict? {
      Decision.judgeUntimed(
        Decision.Question(
          benchmark: "x", engine: "e", metric: .named("bytes"), a: [100, 100, 100],
          b: [100, 100, 100].map { $0 * more }, tolerance: tolerance))?.verdict
    }
    #expect(count(1.05, nil) == .regressed && count(1.05, 0.1) == .unchanged)
    #expect(count(1.15, 0.1) == .regressed)
  }

  @Test(arguments: [
    ("[1", "it is no JSON document"),
    ("{\"schema\": 2}", "is of schema 2, this build reads 1"),
    (
      "{\"schema\": 1, \"tolerances\": [{\"benchmark\": \"a\"}]}",
      "the tolerance of a is missing"
    ),
    (
      "{\"schema\": 1, \"tolerances\": [{\"benchmark\": \"a\", \"tolerance\": 10.5}]}",
      "the tolerance of a is 10.5, expected a share"
    ),
    (
      "{\"schema\": 1, \"tolerances\": [{\"benchmark\": \"a\", \"metric\": \"tme\", \"tolerance\": "
        + "1}]}",
      "unknown metric 'tme'; did you mean 'time'?"
    ),
    // The second was obeyed, without a word.
    (
      "{\"schema\": 1, \"tolerances\": [{\"benchmark\": \"a\", \"tolerance\": 0.05}, "
        + "{\"benchmark\": \"a\", \"tolerance\": 0.1}]}",
      "two tolerances of a, every metric, contradict each other: 5.0 % and 10 %; expected one"
    ),
    (
      "{\"schema\": 1, \"tolerances\": ["
        + "{\"benchmark\": \"a\", \"metric\": \"time\", \"absolute\": 5}, "
        + "{\"benchmark\": \"b\", \"tolerance\": 0.1}, "
        + "{\"benchmark\": \"a\", \"metric\": \"time\", \"tolerance\": 0.1}]}",
      "two tolerances of a, time, contradict each other: 5 ns/op and 10 %"
    ),
    (
      "{\"schema\": 1, \"tollerances\": []}",
      "unknown key 'tollerances', expected schema, tolerances, acknowledged"
    ),
    (
      "{\"schema\": 1, \"tolerances\": [{\"benchmark\": \"a\", \"tolerance\": 0.1, \"why\": 1}]}",
      "unknown key 'why' in tolerances[0], expected benchmark, metric"
    ),
    (
      "{\"schema\": 1, \"acknowledged\": "
        + "[{\"benchmark\": \"a\", \"reason\": \"r\", \"until\": \"soon\"}]}",
      "ends on 'soon', expected a day such as 2027-01-31"
    ),
    (
      "{\"schema\": 1, \"acknowledged\": "
        + "[{\"benchmark\": \"a\", \"reason\": \"r\", \"until\": \"2027-02-30\"}]}",
      "ends on '2027-02-30', expected a day such as 2027-01-31"
    ),
    (
      "{\"schema\": 1, \"acknowledged\": "
        + "[{\"benchmark\": \"a\", \"reason\": \"\", \"until\": \"2027-01-01\"}]}",
      "the acknowledgement of a has no reason"
    ),
    (
      "{\"schema\": 1, \"acknowledged\": "
        + "[{\"benchmark\": \"a\", \"reason\": \" \\n\\t\", \"until\": \"2027-01-01\"}]}",
      "the acknowledgement of a has no reason"
    ),
  ])
  func `what is not understood is refused in a sentence`(text: String, sentence: String) {
    let error = #expect(throws: RecordError.self) { try read(text) }
    #expect(error?.outcome == .misuse)
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test func `who says the same twice, or more of a part, contradicts nobody`() throws {
    let found = try read(
      """
      {"schema": 1, "tolerances": [
        {"benchmark": "ways.*", "tolerance": 0.1}, {"benchmark": "ways.*", "tolerance": 0.1},
        {"benchmark": "ways.*", "metric": "time", "tolerance": 0.2},
        {"benchmark": "ways.query", "metric": "time", "tolerance": 0.3}]}
      """)
    #expect(found.tolerance("ways.copy", "bytes", from: [1]) == 0.1)
    #expect(found.tolerance("ways.copy", "time", from: [1]) == 0.2)
    #expect(found.tolerance("ways.query", "time", from: [1]) == 0.3)
  }
}
