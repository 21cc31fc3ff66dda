import Foundation

/// What a session's control says of its noise: of what was controlled itself, and the typical floor
/// for the rest.
///
/// A floor is what the base was off from itself by, all its pairs together. What chance does to a
/// few pairs is not in it: that is each question's own, and in its interval already.
package struct NoiseFloors: Sendable {
  private var own: [String: Double] = [:]
  private var typical: [String: Double] = [:]

  /// Reads the floors off pairs of a build with itself.
  package init(_ control: [Decision.Question]) {
    var byMetric: [String: [Double]] = [:]
    for question in control where question.invalid == nil && !question.differences.isEmpty {
      let floor = abs(SignedRank.estimate(question.differences))
      own[NoiseFloors.key(question)] = floor
      byMetric[question.metric.name, default: []].append(floor)
    }
    typical = byMetric.mapValues(Quantiles.median)
  }

  private static func key(_ question: Decision.Question) -> String {
    "\(question.benchmark) \(question.engine) \(question.metric.name)"
  }

  /// The same question with the floor it is to be judged by.
  package func applied(to question: Decision.Question) -> Decision.Question {
    var question = question
    question.noiseFloor =
      own[NoiseFloors.key(question)] ?? typical[question.metric.name]
      ?? Quantiles.median(Array(own.values) + (own.isEmpty ? [0] : []))
    return question
  }

  /// The floor of durations, as a share: what a session says of itself.
  package var headline: Double {
    exp(typical["time"] ?? Quantiles.median(Array(typical.values) + [0])) - 1
  }
}
