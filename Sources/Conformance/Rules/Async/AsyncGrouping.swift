extension Rules.Async {
  static let grouping: [Rule] = [
    async41, async42, async43, async44, async45, async46, async47, async48,
  ]

  static let async41 = Rule(
    "ASYNC-41", .documented,
    "A synchronous begin on the realm while its async commit is being synced MUST wait for "
      + "the sync, not fail.",
    source: "S2 (\"does block new transactions on the calling thread\").",
    broken: "error or lost commit",
    untested: "no probe yet; the experiment would be: commitAsync then `write` at once, in a loop")

  static let async42 = Rule(
    "ASYNC-42", .documented,
    "An async commit MUST be visible to other threads and processes as soon as it is made, "
      + "before it is durable.",
    source: "(impl) db.cpp:2521-2622 adds the version with commit_to_disk false; S0 only promises "
      + "visibility after commit.",
    broken: "async version hidden from others until synced, yet own realm shows it and hands out "
      + "notifications (only a violation if a foreign reader sees a *later* version without it)",
    untested: "no probe yet; the experiment would be: block fsync (WB) or compare stamps: foreign "
      + "refresh sees the data before the completion. Treat as *permitted*, not required")

  static let async43 = Rule(
    "ASYNC-43", .documented,
    "The write lock MUST be kept until the async commit has been synced; another writer "
      + "begins only afterwards.",
    source: "(impl) AsyncCommitHelper::main releases after the sync callback, db.cpp:2085-2104; "
      + "S0/S1/S3 one writer.",
    broken: "lock released before sync, so a crash could lose A but keep B",
    untested:
      "no probe yet; the experiment would be: two threads alternate; with WB sync log: order "
      + "sync(A) < begin(B)")

  static let async44 = Rule(
    "ASYNC-44", .documented,
    "With `allowGrouping: true` sequential async commits MAY be persisted together; then "
      + "either all of a group or none survive a crash.",
    source: "S0 (\"group sequential calls\"); RS/Realm.swift:451-458.",
    broken: "middle of a group missing",
    untested:
      "no probe yet; the experiment would be: SIGKILL child at random points while it commits "
      + "n=1.. with grouping: recovered state is a prefix; with a WB durable-version hook: "
      + "prefix lengths are group boundaries")

  static let async45 = Rule(
    "ASYNC-45", .implementation,
    "At most 20 grouped commits MUST share one sync.",
    source: "(impl) TOS/realm.cpp:2566.",
    broken: "unbounded group",
    untested: "no probe yet; the experiment would be: WB durable version during block i equals "
      + "(i/20)*20")

  static let async46 = Rule(
    "ASYNC-46", .implementation,
    "A commit without grouping MUST be a barrier: it and everything before are synced "
      + "before the next block starts.",
    source: "(impl) OS/shared_realm.cpp:983-987; TOS/realm.cpp:2587.",
    broken: "flag ignored",
    untested: "no probe yet; the experiment would be: WB durable version; BB: completions of the "
      + "group arrive before the next block")

  static let async47 = Rule(
    "ASYNC-47", .implementation,
    "Grouping MUST default to off; the Swift label is `allowGrouping`.",
    source: "RS/Realm.swift:462.",
    broken: "default true",
    untested:
      "no probe yet; the experiment would be: call without label and observe that each commit "
      + "is a barrier (ASYNC-46)")

  static let async48 = Rule(
    "ASYNC-48", .documented,
    "Grouping MUST reduce the number of disk syncs for many small commits.",
    source: "S0 (\"improves write performance; particularly when ... small\").",
    broken: "one sync each",
    untested:
      "no probe yet; the experiment would be: WB sync counter: n grouped commits cause fewer "
      + "syncs than n ungrouped; benchmark reports both")
}
