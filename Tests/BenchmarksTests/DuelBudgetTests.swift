import Evidence
import Foundation
import Synchronization
import Testing

@testable import Benchmarks

/// `ab` had no budget, and nothing that was open was ever given another round.
struct DuelBudgetTests {
  /// Seconds that pass only when a child says so.
  private final class Clock: Sendable {
    private let seconds = Mutex<Double>(2)
    var now: Double { seconds.withLock { $0 } }
    func pass(_ more: Double) { seconds.withLock { $0 += more } }
  }

  private static func catalogue(_ count: Int) -> [Benchmark] {
    (0..<count).map { number in
      Benchmark("reads.b\(number)", "b", engines: ["x", "y"]) { $0.check(true, "") }
    }
  }

  private struct Outcome {
    let run: Run
    let took: Double
    let asked: Int
    var comparison: Comparison { run.comparison! }
  }

  /// A round of a build: how many seconds it takes, and the time that it says.
  private typealias Build = @Sendable (_ one: Case, _ turn: Int) -> (takes: Double, time: Double)

  private func fight(
    _ count: Int, budget: Double?, rounds: Int? = nil, seed: UInt64 = 1, counts: Bool = false,
    memory: (a: Double, b: Double)? = nil, told: ((String) -> Void)? = nil, _ a: @escaping Build,
    _ b: @escaping Build
  ) throws -> Outcome {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("duel-budget-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var request = RunRequest()
    (request.seed, request.budget, request.rounds) = (seed, budget, rounds)
    let clock = Clock()
    func runner(_ build: @escaping Build, holding memory: Double?) -> FakeRounds {
      FakeRounds { order, turn in
        let said = build(order.case, turn)
        clock.pass(min(said.takes, order.timeout))
        var report = RoundReport.good(0)
        report.values[0].value = said.time
        if order.pass == .count { report.values[0] = .init(metric: "flushes", value: 2, count: 1) }
        if let memory, order.pass == .time {
          // Some pages more or less.
          report.values.append(
            .init(metric: "memory", value: memory + Double(turn % 7) * 1e5, count: 1))
        }
        report.wall = min(said.takes, order.timeout)
        guard said.takes > order.timeout else { return report }
        report.failure = "it did not end within \(order.timeout) s"
        return report
      }
    }
    let duel = try Duel(
      request, base: runner(a, holding: memory?.a),
      candidate: runner(b, holding: memory?.b), scratch: place,
      catalogue: DuelBudgetTests.catalogue(count), say: { told?($0) },
      pace: { Pace(loop: 1, ticks: 1, stolen: 0) },
      elapsed: { clock.now })
    let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
    let run = try duel.run(
      into: place.appendingPathComponent("run"), environment: Environment(), sides: (side, side))
    return Outcome(run: run, took: clock.now, asked: count * 2)
  }

  /// A time that is off by up to `spread`, in either direction, and slower by `factor`.
  private static func time(
    _ turn: Int, spread: Double = 0.01, factor: Double = 1, seed: UInt64
  ) -> Double {
    var generator = SeededGenerator(seed: seed &+ UInt64(turn) &* 7919)
    return 1000 * factor * exp(2 * spread * (generator.unit() - 0.5))
  }

  /// What a budget promises, whatever things cost.
  private func hold(_ outcome: Outcome, _ budget: Double, _ what: String) {
    #expect(outcome.took <= budget * 1.1, "\(what): took \(outcome.took) of \(budget)")
    #expect(outcome.run.state == .finished)
    let comparison = outcome.comparison
    let there = Set(comparison.rows.map { "\($0.benchmark) (\($0.engine))" })
    let gone = Set(comparison.leftOut ?? [])
    #expect(there.isDisjoint(with: gone), "\(what)")
    #expect(there.count + gone.count == outcome.asked, "\(what): nothing without a word")
    #expect(
      gone == Set((outcome.run.leftOut ?? []).map { "\($0.benchmark) (\($0.engine))" }), "\(what)")
    let results = Set(outcome.run.results.map { "\($0.benchmark) (\($0.engine))" })
    #expect(results == there, "\(what)")
    for row in comparison.rows where row.metric == "time" && row.verdict != .invalid {
      #expect(row.rounds >= 8, "\(what): \(row.benchmark) has \(row.rounds) rounds")
    }
    for name in gone { #expect(comparison.reasons.contains { $0.contains(name) }, "\(what)") }
  }

  /// `BUDGETS=60` asks as many.
  private static let seeds =
    0..<(UInt64(ProcessInfo.processInfo.environment["BUDGETS"] ?? "") ?? 4)

  @Test(arguments: DuelBudgetTests.seeds)
  func `a budget is kept, whatever things cost`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: derivedSeed(seed, "costs"))
    let count = 3 + generator.below(12)
    let budget = [60.0, 120, 300][generator.below(3)]
    // From a tenth of what is thought to ten times as much.
    let costs = (0..<count).map { _ in 0.05 * exp(log(100) * generator.unit()) }
    let factors = (0..<count).map { _ in generator.unit() < 0.4 ? 1.3 : 1 }
    let spread = generator.unit() < 0.3 ? 0.3 : 0.01
    func build(_ isSlow: Bool, seed: UInt64) -> Build {
      { one, turn in
        let number = Int(one.name.family.dropFirst("reads.b".count)) ?? 0
        return (
          costs[number],
          Self.time(turn, spread: spread, factor: isSlow ? factors[number] : 1, seed: seed)
        )
      }
    }
    let outcome = try fight(
      count, budget: budget, seed: seed, build(false, seed: 1), build(true, seed: 2))
    hold(outcome, budget, "seed \(seed)")
  }

  /// Of twenty-one one took a hundred times as long as was thought, and the control stood on it:
  /// all but the control were left out, and two thirds of the budget left over.
  @Test(arguments: 0..<12)
  func `what is dear goes, and not all others, though the control stands on it`(seed: UInt64) throws
  {
    let costly = Int(seed)
    let build: Build = { one, turn in
      (
        one.name.family == "reads.b\(costly)" ? 6 : 0.2,
        DuelBudgetTests.time(turn, seed: UInt64(turn))
      )
    }
    let outcome = try fight(12, budget: 400, seed: seed, build, build)
    hold(outcome, 400, "seed \(seed)")
    let gone = Set((outcome.run.leftOut ?? []).map(\.benchmark))
    #expect(gone == ["reads.b\(costly)"], "seed \(seed)")
  }

  /// `ab` of two measurements gave up after 3 s of 30 s: the first pair of the control was slow,
  /// and was taken for what all others would take.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `one slow pair leaves nothing out`(seed: UInt64) throws {
    // The first one is a look whether there is a sign of life.
    let slow: Build = { _, turn in (turn == 3 ? 3 : 0.1, Self.time(turn, seed: seed)) }
    let calm: Build = { _, turn in (0.1, Self.time(turn, seed: seed &+ 1)) }
    let outcome = try fight(1, budget: 30, seed: seed, slow, calm)
    hold(outcome, 30, "seed \(seed)")
    #expect(outcome.run.leftOut ?? [] == [], "seed \(seed)")
  }

  /// Whatever kept the machine for that long was over, and so was the comparison.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `what a slow start left out is taken in again`(seed: UInt64) throws {
    // The first four pairs.
    let slow: Build = { _, turn in ((2...9) ~= turn ? 3 : 0.1, Self.time(turn, seed: seed)) }
    let calm: Build = { _, turn in (0.1, Self.time(turn, seed: seed &+ 1)) }
    var said: [String] = []
    let outcome = try fight(
      1, budget: 100, seed: seed, told: { said.append($0) }, slow, calm)
    hold(outcome, 100, "seed \(seed)")
    #expect(outcome.run.leftOut ?? [] == [], "seed \(seed)")
    #expect(said.contains { $0.hasPrefix("taken in again: ") }, "\(said)")
  }

  @Test func `two slow pairs leave out, and what was left out has one more chance`() throws {
    var request = RunRequest()
    request.budget = 600
    let plan = try DuelPlan(request, Duel.Setting(), DuelBudgetTests.catalogue(2))
    let one = plan.cases[0]
    let (clock, others) = (Clock(), plan.cases.filter { $0.name != one.name })
    let ledger = DuelLedger(plan, limit: 600, elapsed: { clock.now })
    func measure(_ took: Double) { ledger.spent(pair: one, took: took, making: 0, isDone: true) }
    measure(100)
    #expect(ledger.leftOut.isEmpty)
    measure(100)
    #expect(Set(ledger.leftOut.map(\.case.name)) == [one.name])
    // It may have been the machine.
    #expect(ledger.takeIn().filter { $0.name != one.name }.isEmpty && ledger.wants(one))
    #expect(ledger.leftOut.isEmpty)
    // It seems so, and then it does not; the others are spared.
    for took in [100.0, 0.1] { measure(took) }
    #expect(ledger.leftOut.isEmpty)
    for took in [100.0, 100] { measure(took) }
    #expect(!ledger.wants(one) && others.allSatisfy(ledger.wants))
    // What is known to be too dear is so for good.
    #expect(ledger.takeIn().isEmpty && !ledger.wants(one))
  }

  @Test func `what was left out is not taken in at the expense of anything else`() throws {
    var request = RunRequest()
    request.budget = 600
    let plan = try DuelPlan(request, Duel.Setting(), DuelBudgetTests.catalogue(2))
    let one = plan.cases[0]
    func taken(after seconds: Double, suspects: [Case] = []) -> Bool {
      let clock = Clock()
      let ledger = DuelLedger(plan, limit: 600, elapsed: { clock.now })
      for _ in 0..<2 { ledger.spent(pair: one, took: 100, making: 0, isDone: true) }
      clock.pass(seconds)
      ledger.endScreen(suspects, pairs: 24)
      return !ledger.takeIn().isEmpty
    }
    // The two pairs that would show once more how dear it is must fit.
    #expect(taken(after: 100) && !taken(after: 450))
    let dear = plan.pair(plan.cases[3])
    let all = Array(repeating: plan.cases[3], count: Int(500 / (24 * dear)) + 1)
    #expect(!taken(after: 100, suspects: all))
  }

  /// Counts had rows of what was left out while the others were counted.
  @Test(arguments: [0, 1, 2, 45, 78, 92] as [UInt64])
  func `a budget is kept, whatever else the machine does meanwhile`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 1 + generator.below(12)
    let budget = [30.0, 60, 100, 200, 300][generator.below(5)]
    let costs = (0..<count).map { _ in 0.05 * exp(log(30) * generator.unit()) }
    // Some rounds take twenty times as long, and some machines become slower.
    let oddShare = generator.unit() < 0.5 ? 0.02 : 0
    let slows = generator.unit() < 0.2
    let build: Build = { one, turn in
      var own = SeededGenerator(seed: seed &* 7919 &+ UInt64(turn))
      let number = Int(one.name.family.dropFirst("reads.b".count)) ?? 0
      let factor = own.unit() < oddShare ? 20.0 : 1
      return (
        costs[number] * factor * (slows && turn > 100 ? 3 : 1),
        Self.time(turn, seed: seed &+ UInt64(turn))
      )
    }
    hold(
      try fight(count, budget: budget, seed: seed, build, build), budget, "seed \(seed)")
  }

  @Test func `what is left over goes to what is open, and settles it`() throws {
    func build(_ factor: Double, seed: UInt64) -> Build {
      { one, turn in
        let isWild = one.name.family == "reads.b1"
        return (0.2, Self.time(turn, spread: isWild ? 0.3 : 0.01, factor: factor, seed: seed))
      }
    }
    func open(_ outcome: Outcome) -> [Comparison.Row] {
      outcome.comparison.rows.filter {
        $0.metric == "time" && [.inconclusive, .cannotTell].contains($0.verdict)
      }
    }
    let bare = try fight(2, budget: nil, build(1, seed: 1), build(1, seed: 2))
    #expect(open(bare).map(\.benchmark).contains("reads.b1"), "\(open(bare).map(\.note))")
    let outcome = try fight(2, budget: 600, build(1, seed: 1), build(1, seed: 2))
    hold(outcome, 600, "rich")
    let rounds = outcome.comparison.rows.filter {
      $0.metric == "time" && $0.benchmark == "reads.b1"
    }.map(\.rounds)
    #expect(rounds.contains { $0 >= 24 }, "\(rounds)")
    #expect(open(outcome).count <= open(bare).count)
    // What is settled costs nothing more.
    #expect(
      outcome.comparison.rows.filter { $0.metric == "time" && $0.benchmark == "reads.b0" }
        .allSatisfy { $0.rounds <= 24 })
    #expect(outcome.comparison.count(.regressed) == 0)
  }

  /// The rest of the budget went to rows that none of the rounds it held could have settled.
  @Test func `what no round that is left would settle is left as it is, and says so`() throws {
    // The base is calm, and so is the control.
    func build(_ spread: Double, _ seed: UInt64) -> Build {
      { _, turn in (0.2, Self.time(turn, spread: spread, seed: seed)) }
    }
    var said: [String] = []
    let outcome = try fight(1, budget: 600, told: { said.append($0) }, build(0.01, 1), build(3, 2))
    hold(outcome, 600, "wild")
    let rows = outcome.comparison.rows.filter { $0.metric == "time" }
    #expect(rows.count == 2)
    for row in rows {
      #expect(row.verdict == .cannotTell && row.rounds <= 24, "\(row.rounds) rounds")
      #expect(row.note.hasSuffix("; the budget does not hold what would settle it"), "\(row.note)")
      #expect(row.moreRounds ?? 0 > 96, "\(row.note)")
    }
    let last = try #require(said.last)
    #expect(last.contains("s of 600 s were used: the rest would not settle what is open (2 rows)"))
    #expect(!said.contains { $0.contains("enough") }, "\(said)")
  }

  /// It said that nothing was open.
  @Test func `nothing is called enough where something was left out`() throws {
    let build: Build = { one, turn in
      (one.name.family == "reads.b1" ? 6 : 0.2, Self.time(turn, seed: UInt64(turn)))
    }
    var said: [String] = []
    let outcome = try fight(12, budget: 400, seed: 1, told: { said.append($0) }, build, build)
    hold(outcome, 400, "dear")
    #expect(outcome.run.leftOut?.count == 2)
    #expect(said.last?.contains("of 400 s were used: ") == true, "\(said)")
    #expect(said.last?.contains("(2 measurements left out") == true, "\(said)")
    #expect(!said.contains { $0.contains("enough") }, "\(said)")
  }

  @Test func `what is near has the time of what is far`() throws {
    var request = RunRequest()
    request.budget = 600
    let plan = try DuelPlan(request, Duel.Setting(), DuelBudgetTests.catalogue(3))
    let cases = plan.cases
    let pair = plan.pair(cases[0])
    func near(_ wishes: [Int], seconds: Double, looks: Int = 4) -> [Int] {
      let ledger = DuelLedger(plan, limit: seconds, elapsed: { 0 })
      let all = zip(cases, wishes).map { DuelLedger.Wish(case: $0, pairs: $1) }
      let found = ledger.within(reach: all, looks: looks, of: 24)
      return zip(cases, wishes).filter { found.contains($0.0) }.map(\.1)
    }
    let look = 24 * pair
    // Looks end before time does, and time before looks; and what is near to enough may do.
    #expect(near([1, 24, 96, 140, 200], seconds: 100 * look) == [1, 24, 96, 140])
    #expect(near([1, 24, 96, 140, 200], seconds: 100 * look, looks: 1) == [1, 24])
    #expect(near([24, 72, 48], seconds: 3.5 * look) == [24, 72])
    #expect(near([24, 240, 48], seconds: 3.5 * look) == [24, 48])
    #expect(near([24], seconds: 0.9 * look) == [])
  }

  /// Rounds were no longer with ten minutes than with two, and most of the ten were left over.
  @Test func `a larger budget has longer rounds, and says what it did not need`() throws {
    var request = RunRequest()
    request.budget = 120
    let catalogue = DuelBudgetTests.catalogue(1)
    let small = try DuelPlan(request, Duel.Setting(), catalogue)
    request.budget = 600
    let large = try DuelPlan(request, Duel.Setting(), catalogue)
    #expect(large.seconds > small.seconds && large.seconds <= 0.5)
    #expect(large.estimate <= 400)
    request.roundSeconds = 0.1
    #expect(try DuelPlan(request, Duel.Setting(), catalogue).seconds == 0.1)
    let build: Build = { _, turn in (0.2, Self.time(turn, seed: 1)) }
    var said: [String] = []
    let outcome = try fight(2, budget: 600, told: { said.append($0) }, build, build)
    hold(outcome, 600, "rich")
    #expect(
      said.last?.contains("s of 600 s were enough: nothing is open that further rounds") == true)
  }

  /// All engines of the only benchmark were left out together.
  @Test(arguments: [0.5, 0.8, 1.1])
  func `of the only benchmark as many engines are judged as there is time for`(
    cost: Double
  ) throws {
    let build: Build = { _, turn in (cost, Self.time(turn, seed: 1)) }
    let outcome = try fight(1, budget: 100, build, build)
    hold(outcome, 100, "\(cost) s a round")
    #expect(!outcome.comparison.rows.isEmpty, "\(cost) s: took \(outcome.took)")
  }

  @Test func `what seems to differ and finds no time is not called unchanged`() throws {
    // Everything is a fifth slower, and a quarter of it was foreseen to be confirmed.
    func build(_ factor: Double, seed: UInt64) -> Build {
      { _, turn in (0.5, Self.time(turn, factor: factor, seed: seed)) }
    }
    let outcome = try fight(8, budget: 400, build(1, seed: 1), build(1.2, seed: 2))
    hold(outcome, 400, "all slower")
    let rows = outcome.comparison.rows.filter { $0.metric == "time" }
    #expect(rows.contains { $0.verdict == .regressed })
    #expect(!rows.contains { $0.verdict == .unchanged })
    let open = rows.filter { $0.verdict == .inconclusive }
    #expect(!open.isEmpty)
    for row in open {
      #expect(row.note.contains("no time left to confirm") && row.moreRounds == 16)
    }
    #expect(outcome.comparison.outcome() == .regressed)
  }

  @Test func `a side that hangs has no answer, and is not merely left out`() throws {
    let fine: Build = { _, turn in (0.2, Self.time(turn, seed: 1)) }
    let outcome = try fight(4, budget: 600, fine) { one, turn in
      (one.name.family == "reads.b2" ? 10_000 : 0.2, Self.time(turn, seed: 2))
    }
    hold(outcome, 600, "hanging")
    let rows = outcome.comparison.rows.filter { $0.benchmark == "reads.b2" }
    #expect(!rows.isEmpty && rows.allSatisfy { $0.verdict == .invalid && $0.broken == .b })
    #expect(outcome.comparison.outcome() == .regressed)
  }

  @Test func `the plan shortens rounds, then leaves out the dearest, and says both`() throws {
    var request = RunRequest()
    request.budget = 150
    let dear = Benchmark("writes.dear", "d", engines: ["x"], weight: 20) { $0.check(true, "") }
    let catalogue = [dear] + DuelBudgetTests.catalogue(2)
    let plan = try DuelPlan(request, Duel.Setting(), catalogue)
    #expect(plan.leftOut.map(\.name.family) == ["writes.dear"])
    #expect(plan.seconds < 0.25 && plan.estimate <= 150)
    for part in [
      "of 150 s, and the rest for what is confirmed or open", "is left out: 1 measurement",
      "further: what is open then",
    ] { #expect(plan.text.contains(part), "\(plan.text)") }
    request.budget = 3
    let error = #expect(throws: BenchmarkError.self) {
      try DuelPlan(request, Duel.Setting(), catalogue)
    }
    let said = try #require(error?.description)
    let least = try #require(
      said.firstMatch(of: /the cheapest, reads.b\d, takes about (\d+) s/), "\(said)")
    request.budget = Double(least.output.1)
    #expect(try DuelPlan(request, Duel.Setting(), catalogue).cases.count == 2)
  }

  /// Of everything in five minutes crowds on too few cores were planned, and cold openings, while
  /// plain reads were left out: what costs as much was left out in any order.
  @Test func `a small budget goes to what can be decided, and names what is left out`() throws {
    func plain(_ name: String, _ parameters: [Benchmark.Parameter] = []) -> Benchmark {
      Benchmark(name, "b", parameters, engines: ["x"]) { $0.check(true, "") }
    }
    let catalogue =
      [
        plain("reads.scaling", [.init("threads", ["1", "2", "4"])]), plain("reads.open-cold"),
        plain("ways.query"), plain("notify.stall"),
      ] + DuelBudgetTests.catalogue(4)
    var request = RunRequest()
    func plan(_ budget: Double, cores: Double) throws -> DuelPlan {
      request.budget = budget
      return try DuelPlan(request, Duel.Setting(), catalogue, cores: cores)
    }
    func kept(_ plan: DuelPlan) -> [String] {
      Plan.groups(plan.cases).map { $0[0].name.description }
    }
    let steady = ["reads.b0", "reads.b1", "reads.b2", "reads.b3"]
    let all = kept(try plan(3600, cores: 2))
    #expect(all.count == 10)
    // Whatever the budget, nothing is left out that is likelier to be decided than what is kept.
    var seen: Set<Int> = []
    for budget in stride(from: 20.0, through: 400, by: 10) {
      guard let found = try? plan(budget, cores: 2), !found.leftOut.isEmpty else { continue }
      seen.insert(found.cases.count)
      let last = try #require(found.cases.map(found.prospect).max())
      let first = try #require(found.leftOut.map(found.prospect).min())
      #expect(last <= first, "\(budget) s keeps \(kept(found))")
      #expect(found.cases.count + found.leftOut.count == 14, "\(budget) s")
      #expect(found.estimate <= budget)
      // In the order of the catalogue, whatever went first.
      #expect(kept(found) == all.filter(kept(found).contains))
      for one in found.leftOut {
        #expect(found.text.contains("  \(one.name)  ("), "\(found.text)")
      }
    }
    #expect(seen.count > 3, "\(seen)")
    // What is a crowd depends on the cores that there are.
    let four = Case(BenchmarkName("reads.scaling", ["threads": "4"]), "x")
    let two = Case(BenchmarkName("reads.scaling", ["threads": "2"]), "x")
    for (cores, ofTwo, ofFour) in [
      (1.0, Prospect.crowded, Prospect.crowded), (2, .restless, .crowded),
      (4, .steady, .restless), (8, .steady, .steady),
    ] {
      #expect(Prospect(of: two, cores: cores) == ofTwo, "\(cores)")
      #expect(Prospect(of: four, cores: cores) == ofFour, "\(cores)")
    }
    #expect(all.filter { name in steady.contains(name) } == steady)
  }

  /// One that is dearer than all there is time for took the place of all that would have fitted.
  @Test func `what is dear leaves its room to what is less sure`() throws {
    let dear = Benchmark("reads.dear", "d", engines: ["x"], weight: 400) { $0.check(true, "") }
    let hop = Benchmark("ways.query", "w", engines: ["x"]) { $0.check(true, "") }
    var request = RunRequest()
    request.budget = 60
    let plan = try DuelPlan(request, Duel.Setting(), [dear, hop], cores: 2)
    #expect(plan.cases.map(\.name.family) == ["ways.query"])
    #expect(plan.leftOut.map(\.name.family) == ["reads.dear"])
  }

  /// What is most restless is most off, and had all the time there was.
  @Test func `what would stay open is confirmed after what will be decided`() throws {
    // Rounds of one are by turns forty times as long and a tenth: its middle is the furthest off.
    let turns = Mutex<[Case: Int]>([:])
    let base: Build = { _, turn in (0.5, Self.time(turn, spread: 0.002, seed: 1)) }
    let outcome = try fight(4, budget: 400, base) { one, turn in
      guard one.name.family == "reads.b0" else {
        return (0.5, Self.time(turn, spread: 0.002, factor: 1.2, seed: 2))
      }
      let own = turns.withLock { turns in
        turns[one, default: 0] += 1
        return turns[one] ?? 0
      }
      return (0.5, 1000 * exp(own.isMultiple(of: 2) ? 3.6 : -2.4))
    }
    hold(outcome, 400, "one wild")
    let rows = outcome.comparison.rows.filter { $0.metric == "time" }
    let decided = rows.filter { $0.verdict == .regressed }
    #expect(!decided.isEmpty && decided.allSatisfy { $0.benchmark != "reads.b0" })
    let wild = rows.filter { $0.benchmark == "reads.b0" }
    #expect(
      wild.count == 2 && wild.allSatisfy { $0.note.contains("no time left to confirm") },
      "\(wild.map(\.note))")
  }

  /// It was measured in each round, and no verdict said a word of it.
  @Test func `a candidate that needs twice the memory is worse, and one that needs as much is not`()
    throws
  {
    let build: Build = { _, turn in (0.1, Self.time(turn, seed: 1)) }
    for (more, verdict) in [(1.0, Comparison.Verdict.unchanged), (2, .regressed), (0.5, .improved)]
    {
      let outcome = try fight(2, budget: nil, memory: (10e6, 10e6 * more), build, build)
      let rows = outcome.comparison.rows.filter { $0.metric == "memory" }
      #expect(rows.count == 4 && rows.allSatisfy { $0.verdict == verdict }, "\(more)")
      #expect((outcome.comparison.outcome() == .regressed) == (more == 2), "\(more)")
    }
  }

  @Test func `so many rounds as were asked for are screened, and confirmed if more`() throws {
    let build: Build = { _, turn in (0.1, Self.time(turn, seed: 1)) }
    let few = try fight(2, budget: nil, rounds: 12, build, build)
    #expect(few.comparison.rows.filter { $0.metric == "time" }.allSatisfy { $0.rounds == 12 })
    #expect(few.run.asked.rounds == 12)
    let many = try fight(2, budget: nil, rounds: 30, build) { _, turn in
      (0.1, Self.time(turn, factor: 1.2, seed: 1))
    }
    let rows = many.comparison.rows.filter { $0.metric == "time" }
    #expect(rows.allSatisfy { $0.rounds == 30 && $0.verdict == .regressed })
  }

  /// A look more is a chance more to be wrong: each asks with half the q of the one before.
  @Test func `equal builds are not flagged because they were looked at often`() throws {
    var flagged = 0
    for seed in 0..<3 as Range<UInt64> {
      func build(_ own: UInt64) -> Build {
        { one, turn in
          let number = UInt64(one.name.family.dropFirst("reads.b".count)) ?? 0
          return (0.2, Self.time(turn, spread: 0.08, seed: own &+ seed &* 31 &+ number &* 1009))
        }
      }
      let outcome = try fight(4, budget: 400, seed: seed, build(1), build(500_009))
      hold(outcome, 400, "seed \(seed)")
      flagged += outcome.comparison.rows.count {
        $0.metric == "time" && ($0.verdict == .regressed || $0.verdict == .improved)
      }
    }
    #expect(flagged == 0, "\(flagged) of 24")
  }
}

