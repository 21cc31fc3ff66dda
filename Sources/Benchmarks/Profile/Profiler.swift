import Evidence
import Foundation
import Harness

/// Runs one benchmark for a while and says where the processor was: by perf where there is one,
/// else by signals.
package struct Profiler {
  package enum Means: String, Sendable {
    case perf, signals
  }

  package struct Result: Sendable {
    package let stacks: FoldedStacks
    package let means: Means
    /// Samples for which there was no room.
    package let lost: Int
  }

  private let order: RoundOrder
  private let executable: String

  package init(_ order: RoundOrder, executable: String = ChildProcess.thisProgram) {
    self.order = order
    self.executable = executable
  }

  /// The perf that can record here: being installed is not enough where the kernel forbids it.
  package static func perf(
    path: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
  ) -> String? {
    path.split(separator: ":").map { "\($0)/perf" }.first { program in
      guard FileManager.default.isExecutableFile(atPath: program) else { return false }
      let tried = try? ChildProcess(
        program, ["record", "-q", "-F", "99", "-g", "-o", "/dev/null", "--", "true"],
        limits: .init(deadline: .seconds(20))
      ).run()
      return tried?.ending == .exited(0)
    }
  }

  /// `scratch`: where what perf records may lie meanwhile.
  package func run(in scratch: URL, perf: String?) throws -> Result {
    // The data set is made beforehand: it is not what is asked for.
    var short = order
    short.seconds = 0.01
    if let failure = ChildRounds(executable: executable).run(short).failure {
      throw BenchmarkError("\(order.case.name) on \(order.case.engine): \(failure)")
    }
    return try perf.map { try recorded($0, scratch) } ?? sampled(scratch)
  }

  private func recorded(_ perf: String, _ scratch: URL) throws -> Result {
    let data = scratch.appendingPathComponent("perf.data").path
    try measure(
      perf, ["record", "-q", "-F", "997", "-g", "-o", data, "--", executable] + order.arguments)
    let script = try ChildProcess(
      perf, ["script", "-i", data, "-F", "comm,tid,ip,sym,dso"],
      limits: .init(deadline: .seconds(120), output: 1 << 30, memory: 4 << 30)
    ).run()
    guard script.ending == .exited(0) else {
      throw BenchmarkError("perf script ended with \(script.ending): \(script.stderr.prefix(200))")
    }
    let stacks = FoldedStacks(perfScript: script.stdout).renamed(Symbols.demangled)
    return Result(stacks: stacks, means: .perf, lost: 0)
  }

  private func sampled(_ scratch: URL) throws -> Result {
    let file = scratch.appendingPathComponent("stacks.folded")
    try measure(executable, order.arguments + ["--sample", file.path])
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw BenchmarkError("no stacks came of \(order.case.name)")
    }
    // The last line says how many were lost.
    let lost = text.split(separator: "\n").last.flatMap {
      $0.hasPrefix("# lost ") ? Int($0.dropFirst(7)) : nil
    }
    return Result(stacks: FoldedStacks(text), means: .signals, lost: lost ?? 0)
  }

  private func measure(_ program: String, _ words: [String]) throws {
    let remains = try ChildProcess(
      program, words, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"],
      limits: .init(
        deadline: .seconds(order.timeout), output: 16 << 20, memory: 6 << 30)
    ).run()
    if let failure = ChildRounds.read(remains).failure {
      throw BenchmarkError("\(order.case.name) on \(order.case.engine): \(failure)")
    }
  }
}
