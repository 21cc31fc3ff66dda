import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the twentieth set, listed in
  /// docs/UNPLANNED.md.
  static let unplannedTwentieth: [Mutant] = [
    Mutant(
      "loops-show-rows-as-they-were",
      "a loop over a whole class shows rows where it found them when it began, whatever the "
        + "realm shows by then",
      breaking: .loopsShowWhatIsThere, caughtBy: ["READ-12"]),
    Mutant(
      "sections-are-found-anew-only-when-members-come-or-go",
      "sections that were found stay as they are as long as there are as many members",
      breaking: .sectionsFollowTheirKeys, caughtBy: ["READ-08"]),
    Mutant(
      "a-refresh-forgets-the-last-class",
      "the rows of the class that came last stay those of the version before",
      breaking: .refreshesReachTheLastClass, caughtBy: ["REFRESH-03"]),
    Mutant(
      "index-paths-are-read-from-behind",
      "of an index path into sections the second number names the section",
      breaking: .indexPathsNameTheSectionFirst, caughtBy: ["READ-05"]),
    Mutant(
      "long-keys-pass",
      "a map takes a key of 16 MB",
      breaking: .mapKeysAreMeasured, caughtBy: ["WRITE-34"]),
    Mutant(
      "what-is-there-is-added-outside-a-write",
      "adding an object that the realm has is let go before it is asked whether there is a "
        + "write",
      breaking: .addingAgainNeedsAWrite, caughtBy: ["WRITE-17"]),
    Mutant(
      "cancelled-successors-take-the-old-ones-along",
      "who was found in a cancelled write is invalid if the write put another one under its "
        + "key",
      breaking: .cancelledSuccessorsGoAlone, caughtBy: ["WRITE-20"]),
    Mutant(
      "autorefresh-is-set-anywhere",
      "autorefresh may be set on any thread",
      breaking: .autorefreshIsSetAtHome, caughtBy: ["CONFINE-01"]),
    Mutant(
      "classes-are-asked-for-by-name-anywhere",
      "all objects of a class may be asked for by its name on any thread",
      breaking: .classesAreNamedAtHome, caughtBy: ["CONFINE-01", "CONFINE-05"]),
    Mutant(
      "turns-that-are-due-in-a-visit-are-forgotten",
      "a turn that is asked for while a flush ends on the queue never begins",
      breaking: .dueTurnsBegin, caughtBy: ["QUEUE-09", "ASYNC-11", "ASYNC-14"]),
    Mutant(
      "listeners-on-queues-get-a-realm-of-their-own",
      "a listener on a queue or an actor is given a collection of a realm that nobody else "
        + "gets",
      breaking: .listenersJoinTheirQueuesRealm, caughtBy: ["QUEUE-06"]),
    Mutant(
      "a-late-home-is-given-longer-for-ever",
      "a home that was late is given twice as long each time, also when it came in time since",
      breaking: .latenessIsForgiven, caughtBy: ["ASYNC-52", "WRITE-03"]),
    Mutant(
      "a-refused-commit-is-told-before-its-turn",
      "a commit that could not be sealed is told before those that were sealed before it",
      breaking: .refusalsKeepTheirPlace, caughtBy: ["ASYNC-12"]),
    Mutant(
      "writes-that-wait-for-a-home-are-watched-once",
      "the watch that lets others in before a late home runs once for each realm",
      breaking: .everyHeldWriteIsWatched, caughtBy: ["ASYNC-52", "WRITE-03"]),
    Mutant(
      "a-refused-commit-is-told-as-done",
      "the completion of a commit that could not be sealed is told of no error",
      breaking: .refusalsAreTold, caughtBy: ["ASYNC-09"]),
    Mutant(
      "linking-objects-arrive-without-their-property",
      "linking objects that come out of a reference do not say which property links",
      breaking: .linkingObjectsKeepTheirProperty, caughtBy: ["REF-02"]),
    Mutant(
      "references-into-memory-lead-nowhere",
      "a reference into a realm in memory resolves in the realm alone that it was made in",
      breaking: .referencesIntoMemoryLead, caughtBy: ["REF-02", "LIFE-09"]),
    Mutant(
      "references-to-sections-keep-no-version",
      "a reference to sections keeps no version, and may be made in a write that has changed "
        + "something",
      breaking: .sectionsPin, caughtBy: ["REF-14", "REF-16"]),
    Mutant(
      "a-refresh-is-quiet-over-news-of-its-own",
      "a refresh on the newest version returns without a look whether listeners have heard of "
        + "it",
      breaking: .refreshTellsOwnNews, caughtBy: ["REFRESH-16"]),
    Mutant(
      "deletions-are-followed-only-where-somebody-listens",
      "a realm without listeners does not read what others have deleted",
      breaking: .unheardRealmsFollowDeletions, caughtBy: ["REFRESH-20", "LIFE-12"]),
    Mutant(
      "a-thaw-into-the-past-takes-whoever-was-there",
      "what is thawed in a realm that is behind the snapshot may be the one that had the key "
        + "before",
      breaking: .thawsIntoThePastLookAhead, caughtBy: ["FREEZE-27", "FREEZE-29"]),
    Mutant(
      "a-frozen-section-shows-live-members",
      "one section freezes to itself",
      breaking: .sectionsFreeze, caughtBy: ["FREEZE-01"]),
    Mutant(
      "a-thawed-list-belongs-to-whoever-has-the-key",
      "of a frozen collection it is not asked whether its object was deleted and its key is "
        + "another one's",
      breaking: .thawedListsKnowTheirOwner, caughtBy: ["FREEZE-28"]),
    Mutant(
      "what-was-changed-beside-a-move-is-not-told",
      "where members move, those before and behind them are not told to be modified",
      breaking: .neighboursOfMovesAreTold, caughtBy: ["NOTIFY-06", "NOTIFY-07"]),
    Mutant(
      "sections-that-change-places-are-not-told",
      "sections that only change places are in no change",
      breaking: .movedSectionsAreTold, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "projections-know-no-old-values",
      "a listener of a projection is told no old value",
      breaking: .projectionsKnowOldValues, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "a-realm-listener-that-ends-hides-the-next",
      "a listener of the realm that ends in its call takes the turn of the one behind it",
      breaking: .endsOfRealmListenersHideNobody, caughtBy: ["NOTIFY-23"]),
    Mutant(
      "deleted-linkers-are-not-told",
      "that an object which linked has been deleted is no change of what it linked to",
      breaking: .deletedLinkersAreTold, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "an-async-refresh-forgets-who-is-still-to-be-told",
      "asyncRefresh on the newest version returns though listeners have not heard of it",
      breaking: .asyncRefreshTells, caughtBy: ["ACTOR-22"]),
    Mutant(
      "maps-on-actors-ignore-key-paths",
      "a map's listener on an actor drops its key paths",
      breaking: .namedPathsOfMapsCount, caughtBy: ["ACTOR-33"]),
    Mutant(
      "lists-are-as-long-as-is-said",
      "a list is written to without a look whether it is as long as is counted above it",
      breaking: .writtenListsAreLookedAt, caughtBy: ["COMMIT-19"]),
    Mutant(
      "an-emptied-list-keeps-its-space",
      "of a long list that is emptied only the topmost node is let go",
      breaking: .emptiedListsLetGo, caughtBy: ["COMMIT-11"]),
    Mutant(
      "copied-maps-lose-their-links-backwards",
      "what maps link to has no links backwards in a copy that was made in a write",
      breaking: .copiedMapsLinkBack, caughtBy: ["LIFE-14"]),
    Mutant(
      "deleting-leaves-the-management-folder",
      "deleting a file leaves its folder of management",
      breaking: .managementGoesWithItsFile, caughtBy: ["LIFE-11"]),
    Mutant(
      "an-object-that-a-list-has-twice-is-taken-out-from-the-front",
      "a deleted object goes out of a list from the front, by places that no longer are its "
        + "own",
      breaking: .deletedLeaveTheOthers, caughtBy: ["DATA-02"]),
    Mutant(
      "decimals-are-compared-by-their-digits-alone",
      "decimal numbers of one size are compared by their digits as whole numbers",
      breaking: .decimalsOfOneSizeAreCompared, caughtBy: ["DATA-02"]),
    Mutant(
      "a-search-stops-before-the-end",
      "CONTAINS does not look at a text's last byte",
      breaking: .searchesReachTheEnd, caughtBy: ["READ-05"]),
    Mutant(
      "letters-end-one-too-late",
      "where case does not matter [ counts as {",
      breaking: .onlyLettersFold, caughtBy: ["DATA-03"]),
  ]
}
