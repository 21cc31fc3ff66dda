import Evidence
import Foundation
import Harness

/// Whoever runs one round of one case: a child process, or a fake in tests.
package protocol RoundRunner: Sendable {
  func run(_ order: RoundOrder) -> RoundReport
}

/// All a child is told.
package struct RoundOrder: Sendable {
  package var `case`: Case
  package var seed: UInt64
  package var pass: Track.Pass
  package var seconds: Double
  package var workdir: URL
  package var timeout: Double
  package var handicap: Handicap?
  /// The seat at which it meets the other side of a duel; nil where it runs alone.
  package var seat: Seat?

  package init(
    case one: Case, seed: UInt64, pass: Track.Pass, seconds: Double, workdir: URL, timeout: Double
  ) {
    `case` = one
    self.seed = seed
    self.pass = pass
    self.seconds = seconds
    self.workdir = workdir
    self.timeout = timeout
  }

  /// The words after `measure`.
  package var arguments: [String] {
    [
      "measure", "--benchmark", `case`.name.description, "--engine", `case`.engine, "--seed",
      String(seed), "--pass", pass.rawValue, "--seconds", String(seconds), "--workdir",
      workdir.path,
    ] + (handicap.map { ["--handicap", $0.text] } ?? [])
  }
}

/// Runs each round as a child of its own: no round can spoil the next, a crash costs one round, a
/// hang its time.
package struct ChildRounds: RoundRunner {
  package let executable: String
  package init(executable: String = ChildProcess.thisProgram) { self.executable = executable }

  package func run(_ order: RoundOrder) -> RoundReport {
    var environment: [String: String] = ["SWIFT_DETERMINISTIC_HASHING": "1"]
    if order.pass == .count {
      // Counting needs another allocator; a machine without it still counts the rest.
      environment.merge(Allocations.environment ?? [:]) { $1 }
    } else {
      // A random length of the environment moves the stack, so that no layout is lucky in every
      // round.
      var generator = SystemRandomNumberGenerator()
      let length = Int.random(in: 0..<4096, using: &generator)
      environment["REALM_BENCH_PADDING"] = String(repeating: "x", count: length)
    }
    // Not an option: a build that knows nothing of it runs as ever, and the other side after it.
    if let seat = order.seat { environment[Seat.variable] = seat.text }
    // Whoever gives way to another waits as long as that one works.
    let limits = ChildProcess.Limits(
      deadline: .seconds(order.timeout * (order.seat == nil ? 1 : 2)), output: 16 << 20,
      memory: 6 << 30)
    let start = Stopwatch.now
    var report = RoundReport()
    do {
      let remains = try ChildProcess(
        executable, order.arguments, environment: environment, limits: limits
      ).run()
      report = ChildRounds.read(remains)
    } catch {
      report.failure = "\(error)"
    }
    if let failure = report.failure {
      report.failure = WorkDisk.explained(failure, at: order.workdir)
    }
    report.wall = Double(Stopwatch.now - start) / 1e9
    return report
  }

  /// What a child left, as a report: a crash or a hang is a failed check that says so.
  static func read(_ remains: Remains) -> RoundReport {
    let last = remains.stdout.split(separator: "\n").last { $0.hasPrefix("{") }
    var report =
      last.flatMap { try? JSONDecoder().decode(RoundReport.self, from: Data($0.utf8)) }
      ?? RoundReport()
    let said = remains.stderr.split(separator: "\n").first.map { ": \($0.prefix(300))" } ?? ""
    if let stopped = remains.stopped {
      report.failure = "\(stopped)"
    } else if remains.ending != .exited(0), report.failure == nil {
      report.failure = "the child ended with \(remains.ending)\(said)"
    } else if last == nil {
      report.failure = "the child said nothing\(said)"
    }
    return report
  }
}
