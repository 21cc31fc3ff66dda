import Conformance
import Evidence
import Foundation
import Harness
import Mutants
import Reporting

/// Judges the engine rule by rule, and with `--self-test` the suite by broken engines.
let conformanceVerb = Verb(
  name: "conformance",
  summary: "judges the engine rule by rule; --self-test judges the suite with mutants",
  options: [
    .value("filter", "GLOB", "only these rules; '!GLOB' leaves out", repeatable: true),
    .value("tier", "documented|all", "rules that Realm's documents state, or all (default)"),
    .value("mutant", "NAME", "before this broken engine instead of the honest one"),
    .flag(
      "self-test", "then each mutant before the rules that must catch it; see 'make self-test'"),
    .flag("every-pair", "with --self-test: before all other rules, too (hours; take a --shard)"),
    .flag(
      "only-mutants", "with --self-test: not the honest engine first, which another run judges"),
    .value(
      "explore", "N",
      "also schedules, crash states, histories, programs and models: N of each at random"),
    .flag("deep", "all of the axes that probes walk, where they else walk a part (minutes each)"),
    .value("seed", "N", "for probes that draw lots (default 1)"),
    .value("shard", "I/N", "every N-th rule from the I-th; also from the variables of array jobs"),
    .value("jobs", "N", "children at a time (default 2)"),
    .value("repeat", "N", "so many passes; a rule whose verdicts differ is flaky"),
    .value("engine", "NAME", "the engine of this build; another one is refused"),
    .flag("dry-run", "print what would be examined and stop"),
    .value("workdir", "DIR", "where realms lie while it runs (default: the current directory)"),
    .value("timeout", "TIME", "for each probe, instead of its own deadline"),
    .value(
      "patience", "TIME",
      "how long a probe waits for what must come (default 30s, more on a busy machine)"),
    .value(
      "budget", "TIME", "kept within a tenth; what there was no time for is skipped, and listed"),
    .value("format", "text|json|markdown", "what stdout gets (default text)"),
    Option(
      name: "json", value: "FILE", help: "the verdicts as JSON, to FILE or stdout",
      valueIsOptional: true),
    Option(
      name: "tap", value: "FILE", help: "the verdicts as TAP 14, to FILE or stdout",
      valueIsOptional: true),
    .value("junit", "FILE", "the verdicts as JUnit XML"),
    .value("csv", "FILE", "the verdicts as CSV"),
    .value("kills", "FILE", "after a self-test: mutants and rules as a CSV matrix"),
    .value("html", "FILE", "a page with every rule, its verdict and its source"),
    .value("badge", "FILE", "an SVG badge"),
    .value("out", "DIR", "a run directory, for 'report' and 'compare'"), linkOption,
    .flag("verbose", "also the rules that hold"), ProgressStyle.option,
  ],
  notes: """
      verdicts: holds · violated · skipped (the machine or engine lacks something) · vacuous (the probe asserted
      nothing) · flaky (reruns disagree) · untested (no probe) · error (the probe came to no verdict).
      Ends with 4 if a rule is violated or a mutant survived, with 0 if all that could be asked holds. What docs/RULES.md
      lists as a known violation of the reference engine is shown as violated each time, but does not count for the end.
    """
) { arguments in
  try ProgressStyle.take(arguments)
  let options = try examinerOptions(arguments)
  let outputs = try ConformanceOutputs(arguments)
  _ = try arguments.integer("explore", within: 0...largestAmount)
  let passes = try arguments.integer("repeat", within: 1...1000) ?? 1
  if arguments.has("every-pair"), !arguments.has("self-test") {
    throw UsageError("--every-pair says how far a self-test goes: add --self-test")
  }
  if arguments.has("only-mutants"), !arguments.has("self-test") {
    throw UsageError("--only-mutants leaves out what comes before a self-test: add --self-test")
  }
  for option in ["self-test", "explore"] where arguments.has("budget") && arguments.has(option) {
    throw UsageError(
      "--budget is for the rules, and --\(option) ends when it is through: leave one of them out")
  }
  if arguments.has("only-mutants"), arguments.has("every-pair") {
    throw UsageError("--every-pair stands beside the honest engine: leave out --only-mutants")
  }
  if arguments.has("self-test"), !Mutant.buildReplacesFunctions {
    throw UsageError("--self-test: this build has no mutants; \(howToBuildMutants)")
  }
  var examiner: Examiner
  do {
    // A plan needs no place to work in.
    examiner = try Examiner(
      options, engine: thisEngine,
      scratch: arguments.has("dry-run")
        ? FileManager.default.temporaryDirectory : workplace(arguments.string("workdir")))
  } catch let error as Filter.MatchesNothing {
    throw UsageError("\(error)")
  }
  if arguments.has("dry-run") {
    for rule in examiner.rules {
      Terminal.out(TextTable.paragraph(rule.wording, start: "\(rule.id)  "))
    }
    return .fine
  }
  suit(&examiner, to: arguments)
  Interruption.listen()
  // A broken engine that every run must see fall: a suite that misses it is blind, and its verdicts
  // worthless.
  if options.mutant == nil, !thisEngine.isLibrary, let canary = Mutant.canary {
    switch try examiner.canarySings(canary.suspect) {
    case .sings: break
    case .withoutRoom:
      Terminal.say(
        "realm-bench: \(Finding.outOfSpace) (\(examiner.scratch.path)): no rule could be asked; "
          + "make room, or name another disk with --workdir")
      return .usage
    case .silent:
      Terminal.say(
        "realm-bench: the canary mutant '\(canary.name)' was not caught: no verdict counts")
      return .violated
    }
  }
  let started = Timestamp.utc()
  let environment = try outputs.environment()
  var examination =
    arguments.has("only-mutants")
    ? examiner.unasked() : try examined(examiner, passes: passes, isSpent: { options.isSpent })
  if arguments.has("explore"), !Interruption.hasCome {
    examination.explorations = try explore(arguments, examiner.rules.map(\.id))
  }
  if arguments.has("self-test"), !Interruption.hasCome {
    examination.kills = try selfTested(examiner, arguments)
  }
  // Whenever it came: something that was asked for is missing, or may be.
  if Interruption.hasCome { examination.isPartial = true }
  try outputs.write(examination, started: started, environment: environment)
  if examination.isPartial == true { return .interrupted }
  return ended(examination)
}

