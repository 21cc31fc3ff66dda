extension Rules.Freeze {
  static let identity: [Rule] = [
    freeze18, freeze19, freeze40,
  ]

  static let freeze18 = Rule(
    "FREEZE-18", .implementation,
    "`freeze()` on something frozen MUST return itself.",
    source: "RST/ProjectionTests.swift:1656; OC/RLMObjectBase.mm:521; RS/Realm.swift:934.",
    broken: "new copy each time",
    untested: "no probe yet; the experiment would be: `===`/`==`")

  static let freeze19 = Rule(
    "FREEZE-19", .implementation,
    "Freezing the same realm twice at one version MUST give the equal instance; at another "
      + "version a different one.",
    source: "(impl) OCT/RealmTests.mm:2543.",
    broken: "pin per call (GROW-06)",
    untested: "no probe yet; the experiment would be: `==`")

  static let freeze40 = Rule(
    "FREEZE-40", .implementation,
    "Two frozen copies of one object at the same version are equal (`==`/hash); at "
      + "different versions, for keyless objects, not.",
    source: "(impl) RST:1799; OCT ObjectTests.m testFrozenObjectEquality/Hashing.",
    broken: "pointer equality only; equality across versions for keyless types",
    untested: "no probe yet; the experiment would be: RST test ported")
}
