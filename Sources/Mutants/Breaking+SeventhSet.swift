import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the seventh set of docs/UNPLANNED.md.
  static let unplannedSeventh: [Mutant] = [
    Mutant(
      "swaps-leave-no-trace",
      "what was found of a list before two of its elements change places keeps the old "
        + "order in the write",
      breaking: .swappedListsAreAskedAnew, caughtBy: ["READ-08"]),
    Mutant(
      "long-loops-skip-the-deleted",
      "a loop in a write passes over members that its body deleted, from the second batch "
        + "of 256 on",
      breaking: .deletedMembersAreVisited, caughtBy: ["READ-12"]),
    Mutant(
      "emptiness-is-that-of-the-version",
      "in a write a realm is empty if the version is that it was begun on",
      breaking: .emptinessIsThatOfTheWrite, caughtBy: ["READ-08"]),
    Mutant(
      "keys-given-again-are-not-told-apart",
      "a row added under a key whose row the same write has deleted is not told from that "
        + "one when the write is cancelled",
      breaking: .keysGivenAgainAreTold, caughtBy: ["WRITE-20"]),
    Mutant(
      "deep-chains-are-cut",
      "of a chain of new objects what lies behind the second put-off level is not added",
      breaking: .deepChainsAreAddedWhole, caughtBy: ["WRITE-29"]),
    Mutant(
      "emptiness-is-told-anywhere",
      "whether a realm is empty may be asked on any thread",
      breaking: .emptinessIsAskedAtHome, caughtBy: ["CONFINE-01"]),
    Mutant(
      "maps-are-looked-up-anywhere",
      "a map's value of a key may be asked for on any thread",
      breaking: .mapsAreLookedUpAtHome, caughtBy: ["CONFINE-04"]),
    Mutant(
      "known-queues-are-opened-from-outside",
      "where a realm of a queue is open already, another opening need not come from the queue",
      breaking: .openedQueuesAreEntered, caughtBy: ["QUEUE-03"]),
    Mutant(
      "barriers-behind-groups-are-none",
      "a commit without grouping behind a grouped one does not end the turn",
      breaking: .barriersEndGroups, caughtBy: ["ASYNC-46"]),
    Mutant(
      "failed-writes-hold-up-blocks",
      "a block queued in a write whose commit fails is not asked for",
      breaking: .failedWritesLetBlocksRun, caughtBy: ["ASYNC-38"]),
    Mutant(
      "taken-groups-are-not-told",
      "a synchronous commit in an asynchronous block does not tell the completions of the "
        + "group that it took along",
      breaking: .takenGroupsAreTold, caughtBy: ["ASYNC-40"]),
    Mutant(
      "references-of-cancelled-writes-find-others",
      "a reference to an object of a cancelled write finds a later one under its row's key",
      breaking: .cancelledRowsAreGoneForGood, caughtBy: ["REF-09", "REF-25"]),
    Mutant(
      "sixty-fifth-variable-drives-one-out",
      "of variables more than sixty-four the oldest are no longer told that their object is gone",
      breaking: .manyVariablesAreRemembered, caughtBy: ["REF-25"]),
    Mutant(
      "second-orderings-stay-at-home",
      "of a query's orderings only the first goes along to another realm",
      breaking: .allOrderingsTravel, caughtBy: ["REF-02"]),
    Mutant(
      "swept-rows-come-back",
      "when some thousand rows have gone, all is forgotten of them, and accessors show "
        + "those that came under their keys",
      breaking: .sweptRowsStayGone, caughtBy: ["REFRESH-20"]),
    Mutant(
      "unread-realms-have-changed",
      "a realm that shows no version and has autorefresh off is told that it has changed",
      breaking: .unreadRealmsAreBehind, caughtBy: ["REFRESH-13"]),
    Mutant(
      "observing-refreshes",
      "whoever begins to listen moves the realm to the newest version",
      breaking: .observingStays, caughtBy: ["REFRESH-06"]),
    Mutant(
      "nested-frozen-objects-are-linked",
      "a frozen object within a list or dictionary of a mixed value is linked to as if it "
        + "were live",
      breaking: .nestedFrozenAreRefused, caughtBy: ["FREEZE-34"]),
    Mutant(
      "thaw-finds-what-came-again",
      "thaw in the write that has deleted an object finds the one that the write put in its place",
      breaking: .runningDeletionsAreSeenByThaw, caughtBy: ["FREEZE-27"]),
    Mutant(
      "mixed-members-reach-nowhere",
      "changes of objects that a collection of mixed values links to are not told",
      breaking: .mixedMembersReachFar, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "lost-numbers-are-no-news",
      "after a commit that failed, another process's commit under its number is not news",
      breaking: .lostNumbersAreNews, caughtBy: ["COMMIT-07"]),
    Mutant(
      "short-files-are-made-anew",
      "a file shorter than a header counts as empty, and is made anew",
      breaking: .shortFilesAreRefused, caughtBy: ["COMMIT-20"]),
    Mutant(
      "ended-listeners-keep-their-version",
      "a listener that ends before it was told of a commit leaves the version behind that it knew",
      breaking: .endedListenersLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "invalidated-realms-keep-their-snapshot",
      "invalidate keeps the frozen realm that was made last",
      breaking: .invalidatedRealmsLetSnapshotsGo, caughtBy: ["GROW-03"]),
    Mutant(
      "copies-lack-an-index",
      "a copy made in a write lacks the indexes of UUIDs",
      breaking: .copiesHaveAllIndexes, caughtBy: ["LIFE-14"]),
    Mutant(
      "copies-share-what-lists-hold",
      "a copy of an object shares the collections within lists of its mixed values",
      breaking: .copiesReachIntoLists, caughtBy: ["LIFE-15"]),
    Mutant(
      "first-ones-have-positive-keys",
      "the first of an indexed filter passes over negative primary keys",
      breaking: .firstOnesHaveLeastKeys, caughtBy: ["DATA-07"]),
    Mutant(
      "null-is-in-no-identities",
      "IN with nil among UUIDs or object ids finds no null",
      breaking: .identitiesInAreNull, caughtBy: ["READ-16"]),
    Mutant(
      "sixty-fifth-pin-is-not-seen",
      "of the pins only the first sixty-four places are looked at when space is used "
        + "again",
      breaking: .latePinsCount, caughtBy: ["READ-15"]),
    Mutant(
      "long-runs-stay-gone",
      "sixty-four or more consecutive rows deleted at once stay gone for their accessors "
        + "when the write is cancelled",
      breaking: .longRunsComeBack, caughtBy: ["WRITE-20"]),
    Mutant(
      "nested-ones-stay-gone",
      "a collection in a mixed value that was once found to be gone stays gone, also "
        + "after the write that took it is cancelled",
      breaking: .nestedOnesComeBack, caughtBy: ["WRITE-18"]),
    Mutant(
      "crowded-queues-are-not-entered",
      "where four threads visit queues already, a flush ends on its own thread instead "
        + "of the queue",
      breaking: .crowdedQueuesAreVisited, caughtBy: ["QUEUE-09"]),
    Mutant(
      "inner-completions-end-the-outer",
      "when completions that another completion made due have been called, the outer one "
        + "counts as over",
      breaking: .outerCompletionsStayCompletions, caughtBy: ["ASYNC-32"]),
    Mutant(
      "older-snapshots-look-no-further",
      "a snapshot of an older version than others have knows nothing of rows that went "
        + "before theirs",
      breaking: .olderSnapshotsLookFurtherBack, caughtBy: ["FREEZE-27"]),
    Mutant(
      "invalidated-realms-hear-old-news",
      "after invalidate the listeners of a realm are told of the version that it had "
        + "shown",
      breaking: .knownVersionsAreNoNews, caughtBy: ["NOTIFY-01"]),
    Mutant(
      "reached-modifications-come-last",
      "of many changes the members that are modified only over links are told behind the "
        + "others",
      breaking: .modificationsAscend, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "far-columns-are-one",
      "a key path to a property behind the sixty-third leads to all of those",
      breaking: .farColumnsAreTold, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "forecasts-fit-any-step",
      "what was found out for one step is told of a longer one",
      breaking: .forecastsFitTheirStep, caughtBy: ["NOTIFY-20"]),
    Mutant(
      "typed-paths-on-actors-end-at-links",
      "typed key paths of an object's listener on an actor end at the first link",
      breaking: .typedPathsAreWhole, caughtBy: ["ACTOR-33"]),
    Mutant(
      "actors-hear-of-no-early-end",
      "an object that is gone before its listener has come to the actor is not told to "
        + "be deleted",
      breaking: .actorsAreToldOfEnds, caughtBy: ["ACTOR-29"]),
  ]
}
