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
  private let resuming: Resumption?
  /// Seconds since the run was asked for; tests give a clock of their own.
  private let elapsed: () -> Double

  private var samples: [Sample] = []
  private var latencies: [LatencyRecord] = []
  private var failures: [Case: Int] = [:]
  private var ledger: BudgetLedger?
  /// Controls that gave no answer at one end.
  private var withoutControl: Set<Case> = []
  /// What had no room at first, and found some.
  private var late: [Case] = []
  /// Rounds that each had, of the plan or beyond it, and the number of its next.
  private var had: [Case: Int] = [:]
  private var next: [Case: Int] = [:]

  package init(
    _ plan: Plan, _ request: RunRequest, environment: Environment,
    runner: any RoundRunner = ChildRounds(), resuming: Resumption? = nil,
    elapsed: (() -> Double)? = nil
  ) {
    self.plan = plan
    self.request = request
    self.environment = environment
    self.runner = runner
    self.resuming = resuming
    samples = resuming?.samples ?? []
    latencies = resuming?.latencies ?? []
    let start = Stopwatch.now
    self.elapsed = elapsed ?? { Double(Stopwatch.now - start) / 1e9 }
    ledger = plan.limit.map { limit in
      let control = plan.controls.reduce(0) { $0 + plan.costs.timed($1) }
      return BudgetLedger(
        limit: limit, reserve: Double(Plan.controlRounds) * control,
        fewest: fewest, counts: plan.counts, costs: plan.costs, cases: plan.cases,
        waiting: plan.takesMore ? plan.leftOut : [])
    }
  }

  /// Measures into a run directory. `isStopped` is asked between children; what was measured by
  /// then stays.
  package func run(
    into directory: URL, scratch: URL, isStopped: () -> Bool = { false },
    progress: (Progress) -> Void = { _ in }
  ) throws -> Run {
    var run = asked(directory)
    let record =
      try resuming == nil
      ? RunDirectory.create(at: directory, run: run)
      : RunDirectory.reopen(at: directory, run: run, claim: resuming?.claim)
    // A place of one's own is nobody's newest.
    if request.out == nil { record.becomeLatest() }
    let keeper = Keeper(record: record, scratch: scratch)
    run.state =
      try control(.first, keeper, isStopped) && steps(keeper, isStopped, progress)
      && control(.last, keeper, isStopped)
      ? .finished : .interrupted
    conclude(&run)
    try record.write(run)
    return run
  }

  /// Rounds without which nothing is told of a case.
  private var fewest: Int { min(plan.rounds, Plan.fewestRounds) }

  private func asked(_ directory: URL) -> Run {
    if var run = resuming?.run {
      run.state = .running
      run.results = []
      return run
    }
    var run = Run()
    run.id = directory.lastPathComponent
    run.version = request.version
    run.started = Timestamp.utc()
    run.environment = environment
    run.asked.filters = request.filters
    run.asked.engines = request.engines
    run.asked.threads = request.threads
    run.asked.settings = request.settings.isEmpty ? nil : request.settings
    run.asked.quick = request.isQuick
    run.asked.budget = request.budget
    run.asked.rounds = plan.rounds
    run.asked.roundSeconds = plan.seconds
    run.asked.seed = plan.seed
    run.asked.shard = request.shard.map { "\($0.index)/\($0.count)" } ?? ""
    run.asked.command = request.command
    // Known from the beginning: whoever goes on after a kill must not measure it.
    if plan.limit != nil { run.leftOut = leftOutEarly }
    return run
  }

  /// Where results go, and where they are made.
  private struct Keeper {
    let record: RunDirectory
    let scratch: URL
  }

  // MARK: Measuring

  /// Measures the control at one end of the run; false if it was interrupted. Of a budget it may
  /// take a tenth at either end, but what the machine alone moves is short, and is measured twice
  /// in any case: with less there would be no control.
  private func control(
    _ end: RunControl.End, _ keeper: Keeper, _ isStopped: () -> Bool
  ) throws -> Bool {
    let start = elapsed()
    let latest = plan.limit.map { end == .first ? start + $0 * 0.1 : $0 * 1.05 } ?? .infinity
    for round in 0..<Plan.controlRounds {
      for (position, one) in plan.controls.enumerated() where !withoutControl.contains(one) {
        if isStopped() { return false }
        let isLeast = one.name.chapter == "floor" && round < 2
        if elapsed() >= latest && !isLeast { continue }
        let step = Plan.Step(case: one, round: round, position: position, pass: .time)
        if resuming?.isDone(step, side: end.rawValue) ?? false { continue }
        let report = try measure(
          step, side: end.rawValue,
          timeout: min(request.timeout, max(isLeast ? 5 : 0.5, latest - elapsed())), keeper)
        // What gives no answer here is no control; it may still be measured.
        if report.failure != nil { withoutControl.insert(one) }
      }
    }
    if end == .first { ledger?.reserve = elapsed() - start }
    return true
  }

  /// Carries out the steps that the budget allows, and as many more; false if it was interrupted.
  private func steps(
    _ keeper: Keeper, _ isStopped: () -> Bool, _ progress: (Progress) -> Void
  ) throws -> Bool {
    var begun: Set<BenchmarkName> = []
    for (done, step) in plan.steps.enumerated() {
      if isStopped() { return false }
      if begun.insert(step.case.name).inserted {
        let group = plan.cases.filter { $0.name == step.case.name }
        _ = ledger?.begin(group, after: elapsed())
      }
      if resuming?.isDone(step, side: "") ?? false {
        ledger?.settled(step.case, step.pass)
        continue
      }
      if !(ledger?.owes(step.case, step.pass) ?? true) {
        guard try takeIn(done, keeper, isStopped, progress) else { return false }
      }
      if late.contains(step.case) { continue }
      try carryOut(step, done, keeper, progress)
    }
    return try takeIn(plan.steps.count, keeper, isStopped, progress)
      && goOn(keeper, isStopped, progress)
  }

  private func carryOut(
    _ step: Plan.Step, _ done: Int, _ keeper: Keeper, _ progress: (Progress) -> Void
  ) throws {
    guard ledger?.allows(step.case, step.pass, after: elapsed()) ?? true else { return }
    progress(progressed(done, step))
    // What failed twice will fail again: it costs no further rounds.
    if failures[step.case, default: 0] >= 2 { return }
    try account(step, keeper)
  }

  /// Measures what had no room at first, as soon as nothing is owed to the others; false if it was
  /// interrupted.
  private func takeIn(
    _ done: Int, _ keeper: Keeper, _ isStopped: () -> Bool, _ progress: (Progress) -> Void
  ) throws -> Bool {
    while plan.takesMore, let admitted = ledger?.admit(after: elapsed()), !admitted.isEmpty {
      late += admitted
      for step in plan.steps(of: admitted, rounds: fewest) {
        if isStopped() { return false }
        try carryOut(step, done, keeper, progress)
      }
    }
    return true
  }

  /// Uses what is left of a budget for further rounds, those with the fewest first; false if it was
  /// interrupted.
  private func goOn(
    _ keeper: Keeper, _ isStopped: () -> Bool, _ progress: (Progress) -> Void
  ) throws -> Bool {
    guard plan.goesOn else { return true }
    var generator = SeededGenerator(seed: derivedSeed(plan.seed, "further"))
    while true {
      let order = (plan.cases + late.filter { !plan.cases.contains($0) })
        .shuffled(using: &generator).sorted { had[$0, default: 0] < had[$1, default: 0] }
      var isOver = true
      for (position, one) in order.enumerated()
      where failures[one, default: 0] < 2 && had[one, default: 0] < Plan.mostOfAll {
        if isStopped() { return false }
        guard ledger?.allows(one, .time, after: elapsed()) ?? false else { continue }
        let round = next[one] ?? (late.contains(one) ? fewest : plan.rounds)
        next[one] = round + 1
        let step = Plan.Step(case: one, round: round, position: position, pass: .time)
        try carryOut(step, plan.steps.count, keeper, progress)
        isOver = false
      }
      if isOver { return true }
    }
  }

  private func progressed(_ done: Int, _ step: Plan.Step) -> Progress {
    let elapsed = elapsed()
    let total = plan.steps.count
    // Beyond the plan the budget alone says how long it goes on.
    let expected =
      done == 0 || done == total
      ? max(plan.estimate, plan.limit ?? 0) : elapsed / Double(done) * Double(total - done)
    return Progress(
      done: done, total: total, current: "\(step.case.name) (\(step.case.engine))",
      elapsed: elapsed, remaining: plan.limit.map { min(expected, $0 - elapsed) } ?? expected)
  }

  /// Measures one step and books what it took.
  private func account(_ step: Plan.Step, _ keeper: Keeper) throws {
    let patience = ledger?.patience(step.case, step.pass, after: elapsed()) ?? .infinity
    let before = elapsed()
    let report = try measure(
      step, side: "", timeout: min(request.timeout, patience), keeper)
    let took = elapsed() - before
    if report.failure != nil { failures[step.case, default: 0] += 1 }
    if step.pass == .time { had[step.case, default: 0] += 1 }
    ledger?.spent(step.case, step.pass, took: took, making: report.making ?? 0)
    if report.failure != nil, patience < request.timeout, took >= patience * 0.99 {
      ledger?.cut(
        step.case, "a round did not end within the \(Int(took)) s that were left for it")
    } else if failures[step.case, default: 0] >= 2 {
      ledger?.giveUp(step.case)
    }
    ledger?.shed(after: elapsed())
  }

  private func measure(
    _ step: Plan.Step, side: String, timeout: Double, _ keeper: Keeper
  ) throws -> RoundReport {
    let report = runner.run(
      RoundOrder(
        case: step.case, seed: plan.seed, pass: step.pass, seconds: plan.seconds,
        workdir: keeper.scratch, timeout: timeout))
    let rows = report.samples(
      step.case, side: side, round: step.round, position: step.position, seed: plan.seed,
      utc: Timestamp.utc())
    var histograms: [LatencyRecord] = []
    if side.isEmpty, step.pass == .time, report.failure == nil, let histogram = report.histogram {
      histograms.append(
        LatencyRecord(
          benchmark: step.case.name.description, engine: step.case.engine, side: side,
          round: step.round, histogram: histogram))
    }
    try keeper.record.append(rows, histograms)
    samples += rows
    latencies += histograms
    return report
  }

  // MARK: Summing up

  private func conclude(_ run: inout Run) {
    run.finished = Timestamp.utc()
    run.environment.loadAtEnd = Machine.read().load
    run.control = RunControl(samples)
    let left = ledger?.leftOut ?? []
    let known = Set(left.map(\.case) + late)
    run.leftOut =
      plan.limit == nil
      ? nil
      : leftOutEarly.filter {
        !known.contains(Case(BenchmarkName(parsing: $0.benchmark), $0.engine))
      }
        + left.map {
          LeftOut(benchmark: $0.case.name.description, engine: $0.case.engine, reason: $0.reason)
        }
    let gone = Set(
      (run.leftOut ?? []).map { Case(BenchmarkName(parsing: $0.benchmark), $0.engine) })
    var results = Summary.results(samples, latencies: latencies).filter {
      !gone.contains(Case($0.name, $0.engine))
    }
    for place in results.indices {
      let one = Case(results[place].name, results[place].engine)
      if ledger?.isCountedLess(one) ?? false { results[place].flags.append(Runner.countedLess) }
    }
    run.results = Runner.ordered(results, plan.cases + plan.leftOut)
    // Whoever goes on with an interrupted run asks for what was planned.
    if run.state == .finished { run.asked.rounds = results.map(\.rounds).max() ?? plan.rounds }
  }

  /// What a row says that there was no time to count as often as is usual.
  private static let countedLess = "counts-cut"

  /// What the plan had no room for, with the reasons that an interrupted run gave.
  private var leftOutEarly: [LeftOut] {
    plan.leftOut.map { one in
      let before = request.leftOutBefore?.first {
        $0.benchmark == one.name.description && $0.engine == one.engine
      }
      return before
        ?? LeftOut(
          benchmark: one.name.description, engine: one.engine,
          reason: request.budget == nil
            ? "it does not fit into the time there is" : "it does not fit into the budget")
    }
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
