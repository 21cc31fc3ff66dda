import Foundation
import Testing

@testable import Evidence

struct MachineFitTests {
  /// Four machines whose limits have nothing to do with each other.
  private static let limits: [[String: Double]] = [
    ["miss": 80, "flush": 20_000, "add": 5], ["miss": 120, "flush": 900_000, "add": 6],
    ["miss": 60, "flush": 4_000_000, "add": 18], ["miss": 200, "flush": 60_000, "add": 3],
  ]

  @Test func `weights that made the times are found again`() throws {
    for (weights, expected) in [
      ([("miss", 1.0)], ["miss": 1.0]),
      ([("flush", 0.5), ("miss", 0.5)], ["flush": 0.5, "miss": 0.5]),
    ] {
      let times = Self.limits.map { machine in
        7 * weights.reduce(1) { $0 * pow(machine[$1.0] ?? 0, $1.1) }
      }
      let fit = try #require(MachineFit(times: times, limits: Self.limits))
      #expect(fit.weights == expected)
      #expect(fit.residuals.allSatisfy { abs($0 - 1) < 1e-9 })
      #expect(zip(fit.predicted, times).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
    }
  }

  @Test func `a machine that is slower than its limits say stands out`() throws {
    let limits = Self.limits.map { ["miss": $0["miss"] ?? 0] }
    var times = limits.map { 3 * ($0["miss"] ?? 0) }
    times[2] *= 1.5
    let fit = try #require(MachineFit(times: times, limits: limits))
    #expect(fit.residuals[2] == fit.residuals.max() && fit.residuals[2] > 1.2)
    #expect(abs(fit.weights.values.reduce(0, +) - 1) < 1e-9)
  }

  @Test func `two machines, a zero or no shared limit are no fit`() {
    #expect(MachineFit(times: [1, 2], limits: Array(Self.limits.prefix(2))) == nil)
    #expect(MachineFit(times: [1, 2, 0, 4], limits: Self.limits) == nil)
    #expect(MachineFit(times: [1, 2, 3], limits: [["a": 1], ["b": 1], ["c": 1]]) == nil)
    #expect(MachineFit(times: [1, 2, .nan], limits: Array(Self.limits.prefix(3))) == nil)
    let zero = [["a": 0.0], ["a": 1], ["a": 2]]
    #expect(MachineFit(times: [1, 2, 3], limits: zero) == nil)
  }

  @Test func `quarters are split in every way, few limits first`() {
    let splits = MachineFit.splits(of: 4, over: 3)
    #expect(splits.count == 15 && Set(splits).count == 15)
    #expect(splits.allSatisfy { $0.reduce(0, +) == 4 })
    #expect(splits.prefix(3).allSatisfy { $0.contains(4) })
  }
}
