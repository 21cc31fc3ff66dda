import ReferenceEngine

extension Mutant {
  /// Engines that break a promise about refreshing.
  static let refreshing: [Mutant] = [
    Mutant(
      "refreshes-nothing", "refresh leaves the realm on its version",
      breaking: .refreshComesToTheNewest,
      caughtBy: ["REFRESH-03", "REFRESH-17", "ACTOR-22", "ACTOR-23"]),
    Mutant(
      "refresh-is-always-true", "refresh is true though nothing was new",
      breaking: .refreshTellsWhetherItMoved, caughtBy: ["REFRESH-04", "ACTOR-22"]),
    Mutant(
      "async-refresh-comes-late",
      "asyncRefresh is false if the realm has moved by itself meanwhile",
      breaking: .refreshTellsOfMovesMeanwhile, caughtBy: ["ACTOR-22"]),
    Mutant(
      "refresh-cancels-writes", "refresh inside a write rolls it back",
      breaking: .refreshLeavesWritesAlone, caughtBy: ["REFRESH-05"]),
    Mutant(
      "refreshes-while-telling", "refresh inside a listener's call advances",
      breaking: .refreshRestsWhileTelling, caughtBy: ["REFRESH-06"]),
    Mutant(
      "autorefresh-off-at-first", "autorefresh is off until it is turned on",
      breaking: .autorefreshIsOnAtFirst, caughtBy: ["REFRESH-08"]),
    Mutant(
      "autorefresh-ignores-its-switch", "a realm refreshes by itself though autorefresh is off",
      breaking: .autorefreshCanBeTurnedOff, caughtBy: ["REFRESH-11"]),
    Mutant(
      "refresh-tells-late", "refresh returns before the listeners are told",
      breaking: .refreshTellsBeforeItReturns, caughtBy: ["REFRESH-16"]),
    Mutant(
      "refresh-goes-back", "refresh leads to the version of another realm",
      breaking: .refreshNeverGoesBack, caughtBy: ["REFRESH-19"]),
    Mutant(
      "cancelled-refreshes-are-true", "asyncRefresh of a cancelled task is true",
      breaking: .cancelledRefreshesAreFalse, caughtBy: ["ACTOR-24"]),
    Mutant(
      "records-go-with-their-deletions",
      "who is so far behind that records are gone takes what was added again for what it had",
      breaking: .recordsLeaveTheirDeletions, caughtBy: ["REFRESH-20"]),
    Mutant(
      "commits-lead-to-the-newest",
      "a commit brings its realm to the newest version, which may be another's",
      breaking: .commitsLeadToThemselves, caughtBy: ["REFRESH-15", "WRITE-29"]),
    Mutant(
      "silent-commits-lead-to-the-newest",
      "a commit that names listeners brings its realm to the newest version",
      breaking: .silentCommitsLeadToThemselves, caughtBy: ["REFRESH-15"]),
  ]
}
