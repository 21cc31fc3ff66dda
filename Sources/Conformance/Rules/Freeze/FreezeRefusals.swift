extension Rules.Freeze {
  static let refusals: [Rule] = [
    freeze12, freeze13, freeze14, freeze15, freeze16, freeze17, freeze20, freeze21, freeze22,
    freeze23, freeze24, freeze32, freeze34, freeze35,
  ]

  static let freeze12 = Rule(
    "FREEZE-12", .documented,
    "Beginning a write (sync or async, `write`, `beginWrite`, `beginAsyncWrite`, "
      + "`writeAsync`, `asyncWrite`) on a frozen realm MUST die.",
    source: "S0/S1/S3 list of exceptions 1.",
    broken: "writes to a private copy",
    untested: "no probe yet; the experiment would be: child each")

  static let freeze13 = Rule(
    "FREEZE-13", .documented,
    "Setting a property of a frozen object MUST die, inside and outside a write of the live "
      + "realm.",
    source: "S0/S1/S3 exceptions 2.",
    broken: "falls through to the live row; reports the \"outside of a write\" text",
    untested: "no probe yet; the experiment would be: child: plain; within `liveRealm.write`")

  static let freeze14 = Rule(
    "FREEZE-14", .documented,
    "Mutating a frozen List/Set/Map MUST die.",
    source: "S0/S1/S3 exceptions 2.",
    broken: "mutates the live list; silent no-op",
    untested:
      "no probe yet; the experiment would be: child; accept either that or a \"frozen\" text")

  static let freeze15 = Rule(
    "FREEZE-15", .documented,
    "Adding an observer to a frozen realm, collection or object MUST die.",
    source: "S0/S1/S3 exceptions 3.",
    broken: "returns a dead token",
    untested: "no probe yet; the experiment would be: child x3, with key paths")

  static let freeze16 = Rule(
    "FREEZE-16", .documented,
    "Deleting a frozen object, or passing it to `delete`/`add` of the live realm, MUST die.",
    source: "S0 Modify a Frozen Object (\"you must thaw\").",
    broken: "deletes the live row by key",
    untested: "no probe yet; the experiment would be: child for delete(frozen), add(frozen), "
      + "append(frozen)")

  static let freeze17 = Rule(
    "FREEZE-17", .documented,
    "`refresh()` on frozen returns false; `autorefresh` reads false and setting it true "
      + "dies (REFRESH-07, -14).",
    source: "S0/S1/S3 Frozen Objects (immutable view)",
    broken: "advances",
    untested: "no probe yet; the experiment would be: see REFRESH-07, REFRESH-14")

  static let freeze20 = Rule(
    "FREEZE-20", .implementation,
    "Freezing an unmanaged object MUST die.",
    source:
      "RST:1867. unmanaged collections: `This method may only be called on RLMArray instances "
      + "retrieved from an RLMRealm`.",
    broken: "returns unmanaged self",
    untested: "no probe yet; the experiment would be: child")

  static let freeze21 = Rule(
    "FREEZE-21", .implementation,
    "Freezing a deleted object MUST die.",
    source: "RST/ProjectionTests.swift:1664.",
    broken: "freezes garbage or returns an invalidated object",
    untested: "no probe yet; the experiment would be: child: delete, then freeze")

  static let freeze22 = Rule(
    "FREEZE-22", .implementation,
    "Freezing a live thing from the wrong thread MUST die.",
    source: "RST/RealmCollectionTypeTests.swift:1278.",
    broken: "unchecked",
    untested: "no probe yet; the experiment would be: child or thread")

  static let freeze23 = Rule(
    "FREEZE-23", .implementation,
    "`freeze()` inside a write MUST give the state as of the *beginning* of that write.",
    source: "(impl) OS/shared_realm.hpp:312-319; OCT/ObjectTests.m ~1508.",
    broken: "sees uncommitted data",
    untested: "no probe yet; the experiment would be: change x in a write, freeze, frozen x is old")

  static let freeze24 = Rule(
    "FREEZE-24", .documented,
    "Freezing an object created in the same write MUST die.",
    source: "S0/S1/S3 (snapshot of committed state); (impl) OC/RLMObjectBase.mm:526",
    broken: "frozen object with uncommitted content",
    untested: "no probe yet; the experiment would be: child: create and freeze in one write")

  static let freeze32 = Rule(
    "FREEZE-32", .implementation,
    "Thawing an unmanaged object MUST die.",
    source: "(impl) RST/ObjectTests.swift:2029",
    broken: "returns self",
    untested: "no probe yet; the experiment would be: child")

  static let freeze34 = Rule(
    "FREEZE-34", .documented,
    "Appending to a frozen list's thawed version a still frozen object MUST fail; with both "
      + "thawed it MUST succeed.",
    source: "S0 Append to a Frozen Collection.",
    broken: "auto-thaw",
    untested: "no probe yet; the experiment would be: child for the failing case incl. across "
      + "threads; documented code for the good case")

  static let freeze35 = Rule(
    "FREEZE-35", .documented,
    "The same both-must-be-thawed rule MUST hold when the frozen objects were passed to "
      + "another thread.",
    source: "S0 Append.",
    broken: "auto-thaw on other threads",
    untested: "no probe yet; the experiment would be: on a background thread")
}
