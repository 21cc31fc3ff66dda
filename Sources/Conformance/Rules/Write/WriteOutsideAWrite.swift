extension Rules.Write {
  static let outsideAWrite: [Rule] = [
    write15, write16, write17, write26,
  ]

  static let write15 = Rule(
    "WRITE-15", .documented,
    "Setting a property of a managed object outside a write MUST die.",
    source: "S0 code (all changes in write); OCT/TransactionTests.m.",
    broken: "implicit auto-commit write",
    untested: "no probe yet; the experiment would be: child, per property type")

  static let write16 = Rule(
    "WRITE-16", .implementation,
    "Changing a managed List/Set/Map, or bulk-setting through Results, outside a write MUST "
      + "die.",
    source: "(impl).",
    broken: "only property setters guarded",
    untested: "no probe yet; the experiment would be: child per mutator (append, insert, remove, "
      + "replace, move, set union ...). Match on the common part `outside of a write "
      + "transaction`")

  static let write17 = Rule(
    "WRITE-17", .implementation,
    "add/create/delete outside a write MUST die.",
    source: "(impl).",
    broken: "queueing the change",
    untested: "no probe yet; the experiment would be: child per method")

  static let write26 = Rule(
    "WRITE-26", .documented,
    "Begin on a read-only realm MUST die.",
    source: "S4 Observation Limitations mentions read-only realms; RS/Realm.swift doc.",
    broken: "error only at commit",
    untested: "no probe yet; the experiment would be: child for `beginWrite`, `write`, "
      + "`beginAsyncWrite`, `writeAsync`")
}
