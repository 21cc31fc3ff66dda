extension Rules.Ref {
  static let routes: [Rule] = [
    ref32, ref33, ref34,
  ]

  static let ref32 = Rule(
    "REF-32", .documented,
    "Querying again on the other thread (e.g. by primary key) MUST be an equivalent way to "
      + "reach the object.",
    source: "S0 Communication; @ThreadSafe section; S4 Pass a Primary Key.",
    broken: "stale cache by key",
    untested: "no probe yet; the experiment would be: both routes give `isSameObject`")

  static let ref33 = Rule(
    "REF-33", .documented,
    "The documented extension `writeAsync(_:errorHandler:block:)` MUST compile and, for an "
      + "unresolvable reference, hand nil to the block; errors of opening or committing go to "
      + "`errorHandler`.",
    source: "S0/S1 extension.",
    broken: "block skipped when the object is gone; error swallowed",
    untested: "no probe yet; the experiment would be: email example (bulk delete of Results in the "
      + "background); deleted-object case; unopenable configuration")

  static let ref34 = Rule(
    "REF-34", .implementation,
    "A `Realm` value itself cannot be wrapped in a reference (`Realm` is not "
      + "`ThreadConfined`).",
    level: .informative,
    source: "(impl).",
    broken: "(none)",
    untested: "no probe yet; the experiment would be: a negative compile file")
}