/// What the process ends with: a full disk is no violation, and no success, nor is a budget that is
/// over before anything was asked.
private func ended(_ examination: Examination) -> ExitCode {
  let verdicts = examination.verdicts
  if !verdicts.isEmpty, verdicts.allSatisfy({ $0.skip == .budget || $0.state == .untested }),
    let first = verdicts.first(where: { $0.skip == .budget })
  {
    Terminal.say(
      "realm-bench: there was no time for any of \(Figures.count(verdicts.count, "rule")), "
        + "\(first.id) first: expected a larger --budget")
    return .usage
  }
  if examination.isClean { return .fine }
  let fallen = examination.verdicts.filter { $0.state.isBad && !$0.isForgiven }
  let full = fallen.filter(\.isOutOfSpace)
  guard let first = full.first else { return .violated }
  Terminal.say(
    "realm-bench: \(Finding.outOfSpace): \(full.count) of \(examination.verdicts.count) rules "
      + "could not be asked, \(first.id) first; make room, or name another disk with --workdir")
  let isRestFine = full.count == fallen.count && examination.kills?.survivors.isEmpty ?? true
  return isRestFine ? .usage : .violated
}

/// The suite before broken engines, and with `--explore` the explorer before those that only it can
/// see.
private func selfTested(_ examiner: Examiner, _ arguments: Arguments) throws -> KillMatrix {
  let progress = Progress(total: Mutant.all.count, what: "mutants")
  var kills = try examiner.selfTest(
    Mutant.all.map(\.suspect), everyPair: arguments.has("every-pair"),
    progress: { _ in progress.step() }, isStopped: { Interruption.hasCome })
  progress.finish()
  if arguments.has("explore") {
    kills.rows += try explorer(arguments, []).selfTest(
      Mutant.planted.map(\.suspect), isStopped: { Interruption.hasCome })
  }
  return kills
}

