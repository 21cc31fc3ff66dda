extension Rules.Actor {
  static let writing: [Rule] = [
    actor12, actor13, actor14, actor15, actor16, actor17, actor18, actor19, actor20, actor21,
  ]

  static let actor12 = Rule(
    "ACTOR-12", .documented,
    "`asyncWrite` MUST suspend the calling task while it waits for the write lock and MUST "
      + "NOT block the thread or actor.",
    source: "S4 Write; S2 (\"suspends the calling task while waiting ... rather than blocking the "
      + "thread\").",
    broken: "synchronous lock",
    untested: "no probe yet; the experiment would be: lock held elsewhere; another job on the same "
      + "actor runs; then release")

  static let actor13 = Rule(
    "ACTOR-13", .documented,
    "The block of `asyncWrite` MUST run on the actor, inside the write, synchronously.",
    source: "S4.",
    broken: "block on helper thread",
    untested: "no probe yet; the experiment would be: `isInWriteTransaction`, isolation assert")

  static let actor14 = Rule(
    "ACTOR-14", .documented,
    "`asyncWrite` MUST do the disk I/O on a background thread and resume the task only when "
      + "it is complete.",
    source: "S4 Write; S2.",
    broken: "fsync on the actor thread; resume before sync",
    untested:
      "no probe yet; the experiment would be: WB I/O thread id != caller; BB: after return, "
      + "kill: data persisted (COMMIT-05)")

  static let actor15 = Rule(
    "ACTOR-15", .documented,
    "`asyncWrite` MUST return the block's value; returned objects are usable afterwards on "
      + "the actor.",
    source: "S4 code (newTodo._id, scourTheShire).",
    broken: "returned object detached",
    untested: "no probe yet; the experiment would be: read property after return")

  static let actor16 = Rule(
    "ACTOR-16", .implementation,
    "If the block throws, `asyncWrite` MUST cancel the write and rethrow.",
    source: "(impl) RST:1758.",
    broken: "commits; wraps the error",
    untested: "no probe yet; the experiment would be: RST:1758 ported")

  static let actor17 = Rule(
    "ACTOR-17", .implementation,
    "If the block has itself cancelled or committed, `asyncWrite` MUST not fail; it may "
      + "even begin a new synchronous write which is then committed.",
    source: "(impl) RST:1721, 1732.",
    broken: "double commit dies",
    untested: "no probe yet; the experiment would be: RST:1721, 1732 ported")

  static let actor18 = Rule(
    "ACTOR-18", .documented,
    "Cancelling the task while it waits for the lock, or before, MUST throw "
      + "`CancellationError`, not run the block, and not leave the lock taken.",
    source: "(impl) RST:1842, 1865; S2 (tasks can be cancelled).",
    broken: "lock leak; block runs",
    untested: "no probe yet; the experiment would be: as tests; then another writer writes")

  static let actor19 = Rule(
    "ACTOR-19", .implementation,
    "After `asyncWrite` returned, `isInWriteTransaction` and "
      + "`isPerformingAsynchronousWriteOperations` MUST be false (if nothing else is queued); "
      + "during the block both true.",
    source: "RST:1707.",
    broken: "flag stuck true",
    untested: "no probe yet; the experiment would be: RST:1707 ported")

  static let actor20 = Rule(
    "ACTOR-20", .documented,
    "Concurrent `asyncWrite` calls of several tasks on one actor MUST each run with an "
      + "active transaction, be applied exactly once, and never observe another's open write.",
    source: "S4 (acquires the lock, then invokes the block); issue #8675 shows real Realm failing "
      + "under re-entrancy plus cancellation.",
    broken: "shared resume slot",
    untested: "no probe yet; the experiment would be: 100 tasks, some cancelled at random; sum of "
      + "successful = counter; in each block `isInWriteTransaction`")

  static let actor21 = Rule(
    "ACTOR-21", .documented,
    "`asyncWrite` and `asyncRefresh` on realms that are neither MainActor nor "
      + "actor-isolated MUST trap.",
    source: "S4 (\"only supported for actor-isolated Realms or in @MainActor functions\").",
    broken: "hangs for ever",
    untested: "no probe yet; the experiment would be: child on queue realm, loopless realm")
}
