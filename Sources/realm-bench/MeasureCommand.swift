import Benchmarks
import Foundation
import Glibc
import Harness

/// What the runner starts: one round of one benchmark, in a process of its own. Its last line is
/// the report.
let measureVerb = Verb.hidden(
  "measure", "what 'run' starts: one round of one benchmark in a process of its own",
  options: measureOptions
) { words in
  if words == ["--probe-allocations"] {
    Terminal.out(Doctor.allocationProbe + "\n")
    end()
  }
  // Before anything else: a round that nobody waits for disturbs whatever is measured next.
  Lifeline.take()
  let arguments = try Arguments(words, verb: "measure", options: measureOptions, operands: 0...0)
  guard let benchmark = arguments.string("benchmark"), let engine = arguments.string("engine"),
    let seed = try arguments.seed(),
    let pass = arguments.string("pass").flatMap(Track.Pass.init(rawValue:)),
    let seconds = arguments.string("seconds").flatMap(Double.init),
    let workdir = arguments.string("workdir")
  else {
    throw UsageError(
      "measure: expected --benchmark, --engine, --seed, --pass, --seconds, --workdir")
  }
  let samples = arguments.string("sample")
  if samples != nil { try Sampler.start() }
  let report = MeasureCommand.run(
    benchmark: benchmark, engine: engine, seed: seed, pass: pass, seconds: seconds,
    workdir: URL(fileURLWithPath: workdir), part: arguments.string("part"),
    handicap: arguments.string("handicap").flatMap(Handicap.init),
    seat: ProcessInfo.processInfo.environment[Seat.variable].flatMap(Seat.init))
  if let samples {
    let (stacks, lost) = Sampler.stop()
    try writeFile(stacks.text + "# lost \(lost)\n", to: samples)
  }
  Terminal.out(report.json + "\n")
  end()
}

/// Ends the process at once. An engine's threads may still be ending: what `exit` takes down around
/// them, they may be using.
private func end() -> Never {
  fflush(nil)
  _exit(0)
}

private let measureOptions: [Option] = [
  .value("benchmark", "NAME", "its whole name, parameters and all"),
  .value("engine", "NAME", "the engine to measure"),
  .value("seed", "N", "for data and lots"),
  .value("pass", "time|count", "what is taken: durations, or counts"),
  .value("seconds", "N", "how long to measure"),
  .value("workdir", "DIR", "where realms and data sets lie"),
  .value("part", "NAME", "the part of a companion, for benchmarks of several processes"),
  .value("handicap", "KIND", "a known fault, for 'calibrate'"),
  .value("sample", "FILE", "folded stacks, taken by signals: for 'run --profile'"),
]

/// What `calibrate --load` starts beside itself.
let busyVerb = Verb.hidden("busy", "keeps a processor busy until nobody holds its input") { _ in
  Busy.work()
  exit(0)
}
