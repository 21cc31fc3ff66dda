extension Rules.Async {
  static let closing: [Rule] = [
    async17, async18, async19,
  ]

  static let async17 = Rule(
    "ASYNC-17", .documented,
    "`invalidate()` (and closing) MUST block until commits already made asynchronously are "
      + "on disk, and MUST deliver their completions.",
    source: "S0 Perform (\"block closing or invalidating\"), Wait.",
    broken: "invalidate drops the commit; completion lost; completion after return",
    untested: "no probe yet; the experiment would be: `commitAsyncWrite{stamp c}`; `invalidate()`; "
      + "stamp r; assert c < r, and a raw reopen shows the data")

  static let async18 = Rule(
    "ASYNC-18", .implementation,
    "Write blocks which had not yet started MUST be dropped by invalidate/close, never run, "
      + "and their `onComplete` never called.",
    source: "(impl) TOS/realm.cpp:1909-2000; OCT/RealmTests.mm:1523.",
    broken: "runs them on an invalid realm",
    untested:
      "no probe yet; the experiment would be: queue two begins, invalidate, drain the queue, "
      + "no block ran")

  static let async19 = Rule(
    "ASYNC-19", .documented,
    "If the helper is still waiting for a write lock held elsewhere, invalidate MUST wait "
      + "for it (no cancellation of the wait) and then release it.",
    source: "S0 Wait (\"blocks closing or invalidating\").",
    broken: "returns early and leaks the lock; deadlock",
    untested: "no probe yet; the experiment would be: other thread holds lock; source calls "
      + "invalidate: it returns only after release (pattern \"B waits for A\"); a third writer "
      + "can then write")
}
