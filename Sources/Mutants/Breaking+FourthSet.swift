import ReferenceEngine

extension Mutant {
  /// Faults of the kinds that the suite went past in the fourth set of docs/UNPLANNED.md.
  static let unplannedFourth: [Mutant] = [
    Mutant(
      "first-members-are-kept", "the first members that a query has found are found for ever",
      breaking: .firstMembersAreFoundAnew, caughtBy: ["READ-08"]),
    Mutant(
      "undone-collections-live",
      "collections of objects that a cancelled write added show what comes in their place",
      breaking: .undoneCollectionsAreGone, caughtBy: ["WRITE-19"]),
    Mutant(
      "looks-up-texts-anywhere", "an object may be looked up by a text on any thread",
      breaking: .textsAreLookedUpAtHome, caughtBy: ["CONFINE-01"]),
    Mutant(
      "forgets-many-realms", "when more than 64 realms are open, all are forgotten",
      breaking: .manyRealmsAreKnown, caughtBy: ["CONFINE-10"]),
    Mutant(
      "queues-leave-their-realm", "what is opened for a queue is the realm of its thread, too",
      breaking: .queuesAndThreadsAreTwo, caughtBy: ["QUEUE-06"]),
    Mutant(
      "plain-commits-pass-groups-by",
      "a plain commit that takes a group to the disk leaves the group's completions for later",
      breaking: .plainCommitsTellOfGroups, caughtBy: ["ASYNC-40"]),
    Mutant(
      "resolving-always-refreshes",
      "resolving brings a realm to the newest version unless it is on the reference's own",
      breaking: .newerRealmsStay, caughtBy: ["REF-12"]),
    Mutant(
      "bereft-collections-resolve",
      "a collection is found by reference though the object that had it is gone",
      breaking: .collectionsGoWithTheirObject, caughtBy: ["REF-09"]),
    Mutant(
      "assigned-is-a-key", "what a variable is assigned is known by its key alone",
      breaking: .assignedObjectsAreRemembered, caughtBy: ["REF-26"]),
    Mutant(
      "foreseen-steps-forget", "a step that was looked into elsewhere does not read what went",
      breaking: .foreseenStepsReadDeletions, caughtBy: ["REFRESH-20"]),
    Mutant(
      "refreshes-once-all-have-ended",
      "in a listener's call a refresh moves a realm that has no listener left",
      breaking: .lastCallsDoNotRefresh, caughtBy: ["REFRESH-06"]),
    Mutant(
      "wholes-of-other-realms-go",
      "several objects of another realm of the file are deleted as if they were this realm's",
      breaking: .wholesAreDeletedAtHome, caughtBy: ["FREEZE-16", "WRITE-31"]),
    Mutant(
      "neighbours-share-columns",
      "rows side by side are told as one run, whichever properties were set in them",
      breaking: .neighboursAreToldApart, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "twins-are-one", "of members that are alike side by side one may go, or come, untold",
      breaking: .twinsAreTold, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "skipped-sections-remember", "a listener of sections is told later of what it was to skip",
      breaking: .skippedSectionsGoOn, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "mixed-links-end", "links in mixed values are not looked over",
      breaking: .mixedLinksAreLookedOver, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "waiting-listeners-lose-the-past",
      "the version at which a queue's listener was asked for is not kept until its first call",
      breaking: .waitingListenersKeepTheirVersion, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "the-living-let-the-dead-lie",
      "what a process that died held is let go only by whoever opens the file in its place",
      breaking: .theLivingClearTheDead, caughtBy: ["GROW-03"]),
    Mutant(
      "deletes-all-unnoted",
      "deleting all there is does not note whose keys may be given again",
      breaking: .allThatGoesIsNoted, caughtBy: ["LIFE-12"]),
    Mutant(
      "maps-lose-one-key", "a map that has an object under several keys loses one of them",
      breaking: .mapsLoseEveryValue, caughtBy: ["DATA-10"]),
    Mutant(
      "shorter-lists-keep-their-end",
      "an update that changes embedded objects in place leaves those behind the last one given",
      breaking: .shorterListsEndEarlier, caughtBy: ["DATA-11"]),
    Mutant(
      "ended-blocks-keep-the-turn", "a block that ends its write itself keeps the turn",
      breaking: .endedBlocksReturnTheTurn, caughtBy: ["ACTOR-17"]),
    Mutant(
      "variables-take-newcomers",
      "inside a write a variable names what has come under its object's key",
      breaking: .variablesKnowTheWrite, caughtBy: ["REF-25", "REF-26"]),
    Mutant(
      "variables-end-in-writes",
      "a variable that was nil inside a write stays nil when the write is cancelled",
      breaking: .cancelledWritesEndNoVariable, caughtBy: ["WRITE-20"]),
  ]
}
