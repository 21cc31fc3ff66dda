import Evidence
import Foundation
import Harness

/// What the door calls for `run`: from a request to a finished run directory without its reports.
package enum Session {
  /// Where runs and scratch files go when nobody says: on the disk of the current directory, never
  /// in memory.
  package static func defaultOut(_ request: RunRequest, machine: String) -> URL {
    let stamp = Timestamp.compact(Timestamp.utc())
    let commit = request.commit.isEmpty ? "nocommit" : String(request.commit.prefix(12))
    return URL(fileURLWithPath: "results/\(stamp)-\(machine)-\(commit)")
  }

  /// Measures; refuses a debug build.
  package static func run(
    _ request: RunRequest, resuming: Resumption? = nil, runner: (any RoundRunner)? = nil,
    isStopped: () -> Bool = { false },
    plan announce: (Plan) -> Void = { _ in }, progress: (Runner.Progress) -> Void = { _ in }
  ) throws -> (run: Run, directory: URL) {
    guard Doctor.isOptimised || runner != nil else {
      throw BenchmarkError(
        "this is a debug build and its numbers mean nothing: build with swift build -c release",
        .untrusted)
    }
    let start = Stopwatch.now
    let plan = try Plan(request)
    announce(plan)
    let scratch = try workspace(request)
    let doctor = try Doctor.examine(request, workdir: scratch.url)
    try resuming?.requireMachine(doctor.environment.machineID)
    let out = request.out ?? defaultOut(request, machine: doctor.environment.machineID)
    var environment = doctor.environment
    environment.engines += request.guests.map(\.engine)
    let own = runner ?? ChildRounds(executable: request.executable ?? ChildProcess.thisProgram)
    let children = request.guests.isEmpty ? own : GuestRounds(own, request.guests)
    let run = try Runner(
      plan, request, environment: environment, runner: children, resuming: resuming,
      elapsed: { Double(Stopwatch.now - start) / 1e9 }
    ).run(into: out, scratch: scratch.url, isStopped: isStopped, progress: progress)
    return withExtendedLifetime(scratch) { (run, out) }
  }

  /// How the names of scratch directories begin.
  static let scratch = "work"

  /// A scratch directory on the wished disk, removed afterwards.
  package static func workspace(_ request: RunRequest) throws -> Scratch {
    if let asked = request.workdir {
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: asked.path, isDirectory: &isFolder)
      guard isThere, isFolder.boolValue else {
        throw BenchmarkError(
          "--workdir \(asked.path) \(isThere ? "is no folder" : "does not exist"): make it "
            + "first, or name "
            + "another")
      }
    }
    let parent =
      request.workdir
      ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      .appendingPathComponent(Scratch.home)
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      Scratch.sweep(parent)
      return try Scratch(scratch, in: parent, isClaimed: true)
    } catch {
      throw BenchmarkError(
        "cannot write to \(parent.path) (\(explanation(error))): name another place with --workdir")
    }
  }
}
