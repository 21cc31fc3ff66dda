import Evidence
import Foundation
import Testing

@testable import Benchmarks

/// Whole sessions of made-up builds whose truth is known: how often the arithmetic alone errs.
///
/// `JUDGE_SESSIONS=60 swift test --filter JudgeTests` makes the table of docs/METHOD.md and prints
/// it; without it a few sessions are held to what that table says.
struct JudgeTests {
  private static let benchmarks = 20
  private static let sessions =
    ProcessInfo.processInfo.environment["JUDGE_SESSIONS"].flatMap { Int($0) }

  /// Pairs that differ by normal noise of a given deviation, one side of every twelfth of them by a
  /// burst of up to a fifth.
  private func build(_ factor: Double, noise: Double, seed: UInt64) -> FakeRounds {
    FakeRounds { order, turn in
      guard order.pass == .time else { return .good(1) }
      var generator = SeededGenerator(seed: derivedSeed(seed, "\(turn)"))
      let radius = (-2 * log(max(1e-12, generator.unit()))).squareRoot()
      let normal = radius * cos(2 * .pi * generator.unit())
      let isBurst = generator.below(24) == 0
      let burst = isBurst ? 1 + 0.2 * generator.unit() : 1
      var report = RoundReport.good(1)
      report.values = [
        .init(
          metric: "time", value: 1000 * factor * exp(noise * normal / 2.0.squareRoot()) * burst,
          count: 100)
      ]
      return report
    }
  }

  private struct Tally {
    var questions = 0
    var found = 0
    var unchanged = 0
    var hidden = 0
    var text: String { "\(found) of \(questions)" }
  }

  private func sessions(_ count: Int, factor: Double, noise: Double) throws -> Tally {
    var tally = Tally()
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("judge-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let catalogue = (0..<JudgeTests.benchmarks).map { number in
      Benchmark("reads.b\(number)", "made up", engines: ["x"]) { $0.check(true, "") }
    }
    for session in 0..<count {
      var request = RunRequest()
      request.seed = derivedSeed(UInt64(session), "\(factor) \(noise)")
      let duel = try Duel(
        request, base: build(1, noise: noise, seed: derivedSeed(request.seed, "A")),
        candidate: build(factor, noise: noise, seed: derivedSeed(request.seed, "B")),
        scratch: place, catalogue: catalogue, pace: { Pace(loop: 1, ticks: 1, stolen: 0) })
      let side = Comparison.Side(name: "", commit: "", subject: "", source: "")
      let run = try duel.run(
        into: place.appendingPathComponent("run \(session)"), environment: Environment(),
        sides: (side, side))
      for row in try #require(run.comparison).rows where row.metric == "time" {
        tally.questions += 1
        switch row.verdict {
        case .regressed: tally.found += 1
        case .improved: tally.found += factor == 1 ? 1 : 0
        case .unchanged: tally.unchanged += 1
        case .cannotTell: tally.hidden += 1
        case .inconclusive, .invalid: break
        }
      }
    }
    return tally
  }

  @Test func `a calm machine shows five percent, a restless one fifty, and none imagines any`()
    throws
  {
    let equal = try sessions(3, factor: 1, noise: 0.03)
    #expect(equal.found <= 1 && equal.hidden == 0, "\(equal)")
    let slower = try sessions(1, factor: 1.05, noise: 0.02)
    #expect(slower.found >= 18 && slower.unchanged == 0, "\(slower)")
    let half = try sessions(1, factor: 1.5, noise: 0.2)
    #expect(half.found >= 18 && half.unchanged == 0, "\(half)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["JUDGE_SESSIONS"] != nil))
  func `what the arithmetic errs by is printed`() throws {
    let count = try #require(JudgeTests.sessions)
    print(
      "| noise of a pair | equal: flagged | cannot tell | +5 % found | +10 % | +50 % | unchanged |")
    for noise in [0.01, 0.02, 0.03, 0.05, 0.1, 0.2] {
      let equal = try sessions(count, factor: 1, noise: noise)
      let slower = try [1.05, 1.1, 1.5].map {
        try sessions(max(1, count / 4), factor: $0, noise: noise)
      }
      print(
        "| \(Int((noise * 100).rounded())) % | \(equal.text) | \(equal.hidden) | "
          + slower.map(\.text).joined(separator: " | ")
          + " | \(slower.map { String($0.unchanged) }.joined(separator: ", ")) |")
    }
  }
}
