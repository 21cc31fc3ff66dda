import ReferenceEngine

extension Mutant {
  /// A mutant that breaks one promise.
  init(_ name: String, _ story: String, breaking promise: Promise, caughtBy: [String]) {
    self.init(name, story, caughtBy: caughtBy, replacesFunctions: true) { _ in
      Fault.promise = promise
    }
  }

  /// Engines that break a promise, and nothing else.
  static let breaking: [Mutant] =
    reading + writing + confinement + asynchronous + references + refreshing + freezing + files
    + telling + actors + living + data + unplanned
    + unplannedSecond + unplannedThird + unplannedFourth + unplannedFifth + unplannedSixth
    + unplannedSeventh + unplannedEighth + unplannedNinth + unplannedTenth + unplannedEleventh
    + unplannedTwelfth + unplannedThirteenth + unplannedFourteenth + unplannedFifteenth
    + unplannedSixteenth + unplannedSeventeenth + unplannedEighteenth + unplannedNineteenth
    + unplannedTwentieth + unplannedTwentyFirst
    + breadth + unasked + meeting + tables + states + corners + afterwards
}
