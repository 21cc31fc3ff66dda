import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about references and `@ThreadSafe`.
  static let references: [Mutant] = [
    Mutant(
      "references-need-a-key", "objects without a primary key resolve to nothing",
      breaking: .referencesNeedNoKey, caughtBy: ["REF-01"]),
    Mutant(
      "resolves-in-other-files", "a reference finds what has its key in another file",
      breaking: .referencesKnowTheirFile, caughtBy: ["REF-21"]),
    Mutant(
      "resolves-to-the-frozen", "a reference resolves to a frozen thing",
      breaking: .resolvesToTheLive, caughtBy: ["REF-02", "REF-32", "ACTOR-26"]),
    Mutant(
      "references-look-fresh", "a reference never says that it was resolved",
      breaking: .referencesKnowTheyAreSpent, caughtBy: ["REF-05"]),
    Mutant(
      "resolves-to-blanks", "what is gone resolves to an object without realm",
      breaking: .resolvesTheDeletedToNil, caughtBy: ["REF-09", "REF-33"]),
    Mutant(
      "variables-mistake-objects", "a variable names what is added under its object's key",
      breaking: .variablesKnowTheirObject, caughtBy: ["REF-25"]),
    Mutant(
      "resolves-in-writes-only", "a reference resolves inside a write only",
      breaking: .resolvesOutsideWrites, caughtBy: ["REF-11"]),
    Mutant(
      "resolves-in-the-past", "an older realm resolves without a refresh",
      breaking: .resolvingCatchesUp, caughtBy: ["REF-12", "REF-13"]),
    Mutant(
      "resolves-the-durable-only",
      "what is committed and not yet durable is not found by reference",
      breaking: .referencesFindWhatIsSealed, caughtBy: ["REF-12"]),
    Mutant(
      "references-leak-their-version", "a resolved reference keeps its version for ever",
      breaking: .spentReferencesPinNothing, caughtBy: ["REF-14", "GROW-11"]),
    Mutant(
      "references-from-writes-are-lost", "a reference made inside a write resolves to nothing",
      breaking: .referencesFromWritesResolve, caughtBy: ["REF-15"]),
    Mutant(
      "references-take-the-source", "what was referred to is invalid from then on",
      breaking: .referencesLeaveTheSourceAlone, caughtBy: ["REF-17"]),
    Mutant(
      "resolves-elsewhere-only", "a reference does not resolve on the thread that made it",
      breaking: .referencesResolveAtTheirSource, caughtBy: ["REF-18"]),
    Mutant(
      "references-need-to-write", "nothing of a read-only realm can be referred to",
      breaking: .referencesNeedNoWriting, caughtBy: ["REF-19"]),
    Mutant(
      "refuses-frozen-references", "nothing frozen can be referred to",
      breaking: .frozenThingsTravel, caughtBy: ["REF-20"]),
    Mutant(
      "thread-safe-is-spent", "a @ThreadSafe variable can be read once",
      breaking: .threadSafeReadsAgain, caughtBy: ["REF-24"]),
    Mutant(
      "thread-safe-stays-behind", "a @ThreadSafe variable shows the version it was assigned at",
      breaking: .threadSafeFollowsItsReaders, caughtBy: ["REF-24", "REF-30"]),
    Mutant(
      "thread-safe-is-stuck", "a @ThreadSafe variable ignores what is assigned",
      breaking: .threadSafeCanBeRetargeted, caughtBy: ["REF-26"]),
    Mutant(
      "thread-safe-reads-the-default", "a @ThreadSafe variable is read from the default realm",
      breaking: .threadSafeKnowsItsRealm, caughtBy: ["REF-28"]),
    Mutant(
      "thread-safe-opens-anew", "every read of a @ThreadSafe variable opens a realm",
      breaking: .threadSafeJoinsTheThreadsRealm, caughtBy: ["REF-29"]),
    Mutant(
      "thread-safe-for-objects", "a @ThreadSafe variable carries no collection",
      breaking: .threadSafeCarriesCollections, caughtBy: ["REF-30"]),
  ]
}
