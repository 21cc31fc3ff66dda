import ReferenceEngine

extension Mutant {
  /// Faults of the third set of docs/UNPLANNED.md that the suite went past twice.
  static let unplannedThird: [Mutant] = [
    Mutant(
      "undoes-the-first-neighbour",
      "of objects that a cancelled write added side by side only the first stays invalid",
      breaking: .neighboursStayInvalid, caughtBy: ["WRITE-19"]),
    Mutant(
      "failed-deletions-count",
      "what was deleted in a commit that failed counts as gone",
      breaking: .failedDeletionsComeBack, caughtBy: ["WRITE-27"]),
    Mutant(
      "opened-twice-stays",
      "a realm that was opened twice on a thread is kept",
      breaking: .openedTwiceIsKeptByNobody, caughtBy: ["CONFINE-14"]),
    Mutant(
      "silenced-commits-leave-the-line",
      "a commit whose completion is cancelled leaves the line, and a later one is told early",
      breaking: .silencedCommitsKeepTheirPlace, caughtBy: ["ASYNC-28"]),
    Mutant(
      "refresh-keeps-own-news",
      "refresh does not tell of what the realm itself has written",
      breaking: .refreshTellsOwnWrites, caughtBy: ["REFRESH-16"]),
    Mutant(
      "first-objects-are-left-out",
      "where versions are compared, classes that had no objects are left out",
      breaking: .firstObjectsAreCompared, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "linking-classes-known-for-ever",
      "which classes link to one is worked out once, also if others come later",
      breaking: .laterClassesLetGo, caughtBy: ["DATA-10"]),
    Mutant(
      "long-lines-lose-one",
      "when a long line of blocks is moved up, one is lost",
      breaking: .longLinesLoseNobody, caughtBy: ["ASYNC-11"]),
    Mutant(
      "many-come-last",
      "more than 32 objects that come to a filter at once are noted behind the others",
      breaking: .manyComeInOrder, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "first-of-sort-by-one",
      "the first of a large sort is found by the first property alone",
      breaking: .firstOfSortBreaksTies, caughtBy: ["DATA-05"]),
    Mutant(
      "groups-flush-once",
      "a group whose commits have places of their own is flushed once, by the checksum of the last",
      breaking: .groupsWithPlacesFlushTwice, caughtBy: ["COMMIT-02"]),
    Mutant(
      "waiting-keeps-no-actor",
      "whoever waits for the gate does not keep the actor",
      breaking: .waitingKeepsTheActor, caughtBy: ["ASYNC-51"]),
  ]
}
