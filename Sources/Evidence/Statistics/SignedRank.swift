import Foundation

/// Wilcoxon's signed-rank test with its exact distribution, and the estimate that belongs to it.
///
/// Beyond 200 differences the distribution is the normal one, which by then lies within a
/// thousandth of it: the exact way would take minutes of a run of a thousand rounds, and never end
/// for ten thousand.
package enum SignedRank {
  /// The Hodges–Lehmann estimate: the median of all pairwise means, each value with itself
  /// included.
  package static func estimate(_ differences: [Double]) -> Double {
    WalshAverages(differences).median
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
    guard kept.count <= WalshAverages.mostExact else {
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

  /// The interval of the estimate that the test does not reject.
  package static func interval(_ differences: [Double], confidence: Double = 0.95) -> Interval {
    WalshAverages(differences).interval(tail: (1 - confidence) / 2)
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
