extension Rules.Async {
  static let ordering: [Rule] = [
    async11, async12, async36, async37, async38, async39, async40, async50, async51, async52,
    async55,
  ]

  static let async11 = Rule(
    "ASYNC-11", .implementation,
    "Blocks queued on one realm MUST run in the order in which they were queued, across "
      + "`writeAsync` and `beginAsyncWrite`.",
    source: "RS/Realm.swift:424-426.",
    broken: "LIFO, concurrent helpers",
    untested: "no probe yet; the experiment would be: append i to a list; order 0..n")

  static let async12 = Rule(
    "ASYNC-12", .implementation,
    "Completions MUST be delivered in commit order.",
    source: "(impl) m_async_commit_q FIFO.",
    broken: "unordered",
    untested: "no probe yet; the experiment would be: record order with and without grouping")

  static let async36 = Rule(
    "ASYNC-36", .implementation,
    "A synchronous write on the same realm MUST run ahead of async blocks that have been "
      + "queued but not started; those run afterwards and see it.",
    source: "(impl) TOS/realm.cpp:2351-2375; CORE/db.cpp:2109.",
    broken: "sync waits for its own queue (deadlock, as the block needs this thread)",
    untested: "no probe yet; the experiment would be: queue block, then `write`, then drain; order "
      + "sync, async")

  static let async37 = Rule(
    "ASYNC-37", .implementation,
    "A synchronous begin inside an async block MUST die like any nested begin.",
    source: "(impl) OS/shared_realm.cpp:1029; RS/Realm.swift:268",
    broken: "nested counted; self-deadlock",
    untested: "no probe yet; the experiment would be: child")

  static let async38 = Rule(
    "ASYNC-38", .implementation,
    "`beginAsyncWrite`/`writeAsync` inside an open synchronous write MUST be allowed and "
      + "deferred until that write has ended (by commit or cancel).",
    source: "RS/Realm.swift:424-427; TOS/realm.cpp:2608, 2629, 2442.",
    broken: "nested begin error; lost when the sync write is cancelled",
    untested: "no probe yet; the experiment would be: block sees the sync change; order")

  static let async39 = Rule(
    "ASYNC-39", .implementation,
    "They MUST be allowed inside an async block and run after the current and all earlier "
      + "queued blocks.",
    source: "RS/Realm.swift:424-427; RST:1363.",
    broken: "C before B; recursion",
    untested: "no probe yet; the experiment would be: queue A, B; A queues C: A,B,C")

  static let async40 = Rule(
    "ASYNC-40", .implementation,
    "A synchronous commit MUST flush all earlier async commits of that realm and deliver "
      + "their completions before it returns.",
    source: "(impl) OS/shared_realm.cpp:1076-1080; TOS/realm.cpp:2376, 2411.",
    broken: "completion later or lost",
    untested:
      "no probe yet; the experiment would be: commitAsync{c}; `write{}`; c already called on "
      + "return")

  static let async50 = Rule(
    "ASYNC-50", .implementation,
    "Async writes MUST work with `autorefresh == false`, and the realm advances as part of "
      + "the write.",
    source: "RST:1181.",
    broken: "async write skipped or never started when autorefresh is off",
    untested: "no probe yet; the experiment would be: as that test")

  static let async51 = Rule(
    "ASYNC-51", .documented,
    "Pending async work MUST keep the realm alive: dropping all references after the call "
      + "must not lose the write.",
    source: "S0 (\"without the need to manually keep state tied to the scope\"); "
      + "TOS/realm.cpp:2490.",
    broken: "weak self",
    untested: "no probe yet; the experiment would be: inner scope; fence; data present")

  static let async52 = Rule(
    "ASYNC-52", .documented,
    "Any mix of async and sync writers on several threads MUST terminate with every commit "
      + "applied exactly once (no deadlock, no starvation).",
    source: "S0/S1/S3 rule 2; TOS/realm.cpp:2765-2940.",
    broken: "helper and caller deadlock",
    untested: "no probe yet; the experiment would be: T threads x K of each kind; sum")

  static let async55 = Rule(
    "ASYNC-55", .implementation,
    "Async writes MUST be usable from inside notification callbacks and on realms just "
      + "refreshed.",
    source: "(impl) #7165.",
    broken: "deadlock or silent loss of a write started in a callback",
    untested: "no probe yet; the experiment would be: callback starts `writeAsync`; completes")
}
