import ReferenceEngine

extension Mutant {
  /// Engines with the faults of docs/UNPLANNED.md that the suite did not see at first sight.
  static let unplannedSecond: [Mutant] = [
    Mutant(
      "keeps-its-filters",
      "what a filter made of its words is kept over changes",
      breaking: .filtersAreMadeAnew, caughtBy: ["READ-05"]),
    Mutant(
      "first-lookups-find-nothing",
      "a lookup by a key that is no number and no text begins no read",
      breaking: .lookupsBeginARead, caughtBy: ["READ-10"]),
    Mutant(
      "cancelled-deletions-stay",
      "what a cancelled write deleted counts as gone",
      breaking: .cancelledDeletionsAreForgotten, caughtBy: ["WRITE-20"]),
    Mutant(
      "lost-objects-come-back",
      "objects of a commit that failed are taken for those that come later",
      breaking: .failedCommitsUndoTheirObjects, caughtBy: ["WRITE-19"]),
    Mutant(
      "begins-read-no-deletions",
      "a write that comes to the newest version overlooks what was deleted",
      breaking: .writesReadDeletions, caughtBy: ["REFRESH-20"]),
    Mutant(
      "one-deletion-at-a-time",
      "of rows deleted side by side nothing is noted",
      breaking: .neighboursGoLikeOthers, caughtBy: ["REFRESH-20"]),
    Mutant(
      "thaws-what-the-write-deleted",
      "thawing does not ask what the running write has deleted",
      breaking: .thawingAsksTheWrite, caughtBy: ["FREEZE-27"]),
    Mutant(
      "closed-but-read",
      "what was read of a frozen realm before it was closed goes on",
      breaking: .closingReachesWhatWasRead, caughtBy: ["FREEZE-39"]),
    Mutant(
      "autorefresh-comes-back",
      "invalidate() turns autorefresh on",
      breaking: .invalidationKeepsSettings, caughtBy: ["REFRESH-11"]),
    Mutant(
      "broken-turns-are-silent",
      "commits of a turn that invalidate() ends complete without a word",
      breaking: .brokenTurnsComplete, caughtBy: ["ASYNC-17"]),
    Mutant(
      "waiting-tasks-sleep-on",
      "tasks that wait are forgotten by invalidate()",
      breaking: .waitingTasksEnd, caughtBy: ["ASYNC-18"]),
    Mutant(
      "tasks-lose-their-place",
      "a task whose turn was taken waits behind all others",
      breaking: .tasksKeepTheirPlace, caughtBy: ["ASYNC-11"]),
    Mutant(
      "throwing-keeps-the-turn",
      "a block that throws keeps its turn",
      breaking: .thrownBlocksReturnTheTurn, caughtBy: ["ACTOR-16"]),
    Mutant(
      "last-commit-tells",
      "of several commits told together the last one tells",
      breaking: .joinedCommitsTellAll, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "nested-news-are-old",
      "changes looked up in a round are told though the realm has moved on",
      breaking: .nestedNewsAreWhole, caughtBy: ["NOTIFY-32"]),
    Mutant(
      "filters-tell-new-positions",
      "a filter tells of modified members where they are now",
      breaking: .filtersTellOldPositions, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "listeners-keep-versions",
      "versions stay as long as anybody listens",
      breaking: .listenersLetVersionsGo, caughtBy: ["GROW-11"]),
    Mutant(
      "one-version-too-few",
      "a write fails with as many versions as are allowed",
      breaking: .asManyVersionsAsAllowed, caughtBy: ["GROW-07"]),
    Mutant(
      "failures-keep-space",
      "what a failed commit wrote is never free",
      breaking: .failuresGiveSpaceBack, caughtBy: ["COMMIT-07"]),
    Mutant(
      "groups-keep-space",
      "what commits of a group let go is never free but for the first",
      breaking: .groupsGiveSpaceBack, caughtBy: ["COMMIT-11"]),
  ]
}
