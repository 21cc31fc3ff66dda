import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the eighth set of docs/UNPLANNED.md.
  static let unplannedEighth: [Mutant] = [
    Mutant(
      "map-loops-look-up-values",
      "a loop over a map takes its keys when it begins, looks each value up when it comes to it, "
        + "and passes over what is gone by then",
      breaking: .mapsAreWalkedAsBegun, caughtBy: ["READ-12"]),
    Mutant(
      "written-rows-stay-where-they-were",
      "the row that was written last is taken to be where it was after others of its class were "
        + "deleted together",
      breaking: .writtenRowsAreFoundAnew, caughtBy: ["READ-11"]),
    Mutant(
      "members-are-set-by-position",
      "a property of all members is set position by position, and not in those that there were "
        + "when it began",
      breaking: .membersAreSetAsBegun, caughtBy: ["DATA-12", "READ-05"]),
    Mutant(
      "lists-are-emptied-first",
      "a list is emptied before what it is to get is read",
      breaking: .assignedIsReadFirst, caughtBy: ["READ-12"]),
    Mutant(
      "only-the-last-return-counts",
      "of a key that was given twice in a write only the last time is noted",
      breaking: .everyReturnCounts, caughtBy: ["WRITE-19"]),
    Mutant(
      "known-members-need-no-write",
      "who adds what a set has already is let go before it is asked whether there is a write",
      breaking: .knownMembersNeedAWrite, caughtBy: ["WRITE-16"]),
    Mutant(
      "writes-outlive-their-thread",
      "a thread that ends in the middle of a write does not end the write if somebody else keeps "
        + "an object of the realm",
      breaking: .writesEndWithTheirThread, caughtBy: ["WRITE-23"]),
    Mutant(
      "deleted-ones-count-as-added",
      "an object of the realm is there already, also if it was deleted: adding it is nothing to "
        + "be done",
      breaking: .deletedOnesCannotBeAdded, caughtBy: ["WRITE-30"]),
    Mutant(
      "foreign-objects-have-no-place",
      "of an object of another realm it is known that it is in no list before it is looked who "
        + "asks",
      breaking: .placesAreAskedForAtHome, caughtBy: ["CONFINE-05"]),
    Mutant(
      "work-is-cancelled-anywhere",
      "cancelling asynchronous work does not ask where it is called",
      breaking: .workIsCancelledAtHome, caughtBy: ["CONFINE-01"]),
    Mutant(
      "other-queues-hide-the-main-thread",
      "code is on the main thread if no other queue's block runs there",
      breaking: .mainThreadStaysMain, caughtBy: ["QUEUE-05"]),
    Mutant(
      "main-thread-visits-no-queue",
      "what the main thread runs is taken for the main queue",
      breaking: .mainThreadVisitsQueues, caughtBy: ["QUEUE-05"]),
    Mutant(
      "urgent-ones-wake-nobody",
      "who needs its asynchronous turn at once is noted as urgent, but the thread that waits for "
        + "others to come is not woken",
      breaking: .urgentOnesWakeTheGate, caughtBy: ["ASYNC-52"]),
    Mutant(
      "dropped-blocks-complete",
      "blocks that invalidate drops are told so as tasks are",
      breaking: .droppedBlocksAreSilent, caughtBy: ["ASYNC-18"]),
    Mutant(
      "running-work-is-idle",
      "work counts as under way while it waits or is on its way to the disk, but not while it runs",
      breaking: .runningWorkIsBusy, caughtBy: ["ASYNC-14"]),
    Mutant(
      "failed-begins-are-no-completions",
      "a completion that is told that its write could not begin does not count as one",
      breaking: .failedBeginsAreCompletions, caughtBy: ["ASYNC-32"]),
    Mutant(
      "references-stay-before-their-write",
      "that a reference was made in a write is forgotten: the version before it will do",
      breaking: .referencesAwaitTheirWrite, caughtBy: ["REF-24", "REF-30"]),
    Mutant(
      "lost-commits-keep-references",
      "asynchronous commits that are lost end their references as if they were on the disk",
      breaking: .lostCommitsEndReferences, caughtBy: ["REF-15"]),
    Mutant(
      "frozen-references-look-ahead-only",
      "of a frozen object's row it is not asked what had become of it before the reference was "
        + "made",
      breaking: .frozenReferencesLookBack, caughtBy: ["REF-20"]),
    Mutant(
      "nameless-classes-lose-nothing",
      "what others delete is read for classes with a Swift type alone",
      breaking: .namelessClassesLoseRows, caughtBy: ["REFRESH-20"]),
    Mutant(
      "looked-into-is-decided",
      "a step that was looked into elsewhere is made although autorefresh was turned off meanwhile",
      breaking: .stepsAskForAutorefresh, caughtBy: ["REFRESH-11"]),
    Mutant(
      "signposts-stay",
      "what helps to find rows of large classes is not forgotten with the version that it is of",
      breaking: .signpostsFollowTheVersion, caughtBy: ["REFRESH-03"]),
    Mutant(
      "results-keep-any-owner",
      "of results of a list it is not asked whether its owner is another one by now",
      breaking: .resultsKnowTheirOwner, caughtBy: ["FREEZE-24"]),
    Mutant(
      "first-frozen-classes-are-all",
      "while something is frozen, deletions are read of the classes that its realm knew, and of "
        + "no others that are frozen later",
      breaking: .laterFrozenClassesAreFollowed, caughtBy: ["FREEZE-27"]),
    Mutant(
      "only-the-last-end-is-known",
      "of a row that has gone more than once only the last time is remembered",
      breaking: .everyEndIsKnown, caughtBy: ["FREEZE-27"]),
    Mutant(
      "unheard-listeners-are-skipped",
      "a listener that is to be skipped is skipped also if it has heard nothing yet",
      breaking: .unheardListenersGetAFirstCall, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "added-and-set-is-set",
      "a row that was added and then set is one that was set",
      breaking: .addedRowsStayAdded, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "sections-look-one-link-far",
      "a change concerns sections only in classes at most one link away",
      breaking: .sectionsLookFar, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "linkers-are-not-counted",
      "of links backwards it is looked who links, and not how often",
      breaking: .linkersAreToldByNumber, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "homes-turn-once",
      "a home that has had its first turn is never waited for again",
      breaking: .homesTurnForEachFile, caughtBy: ["NOTIFY-34"]),
    Mutant(
      "lent-turns-have-no-end",
      "the clock that lets others in is not set for a turn that a task was lent",
      breaking: .lentTurnsEnd, caughtBy: ["ACTOR-12"]),
    Mutant(
      "actors-are-their-executors",
      "an actor with an executor of its own is known by that",
      breaking: .actorsOnOneExecutorAreTwo, caughtBy: ["ACTOR-10"]),
    Mutant(
      "shared-failures-are-told-to-one",
      "of writers that share a flush only the one who brings it to the disk is told that it failed",
      breaking: .sharedFailuresAreToldToAll, caughtBy: ["COMMIT-08"]),
    Mutant(
      "writes-go-to-no-name",
      "whether the file still has its name is asked when it is opened, and not for a write",
      breaking: .writesGoToTheirName, caughtBy: ["LIFE-22"]),
    Mutant(
      "steps-that-were-made-are-kept",
      "what was found out for a step is kept when the step has been made",
      breaking: .stepsThatWereMadeAreLetGo, caughtBy: ["GROW-08"]),
    Mutant(
      "places-keep-their-kind",
      "a place that pins is given on with the kind of whoever had it before",
      breaking: .placesHaveTheirOwnersKind, caughtBy: ["GROW-07"]),
    Mutant(
      "called-completions-stay",
      "completions that have been called are kept with what they hold",
      breaking: .calledCompletionsGo, caughtBy: ["LIFE-08"]),
    Mutant(
      "opening-is-wanted-once-begun",
      "whether asyncOpen is still wanted is asked when the file is prepared, and not before the "
        + "call",
      breaking: .openingIsWantedToTheEnd, caughtBy: ["LIFE-19"]),
    Mutant(
      "numbers-come-from-behind-distinct",
      "numbers of a whole class are computed over all that satisfy the filter, also behind a "
        + "distinct",
      breaking: .numbersComeFromMembers, caughtBy: ["DATA-08"]),
    Mutant(
      "keys-are-in-order-anyway",
      "that members come in the order of their keys is believed of what another sort has put in "
        + "order, too",
      breaking: .laterSortsDecide, caughtBy: ["DATA-05"]),
  ]
}
