import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the eleventh set, listed in docs/UNPLANNED.md.
  static let unplannedEleventh: [Mutant] = [
    Mutant(
      "counts-are-the-writers",
      "how many objects a class has is kept with the file, and counts what is not committed",
      breaking: .countsAreOfTheVersion, caughtBy: ["READ-05"]),
    Mutant(
      "sums-stay-through-a-write",
      "a number that was computed of results is kept for the version, through a write of its realm",
      breaking: .sumsFollowOwnWrites, caughtBy: ["READ-08"]),
    Mutant(
      "texts-are-where-they-were",
      "which row a text leads to as a key is remembered, and nobody is there when it has gone",
      breaking: .textsAreLookedUpAnew, caughtBy: ["READ-16"]),
    Mutant(
      "errors-are-translated",
      "what the block of a write throws comes out as one of Realm's errors",
      breaking: .errorsComeAsTheyAre, caughtBy: ["WRITE-11"]),
    Mutant(
      "updates-count-as-additions",
      "what create has updated is invalid when the write is cancelled",
      breaking: .updatesAreNoAdditions, caughtBy: ["WRITE-20"]),
    Mutant(
      "members-are-set-in-silence",
      "setting a property of all members outside a write does nothing",
      breaking: .settingMembersNeedsAWrite, caughtBy: ["WRITE-16"]),
    Mutant(
      "realm-listeners-come-too-early",
      "a realm's listeners are called before its commit is made, in the write",
      breaking: .realmListenersFollowTheCommit, caughtBy: ["WRITE-22"]),
    Mutant(
      "quiet-refreshes-are-open-to-all",
      "a refresh that finds nothing new is not asked where it is called",
      breaking: .quietRefreshesAreConfined, caughtBy: ["CONFINE-01"]),
    Mutant(
      "schemas-are-confined",
      "an object's schema is told at home only",
      breaking: .schemasAreForEveryone, caughtBy: ["CONFINE-09"]),
    Mutant(
      "queues-are-asked-from-anywhere",
      "asynchronous writes of a queue's realm may be asked for on any thread",
      breaking: .queuesAreAskedAtHome, caughtBy: ["QUEUE-04"]),
    Mutant(
      "one-queue-for-each-file",
      "a file that one queue has open is not opened for another queue",
      breaking: .queuesShareTheirFile, caughtBy: ["QUEUE-10"]),
    Mutant(
      "strangers-ids-are-errors",
      "cancelling an asynchronous write throws where nothing is under way",
      breaking: .strangersIDsAreNoErrors, caughtBy: ["ASYNC-29"]),
    Mutant(
      "plain-commits-complete-twice",
      "a completion that a plain commit has called is called again",
      breaking: .completionsAreCalledOnce, caughtBy: ["ASYNC-40"]),
    Mutant(
      "ended-blocks-are-told-of-success",
      "writeAsync calls its completion if its block has ended the write itself",
      breaking: .endedBlocksAreToldNothing, caughtBy: ["ASYNC-20"]),
    Mutant(
      "plain-commits-need-plain-begins",
      "commitWrite finds no write in the block of an asynchronous one",
      breaking: .blocksMayCommitPlainly, caughtBy: ["ASYNC-24"]),
    Mutant(
      "dropped-references-stay-pinned",
      "a reference lets its version go when it is resolved, and only then",
      breaking: .droppedReferencesUnpin, caughtBy: ["REF-02", "REF-09"]),
    Mutant(
      "referring-refreshes",
      "making a reference brings the realm to the newest version",
      breaking: .referringLeavesTheVersion, caughtBy: ["REF-02", "REF-09", "REF-25"]),
    Mutant(
      "anybody-resolves",
      "a reference is resolved for a realm on any thread",
      breaking: .resolvingIsConfined, caughtBy: ["REF-22"]),
    Mutant(
      "empty-commits-refresh-nothing",
      "refresh is false over commits that have changed nothing",
      breaking: .emptyCommitsAreSteps, caughtBy: ["REFRESH-04"]),
    Mutant(
      "the-switch-names-the-news",
      "a realm without autorefresh is told that a refresh is required, whatever has happened",
      breaking: .newsNameThemselves, caughtBy: ["REFRESH-13"]),
    Mutant(
      "turning-on-refreshes",
      "turning autorefresh on brings the realm to the newest version",
      breaking: .turningOnLeavesTheVersion, caughtBy: ["REFRESH-15"]),
    Mutant(
      "frozen-results-have-no-order",
      "freezing results forgets their sorts",
      breaking: .frozenResultsAreSorted, caughtBy: ["FREEZE-01"]),
    Mutant(
      "updates-take-the-frozen-in",
      "with an update policy a frozen object may be added, and is copied",
      breaking: .frozenOnesAreNotAdded, caughtBy: ["FREEZE-34"]),
    Mutant(
      "first-key-path-counts",
      "of several key paths the first alone counts",
      breaking: .allKeyPathsCount, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "realm-tokens-are-not-skipped",
      "a realm's listeners are told though their tokens are to be skipped",
      breaking: .realmTokensAreSkipped, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "moves-are-not-told",
      "members that only change places are in no change set",
      breaking: .movesAreTold, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "maps-look-over-no-links",
      "a map's listener does not hear of what its values link to",
      breaking: .mapsLookOverLinks, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "two-links-are-far",
      "a collection's listener looks over two links, and no further",
      breaking: .fourLinksAreNear, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "stillborn-tokens-look-alive",
      "observe in a cancelled task returns a token that has not ended",
      breaking: .stillbornTokensHaveEnded, caughtBy: ["ACTOR-32"]),
    Mutant(
      "unheard-actors-stand-still",
      "an actor's realm that nobody listens to does not refresh by itself",
      breaking: .unheardActorsMove, caughtBy: ["ACTOR-38"]),
    Mutant(
      "indexes-are-built-anew",
      "the first change of an indexed property in a write builds its index anew",
      breaking: .indexesAreChangedInPlace, caughtBy: ["COMMIT-10"]),
    Mutant(
      "failures-are-remembered",
      "after a commit that failed each later one of the realm fails, too",
      breaking: .failuresAreForgotten, caughtBy: ["COMMIT-07"]),
    Mutant(
      "the-version-before-stays",
      "a realm that moves on keeps the version that it has left until it moves again",
      breaking: .leftVersionsAreLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "owned-ones-outlive-their-owners",
      "embedded objects stay when what owns them goes",
      breaking: .ownedOnesGoWithTheirOwners, caughtBy: ["GROW-09"]),
    Mutant(
      "realms-of-one-file-are-equal",
      "realms of one file are equal, whatever instances they are",
      breaking: .instancesAreCompared, caughtBy: ["LIFE-13"]),
    Mutant(
      "opened-files-become-the-default",
      "opening a file by its place makes it the default",
      breaking: .openingLeavesTheDefault, caughtBy: ["LIFE-02"]),
    Mutant(
      "searches-skip-too-much",
      "a search in a text does not go back over a beginning that came to nothing",
      breaking: .searchesGoBack, caughtBy: ["DATA-03"]),
    Mutant(
      "intersections-skip-neighbours",
      "intersecting sets passes over the neighbour of each member that goes",
      breaking: .intersectionsLookAtAll, caughtBy: ["DATA-06", "DATA-10"]),
    Mutant(
      "positions-follow-the-keys",
      "the position of a match is counted in the order of the keys",
      breaking: .positionsFollowTheSort, caughtBy: ["DATA-07"]),
    Mutant(
      "asked-twice-is-found-twice",
      "an index finds an object as often as its value is asked for",
      breaking: .foundOnceIsEnough, caughtBy: ["DATA-02"]),
  ]
}
