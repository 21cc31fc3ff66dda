extension Rules.Read {
  static let liveViews: [Rule] = [
    read11, read12,
  ]

  static let read11 = Rule(
    "READ-11", .documented,
    "Live accessors MUST NOT cache: a property read after any change in the same realm "
      + "returns the current value, whichever accessor made the change.",
    source: "S0/S1/S3 Internal Structure (reading is looking at the stored value; basis for live "
      + "objects)",
    broken: "property cache in the accessor",
    untested: "no probe yet; the experiment would be: two accessors of one row in one realm; write "
      + "through one, read through the other inside and after the write, and after refresh of a "
      + "foreign commit")

  static let read12 = Rule(
    "READ-12", .implementation,
    "Iterating a collection with `for ... in` MUST walk the set as it was when iteration "
      + "began, even when the body changes or deletes members.",
    source: "(impl) RST/RealmCollectionTypeTests.swift testFastEnumerationWithMutation",
    broken: "index-based live iteration (skips every second)",
    untested: "no probe yet; the experiment would be: in a write, iterate a Results filtered on a "
      + "property which the body changes: every original member visited exactly once")
}
