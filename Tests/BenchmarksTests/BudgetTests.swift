import Evidence
import Foundation
import Synchronization
import Testing

@testable import Benchmarks

/// A budget of 40 s took 670: set-up was not planned, and nothing was ever left out.
struct BudgetTests {
  /// Seconds that pass only when a child says so.
  private final class Clock: Sendable {
    private let seconds = Mutex<Double>(0)
    var now: Double { seconds.withLock { $0 } }
    func pass(_ more: Double) { seconds.withLock { $0 += more } }
  }

  /// Benchmarks of two engines whose true costs have nothing to do with the plan's.
  private static func catalogue(
    _ count: Int, limits: [String] = [], engines: [String] = ["x", "y"]
  ) -> [Benchmark] {
    let machine = limits.map { name in
      Benchmark(name, "of the machine alone", engines: ["c"]) { $0.check(true, "") }
    }
    return machine
      + (0..<count).map { number in
        Benchmark("reads.b\(number)", "b", [.init("rows", ["100000"])], engines: engines) {
          $0.check(true, "")
        }
      }
  }

  private struct Outcome {
    let run: Run
    let took: Double
    let cases: Int
  }

  private func measure(
    _ count: Int, budget: Double, seed: UInt64 = 1, quick: Bool = false, limits: [String] = [],
    engines: [String] = ["x", "y"], rounds: Int? = nil, looking: Double = 0.7,
    cost: @escaping @Sendable (Case, _ round: Int) -> Double
  ) throws -> Outcome {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("budget-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    var request = RunRequest()
    request.seed = seed
    request.budget = quick ? nil : budget
    request.rounds = rounds
    let plan = try Plan(
      request, catalogue: BudgetTests.catalogue(count, limits: limits, engines: engines))
    let clock = Clock()
    clock.pass(looking)  // at the machine
    let times = Mutex<[Case: Int]>([:])
    let fake = FakeRounds { order, _ in
      let round = times.withLock {
        $0[order.case, default: 0] += 1
        return $0[order.case]! - 1
      }
      let wanted = cost(order.case, round)
      clock.pass(min(wanted, order.timeout))
      var report = RoundReport.good(1)
      if order.pass == .count { report.values[0].metric = "flushes" }
      guard wanted > order.timeout else { return report }
      report = RoundReport()
      report.failure = "it did not end within \(order.timeout) s"
      return report
    }
    let run = try Runner(
      plan, request, environment: Environment(), runner: fake, elapsed: { clock.now }
    ).run(into: place, scratch: place)
    return Outcome(run: run, took: clock.now, cases: count * engines.count)
  }

  /// What a budget promises, whatever things cost.
  private func hold(_ outcome: Outcome, _ budget: Double, _ what: String) {
    let run = outcome.run
    #expect(outcome.took <= budget * 1.1, "\(what): took \(outcome.took) of \(budget)")
    #expect(run.state == .finished)
    #expect(run.results.allSatisfy { $0.valid }, "\(what)")
    for finding in run.results {
      #expect((finding["time"]?.rounds.count ?? 0) >= 3, "\(what): \(finding.benchmark)")
    }
    let there = Set(run.results.map { "\($0.benchmark) \($0.engine)" })
    let gone = Set((run.leftOut ?? []).map { "\($0.benchmark) \($0.engine)" })
    #expect(there.isDisjoint(with: gone), "\(what)")
    #expect(there.count + gone.count == outcome.cases, "\(what): nothing without a word")
    // Engines of one benchmark are measured together or not at all, unless it is the only one.
    let names = Set(run.results.map(\.benchmark))
    #expect(
      names.count < 2 || names.isDisjoint(with: (run.leftOut ?? []).map(\.benchmark)), "\(what)")
  }

  /// A minute of one processor for sixty; `BUDGETS=60` asks them all.
  private static let seeds =
    0..<(UInt64(ProcessInfo.processInfo.environment["BUDGETS"] ?? "") ?? 12)

