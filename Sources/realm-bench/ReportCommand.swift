import Evidence
import Foundation
import Reporting

/// Writes reports again from what runs left on the disk; measures nothing.
let reportVerb = Verb(
  name: "report",
  summary: "(re)writes HTML, CSV, Markdown, exports from stored runs",
  operands: "[RUN…]",
  operandCount: 0...1000,
  options: [
    .value("out", "DIR", "where the reports of several runs go (default: the first run's folder)"),
    .value("format", "text|json|markdown|annotations", "what stdout gets (default text)"),
    .value("badge", "FILE", "an SVG badge of the rules, where they were asked of one engine"),
  ] + exportOptions,
  notes: """
      Without RUN: results/latest. Several runs (the shards of an array job) are put side by side, none
      averaged; exit code 5 where a shard is missing.
    """
) { arguments in
  var outputs = try ReportOutputs(arguments)
  let format = try arguments.choice("format", among: runFormats) ?? "text"
  let paths = arguments.operands.isEmpty ? ["results/latest"] : arguments.operands
  let runs = try paths.map(RunDirectory.load)
  var run = told(runs.count == 1 ? runs[0] : ReportFiles.merged(runs))
  outputs.settle(&run)
  let badge = try badge(of: run, arguments)
  // One shard alone is not the whole either.
  let absent = RunMerge.missingShards(runs)
  if !absent.isEmpty { run.missingShards = absent }
  var directory = URL(fileURLWithPath: arguments.string("out") ?? paths[0])
  if directory.pathExtension == "json" { directory.deleteLastPathComponent() }
  if arguments.string("out") != nil {
    try makeFolder(directory, option: "out")
    try refuseOthers(in: directory, run, paths)
    try RunDirectory.write(
      try RunDirectory.encode(run), to: directory.appendingPathComponent("run.json"))
  }
  try ReportFiles.write(
    run, into: directory, exports: outputs.exports, links: outputs.links)
  try outputs.write(run)
  if let badge { try writeFile(badge.text, to: badge.path) }
  Terminal.out(
    try rendered(run, format, page: directory.appendingPathComponent("report.html")))
  Terminal.say("report: \(directory.path)/report.html")
  guard let missing = run.missingShards else { return .fine }
  Terminal.say(
    "realm-bench: \(missing.count == 1 ? "shard" : "shards") \(missing.joined(separator: ", ")) "
      + "missing: what they measured is in no table")
  return .baseline
}

/// The badge that was asked for; what it would be of has to be there, and one.
private func badge(of run: Run, _ arguments: Arguments) throws -> (path: String, text: String)? {
  guard let path = arguments.string("badge") else { return nil }
  try checkWritable(path, option: "badge")
  guard let examination = run.examination else {
    throw UsageError("--badge \(path): no rules were asked in what is reported")
  }
  if let others = run.otherExaminations {
    throw UsageError(
      "--badge \(path): rules were asked of \(others.count + 1) engines; expected runs of one")
  }
  return (path, ConformanceFiles.badge(examination))
}

/// Makes the folder that an option names, unless it is there.
func makeFolder(_ folder: URL, option: String) throws {
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  } catch {
    throw UsageError("--\(option) \(OutputFile.refusal(ofFolder: folder, after: error))")
  }
}

/// A report may be written again where it was, and beside the run that it is of; what another run
/// has measured stays as it is.
private func refuseOthers(in directory: URL, _ run: Run, _ paths: [String]) throws {
  let samples = directory.appendingPathComponent("samples.csv").path
  let isItsOwn = paths.count == 1 && isSame(directory, URL(fileURLWithPath: paths[0]))
  guard !isItsOwn else { return }
  let isRun = FileManager.default.fileExists(atPath: samples)
  let there = try? RunDirectory.load(directory.path)
  guard isRun || there.map({ $0.id != run.id }) ?? false else { return }
  throw UsageError(
    "--out \(directory.path) holds \(there.map { "the run \($0.id)" } ?? "a run") already; name "
      + "another folder")
}

private func isSame(_ one: URL, _ other: URL) -> Bool {
  one.resolvingSymlinksInPath().standardizedFileURL.path
    == other.resolvingSymlinksInPath().standardizedFileURL.path
}
