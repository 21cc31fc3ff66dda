import Benchmarks
import Foundation
import Glibc

/// What the runner starts: one round of one benchmark, in a process of its own. Its last line is the report.
let measureVerb = Verb.hidden("measure") { words in
  if words == ["--probe-allocations"] {
    Terminal.out(Doctor.allocationProbe + "\n")
    exit(0)
  }
  let values = ["benchmark", "engine", "seed", "pass", "seconds", "workdir", "part", "handicap"]
  let arguments = try Arguments(
    words, verb: "measure", options: values.map { .value($0, "VALUE", "") }, operands: 0...0)
  guard let benchmark = arguments.string("benchmark"), let engine = arguments.string("engine"),
    let seed = try arguments.seed(),
    let pass = arguments.string("pass").flatMap(Track.Pass.init(rawValue:)),
    let seconds = arguments.string("seconds").flatMap(Double.init),
    let workdir = arguments.string("workdir")
  else {
    throw UsageError(
      "measure: expected --benchmark, --engine, --seed, --pass, --seconds, --workdir")
  }
  let report = MeasureCommand.run(
    benchmark: benchmark, engine: engine, seed: seed, pass: pass, seconds: seconds,
    workdir: URL(fileURLWithPath: workdir), part: arguments.string("part"),
    handicap: arguments.string("handicap").flatMap(Handicap.init),
    seat: ProcessInfo.processInfo.environment[Seat.variable].flatMap(Seat.init))
  Terminal.out(report.json + "\n")
  exit(0)
}
