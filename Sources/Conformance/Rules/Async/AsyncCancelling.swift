extension Rules.Async {
  static let cancelling: [Rule] = [
    async26, async27, async28, async29, async30,
  ]

  static let async26 = Rule(
    "ASYNC-26", .documented,
    "`beginAsyncWrite`, `writeAsync` and `commitAsyncWrite` MUST return an id, unique per "
      + "realm among all pending operations; type UInt32, discardable.",
    source: "S0 (\"returns an ID\"); RLMAsyncTransactionId.",
    broken: "constant 0 (cancels the wrong one)",
    untested: "no probe yet; the experiment would be: distinct ids; discarding compiles without "
      + "warning")

  static let async27 = Rule(
    "ASYNC-27", .documented,
    "`cancelAsyncWrite(beginId)` before the block starts MUST cancel the entire "
      + "transaction: block and completion never run.",
    source: "S0 Commit or Cancel.",
    broken: "only completion suppressed",
    untested: "no probe yet; the experiment would be: RST:1124, 1159 with a later block as fence")

  static let async28 = Rule(
    "ASYNC-28", .documented,
    "`cancelAsyncWrite(commitId)` MUST only suppress that completion; the commit still "
      + "happens.",
    source: "S0.",
    broken: "rolls the data back",
    untested: "no probe yet; the experiment would be: data present, on disk, completion silent "
      + "(fence: next commit's completion)")

  static let async29 = Rule(
    "ASYNC-29", .implementation,
    "Cancelling an unknown, already finished or already cancelled id MUST be a no-op and "
      + "not throw.",
    source: "OCT/RealmTests.mm:1969; RS/Realm.swift:466-480 (declared throws, never does for "
      + "these).",
    broken: "throws/dies; cancels neighbour",
    untested: "no probe yet; the experiment would be: `try` succeeds; others unaffected")

  static let async30 = Rule(
    "ASYNC-30", .implementation,
    "`cancelAsyncWrite` with the id of the block currently running MUST be a no-op.",
    source: "RS/Realm.swift:471-473; OCT/RealmTests.mm:1907 region.",
    broken: "rollback",
    untested: "no probe yet; the experiment would be: block cancels itself then commits: persisted")
}
