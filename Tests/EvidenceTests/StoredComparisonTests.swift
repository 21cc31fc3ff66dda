import Foundation
import Testing

@testable import Evidence

/// Runs of one binary, minutes apart, "regressed" three times: nothing said how restless the
/// machine had been.
struct StoredComparisonTests {
  /// A run of benchmarks whose rounds scatter by `noise`, on a machine that was `pace` as slow as
  /// usual and drifted by `drift` from its beginning to its end.
  private func run(
    _ id: String, factor: Double = 1, rounds: Int = 12, machine: String = "m", seed: UInt64 = 1,
    benchmarks: Int = 1, noise: Double = 0.004, pace: Double = 1, drift: Double = 0,
    counts: [Double] = [2, 2, 2], hasControl: Bool = true, lots: UInt64 = 1
  ) -> Run {
    var generator = SeededGenerator(seed: derivedSeed(lots, id))
    func spread() -> Double {
      exp(noise * ((0..<4).reduce(-2.0) { sum, _ in sum + generator.unit() }))
    }
    var samples: [Sample] = []
    func add(_ name: String, _ side: String, _ round: Int, _ metric: String, _ value: Double) {
      for (metric, value) in [(metric, value), ("check", 1.0)] {
        samples.append(
          Sample(
            utc: "", benchmark: name, engine: "x", side: side, round: round, metric: metric,
            value: value, count: 10, seed: seed))
      }
    }
    for number in 0..<benchmarks {
      for round in 0..<rounds {
        let place = Double(round) / Double(max(1, rounds - 1))
        add(
          "reads.a\(number)", "", round, "time", 100 * factor * pace * exp(drift * place) * spread()
        )
      }
      for (round, count) in counts.enumerated() {
        add("reads.a\(number)", "", round, "flushes", count)
      }
    }
    for name in hasControl ? ["floor.c", "reads.a0"] : [] {
      for round in 0..<3 {
        add(name, "C1", round, "time", 50 * pace * spread())
        add(name, "C2", round, "time", 50 * pace * exp(drift) * spread())
      }
    }
    var run = Run()
    run.id = id
    run.state = .finished
    run.environment.machineID = machine
    run.asked.seed = seed
    run.asked.rounds = rounds
    run.results = Summary.results(samples)
    run.control = RunControl(samples)
    return run
  }

  /// Counts that were left stood in for the times, and a run without any passed.
  @Test(arguments: ["none", "0", "-5"]) func `who has no time is broken`(what: String) throws {
    let a = run("a")
    var b = run("b")
    for index in b.results.indices {
      if what == "none" { b.results[index].values.removeAll { $0.metric == "time" } }
      for place in b.results[index].values.indices
      where b.results[index].values[place].metric == "time" {
        let rounds = b.results[index].values[place].rounds
        let wrong = Double(what) ?? 1
        b.results[index].values[place].rounds =
          wrong < 0 ? [wrong] + rounds : rounds.map { _ in wrong }
      }
    }
    let found = StoredComparison.compare(a, b)
    #expect(found.outcome() == .regressed)
    let row = try #require(found.rows.first { $0.metric == "time" })
    #expect(row.verdict == .invalid && row.broken == .b)
    // It is the other one's own fault where that has none.
    let mended = StoredComparison.compare(b, a)
    #expect(mended.outcome() != .regressed)
    #expect(mended.rows.contains { $0.metric == "time" && $0.broken == .a }, "\(mended.rows)")
  }

  private func changed(
    _ run: Run, _ metric: String = "time", _ change: (inout Finding.Value) -> Void
  ) -> Run {
    var run = run
    for index in run.results.indices {
      for place in run.results[index].values.indices
      where run.results[index].values[place].metric == metric {
        change(&run.results[index].values[place])
      }
    }
    return run
  }

