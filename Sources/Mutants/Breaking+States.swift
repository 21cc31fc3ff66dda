import ReferenceEngine

extension Mutant {
  /// Engines that break a promise for realms of one make, or in one state.
  static let states: [Mutant] = [
    Mutant(
      "readers-compute-of-all",
      "in a realm that only reads, a filter's sum is that of all there are",
      breaking: .readersCompute, caughtBy: ["READ-05"]),
    Mutant(
      "thousands-have-no-greatest",
      "of more than two thousand objects there is no greatest value",
      breaking: .manyAreComputedWhole, caughtBy: ["DATA-12"]),
    Mutant(
      "invalidated-realms-commit-what-they-cancel",
      "a realm that was invalidated once commits what it cancels",
      breaking: .invalidatedRealmsUndo, caughtBy: ["WRITE-18"]),
    Mutant(
      "seeded-realms-move-silently",
      "refresh() of a realm that was made of a seed says that nothing has moved",
      breaking: .seededRealmsSayThatTheyMove, caughtBy: ["REFRESH-03"]),
    Mutant(
      "limited-realms-do-not-rest",
      "a realm with a limit of versions comes by itself, whatever autorefresh says",
      breaking: .limitedRealmsRest, caughtBy: ["REFRESH-13", "QUEUE-08"]),
    Mutant(
      "memory-freezes-its-first-begin",
      "in memory, what is frozen in a write is what was frozen in the first one",
      breaking: .memoryFreezesEachBegin, caughtBy: ["FREEZE-02"]),
    Mutant(
      "migrated-realms-tell-of-nobody-new",
      "listeners of a realm with a migration are not told who has come",
      breaking: .migratedRealmsTellWhoCame, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "writes-cancel-no-work",
      "in a write, an asynchronous one that waits cannot be cancelled",
      breaking: .workIsCancelledInWrites, caughtBy: ["ASYNC-06"]),
    Mutant(
      "compacted-realms-find-nobody-in-writes",
      "a realm that asks whether to compact resolves nothing in a write",
      breaking: .compactedRealmsResolveInWrites, caughtBy: ["REF-02"]),
    Mutant(
      "memory-copies-without-its-write",
      "a copy that is made in a write of a realm in memory is of before it",
      breaking: .memoryCopiesItsWrites, caughtBy: ["LIFE-14"]),
    Mutant(
      "thawing-in-writes-pins",
      "what is thawed in a write keeps the version that it was frozen in",
      breaking: .thawingInWritesLetsGo, caughtBy: ["GROW-11"]),
    Mutant(
      "versioned-realms-are-others-in-writes",
      "a realm whose schema has a version is not itself while it is in a write",
      breaking: .versionedRealmsAreThemselves, caughtBy: ["CONFINE-10"]),
    Mutant(
      "seeded-realms-are-refreshed-anywhere",
      "a realm that was made of a seed may be refreshed on any thread",
      breaking: .seededRealmsAreConfined, caughtBy: ["CONFINE-01"]),
    Mutant(
      "memory-of-actors-stays",
      "an asynchronous refresh does nothing for a realm in memory",
      breaking: .memoryIsRefreshedByActors, caughtBy: ["ACTOR-06"]),
  ]
}
