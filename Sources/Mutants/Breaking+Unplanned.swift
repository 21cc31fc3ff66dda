import ReferenceEngine

extension Mutant {
  /// Engines with faults that nobody had planned when the rules were written: what the suite did
  /// not see at first sight.
  static let unplanned: [Mutant] = [
    Mutant(
      "loops-keep-nothing", "a loop walks a version that it does not keep",
      breaking: .loopsKeepTheirVersion, caughtBy: ["READ-12"]),
    Mutant(
      "maps-walked-anywhere", "a map may be walked on any thread",
      breaking: .mapsAreWalkedAtHome, caughtBy: ["CONFINE-04"]),
    Mutant(
      "changed-anywhere-in-writes",
      "a collection whose realm is in a write may be changed anywhere",
      breaking: .collectionsChangeAtHome, caughtBy: ["CONFINE-03"]),
    Mutant(
      "queues-by-label", "queues with one label are one",
      breaking: .queuesAreThemselves, caughtBy: ["QUEUE-13"]),
    Mutant(
      "targets-are-strangers", "a queue that targets the realm's is not at home",
      breaking: .targetedQueuesAreHome, caughtBy: ["QUEUE-13"]),
    Mutant(
      "asks-for-one-refresh", "that a refresh is due is told once in the life of a realm",
      breaking: .everyCommitAsksForARefresh, caughtBy: ["REFRESH-13"]),
    Mutant(
      "old-default-while-open", "Realm() is what it was as long as that is open",
      breaking: .theDefaultIsOfTheMoment, caughtBy: ["LIFE-02"]),
    Mutant(
      "swaps-size-and-use", "who decides about compacting is told the use first",
      breaking: .compactionKnowsSizeFromUse, caughtBy: ["LIFE-16"]),
    Mutant(
      "wakes-one-process", "of the processes that listen one is woken",
      breaking: .everyProcessHears, caughtBy: ["NOTIFY-34"]),
    Mutant(
      "came-back-unseen", "what was deleted and came again under its key is no change",
      breaking: .comingBackIsNews, caughtBy: ["NOTIFY-20"]),
    Mutant(
      "too-many-to-tell", "more changes than a record holds are told as none",
      breaking: .manyChangesAreCompared, caughtBy: ["NOTIFY-20"]),
    Mutant(
      "space-of-others-is-free", "who finds out which space is free forgets what others hold",
      breaking: .spaceIsFreeForEveryone, caughtBy: ["GROW-01"]),
    Mutant(
      "references-before-the-write", "a reference made in a write names the version before it",
      breaking: .referencesNameTheirWrite, caughtBy: ["REF-15"]),
    Mutant(
      "own-executors-unchecked", "an actor with an executor of its own is at home everywhere",
      breaking: .ownExecutorsAreChecked, caughtBy: ["ACTOR-41"]),
    Mutant(
      "cancelled-keep-their-place", "a cancelled task is lent its turn, and never comes",
      breaking: .cancelledTasksLeaveTheLine, caughtBy: ["ACTOR-18"]),
    Mutant(
      "lent-turns-stay-lent", "a realm that is invalidated forgets that a turn was lent to a task",
      breaking: .lentTurnsComeBack, caughtBy: ["ACTOR-18"]),
    Mutant(
      "last-frozen-stays", "a realm keeps the last realm that was frozen from it",
      breaking: .theLastFrozenIsLetGo, caughtBy: ["GROW-11"]),
    Mutant(
      "counts-holders", "a version counts as often as it is held",
      breaking: .versionsCountOnce, caughtBy: ["GROW-08"]),
    Mutant(
      "the-dead-hold-versions", "what a process held stays held when it was killed",
      breaking: .theDeadHoldNoVersion, caughtBy: ["GROW-11"]),
    Mutant(
      "barrier-only-at-first",
      "a commit that allows no grouping is no barrier behind others that do",
      breaking: .barriersStandBehindGroups, caughtBy: ["ASYNC-46"]),
    Mutant(
      "silent-begins", "a write that cannot begin tells nobody",
      breaking: .failedBeginsAreTold, caughtBy: ["ASYNC-09"]),
    Mutant(
      "first-of-group-hears", "of a group that failed the first alone hears of it",
      breaking: .everyoneOfAGroupHears, caughtBy: ["ASYNC-09"]),
  ]
}
