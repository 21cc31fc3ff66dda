import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the fourteenth set, listed in docs/UNPLANNED.md.
  static let unplannedFourteenth: [Mutant] = [
    Mutant(
      "questions-look-at-their-own-class",
      "what a question has found is kept until an object of its own class changes",
      breaking: .questionsLookOverLinks, caughtBy: ["READ-08", "REFRESH-03"]),
    Mutant(
      "filters-of-filters-keep-their-members",
      "who narrows what was found already looks among those members for ever",
      breaking: .filtersOfFiltersFollow, caughtBy: ["READ-08"]),
    Mutant(
      "the-end-is-heard-early",
      "an object is gone as soon as the newest version lacks it",
      breaking: .endsAreHeardWithTheStep, caughtBy: ["READ-15", "READ-05"]),
    Mutant(
      "limits-count-letters",
      "the letters of a text are counted against the limit, and not its bytes",
      breaking: .bytesAreCounted, caughtBy: ["WRITE-34"]),
    Mutant(
      "begins-give-up",
      "a begin waits for two seconds, and fails then",
      breaking: .beginsWaitForTheirTurn, caughtBy: ["WRITE-03"]),
    Mutant(
      "looking-lets-others-in",
      "closing the file once more lets go of the process's write lock",
      breaking: .lockedUntilTheWriteEnds, caughtBy: ["WRITE-02"]),
    Mutant(
      "free-objects-are-deleted-gladly",
      "deleting what no realm manages is nothing",
      breaking: .onlyOwnOnesAreDeleted, caughtBy: ["WRITE-31"]),
    Mutant(
      "the-dead-leave-their-realms",
      "what is of a thread that has ended may be used on any",
      breaking: .theDeadAreNobodysHosts, caughtBy: ["CONFINE-01", "CONFINE-02"]),
    Mutant(
      "realms-with-blocks-are-new",
      "a configuration with a block in it opens another realm each time",
      breaking: .blocksMakeNoOther, caughtBy: ["CONFINE-10"]),
    Mutant(
      "queues-are-what-they-target",
      "a queue is concurrent if the one is that it targets",
      breaking: .queuesAreWhatTheyAre, caughtBy: ["QUEUE-01"]),
    Mutant(
      "resting-queues-hear-nothing",
      "a queue's realm that does not autorefresh is not told of others' commits",
      breaking: .restingQueuesHear, caughtBy: ["QUEUE-08"]),
    Mutant(
      "ids-begin-anew",
      "ids begin at one again when nothing is under way",
      breaking: .idsGoOn, caughtBy: ["ASYNC-29"]),
    Mutant(
      "nested-blocks-join-their-write",
      "what writeAsync is given in an asynchronous block runs at once",
      breaking: .nestedBlocksWait, caughtBy: ["ASYNC-39"]),
    Mutant(
      "memory-completes-at-once",
      "in memory a completion is called inside the commit",
      breaking: .memoryCompletesLater, caughtBy: ["ASYNC-06"]),
    Mutant(
      "unchanged-blocks-complete-silently",
      "the completion of a block that has changed nothing is not called",
      breaking: .unchangedBlocksComplete, caughtBy: ["ASYNC-06"]),
    Mutant(
      "owned-objects-stay-home",
      "an embedded object cannot be referred to",
      breaking: .ownedOnesTravel, caughtBy: ["REF-01"]),
    Mutant(
      "results-take-their-realm-back",
      "a reference that keeps a version brings the realm back to it",
      breaking: .newerRealmsAreNotTakenBack, caughtBy: ["REF-12"]),
    Mutant(
      "names-lead-nowhere-else",
      "what was found by its class's name resolves to nothing",
      breaking: .namedOnesTravel, caughtBy: ["REF-01"]),
    Mutant(
      "cancelled-writes-go-back",
      "a cancelled write shows the version that was shown before its begin",
      breaking: .cancelledWritesStay, caughtBy: ["REFRESH-15"]),
    Mutant(
      "unread-realms-have-nothing-to-refresh",
      "a realm without a version is not refreshed",
      breaking: .unreadRealmsRefresh, caughtBy: ["REFRESH-04"]),
    Mutant(
      "rings-are-throttled",
      "what is committed within ten milliseconds of the last news is no news",
      breaking: .ringsAreMadeUpFor, caughtBy: ["REFRESH-09"]),
    Mutant(
      "frozen-versions-are-equal",
      "frozen objects of one row are equal, whatever their versions",
      breaking: .frozenVersionsDiffer, caughtBy: ["FREEZE-40"]),
    Mutant(
      "thawed-results-have-their-answer",
      "thawed results have the members that the frozen ones had",
      breaking: .thawedResultsAskAnew, caughtBy: ["FREEZE-30"]),
    Mutant(
      "read-only-realms-are-frozen-already",
      "what is of a read-only realm freezes to itself",
      breaking: .readOnlyRealmsFreeze, caughtBy: ["FREEZE-01"]),
    Mutant(
      "told-as-often-as-set",
      "a property that several commits have set is told several times",
      breaking: .setOftenIsToldOnce, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "keys-are-of-no-class",
      "an object's listener is told of another class's row with the same key",
      breaking: .rowsAreOfAClass, caughtBy: ["NOTIFY-09"]),
    Mutant(
      "hidden-twins-are-not-heard",
      "changes of objects that are alike to a member of distinct results are not heard",
      breaking: .hiddenTwinsAreHeard, caughtBy: ["NOTIFY-13"]),
    Mutant(
      "what-came-and-went-is-told",
      "a list that was written to is told of, whatever came of it",
      breaking: .nothingIsNotTold, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "keys-that-lose-their-value-are-silent",
      "a map's key whose value becomes null is not told",
      breaking: .lostValuesAreTold, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "second-refreshes-are-refused",
      "asyncRefresh is false while another task waits for it",
      breaking: .refreshesMayMeet, caughtBy: ["ACTOR-23"]),
    Mutant(
      "cancelled-late-and-written",
      "a task that is cancelled in its block has written, and is told that it was cancelled",
      breaking: .lateCancelsPass, caughtBy: ["ACTOR-14"]),
    Mutant(
      "large-writes-go-in-parts",
      "a write is committed after every ten thousand objects that it adds",
      breaking: .largeWritesAreOneCommit, caughtBy: ["COMMIT-01"]),
    Mutant(
      "one-bad-slot-spoils-the-file",
      "a file of whose two slots one is torn is refused",
      breaking: .oneWholeSlotWillDo, caughtBy: ["COMMIT-04"]),
    Mutant(
      "the-oldest-keeps-everything",
      "what was let go after the oldest version that is held is not used again",
      breaking: .laterOnesAreLetGo, caughtBy: ["GROW-04"]),
    Mutant(
      "migrations-keep-the-old-version",
      "the version before a migration stays as long as the realm that migrated",
      breaking: .migrationsLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "closed-files-linger",
      "a file is closed a second after its last realm has gone",
      breaking: .lastOnesCloseTheFile, caughtBy: ["LIFE-08", "LIFE-09", "LIFE-11"]),
    Mutant(
      "invalidation-ends-all-listeners",
      "invalidate ends the realm's own listeners, too",
      breaking: .realmListenersStay, caughtBy: ["LIFE-04", "NOTIFY-01"]),
    Mutant(
      "negative-fractions-sort-backwards",
      "negative fractions are sorted from the greatest down",
      breaking: .negativeFractionsAscend, caughtBy: ["DATA-05"]),
    Mutant(
      "offsets-are-taken-from-the-front",
      "elements are taken out one after the other, wherever the offset leads by then",
      breaking: .offsetsAreOfTheBeginning, caughtBy: ["DATA-13"]),
  ]
}
