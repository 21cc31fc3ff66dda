import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about opening, closing and copying.
  static let living: [Mutant] = [
    Mutant(
      "closing-silences-others", "a realm that closes takes another's ear for other processes away",
      breaking: .listenersEndAlone, caughtBy: ["LIFE-24"]),
    Mutant(
      "one-realm-for-all-files", "a thread gets the realm of another file",
      breaking: .filesAreApart, caughtBy: ["LIFE-01"]),
    Mutant(
      "keeps-the-first-default", "the default configuration can be set once",
      breaking: .theDefaultCanBeChanged, caughtBy: ["LIFE-02"]),
    Mutant(
      "invalidates-once", "invalidate cannot be called again",
      breaking: .invalidatingNothingIsHarmless, caughtBy: ["LIFE-06"]),
    Mutant(
      "invalidates-while-telling", "invalidate inside a listener's call invalidates",
      breaking: .invalidationRestsWhileTelling, caughtBy: ["LIFE-07"]),
    Mutant(
      "invalidates-everybody", "invalidate makes other threads' objects invalid",
      breaking: .invalidationIsTheRealmsOwn, caughtBy: ["LIFE-18"]),
    Mutant(
      "memory-for-each-thread", "every thread has a memory of its own",
      breaking: .memoryIsShared, caughtBy: ["LIFE-09"]),
    Mutant(
      "deletes-open-files", "files that are open are deleted",
      breaking: .openFilesAreNotDeleted, caughtBy: ["LIFE-11"]),
    Mutant(
      "deleted-objects-look-valid", "deleted objects do not say so",
      breaking: .deletedObjectsAreInvalid, caughtBy: ["LIFE-12"]),
    Mutant(
      "copies-the-newest", "a copy of the file is of the newest version",
      breaking: .copiesShowTheRealmsVersion, caughtBy: ["LIFE-14"]),
    Mutant(
      "copies-over-files", "a copy of the file overwrites another",
      breaking: .copiesOverwriteNothing, caughtBy: ["LIFE-14"]),
    Mutant(
      "copies-keep-the-realm", "an object copied out of a realm keeps it",
      breaking: .copiesPinNothing, caughtBy: ["LIFE-15", "GROW-05"]),
    Mutant(
      "async-open-binds-to-threads", "asyncOpen opens for the thread that happens to run the queue",
      breaking: .asyncOpenBindsToItsQueue, caughtBy: ["LIFE-19"]),
  ]
}
