import Benchmarks
import Evidence
import Foundation
import Harness
import Reporting

/// Finds the commit that made a benchmark worse, by `ab` of builds between a good and a bad one.
let bisectVerb = Verb(
  name: "bisect",
  summary: "finds the commit that made a benchmark worse",
  operands: "GOOD BAD",
  operandCount: 2...2,
  options: [
    .value("repository", "DIR", "the checkout whose commits are built (default: where you are)"),
    .value("build", "COMMAND", "what builds a commit, run by the shell in a checkout of it"),
    .value("product", "PATH", "the program that the build makes, seen from the checkout"),
    .value(
      "budget", "TIME",
      "for the whole search, builds too, kept within a tenth: what is not asked stays a range"),
  ] + duelOptions + [
    .value("format", "text|json", "what stdout gets (default text)"), ProgressStyle.option,
  ],
  notes: """
      Each commit is built in a work tree of its own and put against the good one in a whole 'ab', whose
      run directory stays below --out. The worst change between GOOD and BAD is followed; others
      are named, to be followed with --filter. Commits that do not build are stepped over.
      Exit code 0: found. 1: BAD is not worse than GOOD. 3: more than one commit is left that this
      machine cannot tell apart, or that the budget had no time for. 5: GOOD or BAD yields nothing.
      6: interrupted; what is known by then is said, with the commits between which to go on.
    """
) { arguments in
  let start = Stopwatch.now
  try ProgressStyle.take(arguments)
  let request = try duelRequest(arguments)
  let budget = try arguments.seconds("budget")
  let format = try arguments.choice("format", among: ["text", "json"]) ?? "text"
  let scratch = try Session.workspace(request)
  let revisions = try Revisions(
    repository: arguments.string("repository") ?? FileManager.default.currentDirectoryPath,
    folder: scratch.url.appendingPathComponent("revisions"),
    command: arguments.string("build")
      ?? "SWIFT_DETERMINISTIC_HASHING=1 swift build -c release --product realm-bench",
    product: arguments.string("product") ?? ".build/release/realm-bench")
  defer { revisions.clear() }
  let (good, bad) = try (
    revisions.commit(arguments.operands[0]), revisions.commit(arguments.operands[1])
  )
  let commits = try revisions.between(good, bad)
  if arguments.has("dry-run") {
    let halvings = Bisection.sessions(commits.count)
    Terminal.lines(
      "\(Figures.count(commits.count, "commit")) from \(good.short) to \(bad.short), "
        + "about \(Figures.count(halvings + 2, "build")) and "
        + "\(Figures.count(halvings + 1, "session")) of:\n"
        + (try Duel.outline(of: request))
        + (budget.map { "all of it within \(Seconds.text($0)), builds too\n" } ?? ""))
    return .fine
  }
  Interruption.listen()
  let doctor = try Doctor.examine(request, workdir: scratch.url)
  let folder = request.out ?? Session.defaultOut(request, machine: doctor.environment.machineID)
  var search = BisectSession(
    request: request, revisions: revisions, good: good, folder: folder, scratch: scratch.url,
    environment: doctor.environment,
    clock: SearchClock(limit: budget, elapsed: { Double(Stopwatch.now - start) / 1e9 }))
  Terminal.say(
    "building \(good.short) and \(bad.short), \(Figures.count(commits.count, "commit")) apart")
  let all: Comparison
  do {
    guard let found = try search.duel(bad, of: Bisection.sessions(commits.count) + 1) else {
      Terminal.say(
        "interrupted before \(good.short) and \(bad.short) were compared: of the "
          + "\(Figures.count(commits.count, "commit")) nothing is known yet")
      return .interrupted
    }
    all = found
  } catch is SearchClock.Ended {
    throw UsageError(
      "--budget \(Seconds.text(budget ?? 0)) was over before \(good.short) and "
        + "\(bad.short) were built: expected more, or builds that are quicker (--build)")
  } catch let error as BenchmarkError where error.isOfBudget {
    guard let budget, let share = search.request.budget else { throw error }
    // The refusal is about one session; who asked knows of the whole search alone.
    throw UsageError(
      "--budget \(Seconds.text(budget)) leaves \(Seconds.text(share)) for each of "
        + "\(Figures.count(Bisection.sessions(commits.count) + 1, "session")), builds taken off: "
        + error.description)
  }
  let worse = all.sortedRows.filter { $0.verdict == .regressed }
  guard let whole = worse.first else {
    let hidden = all.count(.cannotTell)
    Terminal.say(
      "realm-bench: \(bad.short) is not worse than \(good.short) on this machine"
        + (hidden > 0 ? "; \(hidden) of \(all.rows.count) answers cannot be told" : ""))
    return hidden > 0 || !all.trusted ? .untrusted : .usage
  }
  Terminal.say("followed: \(whole.benchmark) (\(whole.engine)), \(whole.metric) \(spelled(whole))")
  for other in worse.dropFirst() {
    Terminal.say("also worse: \(other.benchmark) (\(other.engine)), \(other.metric)")
  }
  search.follow(whole)
  var bisection = Bisection(revisions: commits.count)
  var end = BisectFinding.End.told
  while let place = bisection.next {
    do {
      let left = Bisection.sessions(bisection.suspects.count)
      guard let answer = try search.ask(commits[place], of: left) else {
        end = .interrupted
        break
      }
      bisection.take(answer, of: place)
      Terminal.say("\(commits[place].short) \(answer.words): \(commits[place].subject)")
    } catch is SearchClock.Ended {
      end = .budget
      break
    }
  }
  let finding = BisectFinding(bisection, commits, after: good, whole, end)
  Terminal.out(format == "json" ? try finding.json : finding.text)
  Terminal.say("sessions: \(folder.path)")
  if end == .interrupted { return .interrupted }
  return finding.commits.count == 1 ? .fine : .untrusted
}

