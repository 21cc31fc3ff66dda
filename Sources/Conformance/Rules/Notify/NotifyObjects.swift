extension Rules.Notify {
  static let objects: [Rule] = [
    notify16, notify17,
  ]

  static let notify16 = Rule(
    "NOTIFY-16", .documented,
    "Object observers MUST be called for modification with the list of changed properties, "
      + "and `.deleted` once when the object is deleted; no initial callback.",
    source: "S4 Register an Object Change Listener.",
    broken: "initial callback for objects; deleted missed or repeated",
    untested: "no probe yet; the experiment would be: names, newValue; deletion is the last")

  static let notify17 = Rule(
    "NOTIFY-17", .documented,
    "`PropertyChange.newValue` MUST be the new value (nil for collections); `oldValue` is "
      + "nil for changes made by the observing thread itself and for collections, else the old "
      + "value.",
    source: "S4 code uses `newValue!`; RS/Object.swift:626-654.",
    broken: "oldValue == newValue",
    untested: "no probe yet; the experiment would be: local vs foreign commit; on another actor or "
      + "queue the old value is present even for a write by the registering thread "
      + "(RST/ObjectTests.swift:1555)")
}
