import Evidence
import Foundation
import Reporting

/// Judges stored runs; measures nothing.
let compareVerb = Verb(
  name: "compare",
  summary: "judges stored runs against the first; never measures",
  operands: "A B [C…]",
  operandCount: 2...16,
  options: [
    .flag("strict", "what cannot be decided counts as worse"),
    .flag("untrusted-ok", "a verdict also where a run has no control, as older versions made them"),
  ] + sightOptions + [
    thresholdsOption,
    .value("html", "FILE", "the comparison as a page"),
    .value("format", "text|json|markdown", "what stdout gets (default text)"),
    linkOption,
  ],
  notes: """
      Runs of one machine get verdicts; runs of several machines stand side by side and end with
      exit code 3. So do runs without a control, as older versions made them, and those in which
      more than --blind of what was asked is inconclusive or cannot be told.
    """
) { arguments in
  let format = try arguments.choice("format", among: ["text", "json", "markdown"]) ?? "text"
  if let file = arguments.string("html") { try checkWritable(file, option: "html") }
  let asked = try links(arguments)
  let runs = try arguments.operands.map(storedRun)
  for other in runs.dropFirst() {
    if let refusal = StoredComparison.refusal(runs[0], other) { throw refusal }
  }
  let sight = try sight(arguments)
  let agreed = try thresholds(arguments)
  let today = String(Timestamp.utc().prefix(10))
  // Folders of several machines may have one name.
  let areOne = Set(runs.map(\.id)).count < runs.count
  let comparisons = runs.indices.dropFirst().map { place in
    var found = StoredComparison.compare(runs[0], runs[place], sight: sight, thresholds: agreed)
    if arguments.has("untrusted-ok"), StoredComparison.lacksOnlyControl(runs[0], runs[place]) {
      found.acceptsUntrusted = true
    }
    found.name(place, areOne ? (arguments.operands[0], arguments.operands[place]) : nil)
    return agreed?.applied(to: found, today: today) ?? found
  }
  if let file = arguments.string("html") {
    let operands = arguments.operands
    let pages = Dictionary(
      zip(runs.map(\.id), operands.map { page(of: $0, from: file) }),
      uniquingKeysWith: { first, _ in first })
    try writeFile(
      ComparisonReport.html(
        runs: runs, comparisons: Array(comparisons), links: asked.settled(by: runs.last)
      ) { pages[$0.id] ?? nil },
      to: file)
  }
  var pages = zip(comparisons, runs.dropFirst()).map { comparison, other in
    var page = Run()
    page.id = other.id
    page.asked.verb = "compare"
    page.asked.seed = other.asked.seed
    page.environment = other.environment
    page.comparison = comparison
    return page
  }
  // However many runs: one document.
  if format == "json" {
    pages[0].otherComparisons = pages.count > 1 ? pages.dropFirst().compactMap(\.comparison) : nil
    pages.removeSubrange(1...)
  }
  for (other, operand) in zip(pages, arguments.operands.dropFirst()) {
    let report = page(of: operand)
    let isThere = FileManager.default.fileExists(atPath: report.path)
    Terminal.out(try rendered(other, format, page: isThere ? report : nil))
  }
  var worst = Outcome.fine
  for comparison in comparisons {
    let outcome = comparison.outcome(strict: arguments.has("strict"))
    if outcome != .fine, worst != .regressed { worst = outcome }
  }
  return ExitCode(rawValue: worst.rawValue) ?? .usage
}

extension Comparison {
  /// Calls the second side by a letter of its own, and both by what was said on the command line
  /// where their names do not tell them apart.
  fileprivate mutating func name(_ place: Int, _ operands: (a: String, b: String)?) {
    b.name = String(UnicodeScalar(UInt8(ascii: "A") + UInt8(clamping: place)))
    if let operands { (a.source, b.source) = operands }
  }
}

/// Where the page of a stored run lies, if it has one.
private func page(of run: String) -> URL {
  var place = URL(fileURLWithPath: run)
  if place.pathExtension == "json" { place.deleteLastPathComponent() }
  return place.appendingPathComponent("report.html")
}

/// The page of a stored run, seen from a file that is to lead there; nil where there is none.
private func page(of run: String, from file: String) -> String? {
  let place = page(of: run)
  guard FileManager.default.fileExists(atPath: place.path) else { return nil }
  let target = place.standardizedFileURL.pathComponents
  let folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
    .pathComponents
  let shared = zip(target, folder).prefix { $0 == $1 }.count
  let up = Array(repeating: "..", count: folder.count - shared)
  return (up + target.dropFirst(shared)).joined(separator: "/")
}