/// What `calibrate` does with its time.
struct CalibrationQueueTests {
  private static let sessions = [("same", 3), ("time=0.1", 2), ("flush", 2)].flatMap {
    kind, count in
    (1...count).map { CalibrationQueue.Session(kind: kind, number: $0, handicap: nil) }
  }

  @Test func `without a budget all come in their order`() {
    var queue = CalibrationQueue(CalibrationQueueTests.sessions, limit: nil) { _ in 10 }
    var found: [CalibrationQueue.Session] = []
    while let next = queue.next(after: 1e9) { found.append(next) }
    #expect(found == CalibrationQueueTests.sessions && queue.absences.isEmpty)
  }

  @Test func `with one every kind has its turn, and what does not fit is named`() {
    var queue = CalibrationQueue(CalibrationQueueTests.sessions, limit: 100) {
      $0.kind == "flush" ? 5 : 10
    }
    var (found, elapsed): ([String], Double) = ([], 0)
    while let next = queue.next(after: elapsed) {
      found.append(next.text)
      // Twice as long as was thought.
      let took = next.kind == "flush" ? 10.0 : 20
      elapsed += took
      queue.ended(next, took: took)
    }
    #expect(
      found == [
        "same, session 1", "time=0.1, session 1", "flush, session 1", "same, session 2",
        "time=0.1, session 2", "flush, session 2",
      ])
    #expect(elapsed <= 100)
    #expect(queue.absences == [.init(kind: "same", sessions: 1, reason: .budget)])
  }

  @Test func `who interrupts leaves out what was under way and what was to come`() throws {
    var queue = CalibrationQueue(CalibrationQueueTests.sessions, limit: nil) { _ in 10 }
    let first = queue.next(after: 0)
    queue.ended(try #require(first), took: 10)
    let second = queue.next(after: 10)
    queue.interrupt(second)
    #expect(queue.next(after: 20) == nil)
    #expect(
      queue.absences == [
        .init(kind: "same", sessions: 2, reason: .interrupted),
        .init(kind: "time=0.1", sessions: 2, reason: .interrupted),
        .init(kind: "flush", sessions: 2, reason: .interrupted),
      ])
  }

  /// Ctrl-C in the first session left no file, and one that the budget cut stood on stderr alone.
  @Test(arguments: [true, false])
  func `a calibration that ends early is counted all the same`(isStopped: Bool) throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("calibration-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    var request = RunRequest()
    (request.filters, request.engines) = (["floor.null"], ["null"])
    request.budget = isStopped ? nil : 3600
    var setting = Calibrator.Setting()
    (setting.same, setting.handicapped, setting.handicaps) = (2, 1, [.flush])
    let calibrator = try Calibrator(
      request, setting: setting, executable: "/bin/true", isStopped: { isStopped })
    var found: [Calibration] = []
    try calibrator.run(
      into: place, environment: Environment(), scratch: place, elapsed: { 3600 },
      counted: { found.append($0) })
    #expect(found.count == 1 && found[0].tallies.isEmpty)
    let reason: Calibration.Absence.Reason = isStopped ? .interrupted : .budget
    #expect(
      found[0].absences
        == [
          .init(kind: "same", sessions: 2, reason: reason),
          .init(kind: "flush", sessions: 1, reason: reason),
        ])
  }

  // calibrate              The one at the keyboard     A child
  // asks a side for a sign
  //                        presses Ctrl-C
  //                                                    ends with it, and says nothing
  // counts what it has
  /// It was said to be no build of this tool (5), and its folder had no file.
  @Test func `who is interrupted while a side is asked for a sign is not taken for silent`() throws
  {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("calibration-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var request = RunRequest()
    (request.filters, request.engines) = (["floor.null"], ["null"])
    var setting = Calibrator.Setting()
    (setting.same, setting.handicapped) = (2, 0)
    // Nobody has stopped it when it begins, nor when the child is started.
    let looks = Mutex(0)
    let calibrator = try Calibrator(
      request, setting: setting, executable: "/bin/true",
      isStopped: {
        looks.withLock { looks in
          looks += 1
          return looks > 2
        }
      })
    var found: [Calibration] = []
    try calibrator.run(
      into: place, environment: Environment(), scratch: place, elapsed: { 0 },
      counted: { found.append($0) })
    #expect(found.last?.tallies.isEmpty == true)
    #expect(
      found.last?.absences == [.init(kind: "same", sessions: 2, reason: .interrupted)])
  }
}
