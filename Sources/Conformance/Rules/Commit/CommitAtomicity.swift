extension Rules.Commit {
  static let atomicity: [Rule] = [
    commit01, commit02, commit03, commit04, commit05, commit06, commit07, commit08,
  ]

  static let commit01 = Rule(
    "COMMIT-01", .documented,
    "A commit MUST be atomic: other readers and any later opener see all of it or none.",
    source: "S0/S1/S3 Git (\"atomic writes\"), Internal Structure.",
    broken: "partial apply",
    untested:
      "no probe yet; the experiment would be: READ-04 plus WRITE-24 combined: kill at random "
      + "instants, reopen, invariant holds and the last state is some committed prefix")

  static let commit02 = Rule(
    "COMMIT-02", .documented,
    "A commit MUST work in two phases: all new data is written and verified first, only "
      + "then is the pointer to the newest version switched.",
    source: "S0/S1/S3 Internal Structure (two bullets).",
    broken: "pointer first; single sync; missing barrier",
    untested:
      "no probe yet; the experiment would be: WB write-and-sync trace: no write to the root "
      + "selector before the sync that covers all data; BB: crash-simulating filesystem layer "
      + "(record all pwrite/msync/fsync, cut at every point, reopen)")

  static let commit03 = Rule(
    "COMMIT-03", .documented,
    "If a failure strikes during phase one, the root pointer MUST still name the previous "
      + "version and that version MUST be intact.",
    source: "S0/S1/S3 (\"original version is not corrupted\", \"root pointer will point to the "
      + "original version\").",
    broken: "in-place update",
    untested:
      "no probe yet; the experiment would be: fault injection: fail or short-write the k-th "
      + "write/fsync for every k; then reopen in a new process: previous state")

  static let commit04 = Rule(
    "COMMIT-04", .implementation,
    "A crash (SIGKILL) at any point of a commit MUST leave either the old or the new "
      + "version, openable without repair by the user.",
    source: "as above.",
    broken: "recovery needs deletion of the file; lock file left inconsistent",
    untested: "no probe yet; the experiment would be: thousands of random kills, plus k-th-syscall "
      + "kills via ptrace/LD_PRELOAD")

  static let commit05 = Rule(
    "COMMIT-05", .documented,
    "A commit that has returned (sync) or completed (async) MUST survive a process crash.",
    source: "S0/S1/S3 durability.",
    broken: "data only in process memory",
    untested: "no probe yet; the experiment would be: report commit numbers over a pipe, kill, "
      + "reopen: at least the last reported")

  static let commit06 = Rule(
    "COMMIT-06", .documented,
    "Commits MUST only survive as prefixes of the commit order: never version n+1 without "
      + "n.",
    source: "S0/S1/S3 Git (linear history).",
    broken: "log replay out of order",
    untested: "no probe yet; the experiment would be: WRITE-08 chain after crash")

  static let commit07 = Rule(
    "COMMIT-07", .implementation,
    "After a failed commit the realm and file MUST remain usable for reading, and a later "
      + "commit may succeed.",
    source: "Internal Structure.",
    broken: "realm unusable after ENOSPC",
    untested: "no probe yet; the experiment would be: see WRITE-27")

  static let commit08 = Rule(
    "COMMIT-08", .documented,
    "A synchronous commit MUST force the data to stable storage before returning; "
      + "asynchronous before completion.",
    source: "S0/S1/S3 (\"writes changes to disk and verifies success\"); durability.",
    broken: "no fsync; fsync after return",
    untested: "no probe yet; the experiment would be: WB/LD_PRELOAD: an "
      + "fsync/msync(MS_SYNC)/fdatasync covering data, then one covering the selector, before "
      + "return")
}