private func spelled(_ row: Comparison.Row) -> String {
  if row.isFromNothing { return "from nothing" }
  return "\(Figures.percent(row.change)) "
    + "[\(Figures.percent(row.low)), \(Figures.percent(row.high))]"
}

extension Bisection.Answer {
  fileprivate var words: String {
    switch self {
    case .good: "is good"
    case .worse: "is worse"
    case .unclear(let why): "cannot be told (\(why))"
    }
  }
}

/// How much time a search has, and what of it each of its sessions may take.
private struct SearchClock {
  /// There is no time for another build or session.
  struct Ended: Error {}

  let limit: Double?
  let elapsed: () -> Double

  /// Seconds for one of so many sessions that are still to come; nil for as long as it takes.
  func share(of sessions: Int) throws -> Double? {
    guard let left else { return nil }
    guard left > 0 else { throw Ended() }
    return left / Double(max(1, sessions))
  }

  var left: Double? { limit.map { $0 - elapsed() } }
}

/// The sessions of one search: each puts a revision against the good one.
private struct BisectSession {
  var request: RunRequest
  let revisions: Revisions
  let good: Revisions.Commit
  let folder: URL
  let scratch: URL
  let environment: Environment
  let clock: SearchClock
  private var whole: Comparison.Row?
  private var sessions = 0

  init(
    request: RunRequest, revisions: Revisions, good: Revisions.Commit, folder: URL, scratch: URL,
    environment: Environment, clock: SearchClock
  ) {
    self.clock = clock
    self.request = request
    self.revisions = revisions
    self.good = good
    self.folder = folder
    self.scratch = scratch
    self.environment = environment
    // What a repository tolerates is looked for all the same.
    self.request.thresholds = nil
  }

  /// From now on only this row is measured, and it is asked to show half of what it has become.
  mutating func follow(_ row: Comparison.Row) {
    whole = row
    request.filters = [row.benchmark]
    request.engines = [row.engine]
    request.sight.resolution = max(request.sight.resolution, row.low / 2)
  }

  /// Nil if somebody stopped it. `sessions`: how many are still to come, with this one.
  mutating func ask(_ commit: Revisions.Commit, of sessions: Int) throws -> Bisection.Answer? {
    guard let whole else { return .unclear("nothing is followed") }
    let found: Comparison?
    do { found = try duel(commit, of: sessions) } catch let error as RecordError {
      return .unclear(error.description)
    } catch is BenchmarkError where clock.limit != nil {
      // All that is followed was measured before: what is too small now is the time that is left.
      throw SearchClock.Ended()
    }
    guard let found else { return nil }
    func isSame(_ row: Comparison.Row) -> Bool {
      row.benchmark == whole.benchmark && row.engine == whole.engine && row.metric == whole.metric
    }
    guard let row = found.rows.first(where: isSame), row.verdict != .invalid else {
      return .unclear(
        found.rows.first(where: isSame)?.note
          ?? (found.leftOut == nil
            ? "it has no such benchmark" : "the budget had no room for its rounds"))
    }
    // A count that was zero has no share to look for: it is there, or it is not.
    if whole.isFromNothing { return row.isFromNothing ? .worse : .good }
    return Bisection.answer(
      .init(change: row.change, low: row.low, high: row.high),
      lookingFor: .init(change: whole.change, low: whole.low, high: whole.high))
  }

