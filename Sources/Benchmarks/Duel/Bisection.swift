/// The search for the first revision that is worse, by halves.
///
/// Revisions stand oldest first; what lies before the first is known to be good, the last is known
/// to be worse. A revision that has no answer (it does not build, or this machine cannot tell) is
/// stepped over, and what cannot be narrowed any further stays a range.
package struct Bisection {
  package enum Answer: Hashable, Sendable {
    case good, worse
    case unclear(String)
  }

  /// One revision that was looked at, and what it said.
  package struct Step: Hashable, Sendable {
    package let place: Int
    package let answer: Answer
  }

  /// The suspects that are left, as places among the revisions: one if all went well.
  package private(set) var suspects: Range<Int>
  package private(set) var steps: [Step] = []
  private var unclear: Set<Int> = []

  package init(revisions: Int) {
    precondition(revisions > 0)
    suspects = 0..<revisions
  }

  /// About how many revisions will be asked of so many suspects.
  package static func sessions(_ suspects: Int) -> Int {
    suspects.bitWidth - max(0, suspects - 1).leadingZeroBitCount
  }

  /// The revision to ask next; nil when nothing is left to ask. The last suspect is known to be
  /// worse, so it is never asked.
  package var next: Int? {
    let middle = (suspects.lowerBound + suspects.upperBound - 1) / 2
    return suspects.dropLast().filter { !unclear.contains($0) }
      .min { (abs($0 - middle), $0) < (abs($1 - middle), $1) }
  }

  package mutating func take(_ answer: Answer, of place: Int) {
    precondition(place == next)
    steps.append(Step(place: place, answer: answer))
    switch answer {
    case .good: suspects = (place + 1)..<suspects.upperBound
    case .worse: suspects = suspects.lowerBound..<(place + 1)
    case .unclear: unclear.insert(place)
    }
  }

  /// What a comparison with the good revision says of the change that is looked for: is it there,
  /// or not? A duration has it if its interval lies beyond half of it, for no revision between has
  /// to carry all of it.
  package static func answer(
    _ row: Row, lookingFor whole: Row
  ) -> Answer {
    let half = whole.change / 2
    if row.low > half { return .worse }
    if row.high < half { return .good }
    return .unclear("between \(Bisection.percent(row.low)) and \(Bisection.percent(row.high))")
  }

  private static func percent(_ share: Double) -> String {
    let tenths = (share * 1000).rounded() / 10
    return "\(tenths < 0 ? "−" : "+")\(abs(tenths)) %"
  }
}

extension Bisection {
  /// A change for the worse and its interval, as shares.
  package struct Row: Hashable, Sendable {
    package let change, low, high: Double

    package init(change: Double, low: Double, high: Double) {
      (self.change, self.low, self.high) = (change, low, high)
    }
  }
}
