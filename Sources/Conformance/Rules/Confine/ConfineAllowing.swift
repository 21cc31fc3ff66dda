extension Rules.Confine {
  static let allowing: [Rule] = [
    confine06, confine07, confine08, confine09, confine16, confine18,
  ]

  static let confine06 = Rule(
    "CONFINE-06", .implementation,
    "Unmanaged objects MUST NOT be confined: create on one thread, read, mutate, and add on "
      + "another.",
    source: "RS/ThreadSafeReference.swift:33-38; ref error text.",
    broken: "binds to the creating thread",
    untested: "no probe yet; the experiment would be: build on T1, add on T2")

  static let confine07 = Rule(
    "CONFINE-07", .documented,
    "Frozen realms, objects and collections MUST NOT be confined.",
    source: "S0/S1/S3 Frozen Objects.",
    broken: "thread check before frozen check",
    untested: "no probe yet; the experiment would be: FREEZE-04")

  static let confine08 = Rule(
    "CONFINE-08", .documented,
    "To work with a file on several threads each thread MUST be able to open its own "
      + "instance from the same configuration value.",
    source: "S0 Communication; S0/S1 Use the Same Realm Across Threads; S3 Communication.",
    broken: "configuration carries the scheduler of its realm (real bug #6574)",
    untested: "no probe yet; the experiment would be: pass `realm.configuration` (Sendable) to a "
      + "thread, open, write, read back elsewhere")

  static let confine09 = Rule(
    "CONFINE-09", .documented,
    "`Realm.configuration`, `isFrozen`, `==`, and the object's `realm`/`objectSchema` MUST "
      + "be callable from any thread.",
    source: "S0 Frozen (\"isFrozen ... always thread-safe\"); TSR extension code reads "
      + "`self.configuration`; (impl) OCT/RealmTests.mm:2038",
    broken: "verify thread in every accessor",
    untested: "no probe yet; the experiment would be: call from a foreign thread, no death")

  static let confine16 = Rule(
    "CONFINE-16", .implementation,
    "Dropping the last reference on a foreign thread MUST be safe.",
    source: "(impl) OCT/RealmTests.mm:2038.",
    broken: "assertion in deinit",
    untested: "no probe yet; the experiment would be: create on T1, T1 ends, release on T2")

  static let confine18 = Rule(
    "CONFINE-18", .documented,
    "A loopless thread MUST support all synchronous work (open, read, write, refresh), only "
      + "not observation and async writes.",
    source: "S0/S1/S3 Refreshing (loopless threads refresh manually).",
    broken: "demands a run loop at open",
    untested: "no probe yet; the experiment would be: pthread does everything")
}
