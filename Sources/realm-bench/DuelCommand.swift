import Benchmarks
import Evidence
import Foundation
import Harness
import Reporting

/// Measures two builds alternately and judges the second.
let abVerb = Verb(
  name: "ab",
  summary: "measures two builds in paired, randomly ordered rounds, and judges",
  options: [
    .value("base", "EXE", "the build to compare with"),
    .value("candidate", "EXE", "the build to judge (default: this one)"),
    .flag("strict", "what cannot be decided counts as worse"),
    .value(
      "budget", "TIME",
      "kept within a tenth: what does not fit is listed, what is left over goes to what is open"),
  ] + duelOptions + [
    thresholdsOption,
    .value("format", "text|json|markdown|annotations", "what stdout gets (default text)"),
    ProgressStyle.option,
  ] + exportOptions,
  notes: """
      Exit code 2: something got worse, or the candidate has no valid answer where the base has one.
      3: the control, a build against itself, differed, or more than --blind of what was asked is
      inconclusive or cannot be told on this machine. 5: one side yields nothing; what it said is in
      the run directory.
    """
) { arguments in
  let start = Stopwatch.now
  try ProgressStyle.take(arguments)
  guard let base = arguments.string("base") else {
    throw UsageError("'ab' wants --base EXE, the build to compare with")
  }
  let candidate = arguments.string("candidate") ?? ChildProcess.thisProgram
  for program in [base, candidate] where !FileManager.default.isExecutableFile(atPath: program) {
    throw RecordError("\(program) is no program that can be run: expected a build of realm-bench")
  }
  var request = try duelRequest(arguments)
  request.budget = try arguments.seconds("budget")
  let format = try arguments.choice("format", among: runFormats) ?? "text"
  let outputs = try ReportOutputs(arguments)
  if arguments.has("dry-run") {
    Terminal.lines(try Duel.outline(of: request))
    return .fine
  }
  if arguments.string("candidate") == nil { try refuseDebugBuild() }
  Interruption.listen()
  let scratch = try Session.workspace(request)
  let doctor = try Doctor.examine(request, workdir: scratch.url)
  let duel = try Duel(
    request, base: ChildRounds(executable: base), candidate: ChildRounds(executable: candidate),
    scratch: scratch.url, isStopped: { Interruption.hasCome }, say: Terminal.say,
    progress: { RunProgress.show($0) }, elapsed: { Double(Stopwatch.now - start) / 1e9 })
  if request.budget != nil { Terminal.sayLines(try Duel.outline(of: request)) }
  let directory =
    request.out ?? Session.defaultOut(request, machine: doctor.environment.machineID)
  var environment = doctor.environment
  if arguments.string("candidate") != nil {
    // The run is of the build it judges, whichever program judges it.
    environment.commit = commit(of: candidate)
    (environment.subject, environment.dirty) = ("", false)
  }
  let run: Run
  do {
    run = try duel.run(
      into: directory, environment: environment,
      sides: (
        .init(name: "A", commit: commit(of: base), subject: base, source: base),
        .init(name: "B", commit: environment.commit, subject: candidate, source: candidate)
      ))
  } catch let error as RecordError {
    guard let remains = duel.remains else { throw error }
    try store(remains, in: directory, outputs)
    throw RecordError("\(error); what it said is kept in \(directory.path)", error.outcome)
  }
  RunProgress.finish()
  try store(run, in: directory, outputs)
  Terminal.out(
    try rendered(run, format, page: directory.appendingPathComponent("report.html")))
  Terminal.say("report: \(directory.path)/report.html")
  if run.state == .interrupted { return .interrupted }
  let outcome = run.comparison?.outcome(strict: arguments.has("strict")) ?? .misuse
  if let comparison = run.comparison, comparison.isEmpty {
    Terminal.say(
      "realm-bench: nothing could be compared: "
        + (comparison.rows.first?.note
          ?? comparison.unjudged.map { "no value of \($0.joined(separator: ", ")) is judged" }
          ?? comparison.leftOut.map { _ in "the budget had no room for anything" }
          ?? "nothing was measured"))
  }
  return ExitCode(rawValue: outcome.rawValue) ?? .usage
}

/// The commit that a build says it is of; empty where it says none.
private func commit(of program: String) -> String {
  let remains = try? ChildProcess(
    program, ["--version"], limits: .init(deadline: .seconds(20), output: 1 << 16)
  ).run()
  // `realm-bench 0.1.0 (commit), …`; another program's parentheses say something else.
  let words = remains?.stdout ?? ""
  guard words.hasPrefix("realm-bench ") else { return "" }
  let said = words.split(separator: "(").dropFirst().first ?? ""
  let commit = said.prefix { $0 != ")" }
  return commit == "unknown" ? "" : String(commit.prefix(40))
}
