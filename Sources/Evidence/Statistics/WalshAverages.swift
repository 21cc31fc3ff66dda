import Foundation

/// The means of all pairs of some differences, each with itself included: put in order once, for
/// whatever is asked of them.
///
/// Beyond 200 differences they are counted instead of made: a thousand rounds have half a million.
package struct WalshAverages: Sendable {
  /// So many differences are counted exactly.
  static let mostExact = 200

  private let differences: Int
  /// How many there are.
  let count: Int
  private let at: @Sendable (Int) -> Double

  package init(_ differences: [Double]) {
    self.differences = differences.count
    guard differences.count <= WalshAverages.mostExact else {
      let ranks = PairRanks(meansOf: differences)
      count = ranks.count
      at = { ranks[$0] }
      return
    }
    let all = WalshAverages.all(of: differences)
    count = all.count
    at = { all[$0] }
  }

  /// All of them, in order.
  static func all(of differences: [Double]) -> [Double] {
    var averages: [Double] = []
    averages.reserveCapacity(differences.count * (differences.count + 1) / 2)
    for i in differences.indices {
      for j in i..<differences.count { averages.append((differences[i] + differences[j]) / 2) }
    }
    return averages.sorted()
  }

  /// The Hodges–Lehmann estimate of the differences.
  package var median: Double { count == 0 ? .nan : (at((count - 1) / 2) + at(count / 2)) / 2 }

  /// The interval of the estimate that the test does not reject: W₍k₎…W₍M+1−k₎ with the largest k
  /// of P(W⁺ ≤ k−1) ≤ `tail`.
  package func interval(tail: Double) -> SignedRank.Interval {
    guard count > 0 else { return .init(low: .nan, high: .nan, confidence: 0) }
    guard differences <= WalshAverages.mostExact else { return wide(tail) }
    let f = SignedRank.distribution(differences)
    var k = 0
    var below = 0.0
    while k < count / 2, below + f[k] <= tail {
      below += f[k]
      k += 1
    }
    guard k > 0 else {
      return .init(low: at(0), high: at(count - 1), confidence: max(0, 1 - 2 * f[0]))
    }
    return .init(low: at(k - 1), high: at(count - k), confidence: 1 - 2 * below)
  }

  /// The same of many differences, whose ranks add to a normal sum.
  private func wide(_ tail: Double) -> SignedRank.Interval {
    let n = Double(differences)
    let spread = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
    let reach = SignedRank.normalQuantile(1 - tail) * spread
    let k = max(1, Int(n * (n + 1) / 4 - 0.5 - reach))
    return .init(low: at(k - 1), high: at(count - k), confidence: 1 - 2 * tail)
  }
}
