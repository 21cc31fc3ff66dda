extension Rules.Read {
  static let snapshots: [Rule] = [
    read04, read05, read06, read07, read08, read09, read10, read15,
  ]

  static let read04 = Rule(
    "READ-04", .documented,
    "Values read MUST never be corrupt or half-modified: every read sees the complete "
      + "effect of a whole number of committed transactions.",
    source: "S0/S1/S3 rule 1",
    broken: "in-place update; publishing the new root before all nodes are written; per-table "
      + "commit; long values copied without version check",
    untested: "no probe yet; the experiment would be: writer keeps an invariant across objects and "
      + "types (a+b=0 over two tables, list length = counter, long string whose bytes all equal "
      + "the counter's low byte); M readers `refresh()` in a loop and verify the invariant for "
      + "every version seen, and that the sequence of versions is non-decreasing. Also …")

  static let read05 = Rule(
    "READ-05", .documented,
    "Between two refresh points a live realm MUST keep returning the same data: property "
      + "values, counts, query results, aggregates, links and list contents.",
    source: "S0/S1/S3 Refreshing Realms (\"remains on that version until refreshed\")",
    broken: "query results evaluated against head; object reads through to head; only scalars "
      + "pinned",
    untested:
      "no probe yet; the experiment would be: on a loopless thread take values, have another "
      + "thread change every kind of thing and delete objects, re-read everything incl. a *new* "
      + "query: all unchanged; then `refresh()` and all changed")

  static let read06 = Rule(
    "READ-06", .documented,
    "All objects and collections of one realm instance MUST be at one and the same version.",
    source: "S0 Communication Across Threads; S1 and S3 same; S1 \"One Version at a Time\"; S3 "
      + "paragraph \"Realm instance is designed to work with one version\"",
    broken: "per-object version pin; lazily refreshed accessors",
    untested:
      "no probe yet; the experiment would be: take object A; other thread commits (A', B'); "
      + "take B from the same realm without refresh: it must be the old B. After refresh both "
      + "new. Never a mix")

  static let read07 = Rule(
    "READ-07", .documented,
    "Uncommitted changes MUST be invisible to every other realm instance, thread and "
      + "process.",
    source: "S0/S1/S3 Git comparison (\"commits, which are atomic writes\"); Refreshing (\"most "
      + "recent successful write commit\")",
    broken: "writing through to shared pages; publishing per statement",
    untested:
      "no probe yet; the experiment would be: park in a write; others open fresh realms and "
      + "read; nothing visible; also `refresh()` returns false there")

  static let read08 = Rule(
    "READ-08", .documented,
    "Inside its write transaction a realm MUST read its own changes, including through "
      + "Results obtained earlier.",
    source: "(impl) RST/RealmTests.swift testWrite..; S0 async example (completion reads appended "
      + "dogs)",
    broken: "Results cached per version number only",
    untested:
      "no probe yet; the experiment would be: create in a write; `objects(T.self).count`, an "
      + "earlier filtered Results, a List and a LinkingObjects all reflect it at once")

  static let read09 = Rule(
    "READ-09", .documented,
    "Different threads MUST be able to be on different versions at the same time, each "
      + "consistent.",
    source: "S0 Communication (\"many active versions of an object at any time\"); S1; S3",
    broken: "keep only last two versions",
    untested: "no probe yet; the experiment would be: N threads each open after commit i and park; "
      + "all then read concurrently: thread i sees i")

  static let read10 = Rule(
    "READ-10", .implementation,
    "Reading MUST begin a read transaction lazily and hold it; a realm that holds no read "
      + "transaction (just invalidated, never read) MUST see the latest version on its next "
      + "read.",
    source: "(impl) RS/Realm.swift:991-1010; OCT/RealmTests.mm:1225, 1307",
    broken: "invalidate keeps the old version",
    untested: "no probe yet; the experiment would be: open, read, other commits, `invalidate()`, "
      + "read: new data without `refresh()`")

  static let read15 = Rule(
    "READ-15", .documented,
    "A reader whose snapshot contains a since-deleted or since-modified object MUST keep "
      + "reading the old content without error.",
    source: "S0/S1/S3 rule 1; Internal Structure (original version untouched)",
    broken: "free list ignores bound versions (reuses space too early)",
    untested:
      "no probe yet; the experiment would be: pin v; writer deletes the object, then commits "
      + "thousands of transactions that reuse space; read every byte of the old object")
}
