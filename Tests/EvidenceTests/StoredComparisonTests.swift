import Testing

@testable import Evidence

struct StoredComparisonTests {
  private func run(_ id: String, factor: Double = 1, rounds: Int = 12, machine: String = "m") -> Run
  {
    var samples: [Sample] = []
    for round in 0..<rounds {
      let wobble = 1 + 0.004 * Double((round * 7) % 5 - 2)
      for (metric, value) in [("time", 100 * factor * wobble), ("flushes", 2.0), ("check", 1.0)] {
        samples.append(
          Sample(
            utc: "", benchmark: "reads.a", engine: "x", round: round, metric: metric, value: value,
            count: 10, seed: 1))
      }
    }
    var run = Run()
    run.id = id
    run.state = .finished
    run.environment.machineID = machine
    run.results = Summary.results(samples)
    return run
  }

  @Test func `a run against itself is unchanged`() {
    let comparison = StoredComparison.compare(run("a"), run("a"))
    #expect(comparison.rows.allSatisfy { $0.verdict == .unchanged })
    #expect(comparison.outcome() == .fine)
    #expect(!comparison.interleaved)
  }

  @Test func `memory is shown and never judged`() {
    func held(_ id: String, _ bytes: Double) -> Run {
      var run = run(id)
      run.results[0].values.append(
        .init(
          metric: "memory", value: bytes, low: bytes, high: bytes, confidence: 0.9,
          rounds: [bytes, bytes, bytes], samples: 3))
      return run
    }
    let comparison = StoredComparison.compare(held("a", 1e6), held("b", 9e6))
    #expect(!comparison.rows.contains { $0.metric == "memory" })
    #expect(comparison.outcome() == .fine)
  }

  @Test func `a fifth slower is regressed`() {
    let comparison = StoredComparison.compare(run("a"), run("b", factor: 1.2))
    #expect(comparison.rows.first { $0.metric == "time" }?.verdict == .regressed)
    #expect(comparison.outcome() == .regressed)
  }

  @Test func `three rounds cannot say so, and say that`() {
    let comparison = StoredComparison.compare(
      run("a", rounds: 3), run("b", factor: 1.2, rounds: 3))
    let row = comparison.rows.first { $0.metric == "time" }
    #expect(row?.verdict == .inconclusive)
    #expect(row?.note.contains("too few rounds") == true)
  }

  @Test func `other machines are shown and not judged`() {
    let comparison = StoredComparison.compare(run("a"), run("b", factor: 2, machine: "n"))
    #expect(
      comparison.rows.filter { $0.metric == "time" }.allSatisfy { $0.verdict == .inconclusive })
    #expect(comparison.outcome() == .untrusted)
  }

  @Test func `runs without anything in common are refused`() {
    var other = run("b")
    other.results[0].benchmark = "writes.z"
    #expect(StoredComparison.refusal(run("a"), other)?.outcome == .unreadable)
    #expect(StoredComparison.refusal(run("a"), Run()) != nil)
    #expect(StoredComparison.refusal(run("a"), run("b")) == nil)
  }
}
