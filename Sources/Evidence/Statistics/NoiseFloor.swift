/// How large a difference this session shows between equal things.
package enum NoiseFloor {
  /// The 90th percentile of |estimate| over random halves of the A/A differences.
  package static func estimate(
    _ differences: [Double], splits: Int = 400, seed: UInt64
  ) -> Double {
    guard differences.count >= 2 else { return 0 }
    var generator = SeededGenerator(seed: seed)
    let half = (differences.count + 1) / 2
    var found: [Double] = []
    for _ in 0..<splits {
      let chosen = differences.indices.shuffled(using: &generator).prefix(half)
      found.append(abs(SignedRank.estimate(chosen.map { differences[$0] })))
    }
    return Quantiles.quantile(found, 0.9)
  }
}
