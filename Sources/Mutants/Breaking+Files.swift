import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about the file.
  static let files: [Mutant] = [
    Mutant(
      "reads-all-at-opening", "opening a file reads all of it",
      breaking: .opensWithoutReadingAll, caughtBy: ["COMMIT-14"]),
    Mutant(
      "several-runs-are-believed",
      "what was flushed once is compared with its checksum only where it lies in one place",
      breaking: .severalRunsAreSummed, caughtBy: ["COMMIT-02"]),
    Mutant(
      "leaks-space-at-crashes", "space that a crash lost is never used again",
      breaking: .lostSpaceIsFound, caughtBy: ["COMMIT-16"]),
    Mutant(
      "compares-with-nothing",
      "what is read is not compared with its checksum, though it was asked for",
      breaking: .whatIsReadIsCompared, caughtBy: ["COMMIT-19"]),
    Mutant(
      "openers-start-over", "who opens a file clears what others share",
      breaking: .openersAgree, caughtBy: ["LIFE-17", "LIFE-21", "LIFE-22"]),
    Mutant(
      "compacts-under-readers", "a file is made shorter while others have it open",
      breaking: .compactionWaitsForItsTurn, caughtBy: ["LIFE-16"]),
    Mutant(
      "permissions-go-by-home", "what one home only reads another home of the process may write",
      breaking: .permissionsAgree, caughtBy: ["LIFE-03"]),
    Mutant(
      "migrates-under-others", "a file is migrated while others of the process have it open",
      breaking: .schemaVersionsAgree, caughtBy: ["LIFE-03"]),
    Mutant(
      "reads-with-any-version", "a file is opened to be read only with a higher schema version",
      breaking: .readersHaveTheFilesVersion, caughtBy: ["LIFE-10"]),
    Mutant(
      "reads-on-what-others-migrated",
      "a realm whose class another process has migrated reads empty values",
      breaking: .foreignMigrationsAreTold, caughtBy: ["DATA-12"]),
    Mutant(
      "records-lead-anywhere", "where a record says that the one before lies is not looked at",
      breaking: .recordsLeadIntoTheFile, caughtBy: ["COMMIT-19"]),
  ]
}
