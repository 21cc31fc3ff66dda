extension Rules.Confine {
  static let refusing: [Rule] = [
    confine01, confine02, confine03, confine04, confine05, confine17, confine19, confine20,
  ]

  static let confine01 = Rule(
    "CONFINE-01", .documented,
    "Using a live `Realm` on a thread other than its own MUST die on every call that "
      + "touches data or state.",
    source: "S0/S1/S3 rule 3; S0 Use the Same Realm Across Threads; S2 Errors.",
    broken: "only writes checked; check compiled out in release",
    untested: "no probe yet; the experiment would be: child per method: objects, object(ofType:), "
      + "add, create, delete, deleteAll, beginWrite, cancelWrite, refresh, invalidate, freeze, "
      + "observe, beginAsyncWrite, commitAsyncWrite, cancelAsyncWrite, writeCopy, isEmpty, "
      + "resolve")

  static let confine02 = Rule(
    "CONFINE-02", .documented,
    "Reading a property of a live managed object on another thread MUST die with the same "
      + "text.",
    source: "S0/S1/S3 rule 3; RST/ModernObjectAccessorTests.swift:674 testThreadChecking.",
    broken: "getters unchecked",
    untested: "no probe yet; the experiment would be: child per property type incl. link and "
      + "collection property fetch (not `isInvalidated`, `realm`, `objectSchema`, `isFrozen`, "
      + "which are unchecked: CONFINE-09)")

  static let confine03 = Rule(
    "CONFINE-03", .documented,
    "Writing a property on another thread MUST die with the thread text even when that "
      + "other thread is itself inside a write on its own realm.",
    source: "S0 rule 3.",
    broken: "accepts because \"a\" write is open on this thread",
    untested: "no probe yet; the experiment would be: child")

  static let confine04 = Rule(
    "CONFINE-04", .documented,
    "Live Results, List, MutableSet, Map, LinkingObjects, AnyRealmCollection, sectioned "
      + "results and projections MUST be confined likewise.",
    source: "S0 Pass Instances Across Threads (\"Realm, Results, List, and managed Objects\"); S1; "
      + "docs table (SEND)",
    broken: "`count` cached without check",
    untested: "no probe yet; the experiment would be: child per type and per access (count, "
      + "subscript, iteration, filter, aggregate, first)")

  static let confine05 = Rule(
    "CONFINE-05", .documented,
    "Confinement MUST be checked on each access, deterministically, not only when data "
      + "happens to be loaded.",
    source: "S2 Suspending (without protection \"inconsistent behaviour\") describes app-level "
      + "luck: whether the thread changed; given a changed thread the engine must always "
      + "report.",
    broken: "check only on first evaluation; sampling",
    untested: "no probe yet; the experiment would be: 1000 child runs (or one loop over different "
      + "accesses) all die; a Results that was already evaluated and one never evaluated both "
      + "die")

  static let confine17 = Rule(
    "CONFINE-17", .documented,
    "Assigning or appending a live object of another thread's instance MUST die (thread "
      + "text, or the managed-by-another-realm text).",
    source: "S0 rule 3 and Append section.",
    broken: "key copied across instances",
    untested: "no probe yet; the experiment would be: child; accept either text")

  static let confine19 = Rule(
    "CONFINE-19", .documented,
    "A thread-confined realm that is opened in a block on a dispatch queue (no `queue:` "
      + "argument) MUST be bound to the worker thread, not to the queue.",
    source: "S0 Create a Serial Queue (pass `queue:`); RS/Realm.swift:40-46.",
    broken: "silently queue-bound",
    untested:
      "no probe yet; the experiment would be: open in block 1 on a serial queue, force block "
      + "2 onto another worker (occupy the first), use: child dies. Same with `queue:` works "
      + "(QUEUE-01)")

  static let confine20 = Rule(
    "CONFINE-20", .documented,
    "After an `await` that resumes on another thread, use of a thread-bound realm MUST die; "
      + "the error is about confinement.",
    source: "S2 Suspending Execution; Tasks and TaskGroups; Errors.",
    broken: "binding to task rather than thread",
    untested:
      "no probe yet; the experiment would be: detached task opens `Realm()` (thread-bound), "
      + "awaits until `pthread_self` differs, uses: child dies")
}
