import Foundation

/// Student's t distribution, for tools that expect its intervals.
package enum StudentT {
  /// The value that a share of the distribution lies below; shares above one half.
  package static func quantile(_ share: Double, freedom: Double) -> Double {
    // With x = ν/(ν + t²), P(T > t) = ½ I_x(ν/2, ½).
    let x = ClopperPearson.betaQuantile(2 * (1 - share), freedom / 2, 0.5)
    return (freedom * (1 - x) / x).squareRoot()
  }
}
