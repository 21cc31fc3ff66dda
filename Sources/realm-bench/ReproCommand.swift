import Conformance
import Evidence
import Foundation
import Reporting

/// Replays what one rule showed, with the seed that showed it.
let reproVerb = Verb(
  name: "repro",
  summary: "replays one failure exactly",
  operands: "RULE",
  operandCount: 1...1,
  options: [
    .value("seed", "N", "the seed that the failure printed (default 1)"),
    .value("mutant", "NAME", "before this broken engine instead of the honest one"),
    .value("timeout", "TIME", "instead of the probe's own deadline"),
  ]
) { arguments in
  var options = try examinerOptions(arguments)
  let id = arguments.operands[0]
  guard Conformance.Catalogue.rule(id) != nil else {
    throw UsageError(
      "unknown rule '\(id)'\(suggestion(for: id, among: Conformance.Catalogue.all.map(\.id))); "
        + "'realm-bench list rules' names all \(Conformance.Catalogue.all.count)")
  }
  options.filters = [id]
  let examiner = try Examiner(options, engine: thisEngine, scratch: try workplace())
  let examination = try examiner.examine()
  Terminal.out(
    ConformanceText(usesColour: Terminal.showsColour, isVerbose: true).report(examination))
  return examination.isClean ? .fine : .violated
}
