extension Rules.Freeze {
  static let views: [Rule] = [
    freeze01, freeze02, freeze03, freeze04, freeze05, freeze06, freeze07, freeze08, freeze09,
    freeze10, freeze11, freeze41,
  ]

  static let freeze01 = Rule(
    "FREEZE-01", .documented,
    "`freeze()` MUST be available on realms, objects (also embedded), List, MutableSet, "
      + "Map, Results, LinkingObjects, AnyRealmCollection, projections and sectioned results, "
      + "and return the same type.",
    source: "S0/S1/S3 Frozen Objects (\"specific object, collection, or realm\").",
    broken: "type-erased return; missing on one collection type",
    untested: "no probe yet; the experiment would be: compile and `isFrozen == true`")

  static let freeze02 = Rule(
    "FREEZE-02", .documented,
    "A frozen view MUST show the data of the moment of freezing for ever: no live update, "
      + "no change on refresh, foreign or own commit.",
    source: "S0/S1/S3 (\"not live and do not automatically update ... snapshots\").",
    broken: "freeze copies lazily at first access; links followed into the live realm",
    untested: "no probe yet; the experiment would be: freeze, change everything 1000 times incl. "
      + "delete, re-read every property, list, link, query")

  static let freeze03 = Rule(
    "FREEZE-03", .implementation,
    "The live original MUST remain live and unaffected by freezing.",
    source: "RST/ObjectTests.swift:1854.",
    broken: "freezes in place",
    untested: "no probe yet; the experiment would be: original isFrozen false, updates")

  static let freeze04 = Rule(
    "FREEZE-04", .documented,
    "Frozen views MUST be readable from any thread, several at once, without "
      + "synchronisation.",
    source: "S0/S1/S3 (\"freely share ... without concern for thread issues\").",
    broken: "lazily built shared cache without lock (real bug #7237)",
    untested:
      "no probe yet; the experiment would be: N threads (incl. GCD, tasks, actors) read the "
      + "same frozen object, list, run *queries* and sorts on the same frozen collection; TSan "
      + "clean")

  static let freeze05 = Rule(
    "FREEZE-05", .documented,
    "Freezing MUST NOT deep-copy: cost and memory independent of the data size.",
    source: "S0/S1/S3 (\"still exists on disk and does not need to be deeply copied\"); S0 Summary "
      + "(\"shallow copies around efficiently\").",
    broken: "deep copy at freeze",
    untested: "no probe yet; the experiment would be: benchmark: freeze a realm of 10 and of 1e6 "
      + "objects; RSS and object-visit hook")

  static let freeze06 = Rule(
    "FREEZE-06", .documented,
    "Freezing a realm MUST freeze everything obtained from it: objects, their links, lists, "
      + "sets, maps, results, linking objects.",
    source: "S0/S1/S3 (\"its child objects also become frozen\"); S0 code asserts.",
    broken: "link target live",
    untested: "no probe yet; the experiment would be: walk the graph: each `isFrozen`, each "
      + "`.realm!.isFrozen`")

  static let freeze07 = Rule(
    "FREEZE-07", .documented,
    "Freezing an object or a collection MUST give a view whose `realm` is frozen, likewise "
      + "for all reachable children.",
    source: "S0 code (\"Frozen objects have a reference to a frozen realm\").",
    broken: "frozen object with live realm",
    untested: "no probe yet; the experiment would be: assert on every reachable child")

  static let freeze08 = Rule(
    "FREEZE-08", .documented,
    "Already existing live objects of a realm MUST NOT become frozen by `realm.freeze()`.",
    source: "S0 code (`assert(!person.realm!.isFrozen)` after `realm.freeze()`).",
    broken: "flag on shared realm",
    untested: "no probe yet; the experiment would be: documented asserts in order")

  static let freeze09 = Rule(
    "FREEZE-09", .documented,
    "Frozen collections and realms MUST be queryable: `objects`, `filter`, `where`, "
      + "`sorted`, `distinct`, aggregates, `object(ofType:forPrimaryKey:)`; results are frozen.",
    source: "S0 code (\"You can still read from frozen realms\"); RST:1300.",
    broken: "queries on frozen go to the live head",
    untested:
      "no probe yet; the experiment would be: query frozen after live changes: old answers, "
      + "frozen results")

  static let freeze10 = Rule(
    "FREEZE-10", .documented,
    "`isFrozen` MUST be right and callable on any thread for live and frozen realm, object "
      + "and collection, without death.",
    source: "S0/S1/S3 (\"always thread-safe\").",
    broken: "verifies thread",
    untested: "no probe yet; the experiment would be: foreign thread on live and frozen")

  static let freeze11 = Rule(
    "FREEZE-11", .implementation,
    "`isFrozen` of unmanaged objects and collections MUST be false.",
    source: "RST/ObjectTests.swift:1854.",
    broken: "true or death for unmanaged",
    untested: "no probe yet; the experiment would be: fresh unmanaged object and List")

  static let freeze41 = Rule(
    "FREEZE-41", .implementation,
    "All property types MUST be readable on frozen objects with the same values.",
    source: "RST:1899.",
    broken: "missing case for a type (optional, Decimal128, UUID, Any, embedded ...)",
    untested: "no probe yet; the experiment would be: all-types object")
}
