extension Rules.Commit {
  static let crashes: [Rule] = [
    commit15, commit16, commit17, commit18,
  ]

  static let commit15 = Rule(
    "COMMIT-15", .implementation,
    "If a process dies in the critical step between publishing in the shared structure and "
      + "finishing, others MUST not silently continue on a broken version list.",
    source: "(impl) db.cpp:2441.",
    broken: "continues on a half-published version",
    untested:
      "no probe yet; the experiment would be: WB kill point inside; others either recover or "
      + "report")

  static let commit16 = Rule(
    "COMMIT-16", .implementation,
    "The commit after a crash MUST recover space that the lost transaction had written, and "
      + "not treat it as used for ever.",
    source: "(impl) test_lang_bind_helper NoExtremeFileSpaceLeaks 3123.",
    broken: "leak per crash",
    untested: "no probe yet; the experiment would be: 200 x (kill mid-write); file size bounded")

  static let commit17 = Rule(
    "COMMIT-17", .documented,
    "Where async commits are visible but not yet durable, the last durable version's nodes "
      + "MUST NOT be reused until the newer one is durable.",
    source: "S0/S1/S3 (original version not corrupted).",
    broken: "free list counts the non-durable root as the only root",
    untested: "no probe yet; the experiment would be: grouping, kill, reopen: consistent prefix")

  static let commit18 = Rule(
    "COMMIT-18", .implementation,
    "If the sync of an async commit fails, the in-memory newer version MUST NOT cause later "
      + "overwriting of the durable version.",
    source: "(impl) CORE/transaction.cpp:808-830 (read lock leaked deliberately).",
    broken: "durable version overwritten after a failed sync",
    untested:
      "no probe yet; the experiment would be: fault injection on fsync, then further commits, "
      + "kill, reopen: consistent")
}
