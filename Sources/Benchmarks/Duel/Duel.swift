import Evidence
import Foundation
import Harness

/// Two builds against each other: paired rounds in random order, screened, confirmed, with a
/// control.
///
/// The procedure is that of docs/METHOD.md. One noisy minute hits both sides of a pair, a
/// first-slot penalty hits both alike because the order is balanced and shuffled, and a build
/// against itself says what the session cannot see.
package final class Duel {
  package struct Setting: Sendable {
    package var screenRounds = Decision.screenRounds
    package var confirmRounds = Decision.confirmRounds
    package var controlCases = 5
    /// As many as confirm: what the control is off by by chance is in every margin.
    package var controlRounds = Decision.confirmRounds
    package var countRounds = 3
    package var q = Decision.q
    package init() {}
  }

  package typealias Sides = (a: Comparison.Side, b: Comparison.Side)

  private let request: RunRequest
  private let plan: Plan
  private let setting: Setting
  private let a: DuelRounds.Side
  private let b: DuelRounds.Side
  private let rounds: DuelRounds
  private let say: (String) -> Void

  /// `pace` is read around every pair; tests give one that does not depend on the machine.
  package init(
    _ request: RunRequest, base: any RoundRunner, candidate: any RoundRunner, scratch: URL,
    setting: Setting = Setting(), catalogue: [Benchmark] = Catalogue.all,
    isStopped: @escaping () -> Bool = { false }, say: @escaping (String) -> Void = { _ in },
    progress: @escaping (Runner.Progress) -> Void = { _ in },
    pace: @escaping () -> Pace = Pace.read
  ) throws {
    self.request = request
    self.setting = setting
    self.say = say
    a = DuelRounds.Side(letter: Run.Side.base, runner: base)
    b = DuelRounds.Side(letter: Run.Side.candidate, runner: candidate)
    plan = try Plan(request, catalogue: catalogue)
    rounds = DuelRounds(
      request, seconds: plan.seconds, scratch: scratch, isStopped: isStopped, pace: pace,
      progress: progress)
  }

  /// What `ab` will do, and how long that takes at least, in words.
  package static func outline(
    of request: RunRequest, setting: Setting = Setting(), catalogue: [Benchmark] = Catalogue.all
  ) throws -> String {
    let plan = try Plan(request, catalogue: catalogue)
    let (all, controlled) = (plan.cases.count, min(setting.controlCases, plan.cases.count))
    let pair = 2 * plan.onceTimed / Double(max(1, all))
    let least =
      2 * plan.costs.setUp(plan.cases)
      + pair * Double(controlled * setting.controlRounds + all * setting.screenRounds)
      + 2 * Double(setting.countRounds) * plan.onceCounted
    func seconds(_ value: Double) -> String { "\(Int(value.rounded(.up))) s" }
    return """
      \(Plan.measurements(all)) of both builds in pairs of rounds of \
      \(Int((plan.seconds * 1000).rounded())) ms, in fresh processes; seed \(plan.seed)
        control: \(controlled) of them, the base against itself, \(setting.controlRounds) pairs each
        screen: all, \(setting.screenRounds) pairs each
        count: all, \(setting.countRounds) times a side, \(Decision.confirmCounts) where they differ
        confirm: what seems to differ, \(setting.confirmRounds) fresh pairs each, about \
      \(seconds(pair * Double(setting.confirmRounds))) for each
      about \(seconds(least)) and what is confirmed
      \(Plan.lines(plan.cases).joined(separator: "\n"))

      """
  }

  /// Measures and judges. A side that yields nothing at all is an error before anything is written.
  package func run(
    into directory: URL, environment: Environment, sides: Sides
  ) throws -> Run {
    var run = asked(directory, environment)
    run.state = .interrupted
    let canBegin = try interruptible {
      try requireAnswers(sides)
      return true
    }
    let record = try RunDirectory.create(at: directory, run: run)
    if request.out == nil { record.becomeLatest() }
    rounds.begin(record)
    if canBegin != nil, let comparison = try interruptible({ try judge(sides) }) {
      run.comparison = comparison
      run.state = .finished
    }
    run.finished = Timestamp.utc()
    run.results = Summary.results(rounds.samples, latencies: rounds.latencies)
    try rounds.end(run)
    return run
  }

  /// What comes of it, or nil if somebody stopped it.
  private func interruptible<Result>(_ work: () throws -> Result) throws -> Result? {
    do { return try work() } catch is DuelRounds.Stopped { return nil }
  }

  private func asked(_ directory: URL, _ environment: Environment) -> Run {
    var run = Run()
    run.id = directory.lastPathComponent
    run.version = request.version
    run.started = Timestamp.utc()
    run.environment = environment
    run.asked.verb = "ab"
    run.asked.filters = request.filters
    run.asked.engines = request.engines
    run.asked.seed = request.seed
    run.asked.command = request.command
    run.asked.rounds = setting.screenRounds
    return run
  }

  /// A program that is no build of this tool, or a broken one, has no speed to compare with.
  private func requireAnswers(_ sides: Sides) throws {
    for (side, described, name) in [(a, sides.a, "base"), (b, sides.b, "candidate")] {
      guard let said = try rounds.silence(of: side.runner, plan.cases) else { continue }
      let program = described.source.isEmpty ? "the \(name)" : "the \(name) \(described.source)"
      throw RecordError(
        "\(program) yields nothing to compare: no number from any of "
          + "\(plan.cases.count) measurements (\(said)); expected a working build of realm-bench")
    }
  }

  // MARK: The procedure

  private func judge(_ sides: Sides) throws -> Comparison {
    rounds.allowedVoids = (setting.screenRounds * plan.cases.count) / 4
    let control = try control()
    let screened = try screen(control.floors)
    let untimed = try count()
    let confirmed = try confirm(screened.suspects, control.floors)
    let answered = confirmed + screened.settled
    // What was counted apart is not judged once more by what the timed pass says of it.
    let sizes = screened.sizes.filter { row in !untimed.contains { isSame($0, row) } }
    var found = Comparison(
      a: sides.a, b: sides.b, interleaved: true, trusted: control.summary.confirmed == 0,
      reasons: reasons(control.summary), control: control.summary, q: setting.q,
      rows: untimed + sizes + answered + brokenSince(answered), voidRounds: rounds.voids,
      sight: request.sight)
    if setting.screenRounds > 0 { found.name(unjudged: rowless(found.rows)) }
    return request.thresholds?.applied(to: found, today: String(Timestamp.utc().prefix(10)))
      ?? found
  }

  private func isSame(_ one: Comparison.Row, _ other: Comparison.Row) -> Bool {
    one.benchmark == other.benchmark && one.engine == other.engine && one.metric == other.metric
  }

  /// What was measured and about which nothing is said, by benchmark and engine.
  private func rowless(_ rows: [Comparison.Row]) -> [String] {
    plan.cases.filter { one in
      !rows.contains { $0.benchmark == one.name.description && $0.engine == one.engine }
    }.map { "\($0.name) (\($0.engine))" }
  }

  /// A against itself: what the session cannot see, and whether it imagines things.
  private func control() throws -> (summary: Comparison.Control, floors: NoiseFloors) {
    let cases = controlled(rounds.shuffled(plan.cases))
    let twin = DuelRounds.Side(letter: Run.Side.twin, runner: a.runner)
    say(
      "control: the base against itself, \(Plan.measurements(cases.count)), "
        + "\(setting.controlRounds) rounds")
    rounds.enter("control", total: cases.count * setting.controlRounds)
    let pairs = try rounds.pairs(cases, setting.controlRounds, a, twin)
    let questions = cases.flatMap { self.questions($0, pairs) }.filter { $0.invalid == nil }
    let floors = NoiseFloors(
      questions, rounds: [setting.screenRounds, setting.confirmRounds], seed: request.seed)
    let suspects = questions.map(floors.applied).filter(Decision.isSuspect)
    var imagined = 0
    if !suspects.isEmpty {
      say("control: \(Duel.suspects(suspects.count)), \(setting.confirmRounds) fresh rounds")
      let fresh = try again(of: suspects, among: cases, setting.confirmRounds, against: twin)
      imagined =
        Decision.judge(fresh.map(floors.applied), q: setting.q)
        .filter { $0.verdict == .regressed || $0.verdict == .improved }.count
    }
    let summary = Comparison.Control(
      benchmarks: cases.count, suspects: suspects.count, confirmed: imagined,
      noiseFloor: floors.headline(rounds: setting.screenRounds))
    return (summary, floors)
  }

  /// Of a drawn order as many as the control takes: one of each subject before a second of any, for
  /// what a main loop is off by says nothing of a time.
  private func controlled(_ cases: [Case]) -> [Case] {
    var subjects: Set<String> = []
    let first = cases.filter { subjects.insert(Subjects.metric(of: $0.name.family)).inserted }
    return Array((first + cases.filter { !first.contains($0) }).prefix(setting.controlCases))
  }

  /// All pairs, a few rounds, no test: whoever differs by half the margin is confirmed, the others
  /// are settled. What a file has become needs no statistics: it is judged as counts are.
  private func screen(
    _ floors: NoiseFloors
  ) throws -> (
    suspects: [Decision.Question], settled: [Comparison.Row], sizes: [Comparison.Row]
  ) {
    say("screen: \(Plan.measurements(plan.cases.count)), \(setting.screenRounds) rounds")
    rounds.enter("screen", total: plan.cases.count * setting.screenRounds)
    let pairs = try rounds.pairs(plan.cases, setting.screenRounds, a, b)
    let questions = plan.cases.flatMap { self.questions($0, pairs) }.map(floors.applied)
    let suspects = questions.filter { $0.invalid == nil && Decision.isSuspect($0) }
    let settled = questions.filter { $0.invalid != nil || !Decision.isSuspect($0) }
    let sizes = plan.cases.flatMap { one in
      rounds.failure(of: one) == nil
        ? counted(one, (pairs[one] ?? [:]).filter { Metric.named($0.key).kind == .exact }) : []
    }
    return (suspects, settled.map { Decision.settled($0) }, sizes)
  }

  /// Counted metrics: a few runs each, judged by their extremes. What seems to differ is counted
  /// twice more before it is said.
  private func count() throws -> [Comparison.Row] {
    say("count: what never varies")
    rounds.enter("count", total: plan.cases.count * setting.countRounds)
    return try plan.cases.flatMap { one in
      var values = try rounds.counts(one, setting.countRounds, a, b)
      let rows = counted(one, values)
      guard rows.contains(where: { $0.verdict == .regressed || $0.verdict == .improved }),
        setting.countRounds < Decision.confirmCounts
      else { return rows }
      let more = Decision.confirmCounts - setting.countRounds
      rounds.extend(by: more)
      let further = try rounds.counts(one, more, a, b)
      values.merge(further) { ($0.a + $1.a, $0.b + $1.b) }
      return counted(one, values)
    }
  }

  private func counted(_ one: Case, _ values: DuelRounds.Values) -> [Comparison.Row] {
    values.sorted { Metric.rank($0.key) < Metric.rank($1.key) }
      .filter { !$0.value.a.isEmpty && !$0.value.b.isEmpty }
      .compactMap { Decision.judgeUntimed(question(one, $0.key, $0.value)) }
  }

  /// What had an answer when it was screened, and none when it was counted or confirmed.
  private func brokenSince(_ rows: [Comparison.Row]) -> [Comparison.Row] {
    let known = rows.filter { $0.verdict == .invalid }
    return plan.cases.filter { one in
      rounds.failure(of: one) != nil
        && !known.contains { $0.benchmark == one.name.description && $0.engine == one.engine }
    }.flatMap { questions($0, [:]) }.map { Decision.settled($0) }
  }

  /// Suspects only, on fresh rounds: independent of how they were chosen.
  private func confirm(
    _ suspects: [Decision.Question], _ floors: NoiseFloors
  ) throws -> [Comparison.Row] {
    guard !suspects.isEmpty else { return [] }
    let count = max(
      setting.confirmRounds, MultipleComparisons.fewestRounds(suspects.count, q: setting.q))
    say("confirm: \(Duel.suspects(suspects.count)), \(count) fresh rounds")
    let fresh = try again(of: suspects, among: plan.cases, count, against: b)
    return Decision.judge(fresh.map(floors.applied), q: setting.q)
  }

  private static func suspects(_ count: Int) -> String {
    count == 1 ? "1 suspect" : "\(count) suspects"
  }

  private func reasons(_ control: Comparison.Control) -> [String] {
    var reasons: [String] = []
    if control.confirmed > 0 {
      reasons.append(
        "the control failed: a build against itself 'changed' on \(control.confirmed) of "
          + "\(control.benchmarks == 1 ? "1 benchmark" : "\(control.benchmarks) benchmarks"); "
          + "durations of this session mean nothing")
    }
    if rounds.voids > 0 {
      reasons.append(
        "\(rounds.voids) rounds were void (the processor's pace or stolen time changed) and "
          + "\(rounds.voids > rounds.allowedVoids ? "could not all be repeated" : "were repeated")")
    }
    return reasons
  }

  // MARK: Questions

  /// The same questions again, of rounds measured anew.
  private func again(
    of suspects: [Decision.Question], among cases: [Case], _ count: Int,
    against other: DuelRounds.Side
  ) throws -> [Decision.Question] {
    func isOf(_ one: Case, _ suspect: Decision.Question) -> Bool {
      suspect.benchmark == one.name.description && suspect.engine == one.engine
    }
    let suspected = cases.filter { one in suspects.contains { isOf(one, $0) } }
    rounds.enter("confirm", total: suspected.count * count)
    let pairs = try rounds.pairs(suspected, count, a, other)
    return suspected.flatMap { one in
      questions(one, pairs).filter { question in
        suspects.contains { isOf(one, $0) && $0.metric == question.metric }
      }
    }
  }

  /// What is judged of a case by its durations: what it is about, unless that is no duration, and
  /// its 99th percentile.
  private func questions(_ one: Case, _ pairs: [Case: DuelRounds.Values]) -> [Decision.Question] {
    if let wrong = rounds.failure(of: one) {
      var invalid = question(one, Subjects.metric(of: one.name.family), ([], []))
      (invalid.invalid, invalid.broken) = (wrong.reason, wrong.side)
      return [invalid]
    }
    let metrics = pairs[one] ?? [:]
    let head = Subjects.metric(of: one.name.family, among: metrics.keys.filter { $0 != "cpu" })
    let timed = metrics.keys.filter { Metric.named($0).kind == .timed }
    return timed.filter { $0 == head || $0 == "p99" }.sorted()
      .map { question(one, $0, metrics[$0] ?? ([], [])) }
  }

  private func question(
    _ one: Case, _ metric: String, _ values: (a: [Double], b: [Double])
  ) -> Decision.Question {
    Decision.Question(
      benchmark: one.name.description, engine: one.engine, metric: .named(metric), a: values.a,
      b: values.b, resolution: request.sight.resolution,
      tolerance: request.thresholds?.tolerance(
        one.name.description, metric, from: values.a))
  }
}
