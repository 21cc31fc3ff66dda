extension Rules.Refresh {
  static let points: [Rule] = [
    refresh01, refresh02, refresh03, refresh04, refresh05, refresh06, refresh07, refresh15,
    refresh16, refresh17, refresh19, refresh20,
  ]

  static let refresh01 = Rule(
    "REFRESH-01", .documented,
    "A newly opened realm MUST reflect the most recent successful commit.",
    source: "S0/S1/S3 Refreshing.",
    broken: "opens on the version of a sibling instance",
    untested: "no probe yet; the experiment would be: WRITE-32")

  static let refresh02 = Rule(
    "REFRESH-02", .documented,
    "It MUST stay on that version until refreshed.",
    source: "S0/S1/S3.",
    broken: "auto-advance on read",
    untested: "no probe yet; the experiment would be: see READ-05")

  static let refresh03 = Rule(
    "REFRESH-03", .documented,
    "`refresh()` MUST advance to the latest version and update all outstanding objects, "
      + "collections and results.",
    source: "S0/S1/S3; S4 (asyncRefresh wording); RS/Realm.swift:898.",
    broken: "stops at an intermediate version (real bug #7625)",
    untested: "no probe yet; the experiment would be: all kinds")

  static let refresh04 = Rule(
    "REFRESH-04", .implementation,
    "`refresh()` MUST return true when it advanced, false when already latest.",
    source: "RS/Realm.swift:906.",
    broken: "constant",
    untested: "no probe yet; the experiment would be: true, then false; after `invalidate()` true")

  static let refresh05 = Rule(
    "REFRESH-05", .implementation,
    "`refresh()` inside a write MUST be a no-op returning false.",
    source: "(impl) OCT/RealmTests.mm:1427; shared_realm.cpp:1301.",
    broken: "refresh commits or rolls back the write; returns true",
    untested: "no probe yet; the experiment would be: call in a write after making changes: false, "
      + "changes kept")

  static let refresh06 = Rule(
    "REFRESH-06", .implementation,
    "`refresh()` from inside a notification callback of that realm MUST be a no-op "
      + "returning false.",
    source: "(impl) shared_realm.cpp:1306; TOS/results.cpp:663.",
    broken: "recursion/advance during delivery",
    untested: "no probe yet; the experiment would be: foreign commit inside the callback, then "
      + "refresh(): false and data unchanged; afterwards true")

  static let refresh07 = Rule(
    "REFRESH-07", .implementation,
    "`refresh()` on a frozen realm returns false; on a read-only realm it dies.",
    source: "(impl) OCT 2518.",
    broken: "frozen advances; read-only returns quietly",
    untested: "no probe yet; the experiment would be: call; child for read-only")

  static let refresh15 = Rule(
    "REFRESH-15", .documented,
    "The refresh point MUST also be: begin of a write (sync or async), resolve (REF-12), "
      + "asyncRefresh; and only those plus the ones above.",
    source: "S0 TSR comment; RS/Realm.swift:277.",
    broken: "version moves at other moments (query, property read, observe)",
    untested:
      "no probe yet; the experiment would be: sample a counter before and after every other "
      + "API call with a pending foreign commit: unchanged")

  static let refresh16 = Rule(
    "REFRESH-16", .documented,
    "`refresh()` MUST deliver applicable notifications synchronously before it returns.",
    source: "S4 (asyncRefresh \"deliver any applicable notifications\"); RS/Realm.swift:898; "
      + "TOS/results.cpp:296-309.",
    broken: "deferred",
    untested: "no probe yet; the experiment would be: stamps")

  static let refresh17 = Rule(
    "REFRESH-17", .documented,
    "The documented snippet `if (!realm.autorefresh) { realm.refresh() }` MUST compile "
      + "(discardable result) and have its effect.",
    source: "S0 Swift snippet.",
    broken: "result not discardable (warning or error)",
    untested: "no probe yet; the experiment would be: compile and run")

  static let refresh19 = Rule(
    "REFRESH-19", .documented,
    "A refresh MUST advance monotonically; a realm never goes back to an older version "
      + "(except by starting a new read transaction through REF-13).",
    source: "S0/S1/S3 Git section.",
    broken: "older version after refresh",
    untested:
      "no probe yet; the experiment would be: monotonic counter read after every refresh in a "
      + "stress run")

  static let refresh20 = Rule(
    "REFRESH-20", .documented,
    "After a foreign deletion and a refresh, accessors of the deleted object MUST report "
      + "`isInvalidated == true`, and property access MUST die.",
    source: "S0 Modify a Frozen Object comment (\"invalidated when it is deleted ... or when its "
      + "managing realm has invalidate() called\").",
    broken: "accessor silently re-created or returns stale data",
    untested:
      "no probe yet; the experiment would be: delete elsewhere, refresh, isInvalidated; child "
      + "reads a property")
}
