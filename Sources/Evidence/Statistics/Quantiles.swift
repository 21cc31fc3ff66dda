/// Order statistics of a handful of rounds.
package enum Quantiles {
  /// The middle value, or the mean of the two middle ones.
  package static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The value below which a share lies, interpolated as SciPy and R (type 7) do.
  package static func quantile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// An interval of the median from order statistics: no assumption about the distribution.
  ///
  /// Below six values no interval is 95 % sure: then it is the whole range, with the confidence it
  /// has.
  package static func medianInterval(
    _ values: [Double], confidence: Double = 0.95
  ) -> (low: Double, high: Double, confidence: Double) {
    guard !values.isEmpty else { return (.nan, .nan, 0) }
    let sorted = values.sorted()
    let n = sorted.count
    // Of so many the least shares are no numbers any more, and those of a line are as good.
    if n > 1000 {
      let reach = SignedRank.normalQuantile(1 - (1 - confidence) / 2) * Double(n).squareRoot() / 2
      let rank = Int(Double(n) / 2 - 0.5 - reach)
      return (sorted[rank], sorted[n - 1 - rank], confidence)
    }
    // P(Bin(n, ½) ≤ j), summed until it passes half of what may be wrong.
    var term = 1.0
    for _ in 0..<n { term /= 2 }
    var tail = 0.0
    var inside = 0.0
    var rank = 0
    for j in 0..<(n + 1) / 2 {
      tail += term
      guard tail <= (1 - confidence) / 2 else { break }
      inside = 1 - 2 * tail
      rank = j + 1
      term *= Double(n - j) / Double(j + 1)
    }
    guard rank > 0 else {
      var outside = 2.0
      for _ in 0..<n { outside /= 2 }
      return (sorted[0], sorted[n - 1], max(0, 1 - outside))
    }
    return (sorted[rank - 1], sorted[n - rank], inside)
  }

  /// Median absolute deviation from the median.
  package static func deviation(_ values: [Double]) -> Double {
    let middle = median(values)
    return median(values.map { abs($0 - middle) })
  }

  package static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.reduce(0, +) / Double(values.count)
  }
}
