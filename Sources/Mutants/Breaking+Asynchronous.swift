import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about asynchronous writes.
  static let asynchronous: [Mutant] = [
    Mutant(
      "async-calls-wait-for-the-lock", "asking for an asynchronous write waits for the lock",
      breaking: .callsTakeNoLock, caughtBy: ["ASYNC-02"]),
    Mutant(
      "blocks-get-a-life-of-their-own", "objects of before the call are invalid in the block",
      breaking: .blocksSeeTheCallersObjects, caughtBy: ["ASYNC-05"]),
    Mutant(
      "completes-before-the-end", "a completion is called inside the write, too",
      breaking: .completionsComeAfterTheWrite, caughtBy: ["ASYNC-07"]),
    Mutant(
      "unheard-failures-kill", "a failure without completion ends the process",
      breaking: .unheardFailuresPass, caughtBy: ["ASYNC-10"]),
    Mutant(
      "last-block-first", "the block queued last runs first",
      breaking: .blocksRunInOrder, caughtBy: ["ASYNC-11", "ASYNC-39"]),
    Mutant(
      "last-completion-first", "completions are called from the last commit to the first",
      breaking: .completionsComeInOrder, caughtBy: ["ASYNC-12"]),
    Mutant(
      "tells-before-it-is-under-way",
      "realm listeners are called before a commit in the background is under way",
      breaking: .listenersFindCommitsUnderWay, caughtBy: ["NOTIFY-32"]),
    Mutant(
      "writing-completions-overtake",
      "a completion that writes calls those of later commits before its neighbours",
      breaking: .writingCompletionsKeepTheOrder, caughtBy: ["ASYNC-33"]),
    Mutant(
      "busy-late", "a realm counts as busy when the lock is held",
      breaking: .busyFromTheCallOn, caughtBy: ["ASYNC-13", "ASYNC-16"]),
    Mutant(
      "busy-for-ever", "a realm that wrote asynchronously counts as busy for ever",
      breaking: .idleWhenAllIsDone, caughtBy: ["ASYNC-14", "ACTOR-19"]),
    Mutant(
      "busy-in-plain-writes", "a synchronous write counts as an asynchronous one",
      breaking: .plainWritesAreNotAsynchronous, caughtBy: ["ASYNC-15"]),
    Mutant(
      "closing-forgets-commits", "invalidate does not wait for asynchronous commits",
      breaking: .closingFinishesCommits, caughtBy: ["ASYNC-17"]),
    Mutant(
      "closing-keeps-what-waits", "blocks that have not begun outlive invalidate",
      breaking: .closingDropsWhatWaits, caughtBy: ["ASYNC-18"]),
    Mutant(
      "closing-leaves-the-wait", "invalidate does not wait for the lock it had asked for",
      breaking: .closingTakesTheLockBack, caughtBy: ["ASYNC-19"]),
    Mutant(
      "late-homes-lose-their-place", "who asked later is let in before a home that is late",
      breaking: .lateHomesKeepTheirPlace, caughtBy: ["ASYNC-19"]),
    Mutant(
      "shows-commits-late", "the committing realm does not show its asynchronous commit",
      breaking: .sealedWritesShowAtOnce, caughtBy: ["ASYNC-23"]),
    Mutant(
      "async-commits-for-async-begins", "commitAsyncWrite ends asynchronous writes only",
      breaking: .asyncCommitsEndAnyWrite, caughtBy: ["ASYNC-24"]),
    Mutant(
      "cancelling-clears-the-queue", "a block that cancels takes those behind it along",
      breaking: .queueOutlivesCancelledBlocks, caughtBy: ["ASYNC-25"]),
    Mutant(
      "one-id-for-all", "every asynchronous operation has the id 1",
      breaking: .idsAreUnique, caughtBy: ["ASYNC-26"]),
    Mutant(
      "cancels-no-block", "a block that was cancelled runs all the same",
      breaking: .cancellingDropsTheBlock, caughtBy: ["ASYNC-27"]),
    Mutant(
      "cancels-no-completion", "a completion that was cancelled is called all the same",
      breaking: .cancellingSilencesTheCompletion, caughtBy: ["ASYNC-28"]),
    Mutant(
      "cancels-a-neighbour", "cancelling what has ended drops another block",
      breaking: .unknownIdsNameNothing, caughtBy: ["ASYNC-29"]),
    Mutant(
      "cancels-the-running-block", "cancelling the block that runs rolls it back",
      breaking: .runningBlocksCannotBeCancelled, caughtBy: ["ASYNC-30"]),
    Mutant(
      "plain-writes-queue",
      "a synchronous write waits for the asynchronous ones that have not begun",
      breaking: .plainWritesGoFirst, caughtBy: ["ASYNC-36"]),
    Mutant(
      "queues-nothing-in-writes", "an asynchronous write cannot be asked for inside a write",
      breaking: .writesMayBeQueuedInWrites, caughtBy: ["ASYNC-38"]),
    Mutant(
      "plain-commits-finish-themselves",
      "a synchronous commit leaves earlier completions for later",
      breaking: .plainCommitsFinishEarlierOnes, caughtBy: ["ASYNC-40"]),
    Mutant(
      "begins-fail-during-flushes", "a synchronous begin fails while the disk works",
      breaking: .beginsWaitForTheFlush, caughtBy: ["ASYNC-41"]),
    Mutant(
      "unlocks-before-the-disk",
      "the lock is given up before an asynchronous commit is on the disk",
      breaking: .lockOutlastsTheFlush, caughtBy: ["ASYNC-43", "ASYNC-53", "ASYNC-52"]),
    Mutant(
      "groups-nothing", "each commit of a group is flushed by itself",
      breaking: .groupsShareTheirFlushes, caughtBy: ["ASYNC-48"]),
    Mutant(
      "groups-everything", "commits are grouped whether they allow it or not",
      breaking: .ungroupedCommitsAreBarriers, caughtBy: ["ASYNC-46"]),
    Mutant(
      "async-commits-are-silent", "an asynchronous commit does not tell its realm's listeners",
      breaking: .sealTellsListenersAtOnce, caughtBy: ["ASYNC-49"]),
    Mutant(
      "async-needs-autorefresh", "asynchronous writes are dropped where autorefresh is off",
      breaking: .asyncWritesNeedNoAutorefresh, caughtBy: ["ASYNC-50"]),
    Mutant(
      "pending-work-is-dropped", "asynchronous work goes away with the last reference to its realm",
      breaking: .pendingWorkKeepsTheRealm, caughtBy: ["ASYNC-51"]),
    Mutant(
      "flushes-at-home", "asynchronous commits go to the disk on the realm's thread",
      breaking: .flushesGoOnElsewhere, caughtBy: ["READ-14"]),
    Mutant(
      "async-write-returns-early", "asyncWrite returns before its commit is on the disk",
      breaking: .asyncWriteWaitsForTheDisk, caughtBy: ["ACTOR-14"]),
    Mutant(
      "tasks-share-a-turn", "every task that waits to write is let go at once",
      breaking: .tasksTakeTurns, caughtBy: ["ACTOR-20"]),
    Mutant(
      "holds-the-lock-for-its-home", "the lock is held until the home comes, whatever it waits for",
      breaking: .gateStaysOpenForBusyHomes, caughtBy: ["ASYNC-52"]),
    Mutant(
      "cancelled-tasks-write", "a task that was cancelled writes all the same",
      breaking: .cancelledTasksWriteNothing, caughtBy: ["ACTOR-18"]),
  ]
}
