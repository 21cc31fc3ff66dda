import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the ninth set, listed in docs/UNPLANNED-9.md.
  static let unplannedNinth: [Mutant] = [
    Mutant(
      "misses-are-remembered",
      "a whole number that was not found as primary key is taken to be missing until the "
        + "realm writes itself",
      breaking: .lookedForAnew, caughtBy: ["READ-16"]),
    Mutant(
      "nobody-first-stays-nobody",
      "that a filter has no first member is remembered to the end of the write in which it "
        + "was asked",
      breaking: .firstOnesAreFoundInWrites, caughtBy: ["READ-08"]),
    Mutant(
      "one-class-is-taken-back",
      "of a cancelled write only the additions to the class that was touched first are "
        + "taken back for those who hold them",
      breaking: .allClassesAreTakenBack, caughtBy: ["WRITE-19"]),
    Mutant(
      "cancelled-sweeps-bury",
      "what was deleted together is noted as gone before the write has ended, and "
        + "cancelling does not take the note back",
      breaking: .cancelledSweepsBuryNobody, caughtBy: ["WRITE-20"]),
    Mutant(
      "known-sections-are-open-to-all",
      "sections that have been found are given out without a look at the thread",
      breaking: .knownSectionsAreConfined, caughtBy: ["CONFINE-04"]),
    Mutant(
      "threads-keep-their-queue",
      "a thread that was once found on the queue is taken for the queue later, too",
      breaking: .threadsLeaveTheirQueue, caughtBy: ["QUEUE-04"]),
    Mutant(
      "queues-take-plain-realms-in",
      "a realm that is opened without a queue, in a block of a queue that has a realm, is "
        + "that queue's",
      breaking: .plainRealmsAreOfTheThread, caughtBy: ["QUEUE-06"]),
    Mutant(
      "silent-commits-are-no-work",
      "a commit on its way to the disk that has no completion does not count as work",
      breaking: .silentCommitsAreWork, caughtBy: ["ASYNC-14"]),
    Mutant(
      "cancelling-in-a-write-is-lost",
      "cancelAsyncWrite inside a write does nothing",
      breaking: .cancelledInWrites, caughtBy: ["ASYNC-27"]),
    Mutant(
      "grouped-commits-tell-later",
      "listeners of the realm are told of a commit that allows grouping in a later turn, "
        + "not in the call",
      breaking: .groupsTellInTheCall, caughtBy: ["ASYNC-49"]),
    Mutant(
      "thrown-writes-wake-nobody",
      "blocks that were queued in a write whose block throws are not woken when it ends",
      breaking: .thrownWritesWakeOthers, caughtBy: ["ASYNC-38"]),
    Mutant(
      "present-objects-need-no-refresh",
      "an object that an older realm finds on its own version is resolved there, without a "
        + "refresh",
      breaking: .olderRealmsAreRefreshed, caughtBy: ["REF-12"]),
    Mutant(
      "cancelled-references-find-heirs",
      "a reference that was made in a write remembers the key alone, and not which row it "
        + "was",
      breaking: .referencesKnowTheirRow, caughtBy: ["REF-15"]),
    Mutant(
      "told-behind-once",
      "a realm without autorefresh is told once that a refresh is required, and never again",
      breaking: .toldBehindEachTime, caughtBy: ["REFRESH-13"]),
    Mutant(
      "autorefresh-outlives-its-realm",
      "that autorefresh was set to false is remembered for the place, after the instance "
        + "has gone",
      breaking: .autorefreshEndsWithItsRealm, caughtBy: ["REFRESH-18"]),
    Mutant(
      "closed-snapshots-are-handed-out",
      "a frozen realm that was invalidated is given out again by the next freeze at the "
        + "same version",
      breaking: .closedOnesAreMadeAnew, caughtBy: ["FREEZE-38"]),
    Mutant(
      "frozen-twins-hash-apart",
      "two equal frozen views of an object without primary key have different hashes",
      breaking: .twinsHashAlike, caughtBy: ["FREEZE-40"]),
    Mutant(
      "first-token-is-skipped-alone",
      "of several tokens that are not to be notified only the first is passed over",
      breaking: .eachTokenIsSkipped, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "rounds-are-told-to-their-end",
      "a listener whose token is invalidated in the call of another, before its own, is "
        + "called once more",
      breaking: .theEndedHearNothing, caughtBy: ["NOTIFY-23"]),
    Mutant(
      "sections-count-from-where-they-are",
      "deletions and modifications in sections name the section by its new position",
      breaking: .deletionsNameTheOldSection, caughtBy: ["NOTIFY-07"]),
    Mutant(
      "key-paths-count-at-their-end",
      "of a key path over links only the last property counts; setting a link on the way is "
        + "not noticed",
      breaking: .linksOnTheWayCount, caughtBy: ["NOTIFY-12"]),
    Mutant(
      "own-work-hides-old-values",
      "after the realm has written once itself, what others change later counts as its own "
        + "work",
      breaking: .othersWorkHasOldValues, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "thrown-turns-are-kept",
      "a task whose block threw does not give its turn back",
      breaking: .thrownTurnsAreReturned, caughtBy: ["ACTOR-16"]),
    Mutant(
      "written-actors-keep-their-realm",
      "a realm in which a task has written is kept for ever",
      breaking: .writtenRealmsAreLetGo, caughtBy: ["ACTOR-35"]),
    Mutant(
      "slots-are-compared-by-a-byte",
      "at opening the newer slot is found by the lowest byte of the version",
      breaking: .versionsAreWholeNumbers, caughtBy: ["COMMIT-12"]),
    Mutant(
      "failed-commits-leave-heirs",
      "after a commit has failed, what it had added is not taken back for those who hold it",
      breaking: .failedOnesHaveNoHeirs, caughtBy: ["COMMIT-07"]),
    Mutant(
      "lists-are-written-whole",
      "the first append to a list of values in a write writes the whole list anew",
      breaking: .appendsCostLittle, caughtBy: ["COMMIT-10"]),
    Mutant(
      "last-listeners-keep-their-version",
      "the version that the last listener knew is not let go if it ends before it has heard "
        + "of the next one, or in its own call",
      breaking: .theLastLetsItsVersionGo, caughtBy: ["GROW-11"]),
    Mutant(
      "refused-begins-keep-the-gate",
      "an asynchronous begin that is refused because of too many versions does not leave "
        + "the gate",
      breaking: .refusedBeginsLeave, caughtBy: ["GROW-07"]),
    Mutant(
      "copies-share-maps",
      "an object that is made from a managed one has that one's map, not a copy",
      breaking: .copiesHaveOwnMaps, caughtBy: ["LIFE-15"]),
    Mutant(
      "ended-elsewhere-stays-open",
      "a token of an object or a collection that is invalidated away from home keeps the "
        + "realm for ever",
      breaking: .endedElsewhereLetsGo, caughtBy: ["LIFE-08"]),
    Mutant(
      "refused-copies-empty-the-target",
      "a copy opens its target for writing before it looks whether there is a file",
      breaking: .refusedCopiesTouchNothing, caughtBy: ["LIFE-14"]),
    Mutant(
      "ties-sort-as-the-first",
      "all sort descriptors go the way of the first",
      breaking: .tiesGoTheirOwnWay, caughtBy: ["DATA-05"]),
    Mutant(
      "double-links-count-once",
      "removing one of two places of an object in a list takes the link backwards away",
      breaking: .otherPlacesStillLink, caughtBy: ["DATA-09"]),
    Mutant(
      "updates-leave-nil-out",
      "creating with an update of what is modified passes over values that are given as nil",
      breaking: .updatesWriteNil, caughtBy: ["DATA-11"]),
    Mutant(
      "indexes-forget-former-nulls",
      "an indexed property of an existing row that was null gets no entry in the index when "
        + "it is set",
      breaking: .formerNullsAreIndexed, caughtBy: ["DATA-04"]),
    Mutant(
      "every-null-is-distinct",
      "distinct takes no two nulls for the same",
      breaking: .nullsAreAlike, caughtBy: ["DATA-06"]),
    Mutant(
      "question-marks-are-bytes",
      "in a pattern a question mark stands for one byte",
      breaking: .questionMarksAreCharacters, caughtBy: ["DATA-03"]),
    Mutant(
      "merges-swap-sides",
      "merging maps hands over the two values in the wrong order",
      breaking: .mergesKnowTheirSides, caughtBy: ["DATA-13"]),
    Mutant(
      "greatest-is-at-least-zero",
      "the search for the greatest fraction begins with zero",
      breaking: .theGreatestMayBeNegative, caughtBy: ["DATA-08"]),
  ]
}
