import Testing

@testable import Evidence

/// What a benchmark is about, and whose numbers a run of two builds holds.
struct SubjectsTests {
  @Test(arguments: [
    ("reads.sum", ["p50", "rate", "time"], "time"),
    ("writes.stall", ["time", "p50", "p99", "stall"], "stall"),
    ("notify.stall", ["p50", "p99", "stall", "dropped60"], "stall"),
    ("reads.beside-writer", ["time", "rate", "kept"], "kept"),
    ("frozen.growth", ["size", "growth"], "growth"),
    ("frozen.one-old-pin", ["size", "ratio"], "ratio"),
    // Time stays the subject of what also watches a loop or a file.
    ("macro.chat", ["time", "stall", "growth"], "time"),
    // The rate is the one at which arrivals were sent.
    ("async.acknowledge", ["rate", "p50", "p99", "late"], "p99"),
    ("async.acknowledge", ["rate", "p50", "late"], "p50"),
    ("reads.unheard-of", ["rate", "fairness"], "rate"),
    // An older build knew less.
    ("writes.stall", ["time", "p50"], "time"),
  ])
  func `is the first metric of its family that was measured`(
    family: String, metrics: [String], subject: String
  ) {
    #expect(Subjects.metric(of: family, among: metrics) == subject)
    var finding = Finding(benchmark: "\(family)/rows=10", engine: "x")
    finding.values = metrics.map { SubjectsTests.value($0, [1, 2]) }
    #expect(finding.subject == subject && finding.subjectValue?.metric == subject)
  }

  private static func value(_ metric: String, _ rounds: [Double]) -> Finding.Value {
    .init(
      metric: metric, value: Quantiles.median(rounds), low: 0, high: 0, confidence: 0.95,
      rounds: rounds, samples: 100_000)
  }

  private func finding(_ benchmark: String, _ values: [String: [Double]], side: String = "")
    -> Finding
  {
    Finding(
      benchmark: benchmark, engine: "x", side: side, rounds: 12,
      values: values.map { SubjectsTests.value($0.key, $0.value) })
  }

  private func run(_ id: String, _ results: [Finding]) -> Run {
    var run = Run()
    run.id = id
    run.results = results
    run.control = RunControl(
      rows: ["floor.c", "floor.d"].map {
        .init(benchmark: $0, engine: "x", metric: "time", first: [50, 50], last: [50, 50])
      })
    return run
  }

  private func level(_ value: Double) -> [Double] {
    (0..<12).map { value * (1 + 0.001 * Double($0 % 3)) }
  }

  /// `compare` judged `writes.stall` by its time: a loop that stood still three times as long was
  /// unchanged.
  @Test func `decides what two stored runs are asked`() {
    func stall(_ nanoseconds: Double) -> [Finding] {
      [finding("writes.stall/mode=sync", ["time": level(100), "stall": level(nanoseconds)])]
    }
    let found = StoredComparison.compare(run("a", stall(1e6)), run("b", stall(3e6)))
    #expect(found.rows.map(\.metric) == ["stall"])
    #expect(found.rows.first?.verdict == .regressed && found.outcome() == .regressed)
  }

  @Test func `what has no value in common is named, never silent`() {
    let other = [
      finding("reads.a", ["time": level(100)]), finding("reads.b", ["faults": [1, 2, 3]]),
    ]
    let found = StoredComparison.compare(run("a", other), run("b", other))
    #expect(found.rows.map(\.benchmark) == ["reads.a"])
    #expect(found.unjudged == ["reads.b (x)"])
    #expect(found.sentence.contains(", 1 not judged; "))
    #expect(found.reasons.contains { $0.contains("1 measured and not judged") })
    #expect(found.reasons.contains { $0.hasSuffix("that is: reads.b (x)") })
    #expect(found.outcome() == .fine && found.outcome(strict: true) == .regressed)
  }