/// One pass, or several that must agree.
private func examined(
  _ examiner: Examiner, passes: Int, isSpent: () -> Bool
) throws -> Examination {
  var runs: [Examination] = []
  while runs.count < passes, runs.isEmpty || !(Interruption.hasCome || isSpent()) {
    let progress = Progress(total: examiner.rules.count, what: "rules")
    let begun = ContinuousClock.now
    let run = try examiner.examine(
      progress: { _ in progress.step() }, isStopped: { Interruption.hasCome })
    progress.finish()
    runs.append(run)
    guard passes > 1 else { break }
    let differing = run.differences(from: runs[0])
    Terminal.say(
      "pass \(runs.count) of \(passes), \((ContinuousClock.now - begun).components.seconds) s: "
        + (differing.isEmpty
          ? "the same verdicts" : "other verdicts on \(differing.joined(separator: " "))"))
  }
  if runs.count < passes, isSpent() {
    Terminal.say("the budget was spent after \(runs.count) of \(passes) passes")
  }
  guard let agreed = Examination(agreementOf: runs) else { throw UsageError("no pass was made") }
  return agreed
}

/// The engine that this build holds.
let thisEngine = Examiner.Engine(
  name: Examiner.engineInSocket, version: Examiner.versionInSocket ?? SourceStamp.version,
  isLibrary: Examiner.engineInSocket != "reference",
  moments: Examiner.engineInSocket == "reference" ? ReferenceHooks.moments : nil)

func examinerOptions(_ arguments: Arguments) throws -> Examiner.Options {
  if let absence = Examiner.absenceInSocket { throw UsageError(absence) }
  if thisEngine.isLibrary, arguments.has("self-test") || arguments.string("mutant") != nil {
    throw UsageError(
      "mutants are broken reference engines, and this build judges '\(thisEngine.name)': "
        + "leave --self-test and --mutant to a build without the trait RealmCore")
  }
  if let asked = arguments.string("engine"), asked != thisEngine.name {
    throw UsageError(
      "--engine '\(asked)': this build judges '\(thisEngine.name)' only"
        + suggestion(for: asked, among: [thisEngine.name]))
  }
  var options = Examiner.Options()
  options.filters = arguments.strings("filter")
  options.isDeep = arguments.has("deep")
  options.documentedOnly =
    try arguments.choice("tier", among: ["documented", "all"]) == "documented"
  options.mutant = try arguments.string("mutant").map { try mutant(named: $0).name }
  options.seed = try arguments.seed() ?? 1
  options.shard = try arguments.shard(environment: ProcessInfo.processInfo.environment)
  options.jobs = try arguments.integer("jobs", within: 1...64) ?? 2
  options.deadline = try arguments.seconds("timeout").map { .milliseconds(Int64($0 * 1000)) }
  options.budget = try arguments.seconds("budget").map { .milliseconds(Int64($0 * 1000)) }
  if let patience = try arguments.seconds("patience") {
    options.patience = .milliseconds(max(1, Int64(patience * 1000)))
  }
  return options
}

/// Lets probes wait as much longer as this machine is slower than one at rest, unless somebody said
/// how long; once all that was asked is in order.
func suit(_ examiner: inout Examiner, to arguments: Arguments) {
  if arguments.has("patience") { return }
  let slowness = Slowness.measured()
  examiner.suit(slowness)
  if slowness > 1.05 {
    Terminal.say(
      "this machine takes \(Figures.factor(slowness)) times as long as one at rest: "
        + "probes wait as much longer")
  }
}

/// A folder for scratch files on the disk that the user works on, never a tmpfs by accident.
func workplace(_ asked: String? = nil) throws -> URL {
  let folder = URL(fileURLWithPath: asked ?? FileManager.default.currentDirectoryPath)
  guard FileManager.default.isWritableFile(atPath: folder.path) else {
    throw UsageError(
      "cannot write in \(folder.path); run in a folder that is writable"
        + (asked == nil ? "" : ", or name another with --workdir"))
  }
  let scratch = folder.appendingPathComponent(Scratch.home)
  do {
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
  } catch {
    throw UsageError("cannot make \(scratch.path): \(explanation(error))")
  }
  // What a killed run has left there.
  Scratch.sweep(scratch)
  return scratch
}
