import Evidence
import Foundation
import Reporting

/// Gives runs names that later runs are compared with.
let baselineVerb = Verb(
  name: "baseline",
  summary: "keeps runs under names: 'compare @NAME RUN' judges against one",
  operands: "save|list|show|delete [NAME] [RUN]",
  operandCount: 1...3,
  options: [.flag("replace", "with save: instead of the one that has the name")],
  notes: """
      save NAME [RUN] keeps a finished run (without RUN: results/latest), list names all, show NAME
      says what one is, delete NAME forgets it. They lie in .realm-bench/baselines, the nearest
      upwards, where a repository may keep them. compare takes @NAME for each of its runs.
      Exit code 5: there is no such baseline, or what has its name is none; it is left as it is.
    """
) { arguments in
  let words = arguments.operands
  let baselines = Baselines(from: here)
  func name(_ most: Int) throws -> String {
    guard (2...most).contains(words.count) else {
      throw UsageError(
        "'baseline \(words[0])' wants a "
          + "name\(most > 2 ? ", and perhaps a run" : " and nothing else")"
      )
    }
    return words[1]
  }
  switch words[0] {
  case "save":
    let name = try name(3)
    let run = try RunDirectory.load(words.count > 2 ? words[2] : "results/latest")
    try baselines.save(run, as: name, replace: arguments.has("replace"))
    Terminal.say("baseline '\(name)': \(described(run))")
  case "list":
    guard words.count == 1 else { throw UsageError("'baseline list' wants nothing else") }
    for name in baselines.names {
      do { Terminal.lines("\(name)  \(described(try baselines.load(name)))\n") } catch {
        Terminal.out(Printable.line("\(name)  cannot be read: \(error)") + "\n")
      }
    }
  case "show": Terminal.lines(described(try baselines.load(try name(2))) + "\n")
  case "delete":
    let name = try name(2)
    try baselines.remove(name)
    Terminal.say("baseline '\(name)' is forgotten")
  case let other:
    throw UsageError("'baseline \(other)': expected save, list, show or delete")
  }
  return .fine
}

/// The run that an operand names: its directory, its run.json, or `@NAME`.
func storedRun(_ operand: String) throws -> Run {
  try RunDirectory.load(try Baselines(from: here).path(of: operand))
}

private var here: URL { URL(fileURLWithPath: FileManager.default.currentDirectoryPath) }

private func described(_ run: Run) -> String {
  let commit = run.environment.commit.prefix(10)
  return Printable.line(
    "\(run.id), \(run.started), \(Figures.count(run.measured.count, "result"))"
      + (commit.isEmpty ? "" : ", commit \(commit)")
      + ", machine \(run.environment.machineID)")
}
