import ReferenceEngine

extension Mutant {
  /// Engines that answer all that a rule asks, and leave behind what only the questions see that
  /// every probe is asked at its end.
  static let afterwards: [Mutant] = [
    Mutant(
      "whoever-follows-rows-keeps-the-version",
      "the version in which it is looked up what became of a row is kept for good, under the one "
        + "kind of pin that no limit counts",
      breaking: .whoFollowsRowsLetsGo, caughtBy: ["REF-15"])
  ]
}
