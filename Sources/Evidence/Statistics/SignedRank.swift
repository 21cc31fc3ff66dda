import Foundation

/// Wilcoxon's signed-rank test with its exact distribution, and the estimate that belongs to it.
///
/// Beyond 200 differences the distribution is the normal one, which by then lies within a
/// thousandth of it, and averages are counted instead of made: the exact ways would take minutes of
/// a run of a thousand rounds, and never end for ten thousand.
package enum SignedRank {
  /// So many differences are counted exactly.
  private static let mostExact = 200

  /// The Hodges–Lehmann estimate: the median of all pairwise means, each value with itself
  /// included.
  package static func estimate(_ differences: [Double]) -> Double {
    if differences.count <= mostExact { return Quantiles.median(walshAverages(differences)) }
    let averages = PairRanks(meansOf: differences)
    return (averages[(averages.count - 1) / 2] + averages[averages.count / 2]) / 2
  }

  package static func walshAverages(_ differences: [Double]) -> [Double] {
    var averages: [Double] = []
    averages.reserveCapacity(differences.count * (differences.count + 1) / 2)
    for i in differences.indices {
      for j in i..<differences.count { averages.append((differences[i] + differences[j]) / 2) }
    }
    return averages.sorted()
  }

  /// P(W⁺ = w) for w in 0…n(n+1)/2 when nothing differs: f_k(w) = ½ f_{k−1}(w) + ½ f_{k−1}(w−k).
  package static func distribution(_ n: Int) -> [Double] {
    distribution(ranks: Array(1...max(1, n)).prefix(n).map { $0 })
  }

  private static func distribution(ranks: [Int]) -> [Double] {
    var f = [Double](repeating: 0, count: ranks.reduce(0, +) + 1)
    f[0] = 1
    var top = 0
    for rank in ranks {
      top += rank
      for w in stride(from: top, through: 0, by: -1) {
        f[w] = 0.5 * f[w] + (w >= rank ? 0.5 * f[w - rank] : 0)
      }
    }
    return f
  }

  /// P(W⁺ ≥ observed) if the differences lie symmetrically about zero or below: small when they lie
  /// above.
  ///
  /// Zeros are left out, as Wilcoxon did. Ties share their ranks; the distribution is then that of
  /// the ranks at hand, by the same recurrence over doubled ranks, so the value stays exact.
  package static func pGreater(_ differences: [Double]) -> Double {
    let kept = differences.filter { $0 != 0 }
    guard !kept.isEmpty else { return 1 }
    let order = kept.indices.sorted { abs(kept[$0]) < abs(kept[$1]) }
    var doubled = [Int](repeating: 0, count: kept.count)
    var i = 0
    while i < order.count {
      var j = i
      while j + 1 < order.count, abs(kept[order[j + 1]]) == abs(kept[order[i]]) { j += 1 }
      for k in i...j { doubled[order[k]] = (i + 1) + (j + 1) }
      i = j + 1
    }
    let observed = kept.indices.filter { kept[$0] > 0 }.reduce(0) { $0 + doubled[$1] }
    guard kept.count <= mostExact else {
      let squares = doubled.reduce(0.0) { $0 + Double($1) * Double($1) }
      let middle = doubled.reduce(0.0) { $0 + Double($1) } / 2
      // Half a step lower, as whole ranks are taken for a line; doubled ranks move by two.
      return upperTail((Double(observed) - 1 - middle) / (squares / 4).squareRoot())
    }
    return min(1, distribution(ranks: doubled)[observed...].reduce(0, +))
  }

  package struct Interval: Hashable, Sendable {
    package let low: Double
    package let high: Double
    /// What the interval really covers: below six differences 95 % cannot be had.
    package let confidence: Double
  }

  /// The interval of the estimate that the test does not reject: sorted Walsh averages
  /// W₍k₎…W₍M+1−k₎ with the largest k of P(W⁺ ≤ k−1) ≤ α/2.
  package static func interval(_ differences: [Double], confidence: Double = 0.95) -> Interval {
    guard !differences.isEmpty else { return Interval(low: .nan, high: .nan, confidence: 0) }
    guard differences.count <= mostExact else { return wide(differences, confidence) }
    let averages = walshAverages(differences)
    let f = distribution(differences.count)
    var k = 0
    var tail = 0.0
    while k < averages.count / 2, tail + f[k] <= (1 - confidence) / 2 {
      tail += f[k]
      k += 1
    }
    guard k > 0 else {
      return Interval(
        low: averages[0], high: averages[averages.count - 1], confidence: max(0, 1 - 2 * f[0]))
    }
    return Interval(
      low: averages[k - 1], high: averages[averages.count - k], confidence: 1 - 2 * tail)
  }

  /// The same of many differences.
  private static func wide(_ differences: [Double], _ confidence: Double) -> Interval {
    let averages = PairRanks(meansOf: differences)
    let n = Double(differences.count)
    let spread = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
    let reach = normalQuantile(1 - (1 - confidence) / 2) * spread
    let k = max(1, Int(n * (n + 1) / 4 - 0.5 - reach))
    return Interval(
      low: averages[k - 1], high: averages[averages.count - k], confidence: confidence)
  }

  /// P(Z ≥ z) of a standard normal Z.
  private static func upperTail(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }

  /// The z below which a share of a standard normal distribution lies, by halving.
  package static func normalQuantile(_ share: Double) -> Double {
    var (low, high) = (-40.0, 40.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if upperTail(middle) > 1 - share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
