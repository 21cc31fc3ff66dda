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
    .value("scenario", "NAME", "what was explored when it failed, instead of the rule's probes"),
    .value(
      "schedule", "LETTERS", "the schedule or program that failed, or what else a failure printed"),
    .value("amount", "N", "how much of it, where a failure needs luck to come again (default 100)"),
    .value("mutant", "NAME", "before this broken engine instead of the honest one"),
    .flag("deep", "all of the axes that the rule's probes walk, as 'conformance --deep' does"),
    .value("timeout", "TIME", "instead of the probe's own deadline, or the scenario's limit"),
    .value(
      "patience", "TIME", "how long a probe waits for what must come, as 'conformance' was told"),
  ]
) { arguments in
  var options = try examinerOptions(arguments)
  let amount = try arguments.integer("amount", within: 0...largestAmount)
  let id = arguments.operands[0]
  guard let rule = Conformance.Catalogue.rule(id) else {
    throw UsageError(
      "unknown rule '\(id)'\(suggestion(for: id, among: Conformance.Catalogue.all.map(\.id))); "
        + "'realm-bench list rules' names all \(Conformance.Catalogue.all.count)")
  }
  guard arguments.string("schedule") != "" else {
    throw UsageError(
      "--schedule '': expected what the failure printed behind its own --schedule; without the "
        + "option the rule's probes are asked again")
  }
  if let text = arguments.string("schedule"), !arguments.has("scenario"), rule.runs(program: text) {
    options.program = text
  } else if arguments.has("scenario") || arguments.has("schedule") {
    guard !arguments.has("patience") else {
      throw UsageError("--patience is of a rule's probes: what was explored has --timeout")
    }
    return try replay(id, amount: amount ?? 100, arguments)
  }
  if amount != nil {
    throw UsageError("--amount is how much of a --scenario: expected both, or neither")
  }
  options.filters = [id]
  var examiner = try Examiner(options, engine: thisEngine, scratch: try workplace())
  suit(&examiner, to: arguments)
  let examination = try examiner.examine()
  Terminal.out(
    ConformanceText(usesColour: Terminal.showsColour, isVerbose: true).report(examination))
  return examination.isClean ? .fine : .violated
}

/// Replays what exploration found.
private func replay(
  _ rule: String, amount: Int, _ arguments: Arguments
) throws -> ExitCode {
  let names = Explorer.inquiries(about: [rule]).map(\.name)
  guard !names.isEmpty || arguments.has("scenario") else {
    throw UsageError(
      "--schedule: no exploration is about \(rule); leave it out, or name a --scenario")
  }
  guard let name = arguments.string("scenario") ?? (names.count == 1 ? names[0] : nil) else {
    throw UsageError(
      "--scenario: expected which exploration of \(rule): \(names.joined(separator: ", "))")
  }
  guard let inquiry = Inquiry.named(name) else {
    throw UsageError(
      "unknown scenario '\(name)'\(suggestion(for: name, among: Inquiry.all.map(\.name)))")
  }
  if !inquiry.isForThisEngine {
    throw UsageError("--scenario \(name): the engine '\(thisEngine.name)' \(showsNothing)")
  }
  var explorer = try explorer(arguments, [inquiry])
  if let text = arguments.string("schedule"), let refusal = inquiry.refusal(replaying: text) {
    throw UsageError("--schedule: \(refusal)")
  }
  explorer.effort.replay = arguments.string("schedule")
  explorer.effort.amount = amount
  explorer.effort.takeTime()
  if let limit = try arguments.seconds("timeout") {
    explorer.effort.limit = .milliseconds(Int64(limit * 1000))
  }
  let found = try explorer.explore().map(withWhatIsKnown)
  Terminal.out(ConformanceText(usesColour: Terminal.showsColour).explorations(found))
  return found.contains { $0.failure != nil && $0.failure?.known == nil } ? .violated : .fine
}
