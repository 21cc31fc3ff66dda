import Conformance
import Evidence
import Foundation
import Glibc
import Mutants
import Reporting
import StandIns

/// Explores what bears on the rules.
func explore(_ arguments: Arguments, _ rules: [String]) throws -> [Exploration] {
  let about = Explorer.inquiries(about: rules)
  let explorer = try explorer(arguments, about.filter(\.isForThisEngine))
  if explorer.inquiries.count < about.count {
    Terminal.say("explored from outside only: '\(thisEngine.name)' \(showsNothing)")
  }
  let progress = Progress(total: explorer.inquiries.count, what: "explorations")
  defer { progress.finish() }
  return try explorer.explore(
    jobs: try arguments.integer("jobs", within: 1...64) ?? 2,
    progress: { _ in progress.step() }, isStopped: { Interruption.hasCome }
  ).map(withWhatIsKnown)
}

/// Of an engine that is a library, what breaks an exploration may be one of its known departures.
func withWhatIsKnown(_ found: Exploration) -> Exploration {
  guard thisEngine.isLibrary, found.failure != nil else { return found }
  let departures = Conformance.Catalogue.departures[thisEngine.name] ?? [:]
  let known = found.rules.compactMap { rule in departures[rule].map { "\(rule): \($0)" } }
  var told = found
  told.failure?.known = known.isEmpty ? nil : known.joined(separator: "; ")
  return told
}

/// Why schedules and crash states are not explored of an engine that is a library.
let showsNothing = "shows neither the steps of its commits nor what it asks of the disk"

extension Inquiry {
  /// Whether it needs no look inside the engine, or this build's engine gives one.
  var isForThisEngine: Bool {
    !thisEngine.isLibrary || (kind != .schedules && kind != .crashes)
  }
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
    scratch: try workplace(arguments.string("workdir")))
}

/// What the explorer starts: one inquiry, in a process of its own, with the stand-ins that its kind
/// needs.
let exploreVerb = Verb.hidden(
  "explore", "what 'conformance --explore' starts: one inquiry in a process of its own"
) { words in
  guard let request = ExploreRequest(arguments: words),
    let inquiry = Inquiry.named(request.inquiry)
  else { throw UsageError("explore: expected NAME --directory DIRECTORY …") }
  if !thisEngine.isLibrary {
    if inquiry.kind == .schedules { Directed.install() } else { ReferenceHooks.install() }
  }
  if let name = request.mutant { try mutant(named: name).install() }
  exit(request.run())
}
