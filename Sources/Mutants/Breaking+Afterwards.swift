import ReferenceEngine

extension Mutant {
  /// Engines that answer all that a rule asks, and leave something behind: what the questions see
  /// that every probe is asked at its end, or what only counting shows.
  static let afterwards: [Mutant] = [
    Mutant(
      "whoever-follows-rows-keeps-the-version",
      "the version in which it is looked up what became of a row is kept for good, under the one "
        + "kind of pin that no limit counts",
      breaking: .whoFollowsRowsLetsGo, caughtBy: ["REF-15"]),
    Mutant(
      "a-frozen-version-leaves-a-file-open",
      "each version that is frozen opens the file once more, which nobody closes",
      breaking: .frozenVersionsCloseTheirFile, caughtBy: ["GROW-11"]),
    Mutant(
      "a-listener-leaves-a-thread",
      "each listener that ends leaves a thread that waits for it",
      breaking: .endedListenersEndTheirThread, caughtBy: ["GROW-11"]),
  ]
}
