extension Rules.Queue {
  static let working: [Rule] = [
    queue08, queue09, queue12,
  ]

  static let queue08 = Rule(
    "QUEUE-08", .documented,
    "Observation and autorefresh MUST work on queue realms without any run loop: callbacks "
      + "arrive as blocks on the queue.",
    source: "S0 Create a Serial Queue; OCT/RealmTests.mm:2108; AsyncTests.mm:985.",
    broken: "needs a run loop; callback on helper thread",
    untested:
      "no probe yet; the experiment would be: observe on queue; foreign commit; callback runs "
      + "on the queue (specific key), realm advanced")

  static let queue09 = Rule(
    "QUEUE-09", .documented,
    "Async writes MUST work on queue realms; begin block and completion run on the queue.",
    source: "S0 Perform a Background Write (\"on the source thread\"); OCT/RealmTests.mm:1927.",
    broken: "completion on I/O thread (real bug fixed in core 11.10)",
    untested: "no probe yet; the experiment would be: specific key in both blocks")

  static let queue12 = Rule(
    "QUEUE-12", .documented,
    "Work submitted to the queue MUST NOT be blocked by the engine while an async write "
      + "waits for the lock: other blocks on the queue run in between.",
    source: "S0 Perform a Background Write; S2.",
    broken: "begin blocks the queue",
    untested: "no probe yet; the experiment would be: hold the write lock elsewhere; "
      + "`beginAsyncWrite` on q; then `q.async { stamp }` runs before the lock is released")
}