  /// One round of no length among many was in no pair, and "unchanged"; no rounds were said to be
  /// times of 0.
  @Test(arguments: [
    ([0.0], "1 of 12 rounds took a time of 0 or less, which is none"),
    ([0, -5], "2 of 12 rounds took a time of 0 or less, which is none"),
    ([], "it has no rounds"),
  ])
  func `a round that cannot be is no round less`(wrong: [Double], sentence: String) throws {
    let b = changed(run("b")) {
      $0.rounds = wrong.isEmpty ? [] : wrong + $0.rounds.dropFirst(wrong.count)
    }
    for (found, side) in [
      (StoredComparison.compare(run("a"), b), Comparison.BrokenSide.b),
      (StoredComparison.compare(b, run("a")), .a), (StoredComparison.compare(b, b), .both),
    ] {
      let row = try #require(found.rows.first { $0.metric == "time" })
      #expect(row.verdict == .invalid && row.broken == side && row.note == sentence, "\(row)")
    }
  }

  @Test func `what is judged and in one run alone is named`() {
    let without = changed(run("b"), "flushes") { $0.metric = "faults" }
    let said =
      "1 value that b does not have of what is in both is in a, and not judged: flushes of "
      + "reads.a0 (x)"
    #expect(StoredComparison.compare(run("a"), without).reasons.contains(said))
    #expect(StoredComparison.compare(without, run("a")).reasons.contains(said))
    #expect(
      !StoredComparison.compare(run("a"), run("b")).reasons.contains { $0.contains("not judged") })
  }

  // MARK: Fewer rounds than were measured

  /// Where several writers finished nothing in some rounds, the time was that of the others.
  @Test(arguments: [1, 1.5, 0.6])
  func `the lucky rounds alone tell nothing`(factor: Double) throws {
    func lucky(_ id: String, _ factor: Double, _ idle: Int) -> Run {
      var run = changed(run(id, factor: factor)) { $0.rounds.removeLast(idle) }
      let rates = run.results[0]["time"]?.rounds.map { 1e9 / $0 } ?? []
      run.results[0].values.append(
        .init(
          metric: "rate", value: 1e7, low: 1e7, high: 1e7, confidence: 0.9,
          rounds: rates + Array(repeating: 0, count: idle), samples: 10))
      return run
    }
    let sentence = "in 4 of 12 rounds nobody finished anything: lengthen --round-length"
    for (a, b, note) in [(0, 4, "B: \(sentence)"), (4, 0, "A: \(sentence)")] {
      let found = StoredComparison.compare(lucky("a", 1, a), lucky("b", factor, b))
      let row = try #require(found.rows.first { $0.metric == "time" })
      #expect(row.verdict == .cannotTell && row.note == note, "\(row)")
      #expect(row.sees == nil && found.outcome() == .untrusted)
    }
  }

  @Test func `nor do fewer rounds than the answer has`() throws {
    let b = changed(run("b", factor: 1.5)) { $0.rounds.removeLast(3) }
    let row = try #require(
      StoredComparison.compare(run("a"), b).rows.first { $0.metric == "time" })
    #expect(row.verdict == .cannotTell && row.rounds == 9)
    #expect(row.note == "B: it is of 9 of 12 rounds: the others had none", "\(row.note)")
  }

  /// Of samples that other builds made, too.
  @Test func `an answer with idle rounds is none`() throws {
    func sample(_ round: Int, _ metric: String, _ value: Double) -> Sample {
      Sample(
        utc: "", benchmark: "writes.contention", engine: "x", round: round, metric: metric,
        value: value, count: 1, seed: 1)
    }
    func finding(_ rates: [Double]) -> Finding? {
      Summary.results(
        rates.enumerated().flatMap { round, rate in
          [sample(round, "rate", rate), sample(round, "check", 1)]
            + (rate > 0 ? [sample(round, "time", 1e9 / rate)] : [])
        }
      ).first
    }
    let idle = try #require(finding([0, 20, 0]))
    #expect(!idle.valid && idle.values.isEmpty)
    #expect(idle.reason == "in 2 of 3 rounds nobody finished anything: lengthen --round-length")
    #expect(finding([0])?.reason.hasPrefix("in 1 of 1 round nobody") == true)
    #expect(finding([10, 20, 30])?.valid == true)
  }

  @Test func `what one run has and the other has not is named`() {
    let reasons = StoredComparison.compare(run("a", benchmarks: 3), run("b")).reasons
    #expect(
      reasons.contains("2 of a are not in b, and not judged: reads.a1 (x), reads.a2 (x)"))
    let found = StoredComparison.compare(run("a", benchmarks: 3), run("b"))
    #expect(found.gone == ["reads.a1 (x)", "reads.a2 (x)"])
    #expect(found.sentence.contains("2 of A missing in B; "))
    #expect(found.outcome() == .fine && found.outcome(strict: true) == .regressed)
    // What B alone has was not lost.
    let more = StoredComparison.compare(run("b"), run("a", benchmarks: 3))
    #expect(more.gone == nil && more.outcome(strict: true) == .fine)
    let same = StoredComparison.compare(run("a"), run("b")).reasons
    #expect(!same.contains { $0.contains("not in") })
  }

  @Test func `a wrong answer of the second run is not green`() {
    var wrong = run("b", benchmarks: 2)
    wrong.results[0].valid = false
    wrong.results[0].reason = "the sum was wrong"
    let worse = StoredComparison.compare(run("a", benchmarks: 2), wrong)
    #expect(worse.rows.contains { $0.broken == .b } && worse.outcome() == .regressed)
    let mended = StoredComparison.compare(wrong, run("a", benchmarks: 2))
    #expect(mended.rows.contains { $0.broken == .a } && mended.outcome() == .fine)
  }

  @Test func `a run against itself is unchanged`() {
    let comparison = StoredComparison.compare(run("a"), run("a"))
    #expect(comparison.rows.allSatisfy { $0.verdict == .unchanged })
    #expect(comparison.outcome() == .fine)
    #expect(!comparison.interleaved)
  }

  private func held(_ id: String, _ rounds: [Double], benchmark: String = "reads.a0") -> Run {
    var run = run(id)
    let middle = Quantiles.median(rounds)
    run.results[0].benchmark = benchmark
    run.results[0].values.append(
      .init(
        metric: "memory", value: middle, low: middle, high: middle, confidence: 0.9,
        rounds: rounds, samples: rounds.count))
    return run
  }

  /// Twice the memory was measured, shown, and no verdict said a word of it.
  @Test func `twice the memory is worse, and ends with 2`() throws {
    let base = (0..<8).map { 10e6 + Double($0) * 5e4 }
    func judged(_ a: [Double], _ b: [Double], benchmark: String = "reads.a0") -> Comparison {
      StoredComparison.compare(
        held("a", a, benchmark: benchmark), held("b", b, benchmark: benchmark))
    }
    func verdict(_ a: [Double], _ b: [Double]) -> Comparison.Verdict? {
      judged(a, b).rows.first { $0.metric == "memory" }?.verdict
    }
    let doubled = judged(base, base.map { 2 * $0 })
    let row = try #require(doubled.rows.first { $0.metric == "memory" })
    #expect(row.verdict == .regressed && row.note == "level: +9.7 MiB", "\(row.note)")
    #expect(abs(row.change - 1) < 1e-9)
    #expect(doubled.outcome() == .regressed)
    #expect(verdict(base.map { 2 * $0 }, base) == .improved)
    #expect(judged(base.map { 2 * $0 }, base).outcome() == .fine)
    // A share of little is little: pages come and go.
    #expect(verdict(base.map { $0 / 20 }, base.map { $0 / 10 }) == .unchanged)
    #expect(verdict(base, base.map { 1.2 * $0 }) == .unchanged)
    // One round that made its data set is no level, and one of two is none either.
    #expect(verdict(base, base.dropLast() + [60e6]) == .unchanged)
    #expect(verdict(Array(base.prefix(2)), base.prefix(2).map { 2 * $0 }) == .cannotTell)
    let scattered = (0..<8).map { $0.isMultiple(of: 2) ? 9e6 : 40e6 }
    #expect(verdict(base, scattered) == .cannotTell)
    // Whoever inserts faster holds more.
    #expect(
      !judged(base, base.map { 2 * $0 }, benchmark: "writes.insert/batch=1").rows
        .contains { $0.metric == "memory" })
  }

  @Test func `of equal builds memory is never said to have changed`() {
    var unchanged = 0
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let level = 4e6 * exp(4 * generator.unit())
      func rounds() -> [Double] {
        (0..<8).map { _ in
          level + 1_048_576 * generator.unit() + (generator.unit() < 0.1 ? 6e6 : 0)
        }
      }
      let (a, b) = (rounds(), rounds())
      let row = Decision.judgeUntimed(
        Decision.Question(
          benchmark: "reads.a", engine: "x", metric: .named("memory"), a: a, b: b))
      #expect(
        row?.verdict == .unchanged || row?.verdict == .cannotTell,
        "seed \(seed): \(row?.note ?? "")")
      if row?.verdict == .unchanged { unchanged += 1 }
    }
    // Where half of the rounds were odd ones it may be that nothing can be told.
    #expect(unchanged >= 180, "\(unchanged)")
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
    #expect(row?.verdict == .cannotTell)
    #expect(row?.note.contains("too few rounds") == true)
    #expect(comparison.outcome() == .untrusted)
  }

  @Test func `other machines are shown and not judged`() {
    let comparison = StoredComparison.compare(run("a"), run("b", factor: 2, machine: "n"))
    #expect(
      comparison.rows.filter { $0.metric == "time" }.allSatisfy { $0.verdict == .inconclusive })
    #expect(comparison.outcome() == .untrusted)
    #expect(!StoredComparison.lacksOnlyControl(run("a"), run("b", machine: "n")))
  }

  // Six allocations more of another machine's run were called regressed.
  @Test func `nor is what was counted there`() {
    func verdict(machine: String) -> Comparison.Verdict? {
      StoredComparison.compare(run("a"), run("b", machine: machine, counts: [8, 8, 8])).rows
        .first { $0.metric == "flushes" }?.verdict
    }
    #expect(verdict(machine: "n") == .inconclusive)
    #expect(verdict(machine: "m") == .regressed)
    let there = run("b", machine: "n", counts: [8, 8, 8])
    #expect(StoredComparison.compare(run("a"), there).outcome() == .untrusted)
  }

  @Test func `what else the machine had to do is named where it differs`() {
    var (calm, busy) = (run("a"), run("b"))
    (busy.environment.pressure, busy.environment.steal) = (31, 4)
    let reasons = StoredComparison.differences(calm, busy).joined(separator: "\n")
    #expect(reasons.contains("the pressures on the cores differ (0 % and 31 %)"), "\(reasons)")
    #expect(reasons.contains("stolen differ (0 % and 4 %)"), "\(reasons)")
    (calm.environment.pressure, calm.environment.steal) = (30, 3)
    #expect(StoredComparison.differences(calm, busy).isEmpty)
  }

  @Test func `of other machines it is said what they are without any engine`() {
    var (here, there) = (run("a"), run("b", machine: "n"))
    (here.environment.clockCost, there.environment.clockCost) = (20, 30)
    (here.environment.storage.flushMedian, there.environment.storage.flushMedian) = (2e5, 5e4)
    let reasons = StoredComparison.compare(here, there).reasons.joined(separator: "\n")
    #expect(reasons.contains("a reading of the clock 1.50×, a flush 0.25×"), "\(reasons)")
    #expect(!StoredComparison.compare(here, here).reasons.joined().contains("×"))
  }

  @Test func `runs without anything in common are refused`() {
    var other = run("b")
    other.results[0].benchmark = "writes.z"
    #expect(StoredComparison.refusal(run("a"), other)?.outcome == .unreadable)
    #expect(StoredComparison.refusal(run("a"), Run()) != nil)
    #expect(StoredComparison.refusal(run("a"), run("b")) == nil)
  }

  @Test func `a run whose every answer is invalid is no side of a comparison`() {
    var wrong = run("b")
    for place in wrong.results.indices {
      wrong.results[place].valid = false
      wrong.results[place].reason = "the sum was wrong"
    }
    for refusal in [
      StoredComparison.refusal(run("a"), wrong), StoredComparison.refusal(wrong, run("a")),
    ] {
      #expect(refusal?.outcome == .unreadable)
      #expect(refusal?.description.contains("the sum was wrong") == true)
    }
  }

  // MARK: The control

  @Test func `runs without a control are not trusted, and said to be so`() {
    for (a, b, who) in [
      (run("a", hasControl: false), run("b"), "a carries no control"),
      (run("a"), run("b", hasControl: false), "b carries no control"),
      (run("a", hasControl: false), run("b", hasControl: false), "a and b carry no control"),
    ] {
      var comparison = StoredComparison.compare(a, b)
      #expect(comparison.outcome() == .untrusted)
      #expect(comparison.reasons.contains { $0.hasPrefix(who) }, "\(comparison.reasons)")
      comparison.acceptsUntrusted = true
      #expect(comparison.outcome() == .fine)
      #expect(StoredComparison.lacksOnlyControl(a, b))
    }
  }

  /// Under a time limit a control once had one measurement, made once at either end.
  @Test func `a control of nearly nothing is none, and said to be so`() {
    var thin = run("b")
    thin.control?.rows.removeLast()
    var one = StoredComparison.compare(run("a"), thin)
    #expect(one.outcome() == .untrusted)
    #expect(one.reasons.contains { $0.hasPrefix("the control of b is 1 measurement, ") })
    one.acceptsUntrusted = true
    #expect(one.outcome() == .fine)
    #expect(StoredComparison.lacksOnlyControl(run("a"), thin))

    var once = run("b")
    for place in once.control?.rows.indices ?? 0..<0 { once.control?.rows[place].last = [50] }
    let two = StoredComparison.compare(once, run("a"))
    #expect(two.outcome() == .untrusted)
    #expect(two.reasons.contains { $0.hasPrefix("the control of b is 2 measurements, ") })
    #expect(StoredComparison.compare(run("a"), run("b")).outcome() == .fine)
  }

  /// Zeros at both ends drift by nothing, and were the calmest machine of all.
  @Test func `a control of zeros is none`() {
    func zeroed(_ run: Run, _ count: Int) -> Run {
      var run = run
      for place in (run.control?.rows.indices ?? 0..<0).prefix(count) {
        run.control?.rows[place].first = [0, 0, 0]
        run.control?.rows[place].last = [0, 0, 0]
      }
      return run
    }
    for (a, b) in [
      (run("a"), zeroed(run("b"), 2)), (zeroed(run("b"), 2), run("a")),
    ] {
      let found = StoredComparison.compare(a, b)
      #expect(!found.trusted && found.outcome() == .untrusted && found.control == nil)
      #expect(found.reasons.contains { $0.hasPrefix("b carries no control") })
      #expect(StoredComparison.lacksOnlyControl(a, b))
    }
    let half = StoredComparison.compare(run("a"), zeroed(run("b"), 1))
    #expect(half.outcome() == .untrusted)
    #expect(half.reasons.contains { $0.contains("with values above 0") }, "\(half.reasons)")
  }

  @Test func `the control is no result, and is read back from samples`() throws {
    let one = run("a")
    #expect(one.results.map(\.benchmark) == ["reads.a0"])
    let control = try #require(one.control)
    #expect(control.rows.map(\.benchmark) == ["floor.c", "reads.a0"])
    #expect(control.rows.allSatisfy { $0.first.count == 3 && $0.last.count == 3 })
    #expect(abs(RunControl.typical(control, control)) < 0.01)
    #expect(run("a", hasControl: false).control == nil)
  }

  @Test func `a machine that drifted during one of the runs cannot tell`() {
    let drifted = StoredComparison.compare(run("a"), run("b", drift: 0.15))
    #expect(drifted.rows.first { $0.metric == "time" }?.verdict == .cannotTell)
    #expect(drifted.outcome() == .untrusted && drifted.isBlind)
    #expect(drifted.control?.noiseFloor ?? 0 > 0.1)
  }

  @Test func `a machine that was slower throughout is seen by what no engine moves`() {
    // Within either run nothing drifts; only the loop in C tells that the second was a tenth
    // slower.
    let slower = StoredComparison.compare(run("a"), run("b", pace: 1.1))
    #expect(slower.rows.first { $0.metric == "time" }?.verdict == .cannotTell)
    // A slower engine moves no loop in C.
    let worse = StoredComparison.compare(run("a"), run("b", factor: 1.1))
    #expect(worse.rows.first { $0.metric == "time" }?.verdict == .regressed)
  }

  @Test func `equal runs are flagged in at most one of a hundred questions`() {
    // Machines as they are: each run a few per cent off, each drifting as it goes.
    var flagged = 0
    var questions = 0
    for lots in 0..<40 as Range<UInt64> {
      var generator = SeededGenerator(seed: lots)
      func some(_ most: Double) -> Double { most * (2 * generator.unit() - 1) }
      let a = run(
        "a", rounds: 14, benchmarks: 10, noise: 0.03, pace: 1 + some(0.08), drift: some(0.05),
        lots: lots)
      let b = run(
        "b", rounds: 14, benchmarks: 10, noise: 0.03, pace: 1 + some(0.08), drift: some(0.05),
        lots: lots)
      let rows = StoredComparison.compare(a, b).rows.filter { $0.metric == "time" }
      questions += rows.count
      flagged += rows.filter { $0.verdict == .regressed || $0.verdict == .improved }.count
    }
    #expect(questions == 400)
    #expect(flagged <= 4, "\(flagged) of \(questions)")
  }

  @Test func `what is restless by itself hides its own chapter and no other`() throws {
    func row(_ name: String, _ drift: Double) -> RunControl.Row {
      RunControl.Row(
        benchmark: name, engine: "x", metric: "time", first: [100, 100, 100],
        last: [100, 100, 100].map { $0 * exp(drift) })
    }
    let names = ["floor.memory-sum", "floor.cache-miss", "reads.a", "frozen.b"]
    let calm = RunControl(rows: names.map { row($0, 0.01) } + [row("writes.commit", 0.01)])
    let restless = RunControl(rows: names.map { row($0, 0.01) } + [row("writes.commit", 0.4)])
    func floor(_ name: String) -> Double {
      RunControl.floor(calm, restless, for: BenchmarkName(parsing: name))
    }
    #expect(floor("writes.insert/batch=1") == 0.4)
    #expect(abs(floor("reads.other") - 0.01) < 1e-9 && abs(floor("frozen.b") - 0.01) < 1e-9)
    // Of a chapter without a control nothing is known but what the others say.
    #expect(floor("ways.query") > 0.01)
    // Nor is it the machine's: that is what most of them drifted, and the odd one is named.
    #expect(abs(RunControl.typical(calm, restless) - 0.01) < 1e-9)
    #expect(RunControl.oddity(calm, restless)?.benchmark == "writes.commit")
    #expect(RunControl.oddity(calm, calm) == nil)
    #expect(
      RunControl.furthest(calm, restless, for: BenchmarkName("writes.insert"))?.drift ?? 0 > 0.39)
    #expect(RunControl.furthest(calm, restless, for: BenchmarkName("ways.query")) == nil)
  }

  /// Two threads that met on one core in one run and on two in the other: a factor of 36 was the
  /// noise of the whole machine, and hid all chapters.
  @Test func `a limit of the machine that has two values hides itself and nothing else`() {
    func row(_ name: String, _ first: Double, _ last: Double) -> RunControl.Row {
      RunControl.Row(
        benchmark: name, engine: "c", metric: "time", first: [first, first, first],
        last: [last, last, last])
    }
    func control(_ first: Double, _ last: Double) -> RunControl {
      RunControl(rows: [
        row("floor.memory-sum", 100, 101), row("floor.cache-miss", 100, 101),
        row("floor.ping-pong", first, last),
      ])
    }
    // Within a run, and from one to the other.
    let (calm, within, slower) = (control(100, 100), control(100, 3600), control(3600, 3600))
    for (a, b) in [(within, calm), (calm, slower)] {
      for name in ["reads.a", "ways.query", "floor.memory-sum", "floor.atomic-add"] {
        let floor = RunControl.floor(a, b, for: BenchmarkName(parsing: name))
        #expect(abs(floor - log(1.01)) < 1e-9, "\(name): \(floor)")
      }
      #expect(abs(RunControl.typical(a, b) - log(1.01)) < 1e-9)
    }
    #expect(RunControl.floor(within, within, for: BenchmarkName("floor.ping-pong")) > log(35))
    var (a, b) = (run("a"), run("b"))
    (a.control, b.control) = (calm, within)
    let found = StoredComparison.compare(a, b)
    #expect(abs((found.control?.noiseFloor ?? 1) - 0.01) < 1e-6)
    #expect(found.rows.first { $0.metric == "time" }?.verdict == .unchanged)
    let odd = "the control floor.ping-pong (c) of b drifted by 3500 %, half of them by 1.0 % at"
    #expect(found.reasons.contains { $0.hasPrefix(odd) }, "\(found.reasons)")
  }

  // MARK: What differs

  /// Whoever changed the cores of a record by hand was believed without a word.
  @Test func `an environment that contradicts itself or its machine's name judges nothing`() {
    typealias Change = (inout Environment) -> Void
    func found(_ change: Change) -> Comparison {
      var (a, b) = (run("a"), run("b", factor: 1.5))
      for place in 0..<2 {
        var e = Environment()
        (e.machineID, e.cpu, e.cores, e.usableCores) = ("m1", "EPYC", 2, 2)
        (e.memoryBytes, e.architecture) = (8e9, "x86_64")
        if place == 1 { change(&e) }
        if place == 0 { a.environment = e } else { b.environment = e }
      }
      return StoredComparison.compare(a, b)
    }
    #expect(found { _ in }.outcome() == .regressed)
    for (change, sentence) in [
      ({ $0.usableCores = 64 }, "64 of 2 cores were usable"),
      ({ $0.usableCores = -1 }, "-1 of 2 cores were usable"),
      ({ $0.cpu = "Xeon" }, "its processor is EPYC in one and Xeon in the other"),
      ({ ($0.cores, $0.usableCores) = (64, 64) }, "its number of cores is 2 in one and 64"),
      ({ $0.memoryBytes = 64e9 }, "its memory, in pieces of 256 MiB, is 29 in one and 238"),
      ({ $0.architecture = "aarch64" }, "its architecture is x86_64 in one and aarch64"),
    ] as [(Change, String)] {
      let comparison = found(change)
      #expect(!comparison.trusted && comparison.outcome() == .untrusted, "\(sentence)")
      #expect(
        comparison.reasons.contains { $0.contains(sentence) && $0.contains("was changed") },
        "\(comparison.reasons)")
    }
    // What may differ is said, and judged all the same.
    let fewer = found { $0.usableCores = 1 }
    #expect(fewer.outcome() == .regressed)
    #expect(
      fewer.reasons.contains { $0.hasPrefix("the usable cores differ (2 and 1): ") },
      "\(fewer.reasons)")
    // A record of an older version does not say.
    let older = found { ($0.cores, $0.usableCores, $0.memoryBytes) = (0, 0, 0) }
    #expect(older.outcome() == .regressed, "\(older.reasons)")
  }

  @Test func `what differs between the runs is named first`() {
    var other = run("b", seed: 2)
    other.asked.roundSeconds = 0.1
    other.environment.load = 3.5
    var base = run("a")
    base.asked.roundSeconds = 0.25
    let reasons = StoredComparison.compare(base, other).reasons
    #expect(reasons[0].hasPrefix("the seeds differ (1 and 2)"))
    #expect(reasons[1].hasPrefix("the lengths of a round differ (250 ms and 100 ms)"))
    #expect(reasons[2].hasPrefix("the loads of the machine differ (0.0 and 3.5)"))
    #expect(reasons[3].hasPrefix("the runs were made one after the other"))
  }

  // The median of twelve rounds stood beside a change that one pair had made.
  @Test func `medians are those of the rounds that were compared`() throws {
    var (base, other) = (run("a"), run("b", factor: 1.5, rounds: 1))
    let own = try #require(base.results[0].values.firstIndex { $0.metric == "time" })
    base.results[0].values[own].rounds = [100, 900, 900, 900]
    other.results[0].values[own].rounds = [150]
    for pair in [StoredComparison.compare(base, other), StoredComparison.compare(other, base)] {
      let row = try #require(pair.rows.first { $0.metric == "time" })
      #expect([row.a, row.b].sorted() == [100, 150] && row.rounds == 1)
      #expect(abs(log1p(row.change) - log(row.b / row.a)) < 1e-9)
      #expect(row.pairsA.count == 1 && row.pairsB.count == 1)
    }
  }

  // MARK: Counts

  @Test func `a run that counted less than three times is named`() {
    let once = StoredComparison.compare(run("a", counts: [2]), run("b"))
    #expect(
      once.reasons.contains { $0.hasPrefix("a took 1 of its 1 counts once: ") }, "\(once.reasons)")
    #expect(once.rows.contains { $0.note == "exact: the same count; counted once" })
    let twice = StoredComparison.compare(run("a"), run("b", counts: [2, 2])).reasons
    #expect(twice.contains { $0.hasPrefix("b took 1 of its 1 counts once or twice: ") })
    let often = StoredComparison.compare(run("a"), run("b")).reasons
    #expect(!often.contains { $0.contains("counts once") })
  }

  private func counts(_ a: [Double], _ b: [Double], seed: UInt64 = 1) -> Comparison.Row? {
    StoredComparison.compare(run("a", counts: a), run("b", seed: seed, counts: b)).rows
      .first { $0.metric == "flushes" }
  }

  @Test func `counts that never moved are exact, others have their own range`() {
    #expect(counts([2, 2, 2], [3, 3, 3])?.verdict == .regressed)
    #expect(counts([2, 2, 2], [2.03, 2.03, 2.03])?.verdict == .regressed)
    #expect(counts([100, 100.3, 100.1], [100.9, 101, 100.8])?.verdict == .unchanged)
    #expect(counts([100, 100.3, 100.1], [103, 103.1, 103])?.verdict == .regressed)
    #expect(counts([100, 104, 102], [105, 107, 106])?.verdict == .cannotTell)
  }

  @Test func `a count that was taken once cannot tell, nor can other seeds`() {
    #expect(counts([2], [3])?.verdict == .cannotTell)
    #expect(counts([2], [2])?.verdict == .unchanged)
    let seeds = counts([2, 2, 2], [3, 3, 3], seed: 9)
    #expect(seeds?.verdict == .cannotTell && seeds?.note.contains("the seeds differ") == true)
  }
}
