extension Rules.Queue {
  static let confinement: [Rule] = [
    queue01, queue02, queue03, queue04, queue05, queue06, queue07, queue10, queue11,
  ]

  static let queue01 = Rule(
    "QUEUE-01", .documented,
    "`Realm(configuration:queue:)` with a serial queue MUST be confined to that queue, "
      + "whichever worker thread runs its blocks.",
    source: "S0 Create a Serial Queue.",
    broken: "binds to thread",
    untested: "no probe yet; the experiment would be: several blocks on different workers use the "
      + "same instance")

  static let queue02 = Rule(
    "QUEUE-02", .documented,
    "A concurrent queue (custom or global) MUST be refused at open.",
    source: "S0 Create a Serial Queue (\"does not support ... concurrent queues, such as "
      + "global()\").",
    broken: "accepted",
    untested: "no probe yet; the experiment would be: `DispatchQueue.global()`, `attributes: "
      + ".concurrent`. Match `Realms can only be confined to serial queues or the main queue`")

  static let queue03 = Rule(
    "QUEUE-03", .implementation,
    "Opening for a queue from outside that queue MUST fail with its own diagnostic.",
    source: "(impl) OCT/RealmTests.mm:2177.",
    broken: "opens and binds lazily",
    untested: "no probe yet; the experiment would be: child. A conforming Linux engine may THROW; "
      + "record")

  static let queue04 = Rule(
    "QUEUE-04", .documented,
    "Using a queue realm off its queue MUST die.",
    source: "S0 rule 3.",
    broken: "no check for queue realms",
    untested:
      "no probe yet; the experiment would be: child: from main, other queue, loopless thread")

  static let queue05 = Rule(
    "QUEUE-05", .implementation,
    "`queue.sync` from another thread MUST count as being on the queue; the *thread*-bound "
      + "main realm stays usable inside `q.sync` called from main.",
    source: "(impl) OCT/RealmTests.mm:2190-2222.",
    broken: "thread id test only; or walks the whole sync stack",
    untested:
      "no probe yet; the experiment would be: as that test, incl. nested `q1.sync { q2.sync { "
      + "} }`: inside q2, the q1 realm is refused")

  static let queue06 = Rule(
    "QUEUE-06", .implementation,
    "Opens for one queue MUST be cached per queue, distinct from the worker thread's own "
      + "instance and from other queues'.",
    source: "(impl) OCT/RealmTests.mm:2115.",
    broken: "cache by thread only",
    untested: "no probe yet; the experiment would be: identities")

  static let queue07 = Rule(
    "QUEUE-07", .documented,
    "`Realm(queue: .main)` MUST equal the main thread's realm.",
    source: "S4 Open (one main realm); (impl) OC/RLMScheduler.mm:63-75",
    broken: "separate main-queue instance",
    untested: "no probe yet; the experiment would be: compare with ==")

  static let queue10 = Rule(
    "QUEUE-10", .implementation,
    "One configuration value MUST be reusable for several queues.",
    source: "(impl) OCT/RealmTests.mm:2224.",
    broken: "configuration stores the scheduler",
    untested: "no probe yet; the experiment would be: q1, q2 in turn")

  static let queue11 = Rule(
    "QUEUE-11", .documented,
    "The documented example (serial queue, `Realm(configuration: .defaultConfiguration, "
      + "queue: serialQueue)` inside `async`) MUST compile and run.",
    source: "S0 Create a Serial Queue code.",
    broken: "queue parameter ignored",
    untested:
      "no probe yet; the experiment would be: compile the block verbatim; use the realm in a "
      + "second block of the queue")
}
