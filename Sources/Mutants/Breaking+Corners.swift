import ReferenceEngine

extension Mutant {
  /// Engines that break a promise where loops, names and openers meet.
  static let corners: [Mutant] = [
    Mutant(
      "loops-in-loops-are-deaf",
      "a loop that a callback turns hears nothing more once another one has ended in it",
      breaking: .loopsHearBehindInnerOnes, caughtBy: ["NOTIFY-21"])
  ]
}
