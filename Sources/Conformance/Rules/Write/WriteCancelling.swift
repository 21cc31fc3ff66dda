extension Rules.Write {
  static let cancelling: [Rule] = [
    write18, write19, write20, write21,
  ]

  static let write18 = Rule(
    "WRITE-18", .implementation,
    "Cancelling MUST restore every object to its state at the beginning: inserts vanish, "
      + "deletes return, property, link, list, set and map changes are undone.",
    source: "RS/Realm.swift:339-370; OCT/RealmTests.mm:1076-1205",
    broken: "undo log misses collections or links or back-links",
    untested:
      "no probe yet; the experiment would be: golden dump before == dump after cancel, in the "
      + "same realm, on other threads and after reopening")

  static let write19 = Rule(
    "WRITE-19", .implementation,
    "After a cancel, objects which were added in the transaction MUST be invalidated (not "
      + "unmanaged again).",
    source: "RS/Realm.swift:347-349.",
    broken: "object silently reverts to unmanaged with its values",
    untested:
      "no probe yet; the experiment would be: `obj.isInvalidated == true`, `obj.realm == nil` "
      + "or unusable; re-adding is refused")

  static let write20 = Rule(
    "WRITE-20", .implementation,
    "After a cancel, the accessor of an object deleted in the transaction is usable again.",
    source: "(impl) OCT/RealmTests.mm:1087-1100 asserts `isInvalidated == false` and the value.",
    broken: "accessor marked dead forever",
    untested: "no probe yet; the experiment would be: delete, cancel, read old accessor")

  static let write21 = Rule(
    "WRITE-21", .implementation,
    "A write transaction without changes MUST still commit as a new version and send "
      + "realm-level notifications, but no collection or object notifications.",
    source: "(impl) test_shared.cpp:2600; RS/Realm.swift:301-309",
    broken: "empty commit elided; or spurious collection callbacks",
    untested:
      "no probe yet; the experiment would be: observers of all three kinds; empty `write {}`; "
      + "realm `.didChange` once, others silent (proved by a later real change)")
}
