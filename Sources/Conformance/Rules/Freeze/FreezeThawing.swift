extension Rules.Freeze {
  static let thawing: [Rule] = [
    freeze25, freeze26, freeze27, freeze28, freeze29, freeze30, freeze31, freeze33, freeze43,
  ]

  static let freeze25 = Rule(
    "FREEZE-25", .documented,
    "`thaw()` MUST return a live view of the same entity, bound to the current thread, "
      + "whose realm is live (also thaws the realm).",
    source: "S0/S1 Modify a Frozen Object (+code asserts).",
    broken: "thaw returns a copy; `realm` still frozen",
    untested: "no probe yet; the experiment would be: documented code")

  static let freeze26 = Rule(
    "FREEZE-26", .documented,
    "`thaw()` of a live realm, object or collection MUST return itself.",
    source: "S0/S1.",
    broken: "new accessor on another instance",
    untested: "no probe yet; the experiment would be: same identity")

  static let freeze27 = Rule(
    "FREEZE-27", .documented,
    "`thaw()` of an object which no longer exists in the live version MUST return nil.",
    source: "RST:2033; S0 code uses optional.",
    broken: "invalidated object; resurrection",
    untested: "no probe yet; the experiment would be: delete after freezing, thaw")

  static let freeze28 = Rule(
    "FREEZE-28", .implementation,
    "`thaw()` of a collection whose parent object was deleted yields an invalidated or "
      + "empty live view, while Results thaw to a (possibly empty) live query.",
    source: "(impl) RST/RealmCollectionTypeTests.swift:1143, 1265.",
    broken: "returns live view with stale members",
    untested:
      "no probe yet; the experiment would be: delete parent, thaw the frozen list and frozen "
      + "results")

  static let freeze29 = Rule(
    "FREEZE-29", .implementation,
    "A thawed view MUST show the live realm's current version of that thread, which may be "
      + "newer or older than the frozen one.",
    source: "(impl) RST/RealmCollectionTypeTests.swift:1158-1262; OCT ObjectTests.m "
      + "testThawCreatedOnDifferentThread.",
    broken: "thaw refreshes implicitly",
    untested: "no probe yet; the experiment would be: thread B freezes newer state; main (not "
      + "refreshed) thaws: old data, and nil for an object created later; after `refresh()` "
      + "current")

  static let freeze30 = Rule(
    "FREEZE-30", .implementation,
    "Thaw on a thread that already has the realm open MUST use that instance; otherwise "
      + "open one.",
    source: "(impl) OCT/RealmTests.mm:2589.",
    broken: "always opens an uncached instance",
    untested: "no probe yet; the experiment would be: `==`")

  static let freeze31 = Rule(
    "FREEZE-31", .documented,
    "A thawed object MUST be writable in a write of its live realm and the change visible "
      + "to others; the frozen one stays unchanged.",
    source: "S0/S1 code.",
    broken: "write lands in the frozen copy only",
    untested: "no probe yet; the experiment would be: thaw, write, read on another thread, re-read "
      + "frozen")

  static let freeze33 = Rule(
    "FREEZE-33", .documented,
    "Querying the live realm for the same object MUST be an equivalent alternative to thaw.",
    source: "S0/S1 (\"query for it on an unfrozen realm\"); S3 (the only way).",
    broken: "primary-key lookup on live returns frozen",
    untested: "no probe yet; the experiment would be: object(ofType:forPrimaryKey:) on live, modify"
  )

  static let freeze43 = Rule(
    "FREEZE-43", .documented,
    "`thaw()` is not an actor tool: on a custom actor it would bind to the current thread "
      + "instead of the actor.",
    level: .informative,
    source: "S0 Tip (\"does not currently support using thaw() with Swift Actors\").",
    broken: "(none: informative)",
    untested:
      "no probe yet; the experiment would be: record behaviour of thaw inside a custom actor")
}
