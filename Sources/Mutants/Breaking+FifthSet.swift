import ReferenceEngine

extension Mutant {
  /// Faults of the kinds that the suite went past in the fifth set of docs/UNPLANNED.md.
  static let unplannedFifth: [Mutant] = [
    Mutant(
      "removed-keys-leave-no-trace",
      "a key that is taken out of a map is no change to what was found before",
      breaking: .removedKeysAreChanges, caughtBy: ["READ-08"]),
    Mutant(
      "added-values-of-any-length",
      "what comes with an object that is added may be of any length",
      breaking: .addedValuesHaveALimit, caughtBy: ["WRITE-34"]),
    Mutant(
      "ids-name-the-next-one",
      "an id that is over names the oldest commit that was asked for after it",
      breaking: .idsNameOneCommit, caughtBy: ["ASYNC-29"]),
    Mutant(
      "bells-are-deaf-meanwhile",
      "what is committed while a home looks for news is no news",
      breaking: .bellsRingAgain, caughtBy: ["QUEUE-08", "NOTIFY-32"]),
    Mutant(
      "left-blocks-join-the-group",
      "a block that commits nothing is committed with the group that is open",
      breaking: .leftBlocksAreRolledBack, caughtBy: ["ASYNC-20"]),
    Mutant(
      "variables-keep-their-first-version",
      "a variable that is read again and again keeps the version it was assigned at",
      breaking: .variablesLetTheirVersionGo, caughtBy: ["GROW-11"]),
    Mutant(
      "files-by-their-last-name", "files of one name in two folders are one to references",
      breaking: .filesAreToldByTheirPath, caughtBy: ["REF-21"]),
  ]
}
