import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the sixteenth set, listed in
  /// docs/UNPLANNED.md.
  static let unplannedSixteenth: [Mutant] = [
    Mutant(
      "loops-keep-the-first-rows-lists",
      "the lists that a loop reads are those of the first row, on every row",
      breaking: .loopsListsAreTheirRows, caughtBy: ["READ-12"]),
    Mutant(
      "sections-stay-as-the-write-found-them",
      "in a write sections stay as they were when somebody asked for them last",
      breaking: .sectionsFollowOwnWrites, caughtBy: ["READ-08"]),
    Mutant(
      "opens-compare-the-schema-under-the-lock",
      "whoever opens a realm that names its classes waits for the write lock first",
      breaking: .opensCompareWithoutTheLock, caughtBy: ["READ-01", "READ-02"]),
    Mutant(
      "adding-again-writes-again",
      "an object that is added again with the policy `.all` counts as written",
      breaking: .addingAgainWritesNothing, caughtBy: ["WRITE-30"]),
    Mutant(
      "cancelled-runs-take-back-their-first-row",
      "of objects that a cancelled write added one behind the other only the first stays invalid",
      breaking: .cancelledRunsAreTakenBackWhole, caughtBy: ["WRITE-19"]),
    Mutant(
      "elements-may-be-of-any-length",
      "a text or data of 16 MB can be put into a collection",
      breaking: .elementsAreMeasured, caughtBy: ["WRITE-34"]),
    Mutant(
      "known-counts-may-be-asked-anywhere",
      "results whose count is known give it on any thread",
      breaking: .countsAreConfined, caughtBy: ["CONFINE-05", "CONFINE-04"]),
    Mutant(
      "copies-are-written-from-anywhere",
      "a realm is copied on any thread",
      breaking: .copiesAreConfined, caughtBy: ["CONFINE-01"]),
    Mutant(
      "open-queues-are-opened-from-anywhere",
      "a queue's realm that is open is given to who opens it elsewhere",
      breaking: .openQueuesAreConfined, caughtBy: ["QUEUE-03"]),
    Mutant(
      "spare-flushes-end-where-they-ran",
      "the thread that flushes while the first is on its way home calls the completions itself",
      breaking: .spareFlushesEndAtHome, caughtBy: ["QUEUE-09", "ASYNC-06"]),
    Mutant(
      "late-tasks-go-to-the-end",
      "a task whose turn was taken back waits behind those that were queued after it",
      breaking: .lateTasksKeepTheirPlace, caughtBy: ["ASYNC-11"]),
    Mutant(
      "listeners-writes-wait-for-a-write",
      "an asynchronous write that a listener begins asks for no turn",
      breaking: .listenersWritesAskAtOnce, caughtBy: ["ASYNC-55"]),
    Mutant(
      "the-first-of-a-group-takes-the-error",
      "of a group that fails the first completion is told, and the others of success",
      breaking: .groupsAllHearOfTheFailure, caughtBy: ["ASYNC-09"]),
    Mutant(
      "erased-references-forget-their-order",
      "a reference to an erased collection carries no order",
      breaking: .erasedReferencesKeepTheirOrder, caughtBy: ["REF-02"]),
    Mutant(
      "what-was-nil-once-stays-nil",
      "a variable that was nil when it was read is nil for ever",
      breaking: .variablesComeBack, caughtBy: ["REF-25"]),
    Mutant(
      "frozen-things-name-no-version",
      "a reference to something frozen does not bring the realm to its version",
      breaking: .frozenThingsNameTheirVersion, caughtBy: ["REF-20"]),
    Mutant(
      "nested-lists-stay-as-found",
      "a list in a mixed value shows after a refresh what it showed before",
      breaking: .nestedListsAreFoundAnew, caughtBy: ["REFRESH-03"]),
    Mutant(
      "realm-listeners-may-refresh",
      "a realm moves, or ends, in the call of one of its own listeners that asks for it",
      breaking: .realmListenersAreTelling, caughtBy: ["REFRESH-06", "LIFE-07"]),
    Mutant(
      "behind-is-said-once",
      "a realm without autorefresh is told once that it is behind, and never again",
      breaking: .behindIsSaidAgain, caughtBy: ["REFRESH-13"]),
    Mutant(
      "replaced-objects-freeze-as-the-old-ones",
      "an object that a write has put in another's place is frozen as that other one",
      breaking: .replacedObjectsAreNotFrozen, caughtBy: ["FREEZE-24"]),
    Mutant(
      "frozen-results-can-be-deleted",
      "a live realm deletes the objects of frozen results",
      breaking: .frozenResultsAreNotDeleted, caughtBy: ["FREEZE-16"]),
    Mutant(
      "listeners-of-one-query-share-key-paths",
      "what the first listener of results is told the others are told, whatever their key paths",
      breaking: .listenersHaveTheirOwnReach, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "after-own-writes-nobody-knows-the-old",
      "once a realm has written itself no listener is told an old value",
      breaking: .ownWorkEndsWithOthers, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "many-changes-shift-no-insertions",
      "where many rows have changed insertions are told as if nothing had come or gone before",
      breaking: .manyChangesShiftInsertions, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "commits-before-the-first-turn-are-missed",
      "what another process commits before the first turn of the loop is told with its next commit",
      breaking: .earlyCommitsAreHeard, caughtBy: ["NOTIFY-34", "NOTIFY-01"]),
    Mutant(
      "results-of-an-actor-are-observed-from-anywhere",
      "the results of an actor's realm can be observed from outside of the actor",
      breaking: .actorsResultsAreConfined, caughtBy: ["ACTOR-34"]),
    Mutant(
      "files-are-as-long-as-they-were",
      "a writer does not ask how long the file is after another process has written",
      breaking: .filesAreMeasured, caughtBy: ["COMMIT-09"]),
    Mutant(
      "copies-are-named-before-they-are-flushed",
      "a file that is made as a copy gets its name without having been flushed",
      breaking: .copiesAreFlushedBeforeTheirNames, caughtBy: ["COMMIT-08"]),
    Mutant(
      "told-forecasts-keep-their-versions",
      "what was found out elsewhere about a step is kept, with its versions, after it was told",
      breaking: .toldForecastsGo, caughtBy: ["GROW-08"]),
    Mutant(
      "asynchronous-writes-know-no-limit",
      "asynchronous writes begin however many versions are alive",
      breaking: .asynchronousWritesKnowTheLimit, caughtBy: ["GROW-07"]),
    Mutant(
      "async-opens-forget-the-queue",
      "asyncOpen opens the realm for the thread that runs the queue's block",
      breaking: .asyncOpensAreForTheirQueue, caughtBy: ["LIFE-19"]),
    Mutant(
      "first-matches-are-never-below-zero",
      "the first of what an index finds is the one with the least key that is not below zero",
      breaking: .firstMatchesMayBeBelowZero, caughtBy: ["DATA-07"]),
    Mutant(
      "indexes-forget-to-ignore-case",
      "a comparison that ignores case is looked up in an index that does not",
      breaking: .indexesMindCase, caughtBy: ["DATA-03"]),
  ]
}
