import Foundation

/// Where a series steps from one level to another.
package enum ChangePoints {
  package struct Step: Hashable, Sendable {
    /// The first place of the new level.
    package let index: Int
    /// How many times the old level the new one is.
    package let ratio: Double
    package let p: Double
  }

  /// Steps of at least `least`, found by splitting in two again and again where the rank sums
  /// differ most.
  ///
  /// The P-value of a split is that of the largest difference among `shuffles` random orders of the
  /// same values: no distribution is assumed, and looking at every place is paid for.
  package static func find(
    _ values: [Double], least: Double = 0.03, alpha: Double = 0.01, shuffles: Int = 999,
    seed: UInt64
  ) -> [Step] {
    var generator = SeededGenerator(seed: seed)
    var found: [Step] = []
    func search(_ range: Range<Int>) {
      guard range.count >= 8 else { return }
      let part = Array(values[range])
      let (first, score) = split(part)
      var beaten = 0
      for _ in 0..<shuffles where split(part.shuffled(using: &generator)).score >= score {
        beaten += 1
      }
      let p = Double(beaten + 1) / Double(shuffles + 1)
      let place = settled(part, near: first)
      let before = Quantiles.median(Array(part[..<place]))
      let after = Quantiles.median(Array(part[place...]))
      guard p <= alpha, before > 0, abs(after / before - 1) >= least else { return }
      found.append(Step(index: range.lowerBound + place, ratio: after / before, p: p))
      search(range.lowerBound..<range.lowerBound + place)
      search(range.lowerBound + place..<range.upperBound)
    }
    search(0..<values.count)
    return found.sorted { $0.index < $1.index }
  }

  /// The place near a split from which two levels fit best: ranks prefer splits in the middle, and
  /// are a run or two off where the last before the step happen to be the highest of theirs.
  private static func settled(_ values: [Double], near place: Int) -> Int {
    func misfit(_ place: Int) -> Double {
      [values[..<place], values[place...]].reduce(0) { sum, level in
        let middle = Quantiles.median(Array(level))
        return sum + level.reduce(0) { $0 + abs($1 - middle) }
      }
    }
    let near = max(3, place - 10)...max(3, min(values.count - 3, place + 10))
    return near.min { misfit($0) < misfit($1) } ?? place
  }

  /// The place, at least three from either end, where ranks before and after differ most.
  private static func split(_ values: [Double]) -> (place: Int, score: Double) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    for (rank, index) in order.enumerated() { ranks[index] = Double(rank + 1) }
    let n = Double(values.count)
    var sum = 0.0
    var best = (place: 3, score: 0.0)
    for place in 1..<values.count {
      sum += ranks[place - 1]
      guard place >= 3, values.count - place >= 3 else { continue }
      let k = Double(place)
      let spread = (k * (n - k) * (n + 1) / 12).squareRoot()
      let score = abs(sum - k * (n + 1) / 2) / spread
      if score > best.score { best = (place, score) }
    }
    return best
  }
}
