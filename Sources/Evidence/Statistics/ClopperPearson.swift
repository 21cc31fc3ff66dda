import Foundation

/// The exact interval of a proportion: what "0 false alarms of 100" really says.
package enum ClopperPearson {
  package static func interval(
    _ hits: Int, of trials: Int, confidence: Double = 0.95
  ) -> (low: Double, high: Double) {
    guard trials > 0 else { return (0, 1) }
    let outside = (1 - confidence) / 2
    return (
      hits == 0 ? 0 : betaQuantile(outside, Double(hits), Double(trials - hits + 1)),
      hits == trials ? 1 : betaQuantile(1 - outside, Double(hits + 1), Double(trials - hits))
    )
  }

  /// One-sided: with this confidence the proportion is no higher.
  package static func upperBound(_ hits: Int, of trials: Int, confidence: Double = 0.95) -> Double {
    guard trials > 0, hits < trials else { return 1 }
    return betaQuantile(confidence, Double(hits + 1), Double(trials - hits))
  }

  /// The x with I_x(a, b) = p, by halving: 200 steps reach the last bit.
  static func betaQuantile(_ p: Double, _ a: Double, _ b: Double) -> Double {
    var low = 0.0
    var high = 1.0
    for _ in 0..<200 where high - low > 0 {
      let middle = (low + high) / 2
      if middle == low || middle == high { break }
      if incompleteBeta(middle, a, b) < p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The regularised incomplete beta function by Lentz's continued fraction.
  static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast only left of the mean.
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
    // Two steps: as one expression it takes the compiler four seconds.
    let scale: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
    let front = exp(scale + a * log(x) + b * log1p(-x)) / a
    let tiny = 1e-300
    var c = 1.0
    var d = 1 - (a + b) * x / (a + 1)
    d = 1 / (abs(d) < tiny ? tiny : d)
    var f = d
    for m in 1...500 {
      let m = Double(m)
      let even: Double = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      let odd: Double = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      for coefficient in [even, odd] {
        d = 1 + coefficient * d
        d = 1 / (abs(d) < tiny ? tiny : d)
        c = 1 + coefficient / c
        if abs(c) < tiny { c = tiny }
        f *= c * d
      }
      if abs(c * d - 1) < 1e-16 { break }
    }
    return front * f
  }
}
