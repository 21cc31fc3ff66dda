import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind, and each one that Realm had and mended: the
  /// seventeenth set, listed in docs/UNPLANNED.md.
  static let unplannedSeventeenth: [Mutant] = [
    Mutant(
      "loops-end-with-what-they-delete",
      "a loop ends where its body deletes the object that it was given",
      breaking: .loopsOutliveTheirLast, caughtBy: ["READ-12"]),
    Mutant(
      "lone-embedded-classes-are-added-again",
      "a class of embedded objects that no other class has is written with each opening",
      breaking: .loneEmbeddedClassesAreKnown, caughtBy: ["READ-01", "NOTIFY-35"]),
    Mutant(
      "setting-nil-is-no-news-to-results",
      "results that were found before a property is set to nil are not found again",
      breaking: .nilIsAChange, caughtBy: ["READ-08"]),
    Mutant(
      "data-from-8-MB-on-is-refused",
      "the data of a property may have no more than 8 MB",
      breaking: .dataGoesToSixteenMegabytes, caughtBy: ["WRITE-34"]),
    Mutant(
      "nested-lists-keep-what-was-cancelled",
      "a list in a mixed value has what it had in the write after that was cancelled",
      breaking: .cancelledContentGoes, caughtBy: ["WRITE-18"]),
    Mutant(
      "empty-writes-cannot-be-cancelled",
      "cancelling a write in which nothing was changed ends the process",
      breaking: .emptyWritesCanBeCancelled, caughtBy: ["WRITE-11"]),
    Mutant(
      "rows-deleted-together-do-not-come-back",
      "what a cancelled write deleted many at once stays gone to those who hold it",
      breaking: .rowsDeletedTogetherComeBack, caughtBy: ["WRITE-20"]),
    Mutant(
      "frozen-maps-share-the-key-they-look-for",
      "threads that read a frozen map get each other's values",
      breaking: .frozenMapsAreReadApart, caughtBy: ["FREEZE-04"]),
    Mutant(
      "misuse-within-a-callback-passes",
      "nobody is stopped on a wrong thread while the realm's listeners are called",
      breaking: .callbacksAreConfined, caughtBy: ["CONFINE-05"]),
    Mutant(
      "queues-have-no-asynchronous-writes",
      "an asynchronous write in the realm of a queue ends the process",
      breaking: .queuesWriteAsynchronously, caughtBy: ["QUEUE-09"]),
    Mutant(
      "queues-are-lost-with-what-is-dropped-elsewhere",
      "a queue whose realm was let go of on another thread can open no other",
      breaking: .droppedElsewhereIsOpenedAgain, caughtBy: ["QUEUE-06"]),
    Mutant(
      "completions-come-inside-the-next-write",
      "completions that are due when a synchronous write begins are called in it",
      breaking: .completionsComeOutsideWrites, caughtBy: ["ASYNC-04"]),
    Mutant(
      "of-waiting-writers-some-are-forgotten",
      "of asynchronous writes that wait for the gate together only the first is let in",
      breaking: .waitersAreAllSent, caughtBy: ["ASYNC-52"]),
    Mutant(
      "invalidate-drops-the-completions-behind-it",
      "a completion that invalidates its realm takes those behind it with it",
      breaking: .invalidateCallsCompletions, caughtBy: ["ASYNC-17"]),
    Mutant(
      "invalidate-in-a-listener-loses-the-commit",
      "an invalidate in a listener's call takes back what is just being committed",
      breaking: .listenersTakeNoCommitBack, caughtBy: ["LIFE-07"]),
    Mutant(
      "read-only-realms-resolve-nothing",
      "a reference resolves to nil in a read-only realm",
      breaking: .readOnlyRealmsResolve, caughtBy: ["REF-19"]),
    Mutant(
      "handed-over-results-forget-their-list",
      "results of a list are handed over as those of all objects of the class",
      breaking: .handedOverResultsKnowTheirList, caughtBy: ["REF-01"]),
    Mutant(
      "results-of-gone-lists-end-who-resolves",
      "who resolves results of a list whose owner was deleted dies",
      breaking: .resultsOfGoneListsAreNil, caughtBy: ["REF-09"]),
    Mutant(
      "refresh-goes-where-the-worker-looks",
      "a refresh makes the step that is being looked into, and not the one to the newest version",
      breaking: .refreshPassesTheWorker, caughtBy: ["REFRESH-03"]),
    Mutant(
      "two-empty-commits-hide-the-third",
      "what was found stays as it was behind two empty commits and one that is not",
      breaking: .emptyCommitsHideNothing, caughtBy: ["REFRESH-03"]),
    Mutant(
      "commits-of-a-new-class-wake-nobody",
      "a commit that changes the schema is announced to nobody",
      breaking: .newClassesAreNews, caughtBy: ["REFRESH-09"]),
    Mutant(
      "frozen-results-end-with-their-list",
      "frozen results are invalidated when the live owner of their list is deleted",
      breaking: .frozenResultsOutliveTheirList, caughtBy: ["FREEZE-37"]),
    Mutant(
      "frozen-results-take-along-what-was-found",
      "frozen results have what the live ones found last, in whichever version",
      breaking: .frozenResultsAreFoundAnew, caughtBy: ["FREEZE-01"]),
    Mutant(
      "realms-with-lone-embedded-classes-cannot-be-frozen",
      "a realm that lists embedded classes which no other class has cannot be frozen",
      breaking: .loneEmbeddedClassesFreeze, caughtBy: ["FREEZE-01"]),
    Mutant(
      "skipping-twice-in-a-row-skips-once",
      "a token that two commits name, one right behind the other, is told of the second",
      breaking: .skippingIsRepeated, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "mixed-values-stay-linked-backwards",
      "a listener is told of an object that a mixed value does not lead to any more",
      breaking: .mixedLinksAreTakenBack, caughtBy: ["NOTIFY-09"]),
    Mutant(
      "sorted-modifications-are-told-unsorted",
      "modifications of ordered results are told by their places among the unordered ones",
      breaking: .sortedModificationsAreSorted, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "inner-collections-change-unheard",
      "nobody is told of changes within a collection in a mixed property",
      breaking: .innerChangesAreRecorded, caughtBy: ["NOTIFY-06", "NOTIFY-16"]),
    Mutant(
      "writes-in-a-callback-step-unheard",
      "listeners are told nothing of the step that a write in a listener's call makes",
      breaking: .beginsInCallsAreTold, caughtBy: ["NOTIFY-32"]),
    Mutant(
      "ending-a-listener-waits-for-its-home",
      "who ends a listener elsewhere waits until its home has the time",
      breaking: .endsWaitForNobody, caughtBy: ["NOTIFY-24"]),
    Mutant(
      "refreshes-without-news-wait-for-some",
      "a task that refreshes a realm which is up to date waits for the next commit",
      breaking: .refreshesEndWithoutNews, caughtBy: ["ACTOR-22"]),
    Mutant(
      "compacted-files-give-a-node-away",
      "the first writer of a file that was copied or compacted has one of its nodes for free",
      breaking: .copiedFilesKeepTheirNodes, caughtBy: ["COMMIT-05"]),
    Mutant(
      "migrations-commit-before-their-block",
      "a migration commits the new schema before it runs its block",
      breaking: .migrationsAreOneCommit, caughtBy: ["COMMIT-04"]),
    Mutant(
      "commits-that-lengthen-the-file-flush-once",
      "the nodes of a commit that makes the file longer are not flushed before its slot",
      breaking: .longerFilesAreFlushedFirst, caughtBy: ["COMMIT-02"]),
    Mutant(
      "limits-count-from-the-oldest-version",
      "all versions since the oldest that is read count as active",
      breaking: .versionsBetweenDoNotCount, caughtBy: ["GROW-07"]),
    Mutant(
      "map-listeners-keep-their-first-version",
      "a listener of a map keeps the version of its first call for good",
      breaking: .mapListenersLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "copies-that-failed-are-named-as-well",
      "a copy that could not be written to its end takes the file's place",
      breaking: .failedCopiesAreDropped, caughtBy: ["LIFE-25"]),
    Mutant(
      "copies-cannot-be-copied",
      "a file that nobody has committed to since it was copied cannot be copied",
      breaking: .copiesCanBeCopied, caughtBy: ["LIFE-23"]),
    Mutant(
      "mixed-links-set-again-are-forgotten",
      "an object leaves a mixed value that was set to it twice where it is when it is deleted",
      breaking: .linksSetAgainStay, caughtBy: ["DATA-10"]),
  ]
}
