import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind, and each one that Realm had and mended, as chance
  /// has picked them: the nineteenth set, listed in docs/UNPLANNED.md.
  static let unplannedNineteenth: [Mutant] = [
    Mutant(
      "records-are-read-beyond-the-file",
      "the record of a commit that made the file longer elsewhere is taken for damaged",
      breaking: .recordsAreReadWithinTheFile, caughtBy: ["NOTIFY-34"]),
    Mutant(
      "nested-lists-miss-their-own-changes",
      "the accessor that has changed a collection in a mixed value shows what was before",
      breaking: .nestedListsSeeTheirOwnChanges, caughtBy: ["READ-08"]),
    Mutant(
      "who-comes-beside-a-compaction-finds-damage",
      "who opens a file while another thread compacts it finds it damaged",
      breaking: .openersAwaitTheCompaction, caughtBy: ["LIFE-16"]),
    Mutant(
      "longer-lists-of-readers-end-who-looks",
      "a list of readers that another process has made longer ends who looks at it",
      breaking: .longerListsOfReadersAreRead, caughtBy: ["READ-13"]),
    Mutant(
      "emptied-realms-are-counted-as-before",
      "results keep their count in the write that deletes all",
      breaking: .emptiedRealmsAreCountedAnew, caughtBy: ["READ-08"]),
    Mutant(
      "full-disks-end-the-process",
      "a commit that finds no room ends the process",
      breaking: .fullDisksAreTold, caughtBy: ["WRITE-27"]),
    Mutant(
      "signals-end-who-waits-for-the-lock",
      "a signal ends the process of who waits for the lock",
      breaking: .signalsInterruptNoWait, caughtBy: ["WRITE-03"]),
    Mutant(
      "openers-beside-a-write-begin-behind",
      "who opens beside a write begins on an older version that somebody has",
      breaking: .openersBesideWritesBeginOnTheNewest, caughtBy: ["REFRESH-01"]),
    Mutant(
      "own-commits-are-news-to-refresh",
      "the first refresh behind a commit of the realm's own says that it has moved",
      breaking: .ownCommitsAreNoNewsToRefresh, caughtBy: ["REFRESH-04"]),
    Mutant(
      "frozen-realms-are-shared-unfinished",
      "who asks a frozen realm while another thread asks its first question finds nothing",
      breaking: .frozenRealmsAreSharedWhole, caughtBy: ["FREEZE-04"]),
    Mutant(
      "results-of-the-gone-freeze-without-words",
      "results of a list whose owner is gone end the process without a word when they are frozen",
      breaking: .goneResultsAreRefusedInWords, caughtBy: ["FREEZE-21"]),
    Mutant(
      "clearing-the-dead-refuses-a-reader",
      "the first who takes a place for a version behind a process that died is refused",
      breaking: .clearingTheDeadRefusesNobody, caughtBy: ["FREEZE-01"]),
    Mutant(
      "old-objects-follow-the-migration",
      "the old objects of a migration show what is set in the new ones",
      breaking: .oldObjectsStayAsTheyWere, caughtBy: ["FREEZE-02"]),
    Mutant(
      "migrated-realms-freeze-as-before",
      "what is frozen first of a realm that has migrated is of before",
      breaking: .migratedRealmsFreezeAsTheyAre, caughtBy: ["FREEZE-01"]),
    Mutant(
      "late-steps-end-their-listeners",
      "two more commits while a step is looked into elsewhere end the process",
      breaking: .lateStepsKeepTheirVersion, caughtBy: ["NOTIFY-20"]),
    Mutant(
      "realms-that-go-in-a-first-search-end-all",
      "a realm that goes while a first call is prepared elsewhere ends the process",
      breaking: .realmsMayGoInAFirstSearch, caughtBy: ["NOTIFY-23"]),
    Mutant(
      "new-owners-alone-are-unheard",
      "links backwards are told of only where the object itself was changed",
      breaking: .newOwnersAloneAreHeard, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "circles-are-gone-round-for-ever",
      "a change in a circle of objects is followed round it for ever",
      breaking: .circlesAreGoneRoundOnce, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "links-set-to-nil-are-unheard",
      "a link that is set to nil is not recorded",
      breaking: .linksSetToNilAreHeard, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "errors-of-locks-name-no-file",
      "an error about the lock file does not say which file it is about",
      breaking: .lockErrorsNameTheirFile, caughtBy: ["COMMIT-19"]),
    Mutant(
      "schemas-stay-as-they-were-told",
      "the schema of a realm is that of when it was asked first",
      breaking: .schemasFollowTheFile, caughtBy: ["LIFE-01"]),
    Mutant(
      "long-names-leave-no-room-beside",
      "a file whose name has 240 letters or more cannot be opened",
      breaking: .longNamesHaveRoom, caughtBy: ["LIFE-01"]),
    Mutant(
      "migrations-are-done-by-each-who-waits",
      "who has waited for another's migration runs its own on what is migrated",
      breaking: .migrationsAreDoneOnce, caughtBy: ["LIFE-17"]),
    Mutant(
      "results-of-lost-linkers-end-who-asks",
      "results of links backwards to a deleted object end the process where they are asked",
      breaking: .lostLinkersSayThatTheyAreGone, caughtBy: ["LIFE-12"]),
    Mutant(
      "files-of-64-MB-are-not-opened",
      "a file that has just grown past a multiple of 64 MB cannot be opened",
      breaking: .filesOfAnyLengthAreOpened, caughtBy: ["LIFE-01"]),
    Mutant(
      "orders-do-not-find-nan",
      "NaN has no position in what was put into an order",
      breaking: .ordersFindNaN, caughtBy: ["DATA-07"]),
    Mutant(
      "indexes-want-a-link-for-null",
      "a link that leads nowhere is not null where the property behind it is indexed",
      breaking: .indexesTakeNoLinkForNull, caughtBy: ["DATA-01"]),
    Mutant(
      "maps-behind-no-link-are-the-first-ones",
      "a map behind a link that leads nowhere is that of the first object",
      breaking: .mapsBehindNoLinkAreEmpty, caughtBy: ["DATA-01"]),
    Mutant(
      "long-keys-that-begin-alike-are-one",
      "keys of a map of one length are compared in their first sixteen bytes",
      breaking: .longKeysDiffer, caughtBy: ["DATA-13"]),
    Mutant(
      "data-does-not-replace-its-text",
      "data is not written over a text of the same bytes in a mixed list",
      breaking: .dataReplacesItsText, caughtBy: ["DATA-13"]),
    Mutant(
      "the-first-behind-a-thousand-comes-twice",
      "of what is found in a large class one comes twice",
      breaking: .whatIsFoundIsThereOnce, caughtBy: ["DATA-07"]),
    Mutant(
      "nulls-in-lists-stop-a-migration",
      "a list in which there is a null stops a migration",
      breaking: .nullsInListsAreCarriedOver, caughtBy: ["DATA-12"]),
    Mutant(
      "maps-with-empty-keys-have-no-sum",
      "a map in which a key has no object has no sum",
      breaking: .mapsWithEmptyKeysAreSummed, caughtBy: ["DATA-02"]),
    Mutant(
      "many-stars-are-tried-for-ever",
      "a pattern of many stars is compared in every way that there is",
      breaking: .starsAreTriedOnce, caughtBy: ["DATA-03"]),
    Mutant(
      "mixed-indexes-ignore-case",
      "a text is found in an indexed mixed property whatever its case",
      breaking: .mixedIndexesHeedCase, caughtBy: ["DATA-04"]),
    Mutant(
      "mixed-indexes-take-texts-for-numbers",
      "a short text in an indexed mixed property is the number that its bytes are",
      breaking: .mixedIndexesTellTextsFromNumbers, caughtBy: ["DATA-04"]),
    Mutant(
      "equal-numbers-are-two-members",
      "equal numbers of two kinds are two members of a set",
      breaking: .equalNumbersAreOneMember, caughtBy: ["DATA-13"]),
    Mutant(
      "mixed-values-cannot-be-indexed-later",
      "a mixed property that has values cannot be indexed",
      breaking: .mixedValuesCanBeIndexedLater, caughtBy: ["DATA-04"]),
    Mutant(
      "several-ins-are-one",
      "of several INs about one property one is enough",
      breaking: .severalInsAllHold, caughtBy: ["DATA-02"]),
  ]
}
