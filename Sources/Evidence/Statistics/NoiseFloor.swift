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

  /// The same for an estimate of so many rounds: the 90th percentile of |estimate| over as many
  /// draws, with replacement, from the A/A differences. What the control itself was off by is in
  /// all of them; what is left of chance shrinks as the rounds grow.
  package static func estimate(
    _ differences: [Double], rounds: Int, draws: Int = 200, seed: UInt64
  ) -> Double {
    guard differences.count >= 2, rounds > 0 else { return 0 }
    var generator = SeededGenerator(seed: seed)
    let found = (0..<draws).map { _ in
      abs(
        SignedRank.estimate(
          (0..<rounds).map { _ in differences[generator.below(differences.count)] }))
    }
    return Quantiles.quantile(found, 0.9)
  }
}