  @Test(arguments: BudgetTests.seeds)
  func `a budget is kept, whatever things cost`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: derivedSeed(seed, "costs"))
    let count = 5 + generator.below(30)
    let budget = [20.0, 60, 300][generator.below(3)]
    // From a tenth of what was planned to thirty times as much, and a set-up of its own each.
    let costs = (0..<count).map { _ in 0.3 * exp(log(300) * generator.unit() - log(10)) }
    let setUps = (0..<count).map { _ in generator.unit() < 0.2 ? 10 * generator.unit() : 0 }
    let grows = generator.unit() < 0.3
    let outcome = try measure(count, budget: budget, seed: seed) { one, round in
      let number = Int(one.name.family.dropFirst("reads.b".count)) ?? 0
      return costs[number] * (grows ? 1 + 0.1 * Double(round) : 1)
        + (round == 0 ? setUps[number] : 0)
    }
    hold(outcome, budget, "seed \(seed)")
    // What is not spent would not have been enough for one round more of anything.
    let cheapest = outcome.run.results.map { one in
      costs[Int(one.name.family.dropFirst("reads.b".count)) ?? 0]
    }.min()
    if let cheapest, !grows {
      #expect(
        outcome.took > budget * 0.8 - 2 * cheapest, "seed \(seed): \(outcome.took) of \(budget)")
    }
  }

  /// A budget of 40 s took 26: what was planned was cheaper than thought, and then it ended.
  @Test func `what turns out cheaper than thought leaves time that is used`() throws {
    let outcome = try measure(40, budget: 40) { _, _ in 0.05 }
    hold(outcome, 40, "cheap")
    #expect(outcome.took > 36, "took \(outcome.took) of 40")
    let rounds = outcome.run.results.map { $0["time"]?.rounds.count ?? 0 }
    #expect(outcome.run.asked.rounds == rounds.max())
    // Nobody has many at the cost of others.
    #expect((rounds.max() ?? 0) - (rounds.min() ?? 0) <= 1, "\(rounds)")
  }

  /// Something that no budget held shortened the rounds of all others to what a round is at least.
  @Test func `what is left out makes no round of the others shorter`() throws {
    let dear = Benchmark("writes.dear", "d", engines: ["x"], weight: 1000) { $0.check(true, "") }
    var request = RunRequest()
    request.budget = 60
    let alone = try Plan(request, catalogue: BudgetTests.catalogue(2))
    let plan = try Plan(request, catalogue: [dear] + BudgetTests.catalogue(2))
    #expect(plan.leftOut.map(\.name.family) == ["writes.dear"])
    #expect(plan.seconds >= 0.25 && plan.rounds >= 6, "\(plan.text)")
    #expect(alone.seconds >= 0.25 && alone.rounds >= 6, "\(alone.text)")
  }

  /// What has peers was the dearest, and went first: of two minutes nothing beside LMDB was left.
  @Test func `comparisons stay before numbers that stand alone`() throws {
    let engines = [["x"], ["x", "y", "z"]]
    let catalogue = (0..<40).map { number in
      Benchmark("reads.b\(number)", "b", engines: engines[number % 2]) { $0.check(true, "") }
    }
    var request = RunRequest()
    request.budget = 30
    let plan = try Plan(request, catalogue: catalogue)
    let kept = Plan.groups(plan.cases)
    #expect(!plan.leftOut.isEmpty)
    #expect(kept.contains { $0.count == 3 } && kept.count { $0.count == 3 } >= kept.count / 2)
    #expect(Plan.groups(plan.leftOut).contains { $0.count == 1 }, "\(plan.text)")
  }

  /// It was left out for good, however much time was left over.
  @Test func `what had no room in the plan is taken in when there is some`() throws {
    var request = RunRequest()
    request.budget = 12
    let plan = try Plan(request, catalogue: BudgetTests.catalogue(30))
    #expect(!plan.leftOut.isEmpty)
    let outcome = try measure(30, budget: 12) { _, _ in 0.02 }
    hold(outcome, 12, "cheaper")
    #expect(outcome.run.leftOut?.isEmpty == true && outcome.run.results.count == 60)
    #expect(outcome.took > 10.8, "took \(outcome.took) of 12")
    for finding in outcome.run.results {
      #expect(finding["flushes"]?.rounds.count == 3, "\(finding.benchmark)")
    }
  }

  @Test func `as many rounds as were asked for are no more because time is left`() throws {
    let outcome = try measure(3, budget: 60, rounds: 5) { _, _ in 0.1 }
    #expect(outcome.run.results.allSatisfy { $0["time"]?.rounds.count == 5 })
    #expect(outcome.took < 20)
  }

  /// On a machine that others used 12 s ended with nothing: four engines of one benchmark were left
  /// out together, after seven seconds of rounds.
  @Test(arguments: [0.4, 0.7, 1, 1.3, 1.6])
  func `of the only benchmark as many engines are measured as there is time for`(
    cost: Double
  ) throws {
    let outcome = try measure(
      1, budget: 12, engines: ["v", "x", "y", "z"], looking: 2
    ) { _, _ in cost }
    hold(outcome, 12, "\(cost) s a round")
    #expect(!outcome.run.results.isEmpty, "\(cost) s: took \(outcome.took)")
    #expect(
      (outcome.run.leftOut ?? []).allSatisfy {
        $0.reason.contains("fewest rounds") || $0.reason.contains("did not end within")
      }, "\(cost)")
    // Who has fewer counts than rounds says so.
    for finding in outcome.run.results {
      let counts = finding["flushes"]?.rounds.count ?? 0
      #expect(finding.flags.contains("counts-cut") == (counts < 3), "\(cost): \(counts)")
    }
  }

  @Test func `where nothing fits it is said in a sentence`() throws {
    let outcome = try measure(1, budget: 12, engines: ["x"]) { _, _ in 4.5 }
    #expect(outcome.took <= 13.2 && outcome.run.results.isEmpty)
    #expect(outcome.run.leftOut?.count == 1)
    #expect(outcome.run.failure?.contains("there was no time for any of 1 measurement") == true)
  }

  @Test func `time that is left buys more rounds, and is used`() throws {
    let outcome = try measure(4, budget: 60) { _, _ in 0.3 }
    hold(outcome, 60, "cheap")
    #expect(outcome.run.leftOut?.isEmpty == true)
    #expect(outcome.took > 40, "took \(outcome.took)")
    #expect(outcome.run.results.allSatisfy { ($0["time"]?.rounds.count ?? 0) > 10 })
  }

  /// The first of the control's measurements once took all of the tenth that it has at the
  /// beginning, and the control was that one, made once.
  @Test func `the control has what the machine alone moves, however little time there is`() throws {
    let limits = ["floor.memory-sum", "floor.cache-miss"]
    let outcome = try measure(6, budget: 20, limits: limits) { one, round in
      one.name.chapter == "floor" ? (round == 0 ? 2.1 : 0.05) : 0.2
    }
    #expect(outcome.took <= 22, "took \(outcome.took) of 20")
    let control = try #require(outcome.run.control)
    #expect(!control.isTooThin)
    for name in limits {
      let row = try #require(control.rows.first { $0.benchmark.hasPrefix(name) })
      #expect(row.first.count >= 2 && row.last.count >= 2, "\(row)")
    }
  }

  @Test func `one that hangs is left out, and the others are measured`() throws {
    let outcome = try measure(6, budget: 60) { one, _ in
      one.name.family == "reads.b2" ? 10_000 : 0.2
    }
    hold(outcome, 60, "hanging")
    #expect(Set(outcome.run.leftOut?.map(\.benchmark) ?? []) == ["reads.b2/rows=100000"])
    #expect(outcome.run.leftOut?.first?.reason.contains("did not end within") == true)
  }

  @Test func `a machine three times as slow measures less, and says what not`() throws {
    let outcome = try measure(20, budget: 40) { _, _ in 0.9 }
    hold(outcome, 40, "slow")
    #expect(outcome.run.leftOut?.isEmpty == false)
    #expect(!outcome.run.results.isEmpty)
  }

  @Test func `what is known beforehand not to fit is in the plan`() throws {
    var request = RunRequest()
    request.budget = 12
    let plan = try Plan(request, catalogue: BudgetTests.catalogue(30))
    #expect(!plan.leftOut.isEmpty && !plan.cases.isEmpty)
    #expect(plan.cases.count + plan.leftOut.count == 60)
    #expect(plan.estimate <= 12)
    #expect(plan.rounds >= 3)
    #expect(plan.text.contains("is left out: \(plan.leftOut.count) measurements"))
    #expect(Set(plan.cases.map(\.name)).isDisjoint(with: plan.leftOut.map(\.name)))
  }

  /// It named what all would take, and not what would have been enough.
  @Test func `one that is too small for anything names the least that is not`() throws {
    var request = RunRequest()
    request.budget = 1
    let dear = Benchmark("writes.dear", "d", engines: ["x"], weight: 20) { $0.check(true, "") }
    let cheap = Benchmark("reads.cheap", "c", engines: ["x"]) { $0.check(true, "") }
    let error = #expect(throws: BenchmarkError.self) {
      try Plan(request, catalogue: [dear, cheap])
    }
    let said = try #require(error?.description)
    #expect(said.contains("a budget of 1 s is too small for any of 2 measurements"), "\(said)")
    let least = try #require(said.firstMatch(of: /the cheapest, reads.cheap, takes about (\d+) s/))
    request.budget = Double(least.output.1)
    #expect(
      try Plan(request, catalogue: [dear, cheap]).cases.map(\.name.family) == ["reads.cheap"])
  }

  @Test func `what an interrupted run had no room for is not measured when it goes on`() throws {
    var request = RunRequest()
    request.budget = 12
    let catalogue = BudgetTests.catalogue(30)
    let plan = try Plan(request, catalogue: catalogue)
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("budget-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    request.out = place
    let runner = FakeRounds { _, _ in .good(1) }
    let first = try Runner(plan, request, environment: Environment(), runner: runner)
      .run(into: place, scratch: place, isStopped: { true })
    #expect(first.state == .interrupted && first.leftOut?.count == plan.leftOut.count)
    let found = try Resumption.load(place.path, commit: "")
    let again = found.request(like: RunRequest())
    let rest = try Plan(again, catalogue: catalogue)
    #expect(rest.cases == plan.cases && rest.leftOut == plan.leftOut)
    #expect(rest.rounds == plan.rounds && rest.seconds == plan.seconds && rest.limit == 12)
    let run = try Runner(
      rest, again, environment: Environment(), runner: runner, resuming: found, elapsed: { 0 }
    ).run(into: place, scratch: place)
    #expect(run.state == .finished && run.results.count == plan.cases.count)
    #expect(run.leftOut == first.leftOut)
  }

  @Test func `the length of a round that was asked for is kept`() throws {
    var request = RunRequest()
    request.roundSeconds = 0.02
    #expect(try Plan(request, catalogue: BudgetTests.catalogue(3)).seconds == 0.02)
    request.budget = 30
    let plan = try Plan(request, catalogue: BudgetTests.catalogue(3))
    #expect(plan.seconds == 0.02 && plan.rounds > 8 && plan.limit == 30)
  }

  @Test func `making large data sets is in the estimate`() throws {
    func estimate(_ rows: String) throws -> Double {
      let benchmark = Benchmark("reads.z", "z", [.init("rows", [rows])], engines: ["sqlite"]) {
        $0.check(true, "")
      }
      return try Plan(RunRequest(), catalogue: [benchmark]).estimate
    }
    #expect(try estimate("1000000") > estimate("1000") + 3)
  }

  /// With `--engine reference` the page said that "how long a loop with nothing to do stands still
  /// was not measured beside it": it is of no engine.
  @Test func `what a stall is held against is measured whatever engines are asked for`() throws {
    var request = RunRequest()
    (request.filters, request.engines) = (["writes.stall", "writes.commit"], ["reference"])
    func others(_ plan: Plan) -> Set<String> {
      Set(
        plan.cases.filter { $0.engine != "reference" }
          .map { "\($0.name.family) \($0.name.parameters["mode"] ?? "") \($0.engine)" })
    }
    #expect(try others(Plan(request)) == ["writes.stall idle null", "writes.stall disk c"])
    #expect(try others(Plan(request, addsYardsticks: false)).isEmpty)
    request.filters = ["writes.commit"]
    #expect(try others(Plan(request)).isEmpty)
    // A filter says which benchmarks, and is obeyed.
    request.filters = ["writes.stall", "!*mode=idle*"]
    #expect(try others(Plan(request)) == ["writes.stall disk c"])
    // No engine's, so nothing stands beside it.
    (request.filters, request.engines) = (["writes.stall"], ["null"])
    #expect(try Plan(request).cases.allSatisfy { $0.engine == "null" })
  }

  /// Ways of writing went by their cost, and that which stops a loop longest with them.
  @Test func `of a main loop the largest write on it is planned first`() throws {
    var request = RunRequest()
    (request.filters, request.engines) = (["writes.stall"], ["reference"])
    let whole = try Plan(request)
    #expect(Plan.groups(whole.cases).count == 12)
    var fewest = Int.max
    for budget in stride(from: whole.estimate, through: 5, by: -3) {
      request.budget = budget
      guard let plan = try? Plan(request) else { break }
      let kept = Plan.groups(plan.cases).map { $0[0].name.parameters }
      let large = Set(kept.filter { $0["transaction"] == "16M" }.compactMap { $0["mode"] })
      #expect(large.contains("sync"), "\(budget) s keeps \(kept)")
      if kept.count > 1 { #expect(large.contains("idle"), "\(budget) s keeps \(kept)") }
      if kept.count > 2 { #expect(large.contains("disk"), "\(budget) s keeps \(kept)") }
      fewest = min(fewest, kept.count)
    }
    #expect(fewest < 6)
  }

  @Test func `without a budget nothing is left out`() throws {
    let outcome = try measure(3, budget: 0, quick: true) { _, _ in 50 }
    #expect(outcome.run.leftOut == nil)
    #expect(outcome.run.results.allSatisfy { $0["time"]?.rounds.count == 8 })
  }
}
