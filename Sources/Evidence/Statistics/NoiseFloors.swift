import Foundation

/// What a session's control says of its noise: of what was controlled itself, and the typical floor
/// for the rest.
///
/// A floor belongs to a number of rounds: an estimate of eight rounds is off by more than one of
/// twenty-four.
package struct NoiseFloors: Sendable {
  private let control: [Decision.Question]
  private let seed: UInt64
  private var floors: [Int: Floors] = [:]

  private struct Floors {
    var own: [String: Double] = [:]
    var typical: [String: Double] = [:]
  }

  /// Reads the floors off pairs of a build with itself, for verdicts on so many rounds.
  package init(_ control: [Decision.Question], rounds: [Int], seed: UInt64) {
    self.control = control.filter { $0.invalid == nil && !$0.differences.isEmpty }
    self.seed = seed
    for count in rounds { floors[count] = floors(for: count) }
  }

  /// From now on knows the floor of so many rounds, too.
  package mutating func learn(_ rounds: Int) {
    if floors[rounds] == nil { floors[rounds] = floors(for: rounds) }
  }

  private func floors(for rounds: Int) -> Floors {
    var found = Floors()
    var byMetric: [String: [Double]] = [:]
    for question in control {
      let floor = NoiseFloor.estimate(question.differences, rounds: rounds, seed: seed)
      found.own[NoiseFloors.key(question)] = floor
      byMetric[question.metric.name, default: []].append(floor)
    }
    found.typical = byMetric.mapValues(Quantiles.median)
    return found
  }

  private static func key(_ question: Decision.Question) -> String {
    "\(question.benchmark) \(question.engine) \(question.metric.name)"
  }

  /// The same question with the floor it is to be judged by.
  package func applied(to question: Decision.Question) -> Decision.Question {
    let count = question.differences.count
    guard !floors.isEmpty else { return question }
    var question = question
    question.noiseFloor = floor(of: question, rounds: count)
    return question
  }

  /// The floor of a question if it stood on so many rounds.
  package func floor(of question: Decision.Question, rounds count: Int) -> Double {
    // Rounds may be missing: the next number below that is known is a floor for more.
    let known = floors.keys.filter { $0 <= count }.max() ?? floors.keys.min()
    guard let found = known.flatMap({ floors[$0] }) else { return 0 }
    return found.own[NoiseFloors.key(question)] ?? found.typical[question.metric.name] ?? 0
  }

  /// The floor of durations on so many rounds, as a share: what a session says of itself.
  package func headline(rounds: Int) -> Double {
    let typical = (floors[rounds] ?? floors(for: rounds)).typical
    return exp(typical["time"] ?? Quantiles.median(Array(typical.values) + [0])) - 1
  }
}
