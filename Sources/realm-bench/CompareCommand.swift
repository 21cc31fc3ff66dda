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
    .value("html", "FILE", "the comparison as a page"),
    .value("format", "text|json|markdown", "what stdout gets (default text)"),
  ],
  notes: """
      Runs of one machine get verdicts; runs of several machines stand side by side and end with exit code 3.
    """
) { arguments in
  let format = try arguments.choice("format", among: ["text", "json", "markdown"]) ?? "text"
  if let file = arguments.string("html") { try checkWritable(file, option: "html") }
  let runs = try arguments.operands.map(RunDirectory.load)
  for other in runs.dropFirst() {
    if let refusal = StoredComparison.refusal(runs[0], other) { throw refusal }
  }
  let comparisons = runs.dropFirst().map { StoredComparison.compare(runs[0], $0) }
  if let file = arguments.string("html") {
    try writeFile(ComparisonReport.html(runs: runs, comparisons: Array(comparisons)), to: file)
  }
  var worst = Outcome.fine
  for (comparison, other) in zip(comparisons, runs.dropFirst()) {
    var page = Run()
    page.id = other.id
    page.asked.verb = "compare"
    page.environment = other.environment
    page.comparison = comparison
    Terminal.out(try rendered(page, format))
    let outcome = comparison.outcome(strict: arguments.has("strict"))
    if outcome != .fine, worst != .regressed { worst = outcome }
  }
  return ExitCode(rawValue: worst.rawValue) ?? .usage
}
