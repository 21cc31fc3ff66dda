extension Rules.Freeze {
  static let lifetime: [Rule] = [
    freeze36, freeze37, freeze38, freeze39, freeze42,
  ]

  static let freeze36 = Rule(
    "FREEZE-36", .documented,
    "Frozen views MUST stay readable while the live realm that spawned them is open.",
    source: "S0/S1/S3 lifetime sentence.",
    broken: "frozen view breaks when the live realm refreshes or writes",
    untested:
      "no probe yet; the experiment would be: hold live open; read frozen from anywhere any "
      + "time")

  static let freeze37 = Rule(
    "FREEZE-37", .documented,
    "Frozen views held after the live realm has been released or invalidated MUST NOT crash "
      + "or give wrong data.",
    source: "S0/S1/S3 lifetime sentence",
    broken: "use after unmap",
    untested: "no probe yet; the experiment would be: drop every live reference, read frozen")

  static let freeze38 = Rule(
    "FREEZE-38", .documented,
    "A frozen realm MAY be closed (released or invalidated) before the live one without "
      + "affecting it.",
    source: "S0/S1/S3.",
    broken: "closing frozen closes the shared file handle",
    untested:
      "no probe yet; the experiment would be: invalidate frozen; live reads and writes go on")

  static let freeze39 = Rule(
    "FREEZE-39", .implementation,
    "`invalidate()` on a frozen realm closes it; a later read from it MUST die.",
    source: "(impl) OCT 2556. other instances frozen at other versions unaffected.",
    broken: "reads go to the live realm",
    untested: "no probe yet; the experiment would be: invalidate frozen; child reads")

  static let freeze42 = Rule(
    "FREEZE-42", .documented,
    "Frozen objects held in large numbers make the file grow (GROW-01..); one frozen object "
      + "per version suffices to pin that version.",
    source: "S0/S1/S3 caching note. see GROW.",
    broken: "(see GROW-01)",
    untested: "no probe yet; the experiment would be: see GROW-01, GROW-06")
}
