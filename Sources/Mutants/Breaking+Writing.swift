import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about writes and their commits.
  static let writing: [Mutant] = [
    Mutant(
      "commits-wait-for-readers", "a commit waits until older versions are read no more",
      breaking: .commitsWaitForNoReader, caughtBy: ["READ-03"]),
    Mutant(
      "writes-on-the-old-version", "a write is based on the version its realm was on",
      breaking: .writesBeginOnTheNewest,
      caughtBy: ["WRITE-07", "WRITE-08", "ASYNC-04", "REF-10", "COMMIT-13"]),
    Mutant(
      "write-does-not-commit", "write returns without a commit",
      breaking: .writeCommitsItsBlock, caughtBy: ["WRITE-10"]),
    Mutant(
      "blocks-run-outside", "the block of an asynchronous write runs when the write has ended",
      breaking: .blocksRunInTheWrite, caughtBy: ["ACTOR-13", "ASYNC-04"]),
    Mutant(
      "commits-after-errors", "what was written before an error is committed",
      breaking: .errorsCancelTheWrite, caughtBy: ["WRITE-11", "ACTOR-16"]),
    Mutant(
      "commits-ended-writes", "a write that its block has ended is committed again",
      breaking: .endedWritesAreLeftAlone, caughtBy: ["WRITE-12", "ASYNC-22", "ACTOR-17"]),
    Mutant(
      "commits-nothing", "commitWrite outside a write does nothing",
      breaking: .strayCommitsAreTold, caughtBy: ["WRITE-14"]),
    Mutant(
      "cancelling-commits", "a cancelled write is committed",
      breaking: .cancellingUndoes, caughtBy: ["WRITE-18"]),
    Mutant(
      "cancelled-objects-live-on", "objects that a cancelled write had added do not know it",
      breaking: .undoneObjectsAreInvalid, caughtBy: ["WRITE-19"]),
    Mutant(
      "cancelling-revives-nobody", "objects that a cancelled write had deleted stay dead",
      breaking: .cancellingRevivesTheDeleted, caughtBy: ["WRITE-20"]),
    Mutant(
      "skips-empty-writes", "a write without changes is no commit",
      breaking: .emptyWritesAreCommitted, caughtBy: ["WRITE-21", "NOTIFY-03"]),
    Mutant(
      "writes-are-everybodys", "a realm is in a write while anybody writes",
      breaking: .writesAreTheirRealmsOwn, caughtBy: ["WRITE-22"]),
    Mutant(
      "dropped-writes-stay", "a write that nobody holds keeps the lock",
      breaking: .droppedWritesAreCancelled, caughtBy: ["WRITE-23"]),
    Mutant(
      "the-dead-hold-the-lock", "the lock of a process that died stays taken",
      breaking: .theDeadHoldNoLock, caughtBy: ["WRITE-24"]),
    Mutant(
      "the-dead-get-the-lock", "the lock is left to a process that died while it waited",
      breaking: .theDeadAreOfferedNothing, caughtBy: ["WRITE-24", "WRITE-33"]),
    Mutant(
      "begin-tells-first", "a begin tells listeners before the realm is in the write",
      breaking: .beginTellsInsideTheWrite, caughtBy: ["WRITE-28"]),
    Mutant(
      "commits-detach-objects", "a commit makes the objects of the realm invalid",
      breaking: .addedObjectsOutliveTheCommit, caughtBy: ["WRITE-29", "ACTOR-15"]),
    Mutant(
      "publishes-late", "a commit returns before others can see it",
      breaking: .commitsReturnPublished, caughtBy: ["WRITE-32", "ASYNC-42"]),
    Mutant(
      "publishes-each-change", "every property that is set is committed",
      breaking: .writesAreOneCommit,
      caughtBy: ["READ-04", "READ-07", "COMMIT-01", "COMMIT-04", "COMMIT-06"]),
    Mutant(
      "copies-the-file-each-time", "a commit writes everything there is",
      breaking: .commitsWriteWhatChanged, caughtBy: ["COMMIT-10"]),
  ]
}
