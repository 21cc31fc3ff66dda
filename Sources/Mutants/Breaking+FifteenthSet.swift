import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the fifteenth set, listed in docs/UNPLANNED.md.
  static let unplannedFifteenth: [Mutant] = [
    Mutant(
      "deleting-nothing-needs-no-write",
      "deleting the objects of a query needs no write where it finds none",
      breaking: .deletingNothingNeedsAWrite, caughtBy: ["WRITE-17"]),
    Mutant(
      "writes-end-after-their-news",
      "a realm is in its write while its listeners are told of the commit",
      breaking: .writesEndBeforeTheirNews, caughtBy: ["WRITE-22"]),
    Mutant(
      "owned-objects-do-not-come-back",
      "an embedded object stays gone when the write is cancelled that has deleted its owner",
      breaking: .ownedObjectsComeBack, caughtBy: ["WRITE-18"]),
    Mutant(
      "strangers-are-known-by-their-key",
      "a link to an object of another realm leads to the own one with the same key",
      breaking: .strangersStayStrangers, caughtBy: ["CONFINE-17"]),
    Mutant(
      "late-queues-wait-for-the-lock",
      "a home that was late for its asynchronous write waits for the next turn itself",
      breaking: .lateHomesWaitElsewhere, caughtBy: ["QUEUE-12", "ASYNC-02"]),
    Mutant(
      "maps-resolve-where-one-is",
      "a reference to a map or a set does not bring the realm to its version",
      breaking: .mapsBringTheirVersion, caughtBy: ["REF-01"]),
    Mutant(
      "erased-results-hold-nothing",
      "a reference to an erased collection keeps no version",
      breaking: .erasedResultsPin, caughtBy: ["REF-16", "REF-14"]),
    Mutant(
      "first-calls-show-the-newest",
      "a realm is refreshed before a listener's first call",
      breaking: .firstCallsMoveNobody, caughtBy: ["REFRESH-11"]),
    Mutant(
      "sections-do-not-thaw",
      "one section of what is frozen thaws to itself",
      breaking: .sectionsThaw, caughtBy: ["FREEZE-01"]),
    Mutant(
      "maps-are-made-anew-for-listeners",
      "a map's listener gets another map than the one it was registered on",
      breaking: .mapsAreToldAsThemselves, caughtBy: ["NOTIFY-37"]),
    Mutant(
      "who-stands-behind-one-that-ends",
      "a listener that ends in its call takes the turn of the one behind it",
      breaking: .endsTakeNobodysTurn, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "orders-over-links-are-nobodys",
      "a sort over links is no reason to look who has moved",
      breaking: .ordersLookOverLinks, caughtBy: ["NOTIFY-13"]),
    Mutant(
      "typed-paths-of-maps-are-lost",
      "a map's listener on an actor drops its typed key paths",
      breaking: .typedPathsOfMapsCount, caughtBy: ["ACTOR-33"]),
    Mutant(
      "long-values-are-never-let-go",
      "the space of long values is not used again",
      breaking: .longValuesAreLetGo, caughtBy: ["COMMIT-11"]),
    Mutant(
      "pins-are-given-back-at-home",
      "a realm that goes on another thread than its own leaves its version pinned",
      breaking: .pinsAreLetGoAnywhere, caughtBy: ["GROW-08"]),
    Mutant(
      "queues-keep-the-first-default",
      "a realm for a queue has the default configuration of the first one",
      breaking: .queuesOpenTheDefault, caughtBy: ["LIFE-02"]),
    Mutant(
      "nothing-is-zero-to-distinct",
      "distinct takes a number that is not there for zero",
      breaking: .nothingIsNotZero, caughtBy: ["DATA-06"]),
    Mutant(
      "keys-below-zero-link-from-nowhere",
      "positions among links backwards are looked for in another order than they have",
      breaking: .linkersBelowZeroAreFound, caughtBy: ["DATA-07"]),
    Mutant(
      "two-billion-fits-as-it-is",
      "the least number that needs more than 32 bits gets 32",
      breaking: .widthsEndInTime, caughtBy: ["READ-04", "DATA-12"]),
    Mutant(
      "shown-members-are-kept",
      "values of shown members are kept when they have been shown",
      breaking: .shownMembersAreReadAnew, caughtBy: ["READ-11", "READ-08", "DATA-12"]),
    Mutant(
      "first-uses-take-the-lock",
      "the first use of a class without objects waits for the lock",
      breaking: .firstUsesTakeNoLock, caughtBy: ["READ-01"]),
    Mutant(
      "one-thread-waits-for-all-files",
      "one thread waits for the locks of all files, one after the other",
      breaking: .filesAreWaitedForApart, caughtBy: ["WRITE-04"]),
    Mutant(
      "whether-work-goes-on-is-told-anywhere",
      "whether asynchronous work is under way is told on any thread",
      breaking: .workIsAskedForAtHome, caughtBy: ["CONFINE-01"]),
    Mutant(
      "the-spare-thread-is-spared",
      "what a busy queue commits waits behind the thread that waits for the queue",
      breaking: .spareThreadsCarry, caughtBy: ["QUEUE-09"]),
    Mutant(
      "flushes-keep-no-realm",
      "a commit on its way to the disk does not keep its realm",
      breaking: .flushesKeepTheirRealm, caughtBy: ["ASYNC-51"]),
    Mutant(
      "blocks-write-within",
      "a plain write in an asynchronous block joins the one that runs",
      breaking: .blocksAreOneWrite, caughtBy: ["ASYNC-37"]),
    Mutant(
      "completions-commit-their-own",
      "a completion may commit in the background what it has begun itself",
      breaking: .completionsCommitAtOnce, caughtBy: ["ASYNC-33"]),
    Mutant(
      "silenced-commits-leave-completions",
      "a commit that skips listeners leaves earlier completions for later",
      breaking: .silencedCommitsComplete, caughtBy: ["ASYNC-40"]),
    Mutant(
      "collections-in-mixed-values-do-not-travel",
      "a list in a mixed value resolves to nil",
      breaking: .nestedListsAreFound, caughtBy: ["REF-02"]),
    Mutant(
      "neighbours-look-at-once",
      "a commit moves other realms of the same place before it returns",
      breaking: .neighboursLookLater, caughtBy: ["REFRESH-10"]),
    Mutant(
      "lists-go-to-the-heir",
      "a deleted object's collection shows that of whoever has its key",
      breaking: .heirsHaveTheirOwnLists, caughtBy: ["REFRESH-20"]),
    Mutant(
      "frozen-things-are-heard-on-queues",
      "what is frozen is listened to on queues and actors",
      breaking: .frozenThingsAreHeardNowhere, caughtBy: ["FREEZE-15"]),
    Mutant(
      "found-elsewhere-is-found-again",
      "what a query has found in another realm is deleted in this one",
      breaking: .foundIsDeletedAtHome, caughtBy: ["FREEZE-16"]),
    Mutant(
      "tokens-on-their-way-have-not-begun",
      "a token whose listener is still to come has nothing to end",
      breaking: .waitingTokensEnd, caughtBy: ["NOTIFY-25"]),
    Mutant(
      "one-section-hears-of-all",
      "a listener of one section is told of all",
      breaking: .sectionsHearOfThemselves, caughtBy: ["NOTIFY-09"]),
    Mutant(
      "tasks-hear-of-no-failure",
      "asyncWrite returns as if its commit had not failed",
      breaking: .tasksHearOfFailures, caughtBy: ["ACTOR-14"]),
    Mutant(
      "names-are-not-flushed",
      "the name of a file that was made is not flushed",
      breaking: .namesAreFlushed, caughtBy: ["COMMIT-08", "LIFE-14"]),
    Mutant(
      "ids-are-looked-for-row-by-row",
      "an object is looked for row by row if its key is a UUID or an object id",
      breaking: .idsAreFoundByIndex, caughtBy: ["COMMIT-14"]),
    Mutant(
      "variables-keep-what-they-had",
      "a variable that is assigned anew keeps the version that it had",
      breaking: .variablesLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "less-is-always-allowed",
      "who asks to read only is given a realm that is open to be written",
      breaking: .settingsAgree, caughtBy: ["LIFE-03"]),
  ]
}
