extension Rules.Write {
  static let oneWriter: [Rule] = [
    write01, write02, write03, write04, write05, write06, write07, write08, write25, write32,
  ]

  static let write01 = Rule(
    "WRITE-01", .documented,
    "At most one write transaction MUST be open per realm file at any time, over all "
      + "threads.",
    source: "S0/S1/S3 rule 2; RS/Realm.swift:267-275 doc",
    broken: "per-instance mutex; optimistic last-writer-wins",
    untested: "no probe yet; the experiment would be: shared \"inside\" counter incremented in the "
      + "block by T threads on distinct realm instances; max must be 1; total of K increments "
      + "of a stored counter must equal T*K")

  static let write02 = Rule(
    "WRITE-02", .documented,
    "The same MUST hold across processes.",
    source: "NOTIFY/REFRESH text \"different threads or in different processes\" (S4); "
      + "RS/Realm.swift:270-275; OCT/InterprocessTests.m:297",
    broken: "in-process lock only",
    untested: "no probe yet; the experiment would be: P processes add to a counter and append to a "
      + "shared log with `O_APPEND` begin/end marks: marks never interleave; final count exact")

  static let write03 = Rule(
    "WRITE-03", .documented,
    "A synchronous begin MUST block until the current writer commits or cancels.",
    source: "S0/S1/S3 rule 2",
    broken: "begin fails instead of waiting; begin returns at once and conflicts at commit",
    untested:
      "no probe yet; the experiment would be: ordering pattern \"B waits for A\" (0.4) once "
      + "with commit, once with cancel, once with the block throwing")

  static let write04 = Rule(
    "WRITE-04", .documented,
    "Writes to different files (or different in-memory identifiers) MUST NOT block each "
      + "other.",
    source: "S0 rule 2 (\"write to *a Realm file*\"); RS/Realm.swift:267",
    broken: "one global write lock",
    untested:
      "no probe yet; the experiment would be: hold a write on file A; complete one on file B")

  static let write05 = Rule(
    "WRITE-05", .documented,
    "A thread without user interface is irrelevant to the rule: a synchronous write on the "
      + "main thread MUST wait for a background writer, too.",
    source: "S0/S1/S3 rule 2 (UI thread may appear unresponsive)",
    broken: "main-thread priority bypass",
    untested: "no probe yet; the experiment would be: WRITE-03 with B on the main thread")

  static let write06 = Rule(
    "WRITE-06", .documented,
    "Writing MUST be possible from any thread that has its own realm instance.",
    source: "S0/S1/S3 rule 2; S3 Communication (\"free to read and write ... on the thread where "
      + "you first opened them\"); S1 same",
    broken: "writes only on run-loop threads",
    untested:
      "no probe yet; the experiment would be: main, loopless thread, dispatch worker, serial "
      + "queue, actor each write once; all visible")

  static let write07 = Rule(
    "WRITE-07", .documented,
    "Beginning a write MUST first bring the realm to the latest version, so that the block "
      + "works on the newest data, whatever version the realm was on.",
    source: "S0 ThreadSafe/TSR code comment (resolve in the transaction to get the latest); "
      + "S0/S1/S3 Git (\"always writes to the head\", \"cannot write to a previous version\"); "
      + "RS/Realm.swift:277",
    broken: "write based on the pinned snapshot (lost update); merge at commit",
    untested:
      "no probe yet; the experiment would be: realm on old version (autorefresh off); other "
      + "thread commits; `beginWrite()`; read inside shows the new data; READ-MODIFY-WRITE "
      + "counters never lose updates")

  static let write08 = Rule(
    "WRITE-08", .documented,
    "The history MUST be linear: versions strictly increase and each commit is based on its "
      + "immediate predecessor.",
    source: "S0/S1/S3 Git section (one true latest version)",
    broken: "branch then auto-merge",
    untested:
      "no probe yet; the experiment would be: every writer stores `prev = counter; counter += "
      + "1` and a link to the previous record; the chain read at the end has no forks or gaps")

  static let write25 = Rule(
    "WRITE-25", .implementation,
    "Waiting writers MUST be served fairly: a thread that loops on writes must not starve "
      + "another waiter.",
    level: .stochastic,
    source: "(impl) db.cpp:2376-2435 (ticket; 500 ms yield limit)",
    broken: "unfair spin mutex with immediate re-lock",
    untested:
      "no probe yet; the experiment would be: T threads loop writes until each has done >= 1 "
      + "after all are running; bounded total count ratio as statistic only; hard check = "
      + "everyone makes progress before one thread completes 10 000")

  static let write32 = Rule(
    "WRITE-32", .documented,
    "After `commitWrite`/`write` returned, a realm opened or refreshed anywhere (any "
      + "thread, any process) MUST see that version or a later one.",
    source: "S0/S1/S3 Refreshing (\"reflects the most recent successful write commit\")",
    broken: "commit returns before publication",
    untested:
      "no probe yet; the experiment would be: writer stamps after return; reader then opens: "
      + "must see it. Cross-process through a pipe")
}
