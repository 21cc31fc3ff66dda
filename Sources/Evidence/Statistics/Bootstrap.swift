/// Intervals of statistics that have no theory of their own, by resampling rounds.
package enum Bootstrap {
  /// The percentile interval of a statistic; rounds are resampled, never single operations, as
  /// operations of one process resemble each other.
  package static func interval(
    _ rounds: [Double], resamples: Int = 10_000, confidence: Double = 0.95, seed: UInt64,
    _ statistic: ([Double]) -> Double
  ) -> (low: Double, high: Double) {
    guard !rounds.isEmpty else { return (.nan, .nan) }
    var generator = SeededGenerator(seed: seed)
    var sample = rounds
    var values: [Double] = []
    values.reserveCapacity(resamples)
    for _ in 0..<resamples {
      for i in sample.indices { sample[i] = rounds[generator.below(rounds.count)] }
      values.append(statistic(sample))
    }
    let outside = (1 - confidence) / 2
    return (Quantiles.quantile(values, outside), Quantiles.quantile(values, 1 - outside))
  }
}
