extension Rules.Read {
  static let waiting: [Rule] = [
    read01, read02, read03, read13, read14,
  ]

  static let read01 = Rule(
    "READ-01", .documented,
    "A read MUST complete while another thread is inside an uncommitted write transaction.",
    source: "S0 Three Rules (don't lock to read); S1 same; S3 \"Don't lock to read\"; S0/S1/S3 "
      + "Model in Depth (\"lock-free, concurrent\")",
    broken: "a single readers-writer lock around the file; a global mutex held for the length of a "
      + "write",
    untested:
      "no probe yet; the experiment would be: writer W opens a write, changes data, parks on "
      + "a latch; reader R (fresh thread) opens, counts, reads every property, stamps; only "
      + "then is W released. Watchdog = fail")

  static let read02 = Rule(
    "READ-02", .documented,
    "A read MUST complete while another *process* holds the write lock.",
    source: "S0/S1/S3 rule 1 (any thread, no mutex); NOTIFY text \"threads or processes\"; (impl) "
      + "OCT/InterprocessTests.m:404",
    broken: "`flock` on the whole file as both read and write lock",
    untested: "no probe yet; the experiment would be: child begins a write, writes \"held\" to a "
      + "pipe, blocks on stdin; parent opens the file for the first time and reads; then lets "
      + "the child go")

  static let read03 = Rule(
    "READ-03", .documented,
    "A writer MUST be able to begin and commit while any number of readers hold older "
      + "snapshots.",
    source: "S0/S1/S3 rule 1 (reads never locked), Model in Depth (many versions)",
    broken: "commit waits for readers to drain (RCU-grace style)",
    untested: "no probe yet; the experiment would be: R reads at version v and parks; W commits 10 "
      + "times without waiting for R; R then still reads v")

  static let read13 = Rule(
    "READ-13", .documented,
    "Opening and reading MUST NOT need any lock supplied by the user; concurrent opening, "
      + "reading, querying and closing on many threads is data-race free.",
    source: "S0/S1/S3 rule 1",
    broken: "unsynchronised instance cache; racy version list reclaim",
    untested: "no probe yet; the experiment would be: stress under ThreadSanitizer, N threads "
      + "open/read/close, M write; zero reports and invariant of READ-04")

  static let read14 = Rule(
    "READ-14", .documented,
    "The commit I/O of an asynchronous write MUST NOT block readers on any thread, "
      + "including the committing one.",
    source: "S0 Commit or Cancel (caller proceeds while the SDK does I/O in the background); S2 "
      + "Perform Background Writes; S4 Write to an Actor-Isolated Realm",
    broken: "commitAsync performs fsync inline",
    untested: "no probe yet; the experiment would be: hold the fsync with a hook (WB) or make the "
      + "commit huge; the committing thread reads its realm and stamps before the completion is "
      + "delivered")
}
