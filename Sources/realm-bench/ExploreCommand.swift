import Conformance
import Evidence
import Foundation
import Glibc
import Mutants
import Reporting
import StandIns

/// Explores what bears on the rules.
func explore(_ arguments: Arguments, _ rules: [String]) throws -> [Exploration] {
  let explorer = try explorer(arguments, Explorer.inquiries(about: rules))
  let progress = Progress(total: explorer.inquiries.count, what: "explorations")
  defer { progress.finish() }
  return try explorer.explore(
    jobs: try arguments.integer("jobs", within: 1...64) ?? 2,
    progress: { _ in progress.step() }, isStopped: { Interruption.hasCome })
}

/// Of anything that is drawn by lot: more would not come to its end within a year.
let largestAmount = 100_000_000

/// The explorer that the options ask for.
func explorer(_ arguments: Arguments, _ inquiries: [Inquiry]) throws -> Explorer {
  var effort = Inquiry.Effort()
  effort.seed = try arguments.seed() ?? 1
  effort.amount = try arguments.integer("explore", within: 0...largestAmount) ?? 100
  effort.takeTime()
  return Explorer(
    inquiries, effort: effort,
    mutant: try arguments.string("mutant").map { try mutant(named: $0).name },
    scratch: try workplace())
}

/// What the explorer starts: one inquiry, in a process of its own, with the stand-ins that its kind
/// needs.
let exploreVerb = Verb.hidden(
  "explore", "what 'conformance --explore' starts: one inquiry in a process of its own"
) { words in
  guard let request = ExploreRequest(arguments: words),
    let inquiry = Inquiry.named(request.inquiry)
  else { throw UsageError("explore: expected NAME --directory DIRECTORY …") }
  if inquiry.kind == .schedules { Directed.install() } else { ReferenceHooks.install() }
  if let name = request.mutant { try mutant(named: name).install() }
  exit(request.run())
}