  /// A stored `ab` holds the base, the base again, and the candidate; `compare` took the base,
  /// twice, under the candidate's commit.
  @Test func `of two builds the candidate speaks, and each side has its commit`() {
    var duel = run(
      "ab",
      [
        finding("reads.a", ["time": level(100)], side: "A"),
        finding("reads.a", ["time": level(101)], side: "A'"),
        finding("reads.a", ["time": level(150)], side: "B"),
      ])
    duel.environment.commit = "bbb"
    duel.comparison = Comparison(
      a: .init(name: "A", commit: "aaa", subject: "/old", source: "/old"),
      b: .init(name: "B", commit: "bbb", subject: "/new", source: "/new"), interleaved: true,
      trusted: true, reasons: [], control: nil, q: 0.02, rows: [])
    #expect(duel.measured.map(\.side) == ["A", "B"] && duel.own.map(\.side) == ["B"])
    #expect(duel.measured.map(duel.commit(of:)) == ["aaa", "bbb"])
    let plain = run("a", [finding("reads.a", ["time": level(100)])])
    let found = StoredComparison.compare(plain, duel)
    #expect(found.rows.count == 1 && found.rows.first?.verdict == .regressed)
    #expect(found.b.commit == "bbb" && found.b.subject.isEmpty)
    let back = StoredComparison.compare(duel, plain)
    #expect(back.rows.count == 1 && back.rows.first?.verdict == .improved)
    // One that was interrupted before the candidate had its turn says nothing of it.
    duel.comparison = nil
    duel.results.removeLast()
    #expect(duel.commit(of: duel.results[0]).isEmpty)
    #expect(StoredComparison.refusal(plain, duel) != nil)
  }

  @Test func `sides are called by their commits in every sentence`() {
    var found = Comparison(
      a: .init(name: "A", commit: "aaa", subject: "", source: ""),
      b: .init(name: "B", commit: "bbb", subject: "", source: ""), interleaved: true,
      trusted: true, reasons: [], control: nil, q: 0.02,
      rows: [
        Decision.settled(
          Decision.Question(
            benchmark: "reads.a", engine: "x", metric: .named("time"), a: [], b: [],
            invalid: "wrong", broken: .b))
      ])
    found.gone = ["reads.b (x)"]
    let said = found.sentence
    #expect(said.contains("1 invalid (1 in bbb alone)"), "\(said)")
    #expect(said.contains("1 of aaa missing in bbb"), "\(said)")
    #expect(said.contains("there is nothing to judge, bbb has no valid answer"), "\(said)")
  }
}

/// Rounds far out: kept, counted and told.
struct OutlierTests {
  private func samples(_ times: [Double]) -> [Sample] {
    times.enumerated().flatMap { round, time in
      [("time", time), ("check", 1)].map { metric, value in
        Sample(
          utc: "", benchmark: "reads.a", engine: "x", round: round, metric: metric, value: value,
          count: 10, seed: 1)
      }
    }
  }

  @Test func `are counted beyond Tukey's far fence and left where they are`() throws {
    let wild = [100, 101, 99, 100.5, 99.5, 100.2, 180, 30]
    let finding = try #require(Summary.results(samples(wild)).first)
    #expect(finding["time"]?.outliers == 2 && finding["time"]?.rounds == wild)
    #expect(finding.flags == ["outliers=2"])
    let text = try RunDirectory.encode(
      {
        var run = Run()
        run.results = [finding]
        return run
      }())
    #expect(text.contains("\"outliers\" : 2"))
  }

  @Test(arguments: [[1, 1.01, 40], [10, 10.1, 10.2, 20], [30, 99, 99.5, 100]])
  func `are told of three and four rounds, too`(times: [Double]) throws {
    let finding = try #require(Summary.results(samples(times)).first)
    #expect(finding["time"]?.outliers == 1 && finding.flags == ["outliers=1"])
  }

  @Test(arguments: [
    [100, 101, 99, 100.5, 99.5, 100.2, 101, 103], [100, 100, 100, 100, 100, 100], [1, 1.4, 40],
    [1, 40],
    [100, 100, 101],
  ])
  func `are none where rounds are level, all the same, or too few to tell`(times: [Double]) throws {
    let finding = try #require(Summary.results(samples(times)).first)
    #expect(finding["time"]?.outliers == nil && finding.flags.isEmpty)
  }
}
