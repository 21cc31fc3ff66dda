import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about listeners.
  static let telling: [Mutant] = [
    Mutant(
      "modifications-in-new-positions", "modifications are positions of after the change",
      breaking: .modificationsAreOldPositions, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "large-steps-lose-a-row", "the last of many members that come is not told",
      breaking: .largeStepsAreExact, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "compares-values", "setting a property to its value is no change",
      breaking: .sameValuesCountAsChanges, caughtBy: ["NOTIFY-08"]),
    Mutant(
      "tells-of-every-commit", "every commit calls every collection's listeners",
      breaking: .untouchedCollectionsAreSilent, caughtBy: ["NOTIFY-09", "NOTIFY-10", "NOTIFY-20"]),
    Mutant(
      "looks-over-no-links", "a collection's listeners do not hear of what its members link to",
      breaking: .collectionsLookOverLinks, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "objects-look-over-links", "an object's listeners hear of what it links to",
      breaking: .objectsLookAtThemselves, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "ignores-key-paths", "key paths are not looked at",
      breaking: .keyPathsFilter, caughtBy: ["NOTIFY-12", "NOTIFY-14", "ACTOR-33"]),
    Mutant(
      "key-paths-hide-comings-and-goings", "members that come and go are hidden by key paths",
      breaking: .comingsAndGoingsAlwaysCount, caughtBy: ["NOTIFY-13"]),
    Mutant(
      "no-key-path-means-all", "no key path at all counts as all of them",
      breaking: .emptyKeyPathsAreShallow, caughtBy: ["NOTIFY-14"]),
    Mutant(
      "forgets-old-values", "a property's change does not tell the value of before",
      breaking: .changesTellTheOldValue, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "tells-before-the-step", "listeners are called before the realm advances",
      breaking: .newsComeAfterTheStep, caughtBy: ["NOTIFY-18"]),
    Mutant(
      "tells-again-and-again", "what a listener was told it is told again",
      breaking: .listenersKnowWhatTheyWereTold, caughtBy: ["NOTIFY-20"]),
    Mutant(
      "listens-where-it-stands",
      "a listener on a queue or an actor is called where it was registered",
      breaking: .listenersComeToTheirHome, caughtBy: ["NOTIFY-22", "ACTOR-29", "ACTOR-30"]),
    Mutant(
      "tokens-outlive-themselves", "a token that nobody holds does not end its listener",
      breaking: .droppedTokensEnd, caughtBy: ["NOTIFY-23"]),
    Mutant(
      "tokens-end-twice", "every invalidate of a token is true",
      breaking: .tokensEndOnce, caughtBy: ["NOTIFY-24"]),
    Mutant(
      "ended-tokens-register", "a listener is registered though its token has ended",
      breaking: .endedTokensRegisterNothing, caughtBy: ["NOTIFY-25"]),
    Mutant(
      "tells-the-skipped-later", "what a write passed over is told later",
      breaking: .skippedChangesStaySkipped, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "listeners-may-not-write", "a listener's call cannot begin a write",
      breaking: .listenersMayWrite, caughtBy: ["NOTIFY-32", "ASYNC-55"]),
    Mutant(
      "tells-of-cancelled-writes", "listeners are told of cancelled writes",
      breaking: .cancelledWritesAreNoNews, caughtBy: ["NOTIFY-33"]),
    Mutant(
      "tells-of-openings", "listeners are told when another process opens the file",
      breaking: .openingIsNoNews, caughtBy: ["NOTIFY-35"]),
    Mutant(
      "tells-one-thread-at-a-time", "a listener holds up those of other threads",
      breaking: .listenersHoldUpNobody, caughtBy: ["NOTIFY-36"]),
    Mutant(
      "tells-with-copies", "a listener is called with another collection than its own",
      breaking: .listenersGetTheirCollection, caughtBy: ["NOTIFY-37"]),
    Mutant(
      "removal-takes-neighbours", "a listener that ends takes its neighbours along",
      breaking: .neighboursSurviveARemoval, caughtBy: ["NOTIFY-38"]),
    Mutant(
      "deleted-lists-are-silent", "nobody is told when a list's owner is deleted",
      breaking: .deletedListsSayFarewell, caughtBy: ["NOTIFY-39"]),
    Mutant(
      "deletion-is-told-again", "the deletion of an object is told again and again",
      breaking: .deletionIsToldOnce, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "late-listeners-hear-nothing", "an object goes before its listener comes, who hears nothing",
      breaking: .lateListenersHearTheEnd, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "links-backwards-are-nameless", "a change over links backwards names no property",
      breaking: .linksBackwardsAreNamed, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "first-calls-after-writes", "a listener's first call holds what its realm writes meanwhile",
      breaking: .firstCallsComeBeforeWrites, caughtBy: ["NOTIFY-05"]),
    Mutant(
      "deaf-to-other-rows", "a query is told of none but its own objects' changes",
      breaking: .othersDecideWhoIsAMember, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "listeners-know-where-rows-wait",
      "a listener that comes between the commits of a group knows rows by where they wait",
      breaking: .listenersKnowRowsForGood, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "tells-what-begins-change",
      "what a listener changes in a begin counts for those behind it as what came before",
      breaking: .changesOfABeginAreToldLater, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "swaps-comings-and-goings", "insertions are told as deletions",
      breaking: .changesListTheirPositions, caughtBy: ["NOTIFY-06"]),
  ]
}
