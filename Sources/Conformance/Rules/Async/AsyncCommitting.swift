extension Rules.Async {
  static let committing: [Rule] = [
    async06, async07, async08, async09, async10, async20, async21, async22, async23, async24,
    async25, async34, async49,
  ]

  static let async06 = Rule(
    "ASYNC-06", .documented,
    "`onComplete` MUST be called exactly once per commit, on the source thread/queue, after "
      + "the block, with nil on success.",
    source: "S0 Perform a Background Write; Commit or Cancel.",
    broken: "twice; on I/O thread; before the block returns",
    untested: "no probe yet; the experiment would be: count, thread, argument, stamp order")

  static let async07 = Rule(
    "ASYNC-07", .documented,
    "In `onComplete` the realm MUST show the write and MUST NOT be in the write "
      + "transaction.",
    source: "S0 code (XCTAssertEqual 3 in completion).",
    broken: "completion before publish",
    untested:
      "no probe yet; the experiment would be: documented code plus `isInWriteTransaction == "
      + "false`")

  static let async08 = Rule(
    "ASYNC-08", .documented,
    "When `onComplete(nil)` runs the commit MUST be durable: a crash right after it keeps "
      + "the data.",
    source: "S0 (\"the step that persists the data ... once the commit completes\"); "
      + "RS/Realm.swift:445-463.",
    broken: "completion before sync (needs WB sync hook to catch for power loss)",
    untested:
      "no probe yet; the experiment would be: child writes async, in completion reports on a "
      + "pipe and is SIGKILLed; reopen shows the data (process crash; for power failure see "
      + "COMMIT-08)")

  static let async09 = Rule(
    "ASYNC-09", .documented,
    "On failure `onComplete` MUST get the error.",
    source: "S0 (\"completes or fails with an error\").",
    broken: "nil passed",
    untested:
      "no probe yet; the experiment would be: RLIMIT_FSIZE/tmpfs-full child; completion error "
      + "non-nil; data not persisted after reopen")

  static let async10 = Rule(
    "ASYNC-10", .implementation,
    "Without `onComplete`, an asynchronous I/O failure is not reported to anybody (no "
      + "crash).",
    source: "(impl) OC/RLMRealm.mm:705-740 passes no callback; OS/shared_realm.cpp:779 skips.",
    broken: "abort",
    untested:
      "no probe yet; the experiment would be: as ASYNC-09 without completion: process lives. "
      + "Our engine SHOULD at least log")

  static let async20 = Rule(
    "ASYNC-20", .documented,
    "Returning from a `beginAsyncWrite` block without commit MUST roll the transaction "
      + "back.",
    source: "S0 Commit or Cancel; RS/Realm.swift:430.",
    broken: "auto-commit",
    untested: "no probe yet; the experiment would be: RST/RealmTests.swift:1143")

  static let async21 = Rule(
    "ASYNC-21", .documented,
    "`writeAsync` MUST commit by itself when its block returns.",
    source: "S0 Commit or Cancel; RS/Realm.swift:394-409.",
    broken: "rollback",
    untested: "no probe yet; the experiment would be: no explicit commit")

  static let async22 = Rule(
    "ASYNC-22", .documented,
    "Inside a `writeAsync` block the caller MAY commit or cancel explicitly, and "
      + "`writeAsync` MUST then not commit a second time.",
    source: "S0 (\"while in the writeAsync block, you can explicitly call commitAsyncWrite or "
      + "cancelAsyncWrite\"); RS/Realm.swift:397-400 (commitWrite/cancelWrite)",
    broken: "double commit",
    untested: "no probe yet; the experiment would be: block calls `commitAsyncWrite{}`; "
      + "`commitWrite()`; `cancelWrite()`: no death; persisted / persisted / not persisted; "
      + "`onComplete` of writeAsync is then not required")

  static let async23 = Rule(
    "ASYNC-23", .documented,
    "`commitAsyncWrite` MUST return at once and the committed data MUST be visible in the "
      + "committing realm immediately.",
    source: "S0 Commit or Cancel.",
    broken: "visible only at completion",
    untested: "no probe yet; the experiment would be: read after the call before completion")

  static let async24 = Rule(
    "ASYNC-24", .implementation,
    "`commitAsyncWrite` MUST be allowed for a write begun with `beginWrite`, and "
      + "`commitWrite` for one begun with `beginAsyncWrite`.",
    source: "RS/Realm.swift:445; OCT/RealmTests.mm:1985; TOS/realm.cpp:2826-2862.",
    broken: "separate state machines",
    untested: "no probe yet; the experiment would be: 2x2 matrix")

  static let async25 = Rule(
    "ASYNC-25", .implementation,
    "`cancelWrite()` inside a `beginAsyncWrite` block MUST roll back at once; later queued "
      + "blocks still run.",
    source: "RS/Realm.swift:365; TOS/realm.cpp:2312.",
    broken: "queue stalls",
    untested: "no probe yet; the experiment would be: count drops inside the block; next block runs"
  )

  static let async34 = Rule(
    "ASYNC-34", .implementation,
    "`commitAsyncWrite` outside a write MUST die.",
    source: "OCT/RealmTests.mm:1957, 1964.",
    broken: "no-op",
    untested: "no probe yet; the experiment would be: child; also directly after `beginAsyncWrite` "
      + "returned")

  static let async49 = Rule(
    "ASYNC-49", .implementation,
    "Realm-level observers of the committing realm MUST be called synchronously by "
      + "`commitAsyncWrite`; collection and object observers later.",
    source: "(impl) OS/impl/realm_coordinator.cpp:800; TOS/realm.cpp:3075.",
    broken: "notifies at sync completion",
    untested: "no probe yet; the experiment would be: stamps")
}
