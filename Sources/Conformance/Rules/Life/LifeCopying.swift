extension Rules.Life {
  static let copying: [Rule] = [
    life14, life15,
  ]

  static let life14 = Rule(
    "LIFE-14", .documented,
    "`writeCopy(toFile:)`/`(configuration:)` MUST write the version the realm is on (or the "
      + "current write's state), be openable at once, and refuse to overwrite.",
    source: "S0 Communication (\"copy the object from the realm\") only touches objects; (impl) "
      + "RST:929, OCT 2452.",
    broken: "copy of another version; overwrites",
    untested: "no probe yet; the experiment would be: copy while a foreign commit is pending")

  static let life15 = Rule(
    "LIFE-15", .documented,
    "Copying values out of an object (plain values, `Object(value: managed)`) MUST give an "
      + "independent unmanaged copy that pins nothing.",
    source:
      "S0/S1/S3 (\"copy the object from the realm\"; \"consider copying what you need out\").",
    broken: "copy keeps the realm alive",
    untested:
      "no probe yet; the experiment would be: copy, invalidate, file growth test stays flat "
      + "(GROW-05)")
}
