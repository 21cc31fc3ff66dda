import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the tenth set, listed in docs/UNPLANNED.md.
  static let unplannedTenth: [Mutant] = [
    Mutant(
      "bulk-deletions-leave-no-trace",
      "what was found before in a write is not found again after several objects were deleted "
        + "together",
      breaking: .deletedTogetherIsAChange, caughtBy: ["READ-11"]),
    Mutant(
      "first-text-lookups-find-nothing",
      "a lookup by a text as primary key begins no read",
      breaking: .textLookupsBeginARead, caughtBy: ["READ-10"]),
    Mutant(
      "blocks-that-ended-may-not-throw",
      "a write whose block throws is cancelled without a look whether it is still open",
      breaking: .endedBlocksMayThrow, caughtBy: ["WRITE-11"]),
    Mutant(
      "empty-ones-are-emptied-anywhere",
      "who empties a collection that is empty is let go before it is asked whether there is a "
        + "write",
      breaking: .emptyingNeedsAWrite, caughtBy: ["WRITE-16"]),
    Mutant(
      "known-linkers-are-open-to-all",
      "links backwards that were found last are given out without a look at the thread",
      breaking: .knownLinkersAreConfined, caughtBy: ["CONFINE-04"]),
    Mutant(
      "queues-hear-no-other-process",
      "realms of queues do not wait for their first turn to hear of other processes, and never do",
      breaking: .queuesHearOfOthers, caughtBy: ["QUEUE-08"]),
    Mutant(
      "only-global-queues-are-refused",
      "of concurrent queues only the global ones are known to be",
      breaking: .concurrentQueuesAreRefused, caughtBy: ["QUEUE-02"]),
    Mutant(
      "the-last-fills-the-gap",
      "the last block that waits takes the place of one that is cancelled",
      breaking: .cancellingKeepsTheOrder, caughtBy: ["ASYNC-11"]),
    Mutant(
      "plain-begins-commit-idly",
      "a commit counts as asynchronous work only if its write was begun asynchronously",
      breaking: .commitsOfPlainBeginsAreWork, caughtBy: ["ASYNC-13"]),
    Mutant(
      "cancelled-writes-wake-nobody",
      "blocks that were queued in a write are not woken when it is cancelled",
      breaking: .cancelledWritesWakeOthers, caughtBy: ["ASYNC-38"]),
    Mutant(
      "nested-requests-go-first",
      "what a block asks for goes before all that wait",
      breaking: .nestedRequestsGoLast, caughtBy: ["ASYNC-39"]),
    Mutant(
      "seen-to-be-gone-is-forgotten",
      "who finds that a variable's object is gone is not noted as having seen it",
      breaking: .goneIsRemembered, caughtBy: ["REF-25"]),
    Mutant(
      "references-mix-up-distinct",
      "a reference to results forgets that they are distinct",
      breaking: .referencesKnowDistinct, caughtBy: ["REF-02"]),
    Mutant(
      "new-classes-advance-the-realm",
      "the first use of a class brings the realm to the newest version",
      breaking: .newClassesLeaveTheVersion, caughtBy: ["REFRESH-10"]),
    Mutant(
      "large-refreshes-are-put-off",
      "a refresh over many changes is looked into elsewhere, and made later",
      breaking: .refreshDoesNotWait, caughtBy: ["REFRESH-03"]),
    Mutant(
      "late-classes-freeze-empty",
      "a class that was not used before its realm was frozen has no objects there",
      breaking: .lateClassesAreFrozen, caughtBy: ["FREEZE-06"]),
    Mutant(
      "known-snapshots-are-open-to-all",
      "the frozen realm of the version is given out without a look at the thread",
      breaking: .knownSnapshotsAreConfined, caughtBy: ["FREEZE-22"]),
    Mutant(
      "skipped-maps-remember",
      "a listener of a map is told later of what it was to skip",
      breaking: .skippedMapsGoOn, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "runs-end-one-early",
      "of a run of many changed rows the last one is not told",
      breaking: .runsAreToldToTheirEnd, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "collections-are-new-values",
      "the change of a property that is a collection tells it as new value",
      breaking: .collectionsHaveNoNewValue, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "knocks-in-calls-are-lost",
      "a listener that is added in a call waits for the next commit",
      breaking: .callsMayAddListeners, caughtBy: ["NOTIFY-38"]),
    Mutant(
      "one-listener-is-oneself",
      "a commit wakes other processes if more than one listens, as if this one did",
      breaking: .loneListenersAreWoken, caughtBy: ["NOTIFY-34"]),
    Mutant(
      "typed-paths-of-members-are-dropped",
      "a collection's listener on an actor drops its typed key paths",
      breaking: .typedPathsOfMembersCount, caughtBy: ["ACTOR-33"]),
    Mutant(
      "results-are-observed-anywhere",
      "who observes on a queue or an actor is not asked where it is called",
      breaking: .handingOverAsksForTheHome, caughtBy: ["ACTOR-34", "NOTIFY-29"]),
    Mutant(
      "births-keep-nothing",
      "a node is not kept for the version in which it was made",
      breaking: .birthVersionsCount, caughtBy: ["COMMIT-09"]),
    Mutant(
      "maps-are-written-whole",
      "the first change of a map in a write writes it anew as a whole",
      breaking: .keysCostLittle, caughtBy: ["COMMIT-10"]),
    Mutant(
      "emptied-classes-keep-their-trees",
      "deleting all there is lets go of no index and no links backwards",
      breaking: .emptiedClassesLetGo, caughtBy: ["COMMIT-11"]),
    Mutant(
      "frozen-versions-do-not-count",
      "a limit of versions counts those alone that live realms are on",
      breaking: .frozenVersionsCount, caughtBy: ["GROW-07"]),
    Mutant(
      "the-deleted-keep-their-lists",
      "the collections of deleted objects keep their space",
      breaking: .deletedListsLetGo, caughtBy: ["GROW-09"]),
    Mutant(
      "copies-know-no-way-back",
      "a copy made in a write has no links backwards",
      breaking: .copiesLinkBack, caughtBy: ["LIFE-14"]),
    Mutant(
      "memory-outlives-its-realms",
      "a realm in memory is kept when nobody has it open",
      breaking: .memoryEndsWithItsRealms, caughtBy: ["LIFE-08", "LIFE-09"]),
    Mutant(
      "copies-share-mixed-collections",
      "a copy of an object shares the collections in its mixed values",
      breaking: .copiesHaveOwnMixedCollections, caughtBy: ["LIFE-15"]),
    Mutant(
      "all-of-nothing-is-false",
      "ALL of no members is false",
      breaking: .allOfNothingIsTrue, caughtBy: ["DATA-02"]),
    Mutant(
      "not-takes-what-follows",
      "NOT is about all that is joined to it by AND",
      breaking: .notTakesOne, caughtBy: ["DATA-02"]),
    Mutant(
      "null-stays-first",
      "null comes first in either direction",
      breaking: .nullTurnsWithTheOrder, caughtBy: ["DATA-05"]),
    Mutant(
      "means-divide-by-all",
      "the mean is the sum divided by the number of members, nulls included",
      breaking: .meansLeaveOutNull, caughtBy: ["DATA-08"]),
    Mutant(
      "ranges-have-their-end",
      "a query for a range finds its upper bound, too",
      breaking: .rangesEndBeforeTheirEnd, caughtBy: ["DATA-02"]),
    Mutant(
      "nulls-are-not-indexed",
      "an index has no nulls",
      breaking: .nullsAreIndexed, caughtBy: ["DATA-04"]),
    Mutant(
      "late-indexes-are-empty",
      "an index that is added to a class has none of the objects that are there",
      breaking: .lateIndexesAreFilled, caughtBy: ["DATA-04"]),
    Mutant(
      "held-sets-stay-free",
      "a set that is held when its object is added stays free",
      breaking: .heldSetsAreAdopted, caughtBy: ["DATA-12"]),
  ]
}
