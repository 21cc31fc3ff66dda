extension Rules.Ref {
  static let references: [Rule] = [
    ref01, ref02, ref03, ref04, ref05, ref06, ref07, ref08, ref09, ref10, ref11,
  ]

  static let ref01 = Rule(
    "REF-01", .documented,
    "`ThreadSafeReference(to:)` MUST accept managed objects (with or without primary key), "
      + "embedded objects, List, MutableSet, Map, LinkingObjects, Results and "
      + "AnyRealmCollection.",
    source: "S0/S1 (\"any object, regardless of whether it has a primary key ... also lists and "
      + "results\").",
    broken: "primary-key lookup inside",
    untested: "no probe yet; the experiment would be: each type round-trips")

  static let ref02 = Rule(
    "REF-02", .documented,
    "`Realm.resolve(_:)` on another thread MUST return the same entity bound to that realm.",
    source: "S0/S1 steps 1-3; S4 Pass a ThreadSafeReference.",
    broken: "frozen or copied object",
    untested:
      "no probe yet; the experiment would be: write through the resolved object, seen by the "
      + "source")

  static let ref03 = Rule(
    "REF-03", .documented,
    "A reference MUST be resolvable only once; the second attempt MUST die.",
    source: "S0/S1/S4 (\"exactly once\").",
    broken: "allows two",
    untested: "no probe yet; the experiment would be: child; also when the first result was nil")

  static let ref04 = Rule(
    "REF-04", .implementation,
    "Copies of the reference struct MUST share that state.",
    source: "(impl) the struct wraps one reference object.",
    broken: "per-copy flag",
    untested: "no probe yet; the experiment would be: resolve copy a, then b in a child")

  static let ref05 = Rule(
    "REF-05", .implementation,
    "`isInvalidated` MUST be false before and true after resolution.",
    source: "RS/ThreadSafeReference.swift:93-97.",
    broken: "never set",
    untested:
      "no probe yet; the experiment would be: sample before and after resolve, also after a "
      + "nil result")

  static let ref06 = Rule(
    "REF-06", .implementation,
    "Two threads resolving the same reference concurrently: exactly one gets it, the other "
      + "dies; no third outcome.",
    source: "SEND (Sendable type must be safe).",
    broken: "two threads both get an object; crash by data race",
    untested: "no probe yet; the experiment would be: TSan and child loop")

  static let ref07 = Rule(
    "REF-07", .implementation,
    "A reference to an unmanaged object MUST die.",
    source: "RST/ThreadSafeReferenceTests.swift:36.",
    broken: "reference of unmanaged passes the object itself",
    untested: "no probe yet; the experiment would be: child")

  static let ref08 = Rule(
    "REF-08", .implementation,
    "A reference to an invalidated object or realm MUST die.",
    source: "same.",
    broken: "reference resolves to nil later instead",
    untested:
      "no probe yet; the experiment would be: child (deleted object; object of an invalidated "
      + "realm)")

  static let ref09 = Rule(
    "REF-09", .documented,
    "If the object has been deleted in the version at which it is resolved, `resolve` MUST "
      + "return nil.",
    source: "S0/S1 code comments (\"person was deleted\").",
    broken: "returns invalidated accessor; dies",
    untested: "no probe yet; the experiment would be: delete, then resolve in a write: nil")

  static let ref10 = Rule(
    "REF-10", .documented,
    "Resolving inside a write MUST give the latest state.",
    source: "S0/S1 code comment; S4 (\"must resolve within a write transaction\").",
    broken: "source version state",
    untested:
      "no probe yet; the experiment would be: foreign commit between creation and resolution "
      + "is visible")

  static let ref11 = Rule(
    "REF-11", .documented,
    "Resolving outside a write MUST be possible too.",
    source: "S0/S1 step 3 (no write mentioned); S4 (within a write)",
    broken: "refused outside a write; refused inside a write",
    untested: "no probe yet; the experiment would be: resolve outside and inside a write, both "
      + "succeed")
}
