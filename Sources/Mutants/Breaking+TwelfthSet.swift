import Foundation
import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the twelfth set, listed in docs/UNPLANNED.md.
  static let unplannedTwelfth: [Mutant] = [
    Mutant(
      "links-are-remembered",
      "an accessor keeps what a link led to until it sets the link itself",
      breaking: .linkedObjectsAreFoundAnew, caughtBy: ["READ-11"]),
    Mutant(
      "invalidated-realms-begin-at-once",
      "a realm that is invalidated begins the next read itself",
      breaking: .invalidatedRealmsBeginLazily, caughtBy: ["READ-10", "LIFE-04"]),
    Mutant(
      "queries-wait-for-the-disk",
      "asking for objects waits for the realm's own flushes",
      breaking: .queriesLeaveFlushesAlone, caughtBy: ["READ-14"]),
    Mutant(
      "answers-outlive-the-cancel",
      "what results found in a write stays when the write is cancelled",
      breaking: .cancelledAnswersAreForgotten, caughtBy: ["WRITE-18"]),
    Mutant(
      "failed-commits-stay-open",
      "a commit that fails leaves its realm in the write",
      breaking: .failedCommitsEndTheirWrite, caughtBy: ["WRITE-27"]),
    Mutant(
      "own-objects-are-added-again",
      "an object that the realm has is added like any other",
      breaking: .ownObjectsAreThereAlready, caughtBy: ["WRITE-30"]),
    Mutant(
      "sixteen-million-is-the-limit",
      "a megabyte of a text has a million bytes",
      breaking: .megabytesAreWhole, caughtBy: ["WRITE-34"]),
    Mutant(
      "realms-are-invalidated-anywhere",
      "a realm may be invalidated on any thread",
      breaking: .invalidatingIsConfined, caughtBy: ["CONFINE-01"]),
    Mutant(
      "opening-again-turns-autorefresh-on",
      "opening a realm that is open turns its autorefresh on",
      breaking: .openingAgainLeavesAutorefresh, caughtBy: ["CONFINE-10", "REFRESH-18"]),
    Mutant(
      "queues-refuse-in-other-words",
      "who opens for a queue from outside is told of a wrong thread",
      breaking: .queuesRefuseInTheirWords, caughtBy: ["QUEUE-03"]),
    Mutant(
      "queues-hear-nothing-of-themselves",
      "a queue's listeners are not told of what its realm has written",
      breaking: .queuesHearOfThemselves, caughtBy: ["QUEUE-08"]),
    Mutant(
      "begun-blocks-go-first",
      "blocks that commit by themselves wait in a line of their own, which goes first",
      breaking: .beginsKeepTheirPlace, caughtBy: ["ASYNC-11"]),
    Mutant(
      "groups-complete-once",
      "of commits that went to the disk together the last one's completion is called",
      breaking: .allOfAGroupComplete, caughtBy: ["ASYNC-06"]),
    Mutant(
      "completions-may-not-write",
      "a synchronous write in a completion is refused like an asynchronous one",
      breaking: .completionsMayWrite, caughtBy: ["ASYNC-33"]),
    Mutant(
      "twenty-one-share-a-flush",
      "a group ends one commit too late",
      breaking: .twentyShareAFlush, caughtBy: ["ASYNC-45"]),
    Mutant(
      "references-end-with-their-realm",
      "a reference says that it is spent when its realm was invalidated or has gone",
      breaking: .referencesOutliveTheirRealm, caughtBy: ["REF-05"]),
    Mutant(
      "variables-stay-with-their-file",
      "what a variable is assigned is looked for in the file of the first",
      breaking: .variablesChangeTheirFile, caughtBy: ["REF-26", "REF-28"]),
    Mutant(
      "variables-keep-what-they-gave",
      "a variable gives what it gave first, to whichever thread",
      breaking: .variablesResolveForEachThread, caughtBy: ["REF-24"]),
    Mutant(
      "opening-again-refreshes",
      "opening a realm that is open brings it to the newest version",
      breaking: .openingAgainLeavesTheVersion, caughtBy: ["REFRESH-15", "REFRESH-02"]),
    Mutant(
      "needless-rings-stay-rung",
      "a home that was rung and finds nothing new cannot be rung again",
      breaking: .needlessRingsAreAnswered, caughtBy: ["REFRESH-09"]),
    Mutant(
      "frozen-realms-claim-autorefresh",
      "a frozen realm says of autorefresh what it was for the live one",
      breaking: .frozenRealmsDoNotAutorefresh, caughtBy: ["REFRESH-14", "FREEZE-17"]),
    Mutant(
      "own-commits-keep-the-frozen",
      "what was frozen is frozen still after an own commit",
      breaking: .ownCommitsAreAnotherVersion, caughtBy: ["FREEZE-19"]),
    Mutant(
      "frozen-linkers-are-live",
      "the objects that link to a frozen one are live",
      breaking: .frozenLinkersAreFrozen, caughtBy: ["FREEZE-06"]),
    Mutant(
      "first-calls-know-the-past",
      "what is committed between observe and the first call is told after that, too",
      breaking: .firstCallsTakeInThePast, caughtBy: ["NOTIFY-05"]),
    Mutant(
      "wrong-paths-name-the-root",
      "a wrong key path names the class that it begins with",
      breaking: .wrongPathsNameTheirClass, caughtBy: ["NOTIFY-15"]),
    Mutant(
      "own-work-has-old-values",
      "changes that the observing realm has made are told with their old values",
      breaking: .ownWorkHasNoOldValues, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "twice-there-is-modified-once",
      "a modified object that is there more than once is told at its first place",
      breaking: .eachPlaceIsModified, caughtBy: ["NOTIFY-06"]),
    Mutant(
      "skipping-outlives-the-cancel",
      "the listeners that a cancelled write was to skip are skipped by the next one",
      breaking: .cancelledWritesSkipNobody, caughtBy: ["NOTIFY-30"]),
    Mutant(
      "cancelled-tasks-throw-realms-errors",
      "a task that is cancelled while it waits to write throws one of Realm's errors",
      breaking: .cancelledTasksSaySo, caughtBy: ["ACTOR-18"]),
    Mutant(
      "async-refresh-needs-autorefresh",
      "asyncRefresh does nothing where autorefresh is off",
      breaking: .asyncRefreshNeedsNothing, caughtBy: ["ACTOR-23"]),
    Mutant(
      "silenced-commits-are-not-flushed",
      "a commit that skips listeners is not flushed",
      breaking: .silencedCommitsAreFlushed, caughtBy: ["COMMIT-08"]),
    Mutant(
      "refused-files-are-padded",
      "a file is made whole pages long before it is looked into",
      caughtBy: ["COMMIT-20"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { path, writable, create in
        if writable { pad(path) }
        return try honest(path, writable, create)
      }
    },
    Mutant(
      "async-begins-know-no-limit",
      "a limit of versions is asked for synchronous writes alone",
      breaking: .asyncBeginsKnowTheLimit, caughtBy: ["GROW-07"]),
    Mutant(
      "written-copies-keep-their-version",
      "writing a copy keeps the version that is copied for ever",
      breaking: .writtenCopiesLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "readers-make-the-file",
      "opening a file to be read only makes one where there is none",
      breaking: .readersMakeNoFile, caughtBy: ["LIFE-10"]),
    Mutant(
      "seeds-are-sown-again",
      "a seed takes the place of the file whenever nobody has that open",
      breaking: .seedsAreSownOnce, caughtBy: ["LIFE-21"]),
    Mutant(
      "asked-dates-lose-their-fractions",
      "a date that is compared with is cut to whole seconds",
      breaking: .askedDatesHaveFractions, caughtBy: ["DATA-02"]),
    Mutant(
      "descending-turns-the-alike",
      "a descending sort is an ascending one backwards",
      breaking: .descendingKeepsTheAlike, caughtBy: ["DATA-05"]),
    Mutant(
      "spellings-are-one-key",
      "two spellings of a text are one primary key",
      breaking: .spellingsAreTexts, caughtBy: ["DATA-11"]),
    Mutant(
      "inserted-backwards",
      "elements that are inserted together stand in turned order",
      breaking: .insertedInOrder, caughtBy: ["DATA-13"]),
  ]
}

/// Makes a file that is there whole pages long.
private func pad(_ path: String) {
  guard let file = try? FileManager.default.attributesOfItem(atPath: path),
    let size = file[.size] as? Int, size > 0, size % 4096 != 0
  else { return }
  truncate(path, (size + 4095) / 4096 * 4096)
}
