import Evidence
import Foundation

/// A run that was interrupted, and what of its plan is done: the rest can still be measured, by the
/// same build.
package struct Resumption: Sendable {
  package let run: Run
  let samples: [Sample]
  let latencies: [LatencyRecord]
  private let done: Set<String>
  /// Held from before it was read: nobody adds to it meanwhile.
  let claim: RunClaim?

  /// What the counting pass leaves; everything else is of a timed round.
  private static let counted: Set = [
    "flushes", "flushing", "allocations", "allocated", "syscalls", "writes", "bytes", "switches",
    "faults", "pageins", "preempted", "read", "fetched", "stored", "amplification",
  ]

  package init(
    _ run: Run, samples: [Sample], latencies: [LatencyRecord], claim: RunClaim? = nil
  ) {
    self.claim = claim
    (self.run, self.samples, self.latencies) = (run, samples, latencies)
    done = Set(
      samples.filter { $0.metric != "check" || $0.value != 1 }.map { sample in
        let pass = Resumption.counted.contains(sample.metric) ? Track.Pass.count : .time
        return Resumption.key(
          sample.benchmark, sample.engine, sample.side, sample.round, pass)
      })
  }

  /// Reads an interrupted run; refuses what cannot be gone on with, or is still written.
  package static func load(_ path: String, commit: String) throws -> Resumption {
    _ = try interrupted(path, commit: commit)
    let directory = URL(fileURLWithPath: path)
    let claim = try RunClaim(directory)
    // Whoever had it until now may have added to it, or ended it.
    return Resumption(
      try interrupted(path, commit: commit), samples: try RunDirectory.samples(in: directory),
      latencies: RunDirectory.latencies(in: directory), claim: claim)
  }

  private static func interrupted(_ path: String, commit: String) throws -> Run {
    let run = try RunDirectory.load(path)
    guard run.asked.verb == "run" else {
      throw RecordError(
        "\(path) is of 'realm-bench \(run.asked.verb)': only a 'run' can be resumed", .misuse)
    }
    guard run.state == .interrupted else {
      throw RecordError("\(path) is finished: there is nothing to resume", .misuse)
    }
    guard run.environment.commit == commit else {
      throw RecordError(
        "\(path) was made by the commit \(run.environment.commit), this build is of \(commit): a "
          + "run is of one build",
        .misuse)
    }
    return run
  }

  /// Refuses to go on elsewhere: a run is of one machine.
  func requireMachine(_ identifier: String) throws {
    let own = run.environment.machineID
    guard own.isEmpty || own == identifier else {
      throw RecordError(
        "\(run.id) was measured on the machine \(own), this is \(identifier): a run is of one "
          + "machine",
        .misuse)
    }
  }

  private static func key(
    _ benchmark: String, _ engine: String, _ side: String, _ round: Int, _ pass: Track.Pass
  ) -> String { "\(benchmark) \(engine) \(side) \(round) \(pass)" }

  /// Whether a step was measured before, in the rounds or in the control of one end.
  func isDone(_ step: Plan.Step, side: String) -> Bool {
    done.contains(
      Resumption.key(
        step.case.name.description, step.case.engine, side, step.round, step.pass))
  }

  /// Where the run worked before it was interrupted; nil where that is gone. What a killed run left
  /// there is found, and removed, by whoever works there next.
  private var workplace: URL? {
    let scratch = URL(fileURLWithPath: run.environment.storage.path)
    let place = scratch.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    guard scratch.lastPathComponent.hasPrefix("\(Session.scratch)-"),
      FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    return place
  }

  /// The same question again: what was asked, with the lengths that were planned for it, and unless
  /// somebody names another place, where it was asked.
  package func request(like base: RunRequest) -> RunRequest {
    var request = base
    let asked = run.asked
    request.workdir = base.workdir ?? workplace
    request.filters = asked.filters
    request.engines = asked.engines
    request.threads = asked.threads
    request.settings = asked.settings ?? [:]
    request.isQuick = asked.quick
    request.rounds = asked.rounds
    request.roundSeconds = asked.roundSeconds
    request.budget = asked.budget
    request.leftOutBefore = run.leftOut ?? []
    request.seed = asked.seed
    let parts = asked.shard.split(separator: "/").compactMap { Int($0) }
    request.shard = parts.count == 2 ? (parts[0], parts[1]) : nil
    return request
  }
}
