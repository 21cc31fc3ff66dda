extension Rules.Life {
  static let invalidating: [Rule] = [
    life04, life05, life06, life07, life12, life18,
  ]

  static let life04 = Rule(
    "LIFE-04", .documented,
    "`invalidate()` MUST invalidate all objects, lists and results of that instance, "
      + "release its version, and leave the realm usable (next read: latest version).",
    source: "S0/S1 code comment (\"invalidated when ... its managing realm has invalidate() called "
      + "on it\"); RS/Realm.swift:991.",
    broken: "old data still readable; version not released",
    untested:
      "no probe yet; the experiment would be: `isInvalidated` true for each; property access "
      + "DIES `Object has been deleted or invalidated.`; list `... is no longer valid. Either "
      + "the parent object was deleted or the containing Realm has been invalidated or closed.` "
      + "(OS/collection.cpp:117-127); results DIE `Access to invalidated Results objects`")

  static let life05 = Rule(
    "LIFE-05", .implementation,
    "`invalidate()` in a write MUST roll the write back.",
    source: "(impl) OCT/RealmTests.mm:1296.",
    broken: "commit on invalidate",
    untested: "no probe yet; the experiment would be: begin, create, invalidate, reopen: nothing; "
      + "lock free")

  static let life06 = Rule(
    "LIFE-06", .implementation,
    "`invalidate()` twice, or before any read, MUST be a no-op.",
    source: "RS/Realm.swift:1007.",
    broken: "dies",
    untested: "no probe yet; the experiment would be: call twice and first")

  static let life07 = Rule(
    "LIFE-07", .implementation,
    "`invalidate()` inside a notification callback MUST be ignored.",
    source: "(impl) OS/shared_realm.cpp:1115; TOS/results.cpp:830.",
    broken: "invalidates during delivery (use after free)",
    untested: "no probe yet; the experiment would be: call in callbacks; data still readable after")

  static let life12 = Rule(
    "LIFE-12", .documented,
    "`isInvalidated` on objects MUST be true after deletion (seen by that realm), after "
      + "invalidate, and false otherwise, for unmanaged false.",
    source: "S0/S1 code comment; RST/ObjectTests.swift:113.",
    broken: "false after foreign deletion and refresh",
    untested: "no probe yet; the experiment would be: each state")

  static let life18 = Rule(
    "LIFE-18", .documented,
    "Closing or invalidating on one thread MUST NOT affect instances on other threads.",
    source: "S0 Use the Same Realm (separate instances).",
    broken: "file-wide invalidation",
    untested: "no probe yet; the experiment would be: invalidate on A; B keeps reading its snapshot"
  )
}
