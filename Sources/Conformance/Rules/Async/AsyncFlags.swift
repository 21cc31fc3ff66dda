extension Rules.Async {
  static let flags: [Rule] = [
    async13, async14, async15, async16,
  ]

  static let async13 = Rule(
    "ASYNC-13", .documented,
    "`isPerformingAsynchronousWriteOperations` MUST be true right after `writeAsync`, "
      + "`beginAsyncWrite` or `commitAsyncWrite` returns.",
    source: "S0 Wait for Async Writes.",
    broken: "becomes true only when the helper starts",
    untested: "no probe yet; the experiment would be: read directly after each call")

  static let async14 = Rule(
    "ASYNC-14", .documented,
    "It MUST stay true until all scheduled async work has completed, and be false "
      + "afterwards.",
    source: "S0 Wait for Async Writes.",
    broken: "reset after the first; never reset",
    untested:
      "no probe yet; the experiment would be: true in every block and between; false in the "
      + "last completion or at the latest when the source queue runs its next block after it. "
      + "(Real: already false inside the last completion, stage set Idle before the callback, "
      + "CORE/transaction.cpp:715-730.)")

  static let async15 = Rule(
    "ASYNC-15", .implementation,
    "It MUST be false during a purely synchronous write.",
    source: "OCT/RealmTests.mm:2005.",
    broken: "alias of isInWriteTransaction",
    untested: "no probe yet; the experiment would be: inside `write`")

  static let async16 = Rule(
    "ASYNC-16", .implementation,
    "A `beginAsyncWrite` inside an open synchronous write leaves the flag false until that "
      + "write ends.",
    source: "(impl) OS/shared_realm.cpp:931 does not request the lock while Writing.",
    broken: "flag stays false until completion",
    untested: "no probe yet; the experiment would be: inside write: call beginAsyncWrite; record "
      + "flag; after the write ended require true until the completion")
}
