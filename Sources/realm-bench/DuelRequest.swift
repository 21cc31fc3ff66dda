import Benchmarks
import Evidence
import Foundation

// What `ab` and `calibrate`, which is many of them, are told alike.

/// Which benchmarks two builds are put to, and where.
let duelOptions: [Option] =
  [
    .value("filter", "GLOB", "only these benchmarks; '!GLOB' leaves out", repeatable: true),
    .value("engine", "NAME[,NAME]", "only these engines (default reference)"),
    .value("threads", "1,2,4", "for benchmarks that take threads"), setOption,
    .flag("quick", "the benchmarks and round lengths of a first impression"),
    .value(
      "rounds", "N", "pairs that are screened (default 8); confirmed are as many, 24 at least"),
    .value("round-length", "TIME", "how long a round is (default 250ms, 100ms with --quick)"),
    .flag("dry-run", "print the plan and stop"),
    .value("seed", "N", "for data, order and lots (default 1)"),
  ] + sightOptions + placeOptions + [.value("timeout", "TIME", "for one child (default 2m)")]

/// What a comparison is asked to see.
let sightOptions: [Option] = [
  .value(
    "resolution", "SHARE",
    "the change durations are asked to show, and the widest margin: 5% or 0.05 (default 5%)"),
  .value(
    "blind", "SHARE",
    "of what is asked, how much may stay undecided before it is no evidence (default 25%)"),
]

/// What the repository has agreed on, where it lies elsewhere than usual.
let thresholdsOption = Option.value(
  "thresholds", "FILE", "what was agreed on (default the nearest \(Thresholds.place) upwards)")

func sight(_ arguments: Arguments) throws -> Sight {
  let usual = Sight()
  return Sight(
    resolution: try arguments.share("resolution", within: 0.001...10) ?? usual.resolution,
    blind: try arguments.share("blind", within: 0...1) ?? usual.blind)
}

func duelRequest(_ arguments: Arguments) throws -> RunRequest {
  var request = try runRequest(arguments)
  request.filters = arguments.strings("filter")
  request.engines =
    arguments.string("engine")?.split(separator: ",").map(String.init) ?? ["reference"]
  request.threads = try arguments.integers("threads", within: 1...1024) ?? []
  request.settings = try settings(arguments)
  request.isQuick = arguments.has("quick")
  // Below six nothing could be told.
  request.rounds = try arguments.integer("rounds", within: 6...200)
  request.roundSeconds = try roundLength(arguments)
  request.timeout = try arguments.seconds("timeout") ?? 120
  request.sight = try sight(arguments)
  request.thresholds = try thresholds(arguments)
  return request
}

/// A sweep: other values of a parameter than the catalogue's, every combination of them.
let setOption = Option.value(
  "set", "NAME=V1,V2", "these values of a parameter, for the benchmarks that have it",
  repeatable: true)

func settings(_ arguments: Arguments) throws -> [String: [String]] {
  var found: [String: [String]] = [:]
  for text in arguments.strings("set") {
    let words = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let values =
      words.count < 2
      ? [] : words[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.first.map(String.init), !name.isEmpty, !values.isEmpty,
      !values.contains(""), Set(values).count == values.count
    else {
      throw UsageError(
        "--set '\(text)': expected NAME=V1,V2 with values that differ, such as rows=1000,10000")
    }
    guard found[name] == nil else {
      throw UsageError("--set \(name) was given twice, expected all its values at once")
    }
    guard name != "threads" || !arguments.has("threads") else {
      throw UsageError("--threads and --set threads=… say the same: expected one of them")
    }
    found[name] = values
  }
  return found
}

func roundLength(_ arguments: Arguments) throws -> Double? {
  guard let length = try arguments.seconds("round-length") else { return nil }
  guard (0.001...3600).contains(length) else {
    throw UsageError(
      "--round-length '\(arguments.string("round-length") ?? "")': expected a time from 1ms to 1h")
  }
  return length
}

/// Numbers of a debug build mean nothing, whoever asks for them.
func refuseDebugBuild() throws {
  guard RealmBench.isReleaseBuild else {
    throw BenchmarkError(
      "this is a debug build and its numbers mean nothing: build with swift build -c release",
      .untrusted)
  }
}

/// What the repository has agreed on: the file that is named, or the nearest one upwards.
func thresholds(_ arguments: Arguments) throws -> Thresholds? {
  let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
  let named = arguments.string("thresholds").map { URL(fileURLWithPath: $0) }
  guard let file = named ?? Thresholds.find(from: here) else { return nil }
  let agreed = try Thresholds.load(file)
  let families = Catalogue.all.map(\.name)
  for pattern in agreed.strangers(among: families) {
    Terminal.say(
      "realm-bench: \(file.path): no benchmark is called '\(pattern)'"
        + "\(suggestion(for: pattern, among: families)); what it says is obeyed by none")
  }
  for doubt in agreed.doubts { Terminal.say("realm-bench: \(file.path): \(doubt)") }
  return agreed
}