  /// Nil if somebody stopped it.
  mutating func duel(_ commit: Revisions.Commit, of toCome: Int) throws -> Comparison? {
    let (base, candidate): (String, String)
    do { (base, candidate) = try (build(good), build(commit)) } catch is Revisions.Stopped {
      return nil
    }
    sessions += 1
    request.budget = try clock.share(of: toCome)
    let session = try Duel(
      request, base: ChildRounds(executable: base), candidate: ChildRounds(executable: candidate),
      scratch: scratch, isStopped: { Interruption.hasCome }, say: Terminal.say,
      progress: { RunProgress.show($0) })
    defer { RunProgress.finish() }
    return try session.run(
      into: folder.appendingPathComponent("\(sessions)-\(commit.short)"), environment: environment,
      sides: (
        .init(name: "A", commit: good.id, subject: good.subject, source: base),
        .init(name: "B", commit: commit.id, subject: commit.subject, source: candidate)
      )
    ).comparison
  }

  private func build(_ commit: Revisions.Commit) throws -> String {
    do {
      return try revisions.build(
        commit, within: clock.left ?? .infinity, isStopped: { Interruption.hasCome })
    } catch is Revisions.OutOfTime { throw SearchClock.Ended() }
  }
}

/// What a search came to.
private struct BisectFinding: Encodable {
  struct Named: Encodable {
    let commit: String
    let subject: String
  }
  struct Step: Encodable {
    let commit: String
    let answer: String
  }

  /// What ended a search: all that can be told was, or there was no time, or somebody stopped it.
  enum End {
    case told, budget, interrupted
  }

  let benchmark, engine, metric: String
  let change, low, high: Double
  /// The first that is worse; several where the machine could not tell them apart.
  let commits: [Named]
  /// The last commit that is known to be good: the one before those.
  let good: Named
  let steps: [Step]
  /// Whether the budget ended before the search did, or somebody ended it.
  let budgetEnded, interrupted: Bool

  /// - Parameter good: what the search began behind.
  init(
    _ bisection: Bisection, _ all: [Revisions.Commit], after good: Revisions.Commit,
    _ row: Comparison.Row, _ end: End
  ) {
    (budgetEnded, interrupted) = (end == .budget, end == .interrupted)
    let last = bisection.suspects.lowerBound == 0 ? good : all[bisection.suspects.lowerBound - 1]
    self.good = Named(commit: last.id, subject: last.subject)
    (benchmark, engine, metric) = (row.benchmark, row.engine, row.metric)
    (change, low, high) = (row.change, row.low, row.high)
    commits = bisection.suspects.map { Named(commit: all[$0].id, subject: all[$0].subject) }
    steps = bisection.steps.map { Step(commit: all[$0.place].id, answer: $0.answer.words) }
  }

  var text: String {
    let first =
      commits.count == 1
      ? "the first commit that is worse:"
      : "the first commit that is worse is one of \(commits.count), which "
        + (interrupted
          ? "were not told apart when the search was interrupted:"
          : budgetEnded
            ? "the budget had no time to tell apart:" : "this machine cannot tell apart:")
    let change = Figures.percent(change)
    return "\(benchmark) (\(engine)), \(metric) \(change); \(first)\n"
      + commits.map { Printable.line("  \($0.commit.prefix(10)) \($0.subject)") + "\n" }.joined()
      + again
  }

  /// How to go on where there was no time for all: between what is known to be good and what is
  /// known to be worse.
  private var again: String {
    guard budgetEnded || interrupted, commits.count > 1, let bad = commits.last else { return "" }
    return "to go on: realm-bench bisect \(good.commit.prefix(10)) \(bad.commit.prefix(10)), with "
      + "the options as they were but for another --out\n"
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}
