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
    package var controlCases = 8
    /// So many of them, at least, are about a time, as most of what is asked.
    package var controlTimes = 5
    /// As many as confirm: what the control is off by by chance is in every margin.
    package var controlRounds = Decision.confirmRounds
    package var countRounds = 3
    /// A quarter of what stored runs are judged by: what changed is asked in both directions and
    /// again with every look, and where the control is calm nothing else keeps a restless benchmark
    /// from seeming to change.
    package var q = Decision.q / 4
    package init() {}

    /// The same with so many pairs of everything whose pairs are counted, if somebody asked for a
    /// number; what is confirmed has never fewer than usual.
    func asked(for rounds: Int?) -> Setting {
      guard let rounds, screenRounds > 0 else { return self }
      var setting = self
      setting.screenRounds = rounds
      setting.confirmRounds = max(confirmRounds, rounds)
      if controlRounds > 0 { setting.controlRounds = max(controlRounds, rounds) }
      return setting
    }
  }

  package typealias Sides = (a: Comparison.Side, b: Comparison.Side)

  private let request: RunRequest
  private let plan: DuelPlan
  private let setting: Setting
  private let a: DuelRounds.Side
  private let b: DuelRounds.Side
  private let rounds: DuelRounds
  private let ledger: DuelLedger?
  private let say: (String) -> Void
  /// What is left of a session in which one side yields nothing: what that said, for its pages; nil
  /// of any other, and where it could not be kept.
  package private(set) var remains: Run?
  /// What was measured afresh of what was confirmed or open, all looks together.
  private var fresh: [Case: DuelRounds.Values] = [:]

  /// `pace` is read around every pair; tests give one that does not depend on the machine, and a
  /// clock of their own.
  package init(
    _ request: RunRequest, base: any RoundRunner, candidate: any RoundRunner, scratch: URL,
    setting: Setting = Setting(), catalogue: [Benchmark] = Catalogue.all,
    isStopped: @escaping () -> Bool = { false }, say: @escaping (String) -> Void = { _ in },
    progress: @escaping (Runner.Progress) -> Void = { _ in },
    pace: @escaping () -> Pace = Pace.read, elapsed: (() -> Double)? = nil
  ) throws {
    self.request = request
    self.say = say
    a = DuelRounds.Side(letter: Run.Side.base, runner: base)
    b = DuelRounds.Side(letter: Run.Side.candidate, runner: candidate)
    let plan = try DuelPlan(request, setting, catalogue)
    self.plan = plan
    self.setting = plan.setting
    let start = Stopwatch.now
    ledger = plan.limit.map {
      DuelLedger(plan, limit: $0, elapsed: elapsed ?? { Double(Stopwatch.now - start) / 1e9 })
    }
    rounds = DuelRounds(
      request, seconds: plan.seconds, scratch: scratch, ledger: ledger, isStopped: isStopped,
      pace: pace, progress: progress)
  }

  /// What `ab` will do, and how long that takes at least, in words.
  package static func outline(
    of request: RunRequest, setting: Setting = Setting(), catalogue: [Benchmark] = Catalogue.all
  ) throws -> String {
    try DuelPlan(request, setting, catalogue).text
  }

  /// Measures and judges. A side that yields nothing at all is an error, and what it said is kept
  /// in the directory: see `remains`.
  package func run(
    into directory: URL, environment: Environment, sides: Sides
  ) throws -> Run {
    var run = asked(directory, environment)
    run.state = .interrupted
    let canBegin = try interruptible {
      guard let silence = try silence(of: sides) else { return true }
      remains = try? kept(silence, sides, of: run, in: directory)
      throw RecordError(silence.sentence)
    }
    let record = try RunDirectory.create(at: directory, run: run)
    if request.out == nil { record.becomeLatest() }
    try rounds.begin(record)
    if canBegin != nil, let comparison = try interruptible({ try judge(sides) }) {
      run.comparison = comparison
      run.state = .finished
      sayWhatIsLeft(comparison)
    }
    run.finished = Timestamp.utc()
    let gone = ledger.map { ledger in Set(ledger.leftOut.map(\.case)) } ?? []
    run.results = Summary.results(rounds.samples, latencies: rounds.latencies).filter {
      !gone.contains(Case($0.name, $0.engine))
    }
    run.leftOut = leftOut
    try rounds.end(run)
    return run
  }

  /// Tells why a budget was not spent, where a tenth of it is left: it was enough only where
  /// everything has an answer.
  private func sayWhatIsLeft(_ comparison: Comparison) {
    guard let limit = plan.limit, let ledger,
      let used = Seconds.used(ledger.elapsed(), of: limit)
    else { return }
    let gone = leftOut?.count ?? 0
    let open = comparison.count(.inconclusive) + comparison.count(.cannotTell)
    guard gone + open > 0 else {
      say("\(used) were enough: nothing is open that further rounds in the rest would settle")
      return
    }
    let what = [
      gone > 0 ? "\(Plan.measurements(gone)) left out" : nil,
      open > 0 ? Plural.text(open, "row") : nil,
    ].compactMap(\.self).joined(separator: ", ")
    say("\(used) were used: the rest would not settle what is open (\(what))")
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
    run.asked.threads = request.threads
    run.asked.settings = request.settings.isEmpty ? nil : request.settings
    run.asked.seed = request.seed
    run.asked.command = request.command
    run.asked.rounds = setting.screenRounds
    run.asked.roundSeconds = plan.seconds
    run.asked.budget = request.budget
    run.asked.quick = request.isQuick
    return run
  }

  /// What the budget had no room for; nil where there is none.
  private var leftOut: [LeftOut]? {
    guard let ledger else { return nil }
    let early = plan.leftOut.map { (case: $0, reason: "it does not fit into the budget") }
    return (early + ledger.leftOut).map {
      LeftOut(
        benchmark: $0.case.name.description, engine: $0.case.engine, reason: $0.reason)
    }
  }

  /// What is still measured.
  private var cases: [Case] { plan.cases.filter { !(ledger?.isLeftOut($0) ?? false) } }

  // MARK: A side that yields nothing

  /// A program that is no build of this tool, or a broken one, has no speed to compare with.
  private struct Silence {
    let sentence: String
    let broken: Comparison.BrokenSide
    let said: [(case: Case, said: String)]
  }

  private func silence(of sides: Sides) throws -> Silence? {
    let both: [(DuelRounds.Side, Comparison.Side, String, Comparison.BrokenSide)] = [
      (a, sides.a, "base", .a), (b, sides.b, "candidate", .b),
    ]
    for (side, described, name, broken) in both {
      guard let said = try rounds.silence(of: side, plan.cases) else { continue }
      let program = described.source.isEmpty ? "the \(name)" : "the \(name) \(described.source)"
      let first = said.first.map { "\($0.case.name) (\($0.case.engine)): \($0.said)" }
      return Silence(
        sentence: "\(program) yields nothing to compare: no number from any of "
          + "\(Plural.text(plan.cases.count, "measurement")) "
          + "(\(first ?? "nothing was asked of it")); expected a working build of realm-bench",
        broken: broken, said: said)
    }
    return nil
  }

  /// Writes down what a side said instead of numbers. The newest run stays the newest: this is none
  /// to compare with.
  private func kept(
    _ silence: Silence, _ sides: Sides, of run: Run, in directory: URL
  ) throws -> Run {
    var run = run
    let rows = silence.said.map { one, said in
      let about = Metric.named(Subjects.metric(of: one.name.family))
      return Decision.settled(
        Decision.Question(
          benchmark: one.name.description, engine: one.engine, metric: about, a: [], b: [],
          invalid: said, broken: silence.broken))
    }
    run.comparison = Comparison(
      a: sides.a, b: sides.b, interleaved: true, trusted: false, reasons: [silence.sentence],
      control: nil, q: setting.q, rows: rows, sight: request.sight)
    (run.state, run.finished) = (.finished, Timestamp.utc())
    run.results = Summary.results(rounds.samples)
    try rounds.begin(RunDirectory.create(at: directory, run: run))
    return run
  }

  // MARK: The procedure

  private func judge(_ sides: Sides) throws -> Comparison {
    rounds.allowedVoids = (setting.screenRounds * plan.cases.count) / 4
    let (control, floors) = try self.control()
    let screened = try screen(floors)
    let counts = try count()
    let confirmed = try confirm(screened.suspects, floors)
    let answered = try settle(
      confirmed + screened.settled.filter { row in cases.contains { isOf($0, row) } }, floors)
    // Something that was counted may have been left out while the others were.
    let untimed = counts.filter { row in cases.contains { isOf($0, row) } }
    // What was counted apart is not judged once more by what the timed pass says of it.
    let sizes = screened.sizes.filter { row in
      cases.contains { isOf($0, row) } && !untimed.contains { isSame($0, row) }
    }
    let hasControl = setting.controlRounds == 0 || control.benchmarks > 0
    var found = Comparison(
      a: sides.a, b: sides.b, interleaved: true, trusted: control.confirmed == 0 && hasControl,
      reasons: reasons(control), control: control, q: setting.q,
      rows: untimed + sizes + answered + brokenSince(answered), voidRounds: rounds.voids,
      sight: request.sight)
    if !hasControl {
      found.reasons.append(
        "the budget ended before the control did: how restless the machine was is not known")
    }
    if setting.screenRounds > 0 { found.name(unjudged: rowless(found.rows)) }
    found.name(leftOut: (leftOut ?? []).map { "\($0.benchmark) (\($0.engine))" })
    return request.thresholds?.applied(to: found, today: String(Timestamp.utc().prefix(10)))
      ?? found
  }

  private func isOf(_ one: Case, _ row: Comparison.Row) -> Bool {
    row.benchmark == one.name.description && row.engine == one.engine
  }

  private func isSame(_ one: Comparison.Row, _ other: Comparison.Row) -> Bool {
    one.benchmark == other.benchmark && one.engine == other.engine && one.metric == other.metric
  }

  /// What was measured and about which nothing is said, by benchmark and engine.
  private func rowless(_ rows: [Comparison.Row]) -> [String] {
    cases.filter { one in
      !rows.contains { $0.benchmark == one.name.description && $0.engine == one.engine }
    }.map { "\($0.name) (\($0.engine))" }
  }

  /// A against itself: what the session cannot see, and whether it imagines things.
  private func control() throws -> (summary: Comparison.Control, floors: NoiseFloors) {
    let chosen = controlled(rounds.shuffled(plan.cases))
    ledger?.beginControl(chosen)
    let twin = DuelRounds.Side(letter: Run.Side.twin, runner: a.runner)
    say(
      "control: the base against itself, \(Plan.measurements(chosen.count)), "
        + "\(setting.controlRounds) rounds")
    rounds.enter("control", total: chosen.count * setting.controlRounds)
    let pairs = try rounds.pairs(chosen, setting.controlRounds, a, twin)
    let cases = chosen.filter { self.cases.contains($0) }
    let questions = cases.flatMap { self.questions($0, pairs) }.filter { $0.invalid == nil }
    let floors = NoiseFloors(questions)
    // By no floor: what the control is off by is what is asked here.
    let suspects = questions.filter(Decision.isSuspect)
    var imagined = 0
    if !suspects.isEmpty {
      say("control: \(Duel.suspects(suspects.count)), \(setting.confirmRounds) fresh rounds")
      let fresh = try again(of: suspects, among: cases, setting.confirmRounds, against: twin)
      imagined =
        Decision.judge(fresh, q: setting.q)
        .filter { $0.verdict == .regressed || $0.verdict == .improved }.count
    }
    let summary = Comparison.Control(
      benchmarks: cases.count, suspects: suspects.count, confirmed: imagined,
      noiseFloor: floors.headline)
    return (summary, floors)
  }

  /// Of a drawn order as many as the control takes: some whose subject is a time, and one of each
  /// other subject, for what a main loop is off by says nothing of a time. Times that have no
  /// control of their own are judged by the median of those that have: with a single one a session
  /// sees as little as the most restless benchmark that is drawn.
  private func controlled(_ cases: [Case]) -> [Case] {
    func subject(_ one: Case) -> String { Subjects.metric(of: one.name.family) }
    let times = cases.filter { subject($0) == "time" }.prefix(setting.controlTimes)
    var subjects: Set<String> = ["time"]
    let first = times + cases.filter { subjects.insert(subject($0)).inserted }
    return Array((first + cases.filter { !first.contains($0) }).prefix(setting.controlCases))
  }

  /// What the budget had to leave out and has room for after all.
  @discardableResult
  private func takeIn() -> [Case] {
    let taken = ledger?.takeIn() ?? []
    if !taken.isEmpty { say("taken in again: \(Plan.measurements(taken.count)), as there is time") }
    return taken
  }

  private func screened(_ cases: [Case]) throws -> [Case: DuelRounds.Values] {
    say("screen: \(Plan.measurements(cases.count)), \(setting.screenRounds) rounds")
    rounds.enter("screen", total: cases.count * setting.screenRounds)
    return try rounds.pairs(cases, setting.screenRounds, a, b)
  }

  /// What is judged of these pairs, beside what the session cannot see.
  private func asked(
    _ pairs: [Case: DuelRounds.Values], _ floors: NoiseFloors
  ) -> (suspects: [Decision.Question], others: [Decision.Question]) {
    let all = cases.flatMap { questions($0, pairs) }.map(floors.applied)
    func isSuspect(_ one: Decision.Question) -> Bool {
      one.invalid == nil && Decision.isSuspect(one)
    }
    return (all.filter(isSuspect), all.filter { !isSuspect($0) })
  }

  /// Tells the budget what will have to be confirmed.
  private func foresee(_ suspects: [Decision.Question]) {
    let cases = cases.filter { one in suspects.contains { isOf(one, $0) } }
    ledger?.endScreen(cases, pairs: freshPairs(for: suspects.count))
  }

  /// All pairs, a few rounds, no test: whoever differs by half the margin is confirmed, the others
  /// are settled. What a file has become needs no statistics: it is judged as counts are.
  private func screen(
    _ floors: NoiseFloors
  ) throws -> (
    suspects: [Decision.Question], settled: [Comparison.Row], sizes: [Comparison.Row]
  ) {
    takeIn()
    var pairs = try screened(cases)
    var (suspects, others) = asked(pairs, floors)
    foresee(suspects)
    let again = takeIn()
    if !again.isEmpty {
      // All of their pairs, for those of before lie apart.
      pairs.merge(try screened(again)) { $1 }
      (suspects, others) = asked(pairs, floors)
      foresee(suspects)
    }
    let sizes = cases.flatMap { one in
      rounds.failure(of: one) == nil
        ? counted(
          one,
          (pairs[one] ?? [:]).filter { name, _ in
            let metric = Metric.named(name)
            return [.exact, .level].contains(metric.kind)
              && Subjects.isJudged(metric, of: one.name.family)
          }) : []
    }
    // Had it changed, it would have been one suspect more.
    let all = suspects.count + 1
    let bar = Decision.Bar(threshold: setting.q / Double(all), rounds: freshPairs(for: all))
    return (suspects, others.map { Decision.settled($0, bar: bar) }, sizes)
  }

  /// Counted metrics: a few runs each, judged by their extremes. What seems to differ is counted
  /// twice more before it is said.
  private func count() throws -> [Comparison.Row] {
    say("count: what never varies")
    let measured = cases
    rounds.enter("count", total: measured.count * setting.countRounds)
    return try measured.flatMap { one -> [Comparison.Row] in
      guard cases.contains(one) else { return [] }
      var values = try rounds.counts(one, setting.countRounds, a, b)
      guard cases.contains(one) else { return [] }
      let rows = counted(one, values)
      guard rows.contains(where: { $0.verdict == .regressed || $0.verdict == .improved }),
        setting.countRounds < Decision.confirmCounts
      else { return rows }
      let more = Decision.confirmCounts - setting.countRounds
      rounds.extend(by: more)
      let further = try rounds.counts(one, more, a, b)
      values.merge(further, uniquingKeysWith: +)
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
    return cases.filter { one in
      rounds.failure(of: one) != nil
        && !known.contains { $0.benchmark == one.name.description && $0.engine == one.engine }
    }.flatMap { questions($0, [:]) }.map { Decision.settled($0) }
  }

  /// Suspects only, on fresh rounds: independent of how they were chosen. What a budget has no room
  /// for is told as what it is, something that seems to differ.
  private func confirm(
    _ found: [Decision.Question], _ floors: NoiseFloors
  ) throws -> [Comparison.Row] {
    let suspects = found.filter { suspect in cases.contains { isOf($0, suspect) } }
    guard !suspects.isEmpty else { return [] }
    let count = freshPairs(for: suspects.count)
    // What is most off may be what is most restless: no round that a verdict needs goes to rows
    // that would stay open by it before those that will not.
    func isDecided(_ one: Decision.Question) -> Int {
      Decision.isWithinReach(one, of: count) ? 1 : 0
    }
    let urgent = suspects.sorted {
      (isDecided($0), urgency($0)) > (isDecided($1), urgency($1))
    }
    var order: [Case] = []
    for one in urgent.compactMap({ suspect in cases.first { isOf($0, suspect) } })
    where !order.contains(one) { order.append(one) }
    let chosen = ledger?.choose(order, pairs: count) ?? order
    say(
      "confirm: \(Duel.suspects(suspects.count)), \(count) fresh rounds"
        + (chosen.count < order.count ? ", as far as the budget goes" : ""))
    rounds.enter("confirm", total: chosen.count * count)
    // In the order of the catalogue, as the order in which they are measured is drawn anyway.
    fresh = try rounds.pairs(cases.filter(chosen.contains), count, a, b)
    let confirmed = cases.filter { chosen.contains($0) && (ledger?.wants($0) ?? true) }
    let judged = Decision.judge(
      questions(again: suspects, confirmed).map(floors.applied), q: setting.q)
    let open = suspects.filter { suspect in !confirmed.contains { isOf($0, suspect) } }
    return judged + open.map { Decision.unconfirmed($0, rounds: count) }
  }

  /// How many fresh pairs each of so many suspects is confirmed by.
  private func freshPairs(for suspects: Int) -> Int {
    max(setting.confirmRounds, MultipleComparisons.fewestRounds(suspects, q: setting.q))
  }

  private func urgency(_ suspect: Decision.Question) -> Double {
    abs(SignedRank.estimate(suspect.differences)) / max(suspect.margin, 1e-9)
  }

  /// The questions that are asked again, of what was measured afresh.
  private func questions(
    again asked: [Decision.Question], _ measured: [Case]
  ) -> [Decision.Question] {
    measured.flatMap { one in
      questions(one, fresh).filter { question in
        asked.contains { isOf(one, $0) && $0.metric == question.metric }
      }
    }
  }

  private func isOf(_ one: Case, _ suspect: Decision.Question) -> Bool {
    suspect.benchmark == one.name.description && suspect.engine == one.engine
  }

  /// More rounds for what is open and will probably be settled by them, within the budget, or
  /// without one by two looks: fresh ones, with those by which it was confirmed and never with
  /// those by which it was chosen. Every look asks with half the q of the one before, so that all
  /// of them together add to false alarms no more than the first may.
  private func settle(
    _ rows: [Comparison.Row], _ floors: NoiseFloors
  ) throws -> [Comparison.Row] {
    guard setting.confirmRounds > 0, setting.screenRounds > 0 else { return rows }
    var (rows, q) = (rows, setting.q)
    let looks = ledger == nil ? Duel.usualLooks : Duel.mostLooks
    for look in 0..<looks {
      q /= 2
      let open = rows.filter { isOpen($0, floors) }.sorted { urgency($0) < urgency($1) }
      let wanted = wanted(open)
      let near = within(reach: wanted, looks: looks - look)
      let chosen = ledger?.choose(near, pairs: setting.confirmRounds) ?? near
      let far = wanted.map(\.case).filter { !near.contains($0) }
      if ledger != nil { tell(far, in: &rows) }
      guard !chosen.isEmpty else { break }
      say(
        "further: \(Plan.measurements(chosen.count)), \(setting.confirmRounds) fresh rounds"
          + (ledger == nil || far.isEmpty
            ? "" : "; \(far.count) left as they are, as the budget does not hold what they want"))
      rounds.enter("further", total: chosen.count * setting.confirmRounds)
      let more = try rounds.pairs(
        cases.filter(chosen.contains), setting.confirmRounds, a, b)
      let measured = cases.filter { chosen.contains($0) && (ledger?.wants($0) ?? true) }
      for one in measured {
        fresh[one, default: [:]].merge(more[one] ?? [:], uniquingKeysWith: +)
      }
      let asked = measured.flatMap { one in
        questions(one, fresh).filter { question in
          open.contains { isOf(one, $0) && $0.metric == question.metric.name }
        }
      }
      for row in Decision.judge(asked.map(floors.applied), q: q) {
        if let place = rows.firstIndex(where: { isSame($0, row) }) { rows[place] = row }
      }
    }
    return rows
  }

  /// How often more is measured of what is open: beyond that a row is open for good.
  private static let mostLooks = 4
  /// As often where nobody said how long it may take.
  private static let usualLooks = 2

  /// Whether further rounds may settle a row, however many: not where the session's noise hides it,
  /// and not where they would only show more sharply what lies within the margin.
  private func isOpen(_ row: Comparison.Row, _ floors: NoiseFloors) -> Bool {
    guard [.inconclusive, .cannotTell].contains(row.verdict), row.moreRounds != nil,
      Metric.named(row.metric).kind == .timed, let one = cases.first(where: { isOf($0, row) })
    else { return false }
    let asked = floors.applied(
      to: question(one, row.metric, Pairs(a: row.pairsA, b: row.pairsB)))
    return asked.margin <= asked.asked
  }

  /// What rows want, in their order: of each case so many pairs as will probably settle the first
  /// of its rows.
  private func wanted(_ open: [Comparison.Row]) -> [DuelLedger.Wish] {
    var wanted: [DuelLedger.Wish] = []
    for row in open {
      guard let one = cases.first(where: { isOf($0, row) }), let more = row.moreRounds else {
        continue
      }
      // Those by which it was chosen are not counted again.
      let isFresh = (fresh[one]?[row.metric]?.a.count ?? 0) > 0
      let pairs = more + (isFresh ? 0 : row.rounds)
      if let place = wanted.firstIndex(where: { $0.case == one }) {
        wanted[place].pairs = min(wanted[place].pairs, pairs)
      } else {
        wanted.append(.init(case: one, pairs: pairs))
      }
    }
    return wanted
  }

  /// Whose wish so many looks will probably fulfil. Time that was given is spent where it may do:
  /// what somebody would have to wait for must be likelier to.
  private func within(reach wanted: [DuelLedger.Wish], looks: Int) -> [Case] {
    guard let ledger else {
      return wanted.filter { $0.pairs <= looks * setting.confirmRounds }.map(\.case)
    }
    return ledger.within(reach: wanted, looks: looks, of: setting.confirmRounds)
  }

  /// Says of rows why they stay open.
  private func tell(_ far: [Case], in rows: inout [Comparison.Row]) {
    let words = "; the budget does not hold what would settle it"
    for place in rows.indices
    where rows[place].moreRounds != nil && far.contains(where: { isOf($0, rows[place]) })
      && !rows[place].note.hasSuffix(words)
    { rows[place].note += words }
  }

  /// Less is sooner: what lies at the margin before what is hidden, what wants few rounds first.
  private func urgency(_ row: Comparison.Row) -> (Int, Int) {
    (row.verdict == .inconclusive ? 0 : 1, row.moreRounds ?? .max)
  }

  private static func suspects(_ count: Int) -> String {
    Plural.text(count, "suspect")
  }

  private func reasons(_ control: Comparison.Control) -> [String] {
    var reasons: [String] = []
    if control.confirmed > 0 {
      reasons.append(
        "the control failed: a build against itself 'changed' on \(control.confirmed) of "
          + "\(Plural.text(control.benchmarks, "benchmark")); "
          + "durations of this session mean nothing")
    }
    if let letter = rounds.silentSide {
      reasons.append(
        "\(letter) comes from a build that does not tell its stretches: pairs are compared as a "
          + "whole, and see less")
    }
    if rounds.voids > 0 {
      reasons.append(
        (rounds.voids == 1 ? "1 round was" : "\(rounds.voids) rounds were")
          + " void (the processor's pace or stolen time changed) and "
          + (rounds.voids > rounds.allowedVoids
            ? "could not all be repeated" : rounds.voids == 1 ? "was repeated" : "were repeated"))
    }
    return reasons
  }

  // MARK: Questions

  /// The same questions again, of rounds measured anew.
  private func again(
    of suspects: [Decision.Question], among cases: [Case], _ count: Int,
    against other: DuelRounds.Side
  ) throws -> [Decision.Question] {
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
      var invalid = question(one, Subjects.metric(of: one.name.family), Pairs())
      (invalid.invalid, invalid.broken) = (wrong.reason, wrong.side)
      return [invalid]
    }
    let measured = pairs[one] ?? [:]
    if let lost = lost(one, measured) { return [lost] }
    let metrics = measured.filter { !$0.value.a.isEmpty }
    let head = Subjects.metric(of: one.name.family, among: metrics.keys.filter { $0 != "cpu" })
    let timed = metrics.keys.filter { Metric.named($0).kind == .timed }
    let all = measured.filter { Metric.named($0.key).kind == .timed }.map(\.value.rounds).max() ?? 0
    return timed.filter { $0 == head || $0 == "p99" }.sorted()
      .map { metric in
        let values = metrics[metric] ?? Pairs()
        var asked = question(one, metric, values)
        asked.short = values.shortage(of: all)
        return asked
      }
  }

  /// What a case is about, where one side alone ever had it: nothing stands in for that.
  private func lost(_ one: Case, _ measured: DuelRounds.Values) -> Decision.Question? {
    let names = Subjects.all[one.name.family] ?? ["time"]
    let there = names.compactMap { name in measured[name].map { (name, $0) } }
    guard let (metric, values) = there.first, there.allSatisfy({ $0.1.a.isEmpty }) else {
      return nil
    }
    var found = question(one, metric, Pairs())
    found.invalid = "it has no \(metric)"
    found.broken = values.missing.a == 0 ? .b : values.missing.b == 0 ? .a : .both
    return found
  }

  private func question(
    _ one: Case, _ metric: String, _ values: Pairs
  ) -> Decision.Question {
    var question = Decision.Question(
      benchmark: one.name.description, engine: one.engine, metric: .named(metric), a: values.a,
      b: values.b, resolution: request.sight.resolution,
      tolerance: request.thresholds?.tolerance(
        one.name.description, metric, from: values.a))
    question.isSideBySide = true
    (question.ratios, question.means) = (values.ratios, values.means)
    return question
  }
}
