import Benchmarks
import Foundation

// What `ab` and `calibrate`, which is many of them, are told alike.

/// Which benchmarks two builds are put to, and where.
let duelOptions: [Option] =
  [
    .value("filter", "GLOB", "only these benchmarks; '!GLOB' leaves out", repeatable: true),
    .value("engine", "NAME[,NAME]", "only these engines (default reference)"),
    .value("threads", "1,2,4", "for benchmarks that take threads"),
    .flag("quick", "the benchmarks and round lengths of a first impression"),
    .flag("dry-run", "print the plan and stop"),
    .value("seed", "N", "for data, order and lots (default 1)"),
  ] + placeOptions + [.value("timeout", "TIME", "for one child (default 2m)")]

func duelRequest(_ arguments: Arguments) throws -> RunRequest {
  var request = try runRequest(arguments)
  request.filters = arguments.strings("filter")
  request.engines =
    arguments.string("engine")?.split(separator: ",").map(String.init) ?? ["reference"]
  request.threads = try arguments.integers("threads", within: 1...1024) ?? []
  request.isQuick = arguments.has("quick")
  request.timeout = try arguments.seconds("timeout") ?? 120
  return request
}

/// Numbers of a debug build mean nothing, whoever asks for them.
func refuseDebugBuild() throws {
  guard RealmBench.isReleaseBuild else {
    throw BenchmarkError(
      "this is a debug build and its numbers mean nothing: build with swift build -c release",
      .untrusted)
  }
}
