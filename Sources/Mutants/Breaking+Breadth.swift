import ReferenceEngine

extension Mutant {
  /// Engines that break a promise where a clause speaks of all, and one used to be asked.
  static let breadth: [Mutant] = [
    Mutant(
      "cancelling-saves-a-flush",
      "the commit behind a write that was cancelled is not flushed",
      breaking: .commitsBehindCancelledOnesAreFlushed, caughtBy: ["COMMIT-08"]),
    Mutant(
      "large-nodes-go-at-once",
      "the space of large nodes is used again without a look at who may read them",
      breaking: .largeNodesWaitForReaders, caughtBy: ["COMMIT-09"]),
    Mutant(
      "commits-beside-pins-write-all",
      "a commit writes everything there is while several older versions are held",
      breaking: .commitsBesidePinsWriteWhatChanged, caughtBy: ["COMMIT-10"]),
    Mutant(
      "pairs-are-never-reused",
      "what sorted pairs let go, as indexes and links backwards are kept, is not used again",
      breaking: .pairsAreReused, caughtBy: ["COMMIT-11"]),
    Mutant(
      "readers-open-the-version-before",
      "whoever opens a file that nobody has open, only to read it, finds the version before",
      breaking: .readersOpenTheNewest, caughtBy: ["COMMIT-12"]),
    Mutant(
      "async-writes-branch-off",
      "an asynchronous write begins on the version that its realm shows",
      breaking: .asyncWritesBeginOnTheNewest, caughtBy: ["COMMIT-13"]),
    Mutant(
      "blocks-leave-what-they-began",
      "a block that has committed, begun anew and thrown leaves the write open",
      breaking: .thrownBlocksEndWhatTheyBegan, caughtBy: ["WRITE-11"]),
    Mutant(
      "commits-under-way-count-as-writes",
      "a commit outside of a write is none, and no error, while an asynchronous one is under way",
      breaking: .commitsUnderWayAreNoWrites, caughtBy: ["WRITE-14"]),
    Mutant(
      "empty-async-commits-are-silent",
      "the realm's listeners are not told of an asynchronous commit of nothing",
      breaking: .emptyAsyncCommitsAreTold, caughtBy: ["WRITE-21"]),
    Mutant(
      "flushes-count-as-writes",
      "a realm says that it is in a write while an asynchronous commit of its is under way",
      breaking: .flushesAreNoWrites, caughtBy: ["WRITE-22"]),
    Mutant(
      "invalidated-blocks-are-committed",
      "invalidate in the block of an asynchronous write commits it",
      breaking: .asyncWritesAreInvalidated, caughtBy: ["LIFE-05"]),
    Mutant(
      "calls-of-own-work-invalidate",
      "invalidate in a listener's call works if the realm has written itself",
      breaking: .invalidationRestsInEachCall, caughtBy: ["LIFE-07"]),
    Mutant(
      "memory-keeps-what-was-cancelled",
      "a write that is cancelled is committed, in memory",
      breaking: .memoryUndoes, caughtBy: ["LIFE-09"]),
    Mutant(
      "invalidate-takes-frozen-ones",
      "invalidate takes the frozen realm along that was made last",
      breaking: .frozenOnesOutliveInvalidate, caughtBy: ["LIFE-18"]),
    Mutant(
      "cancelled-blocks-are-told",
      "a realm's listeners are told of asynchronous writes that were cancelled",
      breaking: .cancelledAsyncWritesAreNoNews, caughtBy: ["NOTIFY-33"]),
    Mutant(
      "sets-say-no-farewell",
      "a set whose owner is deleted says nothing",
      breaking: .deletedSetsSayFarewell, caughtBy: ["NOTIFY-39"]),
    Mutant(
      "descriptions-keep-the-version",
      "describing an object keeps its version for ever",
      breaking: .descriptionsPinNothing, caughtBy: ["GROW-05"]),
    Mutant(
      "forgetting-buries-the-newcomers",
      "where much that was taken back is forgotten at the begin of a write, what that adds is gone",
      breaking: .forgettingSparesTheRunningWrite, caughtBy: ["WRITE-19"]),
    Mutant(
      "ids-by-their-beginning",
      "UUIDs that begin alike are taken for one where they are looked for",
      breaking: .idsCountInFull, caughtBy: ["DATA-01"]),
    Mutant(
      "sums-of-members-in-half-a-word",
      "the sum of a collection's whole numbers is kept in 32 bits",
      breaking: .sumsOfMembersAreWhole, caughtBy: ["DATA-08"]),
    Mutant(
      "ranges-of-members-have-their-end",
      "a query for members within a range finds its upper bound, too",
      breaking: .rangesOfMembersEndBeforeTheirEnd, caughtBy: ["DATA-02"]),
    Mutant(
      "distinct-by-two",
      "of the properties that members are to be distinct by the third and later ones are ignored",
      breaking: .distinctByAllOfThem, caughtBy: ["DATA-06"]),
    Mutant(
      "stray-cancels-pass-beside-commits",
      "a cancel outside of a write is no mistake while a commit goes on in the background",
      breaking: .strayCancelsAreRefused, caughtBy: ["WRITE-13"]),
    Mutant(
      "subsets-by-size",
      "a set is a subset of each that is not smaller",
      breaking: .subsetsAreByMembers, caughtBy: ["DATA-13"]),
    Mutant(
      "fractions-are-cut",
      "a fraction that whole numbers are compared with is cut to a whole one",
      breaking: .fractionsAreNotCut, caughtBy: ["DATA-02"]),
    Mutant(
      "free-sets-are-frozen", "a set that no realm manages says that it is frozen",
      breaking: .freeSetsAreNotFrozen, caughtBy: ["FREEZE-11"]),
    Mutant(
      "frozen-sets-freeze-anew", "freezing a frozen set gives another one",
      breaking: .frozenSetsFreezeToThemselves, caughtBy: ["FREEZE-18"]),
    Mutant(
      "live-sets-thaw-anew", "thawing a live set gives another one",
      breaking: .liveSetsThawToThemselves, caughtBy: ["FREEZE-26"]),
    Mutant(
      "managed-sets-lessen-by-one",
      "of a managed set that is to be taken out of another one only the first member is",
      breaking: .managedSetsAreArguments, caughtBy: ["DATA-13"]),
    Mutant(
      "maps-tell-at-home", "whether a map is frozen is told at home only",
      breaking: .mapsTellEveryone, caughtBy: ["FREEZE-10", "CONFINE-09"]),
    Mutant(
      "free-maps-freeze", "a map that no realm manages freezes, and thaws, to itself",
      breaking: .freeMapsCannotBeFrozen, caughtBy: ["FREEZE-20", "FREEZE-32"]),
    Mutant(
      "gone-maps-freeze", "a map whose object was deleted freezes to itself",
      breaking: .goneMapsCannotBeFrozen, caughtBy: ["FREEZE-21"]),
    Mutant(
      "merged-maps-overwrite",
      "a map that is merged with another map takes its values whatever the block says",
      breaking: .mapsAreMergedAsAsked, caughtBy: ["DATA-13"]),
    Mutant(
      "free-maps-are-observed", "a listener to a map that no realm manages is never called",
      breaking: .freeMapsCannotBeObserved, caughtBy: ["NOTIFY-26"]),
    Mutant(
      "frozen-ones-are-the-same", "a frozen object is the same object as the live one",
      breaking: .sameObjectsAreOfOneRealm, caughtBy: ["FREEZE-40"]),
    Mutant(
      "large-cases-are-lost", "a case of an enumeration whose number is large becomes the first",
      breaking: .casesOfAllSizesAreKept, caughtBy: ["DATA-12"]),
    Mutant(
      "sequences-update", "of several objects the second and later ones update whoever is there",
      breaking: .sequencesKeepTheirPolicy, caughtBy: ["DATA-11"]),
    Mutant(
      "nothing-is-deleted-gladly", "deleting files that are not there says that they were",
      breaking: .absentFilesAreNotDeleted, caughtBy: ["LIFE-11"]),
    Mutant(
      "open-gives-another", "Realm.open gives an actor another realm than the one it has",
      breaking: .openGivesTheActorsRealm, caughtBy: ["ACTOR-10"]),
    Mutant(
      "strangers-observers-are-skipped",
      "tokens of another realm's objects and collections may be named, and are ignored",
      breaking: .allStrangersTokensAreRefused, caughtBy: ["NOTIFY-31"]),
    Mutant(
      "frozen-configurations-only-read",
      "the configuration of a frozen realm opens a read-only one",
      breaking: .frozenConfigurationsOpenAll, caughtBy: ["CONFINE-08"]),
    Mutant(
      "freezes-in-writes-are-old",
      "a freeze in a write gives what was frozen last, if anybody has that",
      breaking: .freezesInWritesAreOfTheirBegin, caughtBy: ["FREEZE-23"]),
    Mutant(
      "async-writes-are-refreshed", "a refresh in an asynchronous write says that it moved",
      breaking: .asyncWritesAreNotRefreshed, caughtBy: ["REFRESH-05"]),
    Mutant(
      "grouped-commits-of-nothing", "a commit that may be grouped is nothing outside of a write",
      breaking: .groupedCommitsNeedAWrite, caughtBy: ["ASYNC-34"]),
    Mutant(
      "first-key-paths-are-checked", "of several key paths those behind the first may name nothing",
      breaking: .eachKeyPathIsLookedAt, caughtBy: ["NOTIFY-15"]),
    Mutant(
      "paths-sort-upwards", "sorted by a typed key path, members go up whatever was asked",
      breaking: .pathsSortBothWays, caughtBy: ["DATA-05"]),
    Mutant(
      "autorefresh-rests-in-writes", "setting autorefresh in a write does nothing",
      breaking: .autorefreshIsSetInWrites, caughtBy: ["REFRESH-18"]),
  ]
}
