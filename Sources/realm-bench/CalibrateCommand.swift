import Benchmarks
import Evidence
import Foundation
import Harness
import Reporting

/// Asks `ab` what is known: this build against itself, then against itself with a known fault.
let calibrateVerb = Verb(
  name: "calibrate",
  summary: "counts false alarms and detections of 'ab' on this machine, with known faults",
  options: [
    .value("sessions", "N", "of a build against itself (default 8)"),
    .value("handicapped", "N", "sessions for each handicap (default 2)"),
    .value(
      "handicap", "KIND",
      "time=0.1 (10 % slower), allocation, flush: one more per operation (default: 5, 10, 20 %, "
        + "both)",
      repeatable: true),
    .value("load", "N", "beside so many busy processes (default 0)"),
    .value("budget", "TIME", "as many sessions as fit, of each kind by turns; the rest is listed"),
  ] + duelOptions + [
    .value("format", "text|json|markdown", "what stdout gets (default text)"),
    ProgressStyle.option,
  ],
  notes: """
      Every session is a whole 'ab' in a run directory of its own below --out; calibration.csv
      counts them all, and those that were left out by why: over_budget, interrupted. After Ctrl-C
      (exit code 6) it has what the sessions so far said, and so has stdout. --format markdown is a table for a page.
      Exit code 1: no session ended within the budget.
      Exit code 3: more than 2 % of the questions asked of equal builds were answered with a change.
    """
) { arguments in
  let start = Stopwatch.now
  try ProgressStyle.take(arguments)
  var request = try duelRequest(arguments)
  // What is asked here is what the judge sees, whatever a repository tolerates.
  request.thresholds = nil
  request.budget = try arguments.seconds("budget")
  var setting = Calibrator.Setting()
  setting.same = try arguments.integer("sessions", within: 0...1000) ?? setting.same
  setting.handicapped =
    try arguments.integer("handicapped", within: 0...1000) ?? setting.handicapped
  if !arguments.strings("handicap").isEmpty {
    setting.handicaps = try arguments.strings("handicap").map { text in
      guard let handicap = Handicap(text) else {
        throw UsageError(
          "--handicap '\(text)' is unknown: expected time=SHARE with a share up to 10, allocation "
            + "or flush"
        )
      }
      return handicap
    }
  }
  if setting.same == 0, setting.handicapped == 0 {
    throw UsageError("--sessions 0 and --handicapped 0: expected a session of either kind")
  }
  setting.load = try arguments.integer("load", within: 0...64) ?? 0
  let format = try arguments.choice("format", among: ["text", "json", "markdown"]) ?? "text"
  let calibrator = try Calibrator(
    request, setting: setting, executable: ChildProcess.thisProgram,
    isStopped: { Interruption.hasCome }, say: Terminal.say, progress: { RunProgress.show($0) })
  if arguments.has("dry-run") {
    Terminal.lines(calibrator.text)
    return .fine
  }
  try refuseDebugBuild()
  Interruption.listen()
  let scratch = try Session.workspace(request)
  let doctor = try Doctor.examine(request, workdir: scratch.url)
  let folder = request.out ?? Session.defaultOut(request, machine: doctor.environment.machineID)
  let table = folder.appendingPathComponent("calibration.csv")
  var calibration = Calibration()
  Terminal.sayLines(calibrator.text)
  try calibrator.run(
    into: folder, environment: doctor.environment, scratch: scratch.url,
    elapsed: { Double(Stopwatch.now - start) / 1e9 }
  ) {
    calibration = $0
    // Interrupted before its first session it has no folder yet.
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try RunDirectory.write($0.csv, to: table)
  }
  RunProgress.finish()
  // A table of nothing would pass for an answer; a script has its document.
  if !calibration.tallies.isEmpty || format == "json" {
    Terminal.out(try rendered(calibration, format))
  }
  Terminal.say(
    calibration.tallies.isEmpty
      ? "no session ended; which were left out: \(table.path)"
      : "sessions and calibration.csv: \(folder.path)")
  if Interruption.hasCome { return .interrupted }
  if let failure = calibration.failure {
    Terminal.say("realm-bench: \(failure)")
    return .usage
  }
  let alarms = calibration.tallies.first { $0.kind == "same" && $0.family.isEmpty }?.rate ?? 0
  return alarms > 0.02 ? .untrusted : .fine
}

private func rendered(_ calibration: Calibration, _ format: String) throws -> String {
  switch format {
  case "json":
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(calibration), as: UTF8.self) + "\n"
  case "markdown": return TextTable.calibration(calibration, isMarkdown: true)
  default: return TextTable.calibration(calibration)
  }
}
