import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about freezing and thawing.
  static let freezing: [Mutant] = [
    Mutant(
      "freezes-nothing", "what was frozen is the live thing",
      breaking: .freezingTakesASnapshot,
      caughtBy: ["FREEZE-02", "FREEZE-06", "FREEZE-07", "FREEZE-10", "FREEZE-23"]),
    Mutant(
      "collections-do-not-freeze", "a frozen collection is the live one",
      breaking: .collectionsFreeze, caughtBy: ["FREEZE-01"]),
    Mutant(
      "freezes-in-place", "a realm that was frozen from advances no more",
      breaking: .freezingLeavesTheLiveAlone, caughtBy: ["FREEZE-03"]),
    Mutant(
      "freezing-copies", "freezing copies the data",
      breaking: .freezingCopiesNothing, caughtBy: ["FREEZE-05"]),
    Mutant(
      "freezes-live-objects", "live objects count as frozen when their realm was frozen",
      breaking: .freezingARealmFreezesNoObjects, caughtBy: ["FREEZE-08"]),
    Mutant(
      "frozen-queries-the-head", "queries of a frozen realm see the newest version",
      breaking: .frozenRealmsAnswerFromTheirVersion, caughtBy: ["FREEZE-09"]),
    Mutant(
      "confines-is-frozen", "isFrozen is told on the realm's thread only",
      breaking: .isFrozenIsForEveryone, caughtBy: ["FREEZE-10"]),
    Mutant(
      "free-objects-are-frozen", "objects without realm count as frozen",
      breaking: .freeThingsAreNotFrozen, caughtBy: ["FREEZE-11"]),
    Mutant(
      "freezes-again", "what is frozen is frozen again",
      breaking: .freezingAgainChangesNothing, caughtBy: ["FREEZE-18"]),
    Mutant(
      "freezes-anew-each-time", "every freeze of a version is another frozen realm",
      breaking: .oneVersionFreezesOnce, caughtBy: ["FREEZE-19"]),
    Mutant(
      "copies-each-view", "every frozen view has a copy of its own in the file",
      breaking: .viewsShareTheirVersion, caughtBy: ["GROW-06"]),
    Mutant(
      "thaws-nothing", "what was thawed is still frozen",
      breaking: .thawingComesToLife, caughtBy: ["FREEZE-25", "FREEZE-29", "FREEZE-31"]),
    Mutant(
      "thaws-the-live", "thawing what is live gives another view",
      breaking: .thawingTheLiveChangesNothing, caughtBy: ["FREEZE-26"]),
    Mutant(
      "thaws-to-the-frozen", "what is gone thaws to its frozen self",
      breaking: .thawingTheDeletedIsNil, caughtBy: ["FREEZE-27", "FREEZE-28"]),
    Mutant(
      "thawing-refreshes", "thawing refreshes the thread's realm",
      breaking: .thawingRefreshesNothing, caughtBy: ["FREEZE-29"]),
    Mutant(
      "lookups-find-the-frozen", "a lookup finds the frozen object if there is one",
      breaking: .lookupsInLiveRealmsAreLive, caughtBy: ["FREEZE-33"]),
    Mutant(
      "snapshots-pin-nothing", "a snapshot does not keep its version",
      breaking: .snapshotsArePinned, caughtBy: ["FREEZE-42", "FREEZE-37", "FREEZE-36"]),
    Mutant(
      "frozen-takes-the-live-along", "the last of a frozen realm closes the file",
      breaking: .frozenEndsAlone, caughtBy: ["FREEZE-38"]),
    Mutant(
      "reads-closed-frozen", "a frozen realm that was invalidated is read all the same",
      breaking: .closedFrozenIsUnreadable, caughtBy: ["FREEZE-39"]),
    Mutant(
      "compares-frozen-by-pointer", "frozen copies of one object differ",
      breaking: .frozenCopiesAreEqual, caughtBy: ["FREEZE-40"]),
    Mutant(
      "frozen-forgets-some-kinds", "some kinds of properties are empty in frozen objects",
      breaking: .frozenObjectsHaveAllValues, caughtBy: ["FREEZE-41"]),
  ]
}
