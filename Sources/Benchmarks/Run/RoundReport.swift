import Evidence
import Foundation

/// What one child says about one round: the one line of JSON on its stdout.
package struct RoundReport: Codable, Sendable {
  package struct Value: Codable, Sendable {
    package var metric: String
    package var value: Double
    package var count: Int
    /// What each turn of a duel came to; absent outside of one, and in reports of older builds.
    package var turns: [Double]?
  }

  package var values: [Value] = []
  package var flags: [String] = []
  package var checks = 0
  package var failure: String?
  package var checksum: UInt64 = 0
  package var histogram: String?
  /// How long the child took in all, set-up included.
  package var wall = 0.0
  /// How much of that went into a data set that later rounds find ready; absent in reports of older
  /// builds.
  package var making: Double?

  package init() {}

  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(self)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// The rows this becomes. A round without a right answer becomes one row that says why.
  package func samples(
    _ case: Case, side: String, round: Int, position: Int, seed: UInt64, utc: String
  ) -> [Sample] {
    func row(_ metric: String, _ value: Double, _ count: Int, note: String = "") -> Sample {
      Sample(
        utc: utc, benchmark: `case`.name.description, engine: `case`.engine, side: side,
        round: round, position: position, metric: metric, value: value, count: count,
        flags: flags.joined(separator: " "), note: note, seed: seed)
    }
    if let failure { return [row("check", 0, checks, note: failure)] }
    guard checks > 0 else { return [row("check", 0, 0, note: "the answer was never checked")] }
    return values.map { row($0.metric, $0.value, $0.count) } + [row("check", 1, checks)]
  }
}

/// One benchmark with its parameters on one engine.
package struct Case: Hashable, Sendable {
  package let name: BenchmarkName
  package let engine: String

  package init(_ name: BenchmarkName, _ engine: String) {
    self.name = name
    self.engine = engine
  }
}
