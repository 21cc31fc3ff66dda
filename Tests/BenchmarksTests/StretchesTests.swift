import Evidence
import Foundation
import Harness
import Testing

@testable import Benchmarks

/// What a measurement of single operations says when one of them was interrupted.
struct StretchesTests {
  @Test func `one interruption does not move the time`() throws {
    let scratch = try Scratch("stretches")
    let track = Track(
      name: BenchmarkName("reads.a", [:]), engine: "x", seed: 1, pass: .time, seconds: 0.02,
      directory: scratch.url, shelf: scratch.url)
    var turn = 0
    try track.spans {
      turn += 1
      // The twenty before are the warm-up.
      return turn == 21 ? 1_000_000_000 : 100
    }
    func value(_ metric: String) -> Double? {
      track.report.values.first { $0.metric == metric }?.value
    }
    #expect(value("time") == 100)
    #expect(try #require(value("max")) >= 999_000_000)
  }
}
