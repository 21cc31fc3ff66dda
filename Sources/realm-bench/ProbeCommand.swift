import Conformance
import Foundation
import Glibc
import StandIns

/// What the examiner starts: one probe, in a process of its own, before the engine or a broken one.
let probeVerb = Verb.hidden("probe") { words in
  var request: ProbeRequest
  do { request = try ProbeRequest(arguments: words) } catch { throw UsageError("\(error)") }
  ReferenceHooks.install()
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
  return mutant
}

extension Mutant {
  /// As much of it as the examiner knows.
  var suspect: Suspect { Suspect(name: name, story: story, caughtBy: caughtBy) }
}
