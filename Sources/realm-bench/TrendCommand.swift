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
    .value("format", "text|json|markdown", "what stdout gets (default text)"),
  ],
  notes: "      Without DIR: results. Runs that cannot be read are named and left out."
) { arguments in
  let format = try arguments.choice("format", among: ["text", "json", "markdown"]) ?? "text"
  let folder = URL(fileURLWithPath: arguments.operands.first ?? "results")
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  var runs: [Run] = []
  for name in names.sorted() where name != "latest" {
    let directory = folder.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: directory.appendingPathComponent("run.json").path)
    else { continue }
    do {
      runs.append(try RunDirectory.load(directory.path))
    } catch {
      Terminal.say("left out: \(error)")
    }
  }
  guard !runs.isEmpty else {
    throw RecordError("no runs in \(folder.path): expected a folder of run directories")
  }
  let out = URL(fileURLWithPath: arguments.string("out") ?? folder.path)
  guard
    (try? FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)) != nil
  else { throw UsageError("--out \(out.path) is not writable; name another folder") }
  // Only beside the runs do their pages lie where a link finds them.
  let isBeside = out.standardizedFileURL == folder.standardizedFileURL
  let report = TrendReport(runs) { run in
    guard isBeside, !run.id.isEmpty, !run.id.contains("/") else { return nil }
    let page = "\(run.id)/report.html"
    let isThere = FileManager.default.fileExists(
      atPath: folder.appendingPathComponent(page).path)
    return isThere ? page : nil
  }
  try RunDirectory.write(report.html, to: out.appendingPathComponent("trend.html"))
  try RunDirectory.write(report.csv, to: out.appendingPathComponent("history.csv"))
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
