import Benchmarks
import Evidence
import Foundation
import Reporting

/// Where the verdicts go. Checked before anything runs: a pass that cannot be written is a pass
/// lost.
struct ConformanceOutputs {
  private let directory: URL?
  private let asked: RunRequest
  private var files: [(path: String, render: (Examination) -> String)] = []
  private let html: String?
  private let links: Links
  private var standard: (Examination) -> String

  init(_ arguments: Arguments) throws {
    directory = arguments.string("out").map { URL(fileURLWithPath: $0) }
    asked = try runRequest(arguments)
    html = arguments.string("html")
    links = try realm_bench.links(arguments)
    if let html { try checkWritable(html, option: "html") }
    if let directory,
      FileManager.default.fileExists(atPath: directory.appendingPathComponent("run.json").path)
    {
      throw UsageError(
        "--out \(directory.path) holds a run already; name another directory")
    }
    var text = ConformanceText(
      usesColour: Terminal.showsColour, isVerbose: arguments.has("verbose"))
    if let page = html.map({ URL(fileURLWithPath: $0) })
      ?? directory?.appendingPathComponent("report.html")
    {
      text.link = { Terminal.linked($0, to: "\(page.absoluteString)#\(Links.anchor($0))") }
    }
    standard = { [text] in text.report($0) }
    switch try arguments.choice("format", among: ["text", "json", "markdown"]) {
    case "json": standard = { ConformanceFiles.json($0) }
    case "markdown":
      let plain = ConformanceText(usesColour: false, isVerbose: arguments.has("verbose"))
      standard = { "```\n\(plain.report($0))```\n" }
    default: break
    }
    var formats = arguments.string("format").map { _ in ["--format"] } ?? []
    let renderers: [(String, (Examination) -> String)] = [
      ("json", { ConformanceFiles.json($0) }), ("tap", { ConformanceFiles.tap($0) }),
      ("junit", { ConformanceFiles.junit($0) }), ("csv", { ConformanceFiles.csv($0) }),
      ("badge", { ConformanceFiles.badge($0) }), ("kills", { ConformanceFiles.kills($0) }),
    ]
    for (name, render) in renderers {
      if let path = arguments.string(name) {
        try checkWritable(path, option: name)
        files.append((path, render))
      } else if arguments.has(name) {
        standard = render
        formats.append("--\(name)")
      }
    }
    guard formats.count < 2 else {
      throw UsageError(
        "\(formats.joined(separator: " and ")): stdout takes one format; give the other a file")
    }
    // Whoever names one place for two has lost one of them.
    let places = (files.map(\.path) + [html].compactMap(\.self)).filter { !$0.hasPrefix("/dev/") }
    if let twice = places.first(where: { path in places.count { $0 == path } > 1 }) {
      throw UsageError("\(twice) is named for two things: give each a file of its own")
    }
  }

  /// Where it is asked, for the pages; nil where none was asked for. Found out before the rules are
  /// asked, or it would come on top of what they may take.
  func environment() throws -> Evidence.Environment? {
    guard directory != nil || html != nil else { return nil }
    return try Doctor.examine(asked, workdir: try asked.workdir ?? workplace()).environment
  }

  /// Everything is written before the process ends, whatever the verdicts.
  func write(
    _ examination: Examination, started: String, environment: Evidence.Environment?
  ) throws {
    Terminal.out(standard(examination))
    for (path, render) in files { try writeFile(render(examination), to: path) }
    guard let environment else { return }
    let run = told(record(examination, started: started, environment))
    if let html { try writeFile(RunReport(run, links: links).html, to: html) }
    if let directory {
      _ = try RunDirectory.create(at: directory, run: run)
      try ReportFiles.write(run, into: directory, links: links)
      try RunDirectory.write(
        ConformanceFiles.junit(examination), to: directory.appendingPathComponent("junit.xml"))
    }
  }

  private func record(
    _ examination: Examination, started: String, _ environment: Evidence.Environment
  ) -> Run {
    var run = Run()
    run.version = SourceStamp.version
    run.id = directory?.lastPathComponent ?? "conformance"
    (run.started, run.finished) = (started, Timestamp.utc())
    run.state = examination.isPartial == true ? .interrupted : .finished
    run.asked.verb = "conformance"
    run.asked.seed = examination.seed
    run.asked.command = asked.command
    run.asked.linkBase = links.base
    run.asked.engines = [examination.engine]
    run.environment = environment
    run.examination = examination
    return run
  }
}

/// Whether a file can be written where an option says.
func checkWritable(_ path: String, option: String) throws {
  if let refusal = OutputFile.refusal(URL(fileURLWithPath: path)) {
    throw UsageError("--\(option) \(refusal)")
  }
}

func writeFile(_ text: String, to path: String) throws {
  do {
    try OutputFile.write(text, to: URL(fileURLWithPath: path))
  } catch {
    throw UsageError("cannot write \(path): \(explanation(error))")
  }
}
