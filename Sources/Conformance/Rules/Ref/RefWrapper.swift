extension Rules.Ref {
  static let wrapper: [Rule] = [
    ref23, ref24, ref25, ref26, ref27, ref28, ref29, ref30, ref31,
  ]

  static let ref23 = Rule(
    "REF-23", .documented,
    "`@ThreadSafe` variables MUST be optional in type whatever is wrapped.",
    source: "S0 Use the @ThreadSafe Wrapper.",
    broken: "non-optional projected type",
    untested: "no probe yet; the experiment would be: compile `let x: Person? = ref`")

  static let ref24 = Rule(
    "REF-24", .documented,
    "Reading a `@ThreadSafe` variable MUST give the object resolved for the reading thread, "
      + "any number of times, on any number of threads.",
    source: "S0 steps; RS/ThreadSafeReference.swift:119-135.",
    broken: "second read dies (single-use)",
    untested: "no probe yet; the experiment would be: RST 382, 800")

  static let ref25 = Rule(
    "REF-25", .documented,
    "If the object was deleted the variable MUST become nil and stay nil.",
    source: "S0.",
    broken: "invalidated object",
    untested: "no probe yet; the experiment would be: RST 407")

  static let ref26 = Rule(
    "REF-26", .implementation,
    "Assignment MUST re-target (another managed object, nil); assigning or initialising "
      + "with an unmanaged object MUST die.",
    source: "RST 377, 423, 442, 525, 791.",
    broken: "old target kept after reassignment; unmanaged accepted",
    untested:
      "no probe yet; the experiment would be: reassign and read on another thread; child for "
      + "unmanaged")

  static let ref27 = Rule(
    "REF-27", .documented,
    "`@ThreadSafe` MUST work on function parameters, local variables captured by dispatched "
      + "blocks, and properties.",
    source: "S0 function-parameter example.",
    broken: "wrapper unusable in closures or as parameter",
    untested: "no probe yet; the experiment would be: documented code; RST 779")

  static let ref28 = Rule(
    "REF-28", .implementation,
    "`@ThreadSafe` MUST resolve in the realm configuration of the wrapped object, not the "
      + "default.",
    source: "(impl) RST 500.",
    broken: "default configuration",
    untested:
      "no probe yet; the experiment would be: in-memory realm object wrapped, read on another "
      + "thread")

  static let ref29 = Rule(
    "REF-29", .documented,
    "`@ThreadSafe` read inside a write of the current thread's realm MUST give an object "
      + "that is writable in that transaction.",
    source: "S0 example (personRef inside realm.write).",
    broken: "separate instance",
    untested:
      "no probe yet; the experiment would be: documented example; write through it; visible "
      + "after commit")

  static let ref30 = Rule(
    "REF-30", .implementation,
    "`@ThreadSafe` MUST hold for List, MutableSet, Map, Results, LinkingObjects, "
      + "AnyRealmCollection.",
    source: "(impl) RST 540-689.",
    broken: "works for objects only",
    untested: "no probe yet; the experiment would be: RST tests 540-689 ported")

  static let ref31 = Rule(
    "REF-31", .documented,
    "Both `ThreadSafeReference` and `ThreadSafe` MUST be `Sendable`.",
    source: "S0 Sendable Conformance.",
    broken: "conformance conditional on the wrapped type",
    untested: "no probe yet; the experiment would be: compile a generic `func need<T: Sendable>(_: "
      + "T)`; for any `Confined`")
}
