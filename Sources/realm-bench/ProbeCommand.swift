import Conformance
import Foundation
import Glibc
import Mutants

/// What the examiner starts: one probe, in a process of its own, before the engine or a broken one.
let probeVerb = Verb.hidden(
  "probe", "what 'conformance' starts: one probe of one rule in a process of its own"
) { words in
  var request: ProbeRequest
  do { request = try ProbeRequest(arguments: words) } catch { throw UsageError("\(error)") }
  // Another engine than the one these are made for gives none.
  if !thisEngine.isLibrary { ReferenceHooks.install() }
  if let name = request.mutant {
    let mutant = try mutant(named: name)
    mutant.install()
    request.declarations = mutant.declarations
  }
  exit(request.run())
}

/// A broken engine by name.
func mutant(named name: String) throws -> Mutant {
  guard let mutant = Mutant.named(name) else {
    throw UsageError(
      "unknown mutant '\(name)'\(suggestion(for: name, among: Mutant.all.map(\.name))); "
        + "'realm-bench list mutants' names all \(Mutant.all.count)")
  }
  guard mutant.isInThisBuild else {
    throw UsageError("mutant '\(name)' is not in this build; \(howToBuildMutants)")
  }
  return mutant
}

/// Which command makes a build that can be broken on purpose, and what its tool is.
let howToBuildMutants =
  "'make self-test' builds those that have, and runs them; "
  + "'scripts/self-test --help' says how to ask for one"

extension Mutant {
  /// As much of it as the examiner knows.
  var suspect: Suspect { Suspect(name: name, story: story, caughtBy: caughtBy) }
}
