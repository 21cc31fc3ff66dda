import Benchmarks
import Evidence
import Foundation
import Harness
import Reporting

/// `run --profile NAME`: where the time of one benchmark goes, as folded stacks and a flame graph.
func profile(_ name: String, _ arguments: Arguments, _ asked: RunRequest) throws -> ExitCode {
  var request = asked
  request.filters = [name]
  request.isQuick = true
  // Here the budget is how long to look, and no run has to fit into it.
  request.budget = nil
  if request.engines.isEmpty { request.engines = ["reference"] }
  let plan = try Plan(request, addsYardsticks: false)
  guard plan.cases.count == 1, let one = plan.cases.first else {
    let names = plan.cases.map { "\($0.name) on \($0.engine)" }.joined(separator: ", ")
    throw UsageError(
      "--profile '\(name)' is \(plan.cases.count) measurements, expected one of: \(names)")
  }
  let seconds = asked.budget ?? 5
  let perf = Profiler.perf()
  let means = perf.map { "by \($0)" } ?? "by signals, for there is no perf that may record here"
  if arguments.has("dry-run") {
    Terminal.lines("\(one.name) on \(one.engine) for \(CSV.number(seconds)) s, \(means)\n")
    return .fine
  }
  try refuseDebugBuild()
  let scratch = try Session.workspace(request)
  let directory =
    request.out
    ?? URL(fileURLWithPath: "results/\(Timestamp.compact(Timestamp.utc()))-profile")
  let order = RoundOrder(
    case: one, seed: request.seed, pass: .time, seconds: seconds, workdir: scratch.url,
    timeout: max(request.timeout, 10 * seconds))
  let found = try Profiler(order).run(in: scratch.url, perf: perf)
  guard found.stacks.total > 0 else {
    throw BenchmarkError(
      "\(one.name) used no processor time that could be seen: ask for more with --budget")
  }
  do {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  } catch {
    throw UsageError("cannot write to \(directory.path): \(explanation(error))")
  }
  let title = "\(one.name) on \(one.engine), \(found.means.rawValue)"
  try RunDirectory.write(
    found.stacks.text, to: directory.appendingPathComponent("profile.folded"))
  try RunDirectory.write(
    FlameGraph(found.stacks, title: title).svg, to: directory.appendingPathComponent("flame.svg"))
  Terminal.out(TextTable.hottest(found.stacks))
  if found.lost > 0 { Terminal.say("\(found.lost) samples had no room") }
  Terminal.say("\(title): \(found.stacks.total) samples")
  Terminal.say("flame graph: \(directory.path)/flame.svg; stacks: \(directory.path)/profile.folded")
  return .fine
}
