import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind, and each one that Realm had and mended, as chance
  /// has picked them: the eighteenth set, listed in docs/UNPLANNED.md.
  static let unplannedEighteenth: [Mutant] = [
    Mutant(
      "kept-versions-ask-the-newest-index",
      "a frozen realm finds through an index only what the newest version's finds, too",
      breaking: .keptVersionsAskTheirOwnIndex, caughtBy: ["DATA-04"]),
    Mutant(
      "questions-of-linkers-stay-through-a-write",
      "what was found of links backwards in a write stays as it was to its end",
      breaking: .questionsOfLinkersFollow, caughtBy: ["READ-08"]),
    Mutant(
      "sets-count-their-own-changes",
      "in a write a set counts no changes but those that were made through itself",
      breaking: .setsCountAllChanges, caughtBy: ["READ-11"]),
    Mutant(
      "cancelled-keys-stay-taken",
      "nobody can be added under a key that a cancelled write had given",
      breaking: .cancelledKeysAreFree, caughtBy: ["WRITE-18"]),
    Mutant(
      "references-to-the-gone-move-nobody",
      "a realm that resolves a reference to what has been deleted stays on its version",
      breaking: .goneReferencesMoveTheirRealm, caughtBy: ["REF-12"]),
    Mutant(
      "positions-in-lists-outlive-the-refresh",
      "an element of a list is, after a refresh, where it was found before",
      breaking: .positionsFollowTheRefresh, caughtBy: ["REFRESH-03"]),
    Mutant(
      "key-paths-over-no-link-end-the-process",
      "a key path over a link that becomes nil ends the process of whoever listens by it",
      breaking: .keyPathsPassNoLink, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "deletions-end-listeners-with-key-paths",
      "the deletion of an object that is listened to by key paths ends the process",
      breaking: .keyPathsHearOfTheEnd, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "sections-that-go-are-looked-into",
      "a section that goes while members come to others ends the process of whoever listens",
      breaking: .sectionsMayGoByChanges, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "key-paths-that-end-backwards-hear-all",
      "a key path that ends in links backwards concerns whatever changes of those that link",
      breaking: .pathsBackwardsHearOfLinks, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "links-in-lists-in-lists-are-unheard",
      "of a mixed list the links are unheard of that lie in lists within its lists",
      breaking: .linksInListsInListsAreHeard, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "emptied-maps-end-their-listeners",
      "a map that becomes empty ends the process of whoever listens to it",
      breaking: .emptiedMapsAreTold, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "emptied-maps-say-nothing",
      "nobody is told of a map that becomes empty",
      breaking: .emptiedMapsNameTheirKeys, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "sections-end-with-a-change-behind-a-link",
      "sections end the process when nothing changes but what their members link to",
      breaking: .sectionsHearOverLinks, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "orders-hide-modifications",
      "listeners of ordered results are not told where members were only modified",
      breaking: .orderedModificationsAreTold, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "cancels-end-who-waits-for-a-first-call",
      "a write that is cancelled ends the process while a listener waits for its first call",
      breaking: .cancelsSpareNewListeners, caughtBy: ["NOTIFY-04"]),
    Mutant(
      "errors-leave-tasks-writes-open",
      "a task whose block throws leaves the realm in its write",
      breaking: .errorsEndTasksWrites, caughtBy: ["ACTOR-16"]),
    Mutant(
      "new-files-are-named-before-they-are-whole",
      "a file that is made gets its name before there is anything in it",
      breaking: .newFilesAreNamedWhole, caughtBy: ["LIFE-14"]),
    Mutant(
      "freed-nodes-take-their-neighbours-along",
      "space of more than a page that is freed takes the beginning of the next node along",
      breaking: .freedSpaceEndsWithItself, caughtBy: ["COMMIT-09"]),
    Mutant(
      "keys-empty-plain-files",
      "a plain file that is opened with a key is emptied",
      breaking: .keysLeavePlainFilesAlone, caughtBy: ["COMMIT-20"]),
    Mutant(
      "records-stay-for-good",
      "the records of commits are kept for good",
      breaking: .recordsAreLetGo, caughtBy: ["GROW-09"]),
    Mutant(
      "waiting-writes-keep-their-version",
      "an asynchronous write that waits keeps the version that it was asked for on",
      breaking: .waitingWritesKeepNothing, caughtBy: ["GROW-07"]),
    Mutant(
      "read-only-realms-cannot-be-frozen",
      "a realm that only reads ends the process when it is frozen",
      breaking: .readOnlyRealmsCanBeFrozen, caughtBy: ["LIFE-10"]),
    Mutant(
      "empty-places-stop-a-copy",
      "a realm cannot be copied in which an object lacks an embedded one",
      breaking: .emptyPlacesAreCopied, caughtBy: ["LIFE-14"]),
    Mutant(
      "compacted-files-count-as-outdated",
      "a compacted file loses its data if its configuration lets outdated ones be deleted",
      breaking: .compactedFilesAreUpToDate, caughtBy: ["LIFE-01"]),
    Mutant(
      "who-opens-beside-a-new-schema-fails",
      "who opens a file while somebody else writes the schema fails",
      breaking: .openersLookAgain, caughtBy: ["LIFE-17"]),
    Mutant(
      "compactions-leave-their-copy",
      "a compaction leaves a file beside the one that it has compacted",
      breaking: .compactionsLeaveNothing, caughtBy: ["LIFE-11"]),
    Mutant(
      "places-of-readers-are-given-once",
      "a thousand readers of an open file are all that there can be, one after the other",
      breaking: .placesOfReadersAreGivenAgain, caughtBy: ["LIFE-24"]),
    Mutant(
      "opening-beside-a-close-fails",
      "who opens a file while another thread lets go of it is refused",
      breaking: .closingFilesCanBeOpened, caughtBy: ["LIFE-01"]),
    Mutant(
      "replaced-files-are-the-former",
      "a file that was put in the place of an open one is taken for it",
      breaking: .replacedFilesAreNoticed, caughtBy: ["LIFE-22"]),
    Mutant(
      "long-lists-are-asked-in-their-beginning",
      "a question about a list's elements looks at the first thousand",
      breaking: .longListsAreAskedWhole, caughtBy: ["DATA-01"]),
    Mutant(
      "new-optional-properties-are-zero",
      "a new property that may be nil is zero in the objects that were there before it",
      breaking: .newPropertiesAreNil, caughtBy: ["DATA-12"]),
    Mutant(
      "indexes-turn-lists-round",
      "what an index finds of a list stands in the order of the keys",
      breaking: .listsKeepTheirOrder, caughtBy: ["DATA-01"]),
    Mutant(
      "between-takes-an-element-for-each-bound",
      "an element for each bound is enough for BETWEEN",
      breaking: .betweenIsOfOneElement, caughtBy: ["DATA-02"]),
    Mutant(
      "the-first-stays-the-first",
      "the first of all objects of a class stays the first when another comes before it",
      breaking: .theFirstIsFoundAnew, caughtBy: ["DATA-07"]),
    Mutant(
      "between-over-links-is-refused",
      "BETWEEN over a link ends the process",
      breaking: .betweenGoesOverLinks, caughtBy: ["DATA-02"]),
    Mutant(
      "nested-links-take-anothers-way-back",
      "a link that leaves a list in a mixed value takes the way back of another row along",
      breaking: .nestedLinksKnowTheirRow, caughtBy: ["DATA-10"]),
    Mutant(
      "entries-set-again-link-twice",
      "an object that a map gets again under its key is linked to twice",
      breaking: .entriesLinkOnce, caughtBy: ["DATA-12"]),
    Mutant(
      "in-passes-over-fractions",
      "IN passes over fractions where whole numbers are asked about",
      breaking: .inComparesFractions, caughtBy: ["DATA-02"]),
    Mutant(
      "indexes-find-what-was-cancelled",
      "an index that was asked in a write finds the same behind its cancel",
      breaking: .indexesForgetTheCancelled, caughtBy: ["DATA-04"]),
  ]
}
