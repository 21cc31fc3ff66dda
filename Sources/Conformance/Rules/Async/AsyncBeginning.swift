extension Rules.Async {
  static let beginning: [Rule] = [
    async01, async02, async03, async04, async05, async31, async32, async33, async35, async53,
    async54, async56,
  ]

  static let async01 = Rule(
    "ASYNC-01", .documented,
    "`writeAsync` and `beginAsyncWrite` MUST return at once; the block MUST NOT run inside "
      + "the call.",
    source: "S0 Perform a Background Write; S2 Perform Background Writes; RS/Realm.swift:411-440",
    broken: "block run inline when the lock is free",
    untested:
      "no probe yet; the experiment would be: flag set by the block is false right after the "
      + "call, true later")

  static let async02 = Rule(
    "ASYNC-02", .documented,
    "They MUST NOT block the caller while another thread or process holds the write lock.",
    source: "S2 (\"waiting to obtain the write lock ... in the background\"); S0.",
    broken: "takes the lock in the call",
    untested: "no probe yet; the experiment would be: W holds a write and releases only after the "
      + "caller stamped the return of `beginAsyncWrite` *and* ran another block on its queue")

  static let async03 = Rule(
    "ASYNC-03", .documented,
    "The write block MUST run on the realm's source thread, queue or actor.",
    source: "S0 (\"execute on the source thread\"); S2 (\"the write block itself runs on the "
      + "calling thread\").",
    broken: "block on helper thread (captured live objects then die)",
    untested: "no probe yet; the experiment would be: main, serial queue, MainActor")

  static let async04 = Rule(
    "ASYNC-04", .documented,
    "The write block MUST run inside a write transaction that holds the file's write lock, "
      + "on the latest version.",
    source: "S0; S2.",
    broken: "block on the version of the call",
    untested:
      "no probe yet; the experiment would be: `isInWriteTransaction`; a foreign commit made "
      + "after the call but before the block is visible inside; no other writer gets in")

  static let async05 = Rule(
    "ASYNC-05", .documented,
    "Objects and collections obtained before the call MUST be usable inside the block "
      + "without reference or freezing.",
    source:
      "S0 Perform a Background Write (+code); S2 (\"without using frozen objects or passing a "
      + "thread-safe reference\").",
    broken: "block gets a private realm",
    untested: "no probe yet; the experiment would be: documented code")

  static let async31 = Rule(
    "ASYNC-31", .implementation,
    "`beginAsyncWrite` on a loopless thread's realm MUST die.",
    source: "(impl).",
    broken: "never runs (silent)",
    untested: "no probe yet; the experiment would be: child on a pthread")

  static let async32 = Rule(
    "ASYNC-32", .implementation,
    "Starting an async write from inside a commit completion MUST die.",
    source: "(impl) OCT/RealmTests.mm:1836.",
    broken: "allowed",
    untested: "no probe yet; the experiment would be: child")

  static let async33 = Rule(
    "ASYNC-33", .implementation,
    "`commitAsyncWrite` or `cancelWrite` from inside a completion MUST die; a *synchronous* "
      + "`write` inside a completion is allowed.",
    source: "(impl).",
    broken: "allowed and corrupts the running completion loop; or sync write refused",
    untested: "no probe yet; the experiment would be: child; and BB for the allowed case")

  static let async35 = Rule(
    "ASYNC-35", .documented,
    "Async begin on read-only or frozen realms MUST die.",
    source: "S0 Frozen (opening a write transaction on a frozen realm); OCT/RealmTests.mm:1949.",
    broken: "error only at commit; write goes to a private copy",
    untested: "no probe yet; the experiment would be: child")

  static let async53 = Rule(
    "ASYNC-53", .documented,
    "While a write block executes, new transactions of the same thread wait, and other "
      + "writers wait.",
    source: "S2 Perform Background Writes.",
    broken: "block does not hold the lock while it runs",
    untested: "no probe yet; the experiment would be: WRITE-03 with the holder being an async block"
  )

  static let async54 = Rule(
    "ASYNC-54", .implementation,
    "An async write that holds the lock while its (busy) source queue has not yet run the "
      + "block does block writers elsewhere.",
    level: .informative,
    source: "(impl) issue #8250. Record as an observation/benchmark (\"lock held while waiting for "
      + "the queue\"), not as a requirement. A reference engine may do better (take the lock "
      + "only when the queue is ready).",
    broken: "(none: informative)",
    untested: "no probe yet; the experiment would be: source queue busy on a latch after "
      + "beginAsyncWrite; other thread tries a sync write; record whether it got in before the "
      + "latch was opened")

  static let async56 = Rule(
    "ASYNC-56", .documented,
    "The documented example must compile verbatim: `realm.writeAsync { ... } onComplete: { "
      + "_ in ... }`, and the documentation's own overload `writeAsync(_:errorHandler:block:)` "
      + "MUST coexist.",
    source: "S0 Perform a Background Write; S0/S1 ThreadSafeReference extension.",
    broken: "overload ambiguity",
    untested: "no probe yet; the experiment would be: compile; run both overloads")
}
