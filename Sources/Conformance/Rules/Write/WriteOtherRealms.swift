extension Rules.Write {
  static let otherRealms: [Rule] = [
    write30, write31,
  ]

  static let write30 = Rule(
    "WRITE-30", .documented,
    "Adding an object that another realm (or another thread's instance, or a frozen realm) "
      + "manages MUST die; adding one already managed by the same realm is a no-op.",
    source: "S0 Append to a Frozen Collection (\"Realm throws an error\").",
    broken: "silent deep copy",
    untested:
      "no probe yet; the experiment would be: child for other file, other thread's instance, "
      + "frozen")

  static let write31 = Rule(
    "WRITE-31", .implementation,
    "`delete` of an object of another realm MUST die.",
    source: "(impl).",
    broken: "deletes by key in the wrong realm",
    untested: "no probe yet; the experiment would be: child")
}
