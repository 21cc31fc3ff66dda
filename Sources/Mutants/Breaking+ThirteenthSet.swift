import Foundation
import ReferenceEngine

extension Mutant {
  /// Faults that nobody planned, written blind: the thirteenth set, listed in docs/UNPLANNED.md.
  static let unplannedThirteenth: [Mutant] = [
    Mutant(
      "sections-stay-through-a-write",
      "sections that were found before stay as they are to the end of a write",
      breaking: .sectionsFollowTheWrite, caughtBy: ["READ-08"]),
    Mutant(
      "dynamic-finds-are-given-again",
      "what was looked up by its class's name is given again as long as anybody has it",
      breaking: .dynamicFindsAreNew, caughtBy: ["READ-08"]),
    Mutant(
      "reads-begin-where-it-was-frozen",
      "a realm without a version begins on the one that somebody holds frozen",
      breaking: .frozenOnesAreNoBegin, caughtBy: ["LIFE-04", "READ-11"]),
    Mutant(
      "same-values-need-no-write",
      "a property that is set by its name to what it is needs no write",
      breaking: .sameValuesNeedAWrite, caughtBy: ["WRITE-15"]),
    Mutant(
      "frozen-realms-share-the-write",
      "a frozen realm is in a write while the live one of its thread is",
      breaking: .frozenRealmsAreInNoWrite, caughtBy: ["WRITE-22"]),
    Mutant(
      "sixteen-megabytes-fit",
      "a text or data may be as long as the limit",
      breaking: .theLimitIsRefused, caughtBy: ["WRITE-34"]),
    Mutant(
      "nothing-is-deleted-without-a-write",
      "deleting all there is needs no write where there is nothing",
      breaking: .deletingAllNeedsAWrite, caughtBy: ["WRITE-17"]),
    Mutant(
      "copies-are-made-anywhere",
      "a copy may be written on any thread",
      breaking: .copiesAreMadeAtHome, caughtBy: ["CONFINE-01"]),
    Mutant(
      "objects-tell-their-realm-at-home",
      "an object tells its realm at home only",
      breaking: .objectsTellTheirRealmAnywhere, caughtBy: ["CONFINE-09"]),
    Mutant(
      "queues-swallow-errors",
      "a completion on a queue is not told of the error",
      breaking: .queuesHearOfErrors, caughtBy: ["QUEUE-09", "ASYNC-09"]),
    Mutant(
      "visitors-cannot-listen",
      "the main thread cannot listen or write asynchronously on a queue that it visits",
      breaking: .visitorsMayListen, caughtBy: ["QUEUE-08"]),
    Mutant(
      "commits-take-the-last-id",
      "a commit has the id that was given last",
      breaking: .commitsHaveTheirOwnIDs, caughtBy: ["ASYNC-26"]),
    Mutant(
      "zero-names-all",
      "cancelling zero cancels everything",
      breaking: .zeroIsNobody, caughtBy: ["ASYNC-29"]),
    Mutant(
      "calls-count-as-writes",
      "what is asked for in a listener's call waits for the end of a write",
      breaking: .callsAreNoWrites, caughtBy: ["ASYNC-55"]),
    Mutant(
      "asked-writes-are-grouped",
      "writeAsync allows its commit to be grouped",
      breaking: .groupingIsAskedFor, caughtBy: ["ASYNC-46", "ASYNC-14"]),
    Mutant(
      "nil-leaves-the-variable",
      "assigning nil to a variable leaves it as it is",
      breaking: .variablesBecomeNil, caughtBy: ["REF-26"]),
    Mutant(
      "references-are-taken-in-two-steps",
      "a reference is looked at in one step and taken in another",
      breaking: .takingIsOneStep, caughtBy: ["REF-06"]),
    Mutant(
      "nothing-found-stays-pinned",
      "a reference that finds nothing keeps its version",
      breaking: .nothingFoundUnpins, caughtBy: ["GROW-11"]),
    Mutant(
      "own-news-count-as-steps",
      "a refresh that tells listeners of the realm's own writes says that it moved",
      breaking: .ownNewsAreNoSteps, caughtBy: ["REFRESH-04"]),
    Mutant(
      "refreshes-are-announced",
      "a realm that refreshes by itself is told before that it has to",
      breaking: .refreshesAreNotAnnounced, caughtBy: ["REFRESH-13"]),
    Mutant(
      "opened-elsewhere-rests",
      "a realm that asyncOpen delivers has autorefresh off",
      breaking: .openedElsewhereAutorefreshes, caughtBy: ["REFRESH-08"]),
    Mutant(
      "freezing-refreshes",
      "freezing brings the realm to the newest version first",
      breaking: .freezingStays, caughtBy: ["REFRESH-15", "FREEZE-19"]),
    Mutant(
      "frozen-results-name-the-live-realm",
      "frozen results name the live realm",
      breaking: .frozenResultsNameTheFrozen, caughtBy: ["FREEZE-07"]),
    Mutant(
      "nil-was-what-it-is",
      "an old value that is nil is told as the new one",
      breaking: .nilIsAnOldValue, caughtBy: ["NOTIFY-17"]),
    Mutant(
      "maps-take-out-and-put-in",
      "a key whose value changes is told as taken out and put in",
      breaking: .mapsTellOfChanges, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "newcomers-hear-the-same-call",
      "a realm's listener that is added in a call hears of the same commit",
      breaking: .newcomersHearWhatComes, caughtBy: ["NOTIFY-38"]),
    Mutant(
      "told-by-their-columns",
      "changed properties are told by the names that they have in the file",
      breaking: .propertiesHaveTheirNames, caughtBy: ["NOTIFY-16"]),
    Mutant(
      "five-links-are-near",
      "a collection's listener looks over five links",
      breaking: .fiveLinksAreFar, caughtBy: ["NOTIFY-11"]),
    Mutant(
      "begun-anew-is-cancelled",
      "what a task's block has begun anew is cancelled",
      breaking: .begunAnewIsCommitted, caughtBy: ["ACTOR-17"]),
    Mutant(
      "unread-realms-were-refreshed",
      "asyncRefresh begins to read, and says that there were updates",
      breaking: .unreadRealmsAreNotRefreshed, caughtBy: ["ACTOR-22"]),
    Mutant(
      "taking-out-writes-all",
      "taking an element out of a list writes the whole list anew",
      breaking: .removalsWriteLittle, caughtBy: ["COMMIT-10"]),
    Mutant(
      "zeros-are-an-empty-file",
      "a file that begins with zeros counts as empty",
      caughtBy: ["COMMIT-20"]
    ) { seams in
      let honest = seams.disk
      seams.disk = { path, writable, create in
        if writable { emptyZeros(path) }
        return try honest(path, writable, create)
      }
    },
    Mutant(
      "limits-are-asked-once",
      "a realm is asked for its limit of versions once",
      breaking: .limitsHoldForEachWrite, caughtBy: ["GROW-07"]),
    Mutant(
      "asked-versions-stay-open",
      "asking for the version of a file's schema keeps the file open",
      breaking: .askedVersionsAreLetGo, caughtBy: ["LIFE-11"]),
    Mutant(
      "copies-in-writes-lose-the-schema-version",
      "a copy made in a write has lost the version of its schema",
      breaking: .copiesHaveTheirSchemaVersion, caughtBy: ["LIFE-14"]),
    Mutant(
      "locks-outlive-their-file",
      "the lock file stays when its file is deleted",
      breaking: .locksGoWithTheirFile, caughtBy: ["LIFE-11"]),
    Mutant(
      "policies-outlive-their-create",
      "how a create treats what is there holds for what comes after it",
      breaking: .policiesEndWithTheirCreate, caughtBy: ["DATA-11"]),
    Mutant(
      "in-heeds-capitals",
      "IN does not take capitals for their letters",
      breaking: .inFoldsLetters, caughtBy: ["DATA-03"]),
    Mutant(
      "runs-of-indexes-end-early",
      "of positions side by side the last one is left out",
      breaking: .runsOfIndexesAreWhole, caughtBy: ["DATA-07"]),
    Mutant(
      "replaced-ranges-come-late",
      "what replaces a range goes to where that ended",
      breaking: .rangesAreReplacedInPlace, caughtBy: ["DATA-13"]),
  ]
}

/// Empties a file that begins with a page of zeros.
private func emptyZeros(_ path: String) {
  guard let file = FileHandle(forReadingAtPath: path) else { return }
  defer { try? file.close() }
  guard let page = try? file.read(upToCount: 4096), !page.isEmpty, page.allSatisfy({ $0 == 0 })
  else { return }
  truncate(path, 0)
}
