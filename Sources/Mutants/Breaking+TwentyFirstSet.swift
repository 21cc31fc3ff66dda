import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the twenty-first set, listed in
  /// docs/UNPLANNED.md.
  static let unplannedTwentyFirst: [Mutant] = [
    Mutant(
      "a-whole-class-keeps-its-rows-through-a-write",
      "all objects of a class, asked for by position, are remembered under the number of the "
        + "version, which a write keeps",
      breaking: .wholeClassesFollowTheWrite, caughtBy: ["READ-08"]),
    Mutant(
      "an-inserted-member-gets-no-link-back",
      "who is inserted into a list has no link back to its owner",
      breaking: .insertedMembersLinkBack, caughtBy: ["READ-08"]),
    Mutant(
      "a-list-in-a-list-is-read-as-a-copy",
      "a list within a list of mixed values, asked for by its position, is a copy",
      breaking: .listsInListsAreManaged, caughtBy: ["READ-08"]),
    Mutant(
      "deleting-a-slice-follows-what-moves",
      "a sequence is walked while what it has is deleted",
      breaking: .slicesAreTakenBeforeTheyGo, caughtBy: ["READ-12"]),
    Mutant(
      "linkers-are-deleted-outside-a-write",
      "deleting the objects that link to one does not ask for a write",
      breaking: .linkersAreDeletedInWrites, caughtBy: ["WRITE-17"]),
    Mutant(
      "data-of-just-16-mb-is-taken",
      "data of 16 MB is taken, and only what is longer refused",
      breaking: .sixteenMegabytesAreTooMuch, caughtBy: ["WRITE-34"]),
    Mutant(
      "a-map-that-is-added-stays-free",
      "the map of an object that is added does not become the row's",
      breaking: .addedMapsAreTheRows, caughtBy: ["WRITE-29"]),
    Mutant(
      "a-cancelled-write-without-changes-keeps-the-lock",
      "a write that has changed nothing keeps the gate when it is cancelled",
      breaking: .emptyCancelsLeave, caughtBy: ["WRITE-09"]),
    Mutant(
      "a-lookup-by-object-id-is-not-confined",
      "a lookup by a key that is neither a whole number nor a text does not ask where it is",
      breaking: .lookupsByAnyKeyAreConfined, caughtBy: ["CONFINE-01"]),
    Mutant(
      "an-object-set-elsewhere-hears-of-the-write-first",
      "setting a property asks for a write before it asks where it is",
      breaking: .theThreadIsLookedAtFirst, caughtBy: ["CONFINE-03"]),
    Mutant(
      "the-main-queue-s-realm-opens-anywhere",
      "a realm of the main queue may be opened anywhere",
      breaking: .theMainQueueOpensAtHome, caughtBy: ["QUEUE-03"]),
    Mutant(
      "the-main-queue-is-told-by-its-wrapper",
      "the main queue is told by its wrapper, of which each is another one",
      breaking: .theMainQueueIsOne, caughtBy: ["QUEUE-07"]),
    Mutant(
      "a-cancelled-turn-counts-as-asked-for",
      "a turn that nobody needs any more counts as asked for",
      breaking: .cancelledTurnsAreGivenBack, caughtBy: ["ASYNC-14"]),
    Mutant(
      "a-cancel-from-a-block-hits-the-neighbour",
      "cancelling counts from the first that waits, and takes that for a place among all",
      breaking: .cancellingCountsFromTheFront, caughtBy: ["ASYNC-27"]),
    Mutant(
      "a-write-that-cannot-begin-tells-success",
      "the completion of a write that could not begin gets no error",
      breaking: .failedBeginsAreNoSuccess, caughtBy: ["ASYNC-09"]),
    Mutant(
      "a-flush-is-waited-for-once",
      "who waits for a flush takes its signal away",
      breaking: .flushesAreWaitedForAgain, caughtBy: ["ASYNC-41"]),
    Mutant(
      "a-map-s-reference-leads-back-to-its-own-realm",
      "a reference to a map leads to the map that it was made of",
      breaking: .referencesToMapsFindTheReader, caughtBy: ["REF-02"]),
    Mutant(
      "realms-in-memory-are-taken-for-one-file",
      "realms whose file URLs are equal are of one file, and those in memory have none",
      breaking: .memoryIsToldByItsName, caughtBy: ["REF-21"]),
    Mutant(
      "only-the-first-file-of-a-home-is-heard-of",
      "of the files that were opened in one turn only the first is heard of",
      breaking: .allFilesOfAHomeAreHeardOf, caughtBy: ["NOTIFY-34"]),
    Mutant(
      "a-refresh-after-invalidating-says-no",
      "a realm that shows no version goes by the one that it has shown",
      breaking: .invalidRealmsHaveSomethingToRefresh, caughtBy: ["REFRESH-04"]),
    Mutant(
      "a-class-that-came-later-is-not-in-the-snapshot",
      "a realm that gets to know more classes keeps what was frozen of it without them",
      breaking: .laterClassesAreFrozen, caughtBy: ["FREEZE-09"]),
    Mutant(
      "links-back-say-at-home-only-whether-they-are-frozen",
      "links backwards ask their realm whether they are frozen, which they know at home only",
      breaking: .linkersSayAnywhereWhetherTheyAreFrozen, caughtBy: ["FREEZE-10"]),
    Mutant(
      "a-write-begins-without-telling-what-came-before",
      "a write begins without telling what came before it",
      breaking: .beginsTellWhatCameBefore, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "an-own-write-tells-old-values",
      "what the realm wrote right behind what its listener knows counts as another's work",
      breaking: .ownWritesTellNoOldValues, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "a-filter-forgets-what-its-right-side-asks",
      "a comparison asks other rows only if its left side does",
      breaking: .bothSidesAskOtherRows, caughtBy: ["NOTIFY-10"]),
    Mutant(
      "a-new-row-is-told-in-the-section-s-old-place",
      "who comes into a section is told by where that was",
      breaking: .newRowsAreToldInTheNewSection, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "a-projected-list-tells-insertions-as-modifications",
      "the listener of a projected list gets the insertions as modifications, too",
      breaking: .projectedInsertionsAreNoModifications, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "a-task-that-is-overtaken-is-forgotten",
      "a task whose turn is taken by a write at home does not wait again",
      breaking: .overtakenTasksWaitAgain, caughtBy: ["ACTOR-20"]),
    Mutant(
      "key-paths-of-sections-are-forgotten-on-an-actor",
      "a listener of sections on an actor is made without its typed key paths",
      breaking: .sectionsKeepKeyPathsOnActors, caughtBy: ["ACTOR-33"]),
    Mutant(
      "a-failed-commit-is-still-read",
      "what could not be committed goes on being shown",
      breaking: .failedCommitsAreLeft, caughtBy: ["COMMIT-07"]),
    Mutant(
      "what-a-reader-kept-is-never-looked-at-again",
      "space that a pinned version has once kept is not looked at again",
      breaking: .keptSpaceIsLookedAtAgain, caughtBy: ["GROW-03"]),
    Mutant(
      "a-long-value-that-is-replaced-keeps-its-space",
      "a long value keeps its space when another takes its place",
      breaking: .longValuesThatAreReplacedGo, caughtBy: ["GROW-02"]),
    Mutant(
      "the-last-realm-is-given-to-a-reader-too",
      "the realm that a thread opened last is given to whoever asks for its file, to read or "
        + "to write",
      breaking: .theLastRealmIsAskedForItsPermissions, caughtBy: ["LIFE-03"]),
    Mutant(
      "a-copied-object-shares-its-list",
      "an object that is made of another one has that one's lists",
      breaking: .copiesHaveOwnLists, caughtBy: ["LIFE-15"]),
    Mutant(
      "an-average-counts-what-is-nil",
      "a mean counts members that have no value",
      breaking: .averagesLeaveOutNil, caughtBy: ["DATA-02"]),
    Mutant(
      "a-filter-of-a-sort-forgets-the-order",
      "a filter of what is sorted comes in no order",
      breaking: .filtersKeepTheOrder, caughtBy: ["DATA-01"]),
    Mutant(
      "an-index-matching-counts-from-its-cluster",
      "the place of a match is counted from the first of its cluster",
      breaking: .matchesAreCountedFromTheStart, caughtBy: ["DATA-08"]),
    Mutant(
      "a-negative-fraction-is-rounded-to-zero",
      "a fraction that whole numbers are compared with is rounded up below zero",
      breaking: .negativeFractionsAreRoundedDown, caughtBy: ["DATA-02"]),
    Mutant(
      "an-update-leaves-out-what-became-nil",
      "an update leaves out what is nil in the new object",
      breaking: .nilIsWrittenByUpdates, caughtBy: ["DATA-02"]),
  ]
}
