import Evidence
import Foundation
import Harness

/// Carries out a plan: child by child, each result on disk before the next begins.
package final class Runner {
  package struct Progress: Sendable {
    package let done: Int
    package let total: Int
    package let current: String
    package let elapsed: Double
    /// Seconds until the end, from how long the steps so far took.
    package let remaining: Double
  }

  private let plan: Plan
  private let request: RunRequest
  private let runner: any RoundRunner
  private let environment: Environment

  package init(
    _ plan: Plan, _ request: RunRequest, environment: Environment,
    runner: any RoundRunner = ChildRounds()
  ) {
    self.plan = plan
    self.request = request
    self.environment = environment
    self.runner = runner
  }

  /// Measures into a run directory. `isStopped` is asked between children; what was measured by then stays.
  package func run(
    into directory: URL, scratch: URL, isStopped: () -> Bool = { false },
    progress: (Progress) -> Void = { _ in }
  ) throws -> Run {
    var run = Run()
    run.id = directory.lastPathComponent
    run.version = request.version
    run.started = Timestamp.utc()
    run.environment = environment
    run.asked.filters = request.filters
    run.asked.engines = request.engines
    run.asked.threads = request.threads
    run.asked.quick = request.isQuick
    run.asked.budget = request.budget
    run.asked.rounds = plan.rounds
    run.asked.seed = plan.seed
    run.asked.shard = request.shard.map { "\($0.index)/\($0.count)" } ?? ""
    run.asked.command = request.command
    let record = try RunDirectory.create(at: directory, run: run)
    // A place of one's own is nobody's newest.
    if request.out == nil { record.becomeLatest() }
    var samples: [Sample] = []
    var latencies: [LatencyRecord] = []
    var failed: [Case: Int] = [:]
    let start = Stopwatch.now
    // Longest first is not needed: a round is short. What counts is the order within it, which is random.
    for (done, step) in plan.steps.enumerated() {
      if isStopped() {
        run.state = .interrupted
        break
      }
      let elapsed = Double(Stopwatch.now - start) / 1e9
      // A busy machine takes longer than planned: fewer rounds and counts then, but each benchmark is timed once.
      if let deadline = plan.deadline, elapsed > deadline, step.round > 0 || step.pass == .count {
        run.asked.rounds = step.round + 1
        break
      }
      progress(
        Progress(
          done: done, total: plan.steps.count, current: "\(step.case.name) (\(step.case.engine))",
          elapsed: elapsed,
          remaining: done == 0
            ? plan.estimate : elapsed / Double(done) * Double(plan.steps.count - done)))
      // What failed twice will fail again: it costs no further rounds.
      if failed[step.case, default: 0] >= 2 { continue }
      let report = runner.run(
        RoundOrder(
          case: step.case, seed: plan.seed, pass: step.pass, seconds: plan.seconds,
          workdir: scratch,
          timeout: request.timeout))
      if report.failure != nil { failed[step.case, default: 0] += 1 }
      let rows = report.samples(
        step.case, side: "", round: step.round, position: step.position, seed: plan.seed,
        utc: Timestamp.utc())
      let histograms =
        step.pass == .time && report.failure == nil
        ? report.histogram.map {
          [
            LatencyRecord(
              benchmark: step.case.name.description, engine: step.case.engine, side: "",
              round: step.round, histogram: $0)
          ]
        } ?? [] : []
      try record.append(rows, histograms)
      samples += rows
      latencies += histograms
    }
    if run.state == .running { run.state = .finished }
    run.finished = Timestamp.utc()
    run.results = Runner.ordered(Summary.results(samples, latencies: latencies), plan.cases)
    try record.write(run)
    return run
  }

  /// Results in the order of the catalogue, whatever the order of measuring was.
  static func ordered(_ results: [Finding], _ cases: [Case]) -> [Finding] {
    var rank: [String: Int] = [:]
    for (place, one) in cases.enumerated() { rank["\(one.name) \(one.engine)"] = place }
    return results.enumerated().sorted { l, r in
      let a = rank["\(l.element.benchmark) \(l.element.engine)"] ?? .max
      let b = rank["\(r.element.benchmark) \(r.element.engine)"] ?? .max
      return a != b ? a < b : l.offset < r.offset
    }.map(\.element)
  }
}
