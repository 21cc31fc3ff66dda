import Conformance
import Evidence
import Foundation
import Reporting
import StandIns

/// Judges the engine rule by rule, and with `--self-test` the suite by broken engines.
let conformanceVerb = Verb(
  name: "conformance",
  summary: "judges the engine rule by rule; --self-test judges the suite with mutants",
  options: [
    .value("filter", "GLOB", "only these rules; '!GLOB' leaves out", repeatable: true),
    .value("tier", "documented|all", "rules that Realm's documents state, or all (default)"),
    .value("mutant", "NAME", "before this broken engine instead of the honest one"),
    .flag("self-test", "then each mutant before the rules that must catch it"),
    .value("seed", "N", "for probes that draw lots (default 1)"),
    .value("shard", "I/N", "every N-th rule from the I-th; also from the variables of array jobs"),
    .value("jobs", "N", "children at a time (default 2)"),
    .value("timeout", "TIME", "for each probe, instead of its own deadline"),
    .value("format", "text|json|markdown", "what stdout gets (default text)"),
    Option(
      name: "json", value: "FILE", help: "the verdicts as JSON, to FILE or stdout",
      valueIsOptional: true),
    Option(
      name: "tap", value: "FILE", help: "the verdicts as TAP 14, to FILE or stdout",
      valueIsOptional: true),
    .value("junit", "FILE", "the verdicts as JUnit XML"),
    .value("csv", "FILE", "the verdicts as CSV"),
    .value("badge", "FILE", "an SVG badge"),
    .flag("verbose", "also the rules that hold"),
  ],
  notes: """
      verdicts: holds · violated · skipped (the machine or engine lacks something) · vacuous (the probe asserted
      nothing) · flaky (reruns disagree) · untested (no probe) · error (the probe came to no verdict).
      Ends with 4 if a rule is violated or a mutant survived, with 0 if all that could be asked holds. What docs/RULES.md
      lists as a known violation of the reference engine is shown as violated each time, but does not count for the end.
    """
) { arguments in
  var options = try examinerOptions(arguments)
  let outputs = try ConformanceOutputs(arguments)
  let examiner: Examiner
  do {
    examiner = try Examiner(options, engine: thisEngine, scratch: try workplace())
  } catch let error as Filter.MatchesNothing {
    throw UsageError("\(error)")
  }
  // A broken engine that every run must see fall: a suite that misses it is blind, and its verdicts worthless.
  if options.mutant == nil, let canary = Mutant.canary,
    try !examiner.canarySings(canary.suspect)
  {
    Terminal.say(
      "realm-bench: the canary mutant '\(canary.name)' was not caught: no verdict counts")
    return .violated
  }
  let progress = Progress(total: examiner.rules.count, what: "rules")
  var examination = try examiner.examine { _ in progress.step() }
  progress.finish()
  if arguments.has("self-test") {
    let progress = Progress(total: Mutant.all.count, what: "mutants")
    examination.kills = try examiner.selfTest(Mutant.all.map(\.suspect)) { _ in progress.step() }
    progress.finish()
  }
  try outputs.write(examination)
  return examination.isClean ? .fine : .violated
}

/// The engine that this build holds.
let thisEngine = Examiner.Engine(name: "reference", version: SourceStamp.version)

func examinerOptions(_ arguments: Arguments) throws -> Examiner.Options {
  var options = Examiner.Options()
  options.filters = arguments.strings("filter")
  options.documentedOnly =
    try arguments.choice("tier", among: ["documented", "all"]) == "documented"
  options.mutant = try arguments.string("mutant").map { try mutant(named: $0).name }
  options.seed = try arguments.seed() ?? 1
  options.shard = try arguments.shard(environment: ProcessInfo.processInfo.environment)
  options.jobs = try arguments.integer("jobs", within: 1...64) ?? 2
  options.deadline = try arguments.seconds("timeout").map { .milliseconds(Int64($0 * 1000)) }
  return options
}

/// A folder for scratch files on the disk that the user works on, never a tmpfs by accident.
func workplace(_ asked: String? = nil) throws -> URL {
  let folder = URL(fileURLWithPath: asked ?? FileManager.default.currentDirectoryPath)
  guard FileManager.default.isWritableFile(atPath: folder.path) else {
    throw UsageError(
      "cannot write in \(folder.path); run in a folder that is writable"
        + (asked == nil ? "" : ", or name another with --workdir"))
  }
  let scratch = folder.appendingPathComponent(".realm-bench")
  do {
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
  } catch {
    throw UsageError("cannot make \(scratch.path): \(error.localizedDescription)")
  }
  return scratch
}

/// Where the verdicts go. Checked before anything runs: a pass that cannot be written is a pass lost.
private struct ConformanceOutputs {
  private var files: [(path: String, render: (Examination) -> String)] = []
  private var standard: (Examination) -> String

  init(_ arguments: Arguments) throws {
    let text = ConformanceText(
      usesColour: Terminal.showsColour, isVerbose: arguments.has("verbose"))
    standard = { text.report($0) }
    switch try arguments.choice("format", among: ["text", "json", "markdown"]) {
    case "json": standard = { ConformanceFiles.json($0) }
    case "markdown":
      let plain = ConformanceText(usesColour: false, isVerbose: arguments.has("verbose"))
      standard = { "```\n\(plain.report($0))```\n" }
    default: break
    }
    let renderers: [(String, (Examination) -> String)] = [
      ("json", { ConformanceFiles.json($0) }), ("tap", { ConformanceFiles.tap($0) }),
      ("junit", { ConformanceFiles.junit($0) }), ("csv", { ConformanceFiles.csv($0) }),
      ("badge", { ConformanceFiles.badge($0) }),
    ]
    for (name, render) in renderers {
      if let path = arguments.string(name) {
        try checkWritable(path, option: name)
        files.append((path, render))
      } else if arguments.has(name) {
        standard = render
      }
    }
  }

  func write(_ examination: Examination) throws {
    Terminal.out(standard(examination))
    for (path, render) in files { try writeFile(render(examination), to: path) }
  }
}

/// Whether a file can be written where an option says.
func checkWritable(_ path: String, option: String) throws {
  let file = URL(fileURLWithPath: path)
  var isFolder: ObjCBool = false
  if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
    throw UsageError("--\(option) \(path) is a folder, expected a file to write")
  }
  let folder = file.deletingLastPathComponent().path
  guard FileManager.default.isWritableFile(atPath: folder) else {
    throw UsageError("--\(option) \(path): the folder \(folder) is missing or not writable")
  }
}

func writeFile(_ text: String, to path: String) throws {
  do {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  } catch {
    throw UsageError("cannot write \(path): \(error.localizedDescription)")
  }
}
