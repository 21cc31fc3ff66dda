import Evidence
import Foundation
import Reporting

/// Draws the history of a folder of runs; measures nothing.
let trendVerb = Verb(
  name: "trend",
  summary: "history of runs: a page, history.csv, files for change-point tools",
  operands: "[DIR]",
  operandCount: 0...1,
  options: [
    .value("out", "DIR", "where the files go (default: DIR)"),
    .value("format", "text|json|markdown", "what stdout gets (default text)"), linkOption,
  ],
  notes: """
      Without DIR: results. Runs that cannot be read are named and left out.
      history.ndjson is only ever added to: what it has of runs whose directories are gone is
      drawn, too. Of each 'ab' the ratios to its base are a series by themselves, which no drift of
      the machine moves.
    """
) { arguments in
  let format = try arguments.choice("format", among: ["text", "json", "markdown"]) ?? "text"
  let links = try links(arguments)
  let folder = URL(fileURLWithPath: arguments.operands.first ?? "results")
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  var runs: [Run] = []
  var seen: [String: String] = [:]
  for name in names.sorted() where name != "latest" {
    let directory = folder.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: directory.appendingPathComponent("run.json").path)
    else { continue }
    do {
      let run = try RunDirectory.load(directory.path)
      // A copy would be drawn as another run of the same time.
      if let first = seen[run.id] {
        Terminal.say("left out: \(directory.path) is the run \(run.id) once more, as \(first) is")
        continue
      }
      seen[run.id] = name
      runs.append(run)
    } catch {
      Terminal.say("left out: \(error)")
    }
  }
  // What was put together of runs that are there, too, would be drawn twice.
  runs.removeAll { run in
    guard let name = seen[run.id] else { return false }
    let directory = folder.appendingPathComponent(name)
    let samples = directory.appendingPathComponent("samples.csv").path
    let parts = RunMerge.parts(of: run.id)
    guard !parts.isEmpty, parts.allSatisfy({ seen[$0] != nil }),
      !FileManager.default.fileExists(atPath: samples)
    else { return false }
    Terminal.say("left out: \(directory.path) is put together of \(parts.joined(separator: ", "))")
    return true
  }
  let out = URL(fileURLWithPath: arguments.string("out") ?? folder.path)
  let history = out.appendingPathComponent(HistoryFile.name)
  let (earlier, broken) = try HistoryFile.read(history)
  if broken > 0 {
    Terminal.say("\(history.path): \(Figures.count(broken, "line")) cannot be read, and stay")
  }
  guard !runs.isEmpty || !earlier.isEmpty else {
    throw RecordError("no runs in \(folder.path): expected a folder of run directories")
  }
  try makeFolder(out, option: "out")
  // Only beside the runs do their pages lie where a link finds them.
  let isBeside = out.standardizedFileURL == folder.standardizedFileURL
  let report = TrendReport(runs, earlier: earlier, links: links) { run in
    guard isBeside, !run.id.isEmpty, !run.id.contains("/") else { return nil }
    let page = "\(run.id)/report.html"
    let isThere = FileManager.default.fileExists(
      atPath: folder.appendingPathComponent(page).path)
    return isThere ? page : nil
  }
  try RunDirectory.write(report.html, to: out.appendingPathComponent("trend.html"))
  try RunDirectory.write(report.csv, to: out.appendingPathComponent("history.csv"))
  try HistoryFile.append(report.fresh, to: history)
  for file in report.otava {
    let url = out.appendingPathComponent(file.name)
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try RunDirectory.write(file.text, to: url)
  }
  switch format {
  case "json": Terminal.out(report.json)
  case "markdown": Terminal.out(report.markdown)
  default: Terminal.out(report.text)
  }
  Terminal.say("report: \(out.path)/trend.html")
  return .fine
}
