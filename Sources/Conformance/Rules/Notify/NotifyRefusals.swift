extension Rules.Notify {
  static let refusals: [Rule] = [
    notify26, notify27, notify28, notify29,
  ]

  static let notify26 = Rule(
    "NOTIFY-26", .documented,
    "Observing unmanaged objects or collections MUST die.",
    source: "S4 (\"only observe objects or collections managed by a realm\").",
    broken: "token that never fires",
    untested: "no probe yet; the experiment would be: child each; typed")

  static let notify27 = Rule(
    "NOTIFY-27", .documented,
    "Observing on a read-only realm MUST die.",
    source: "S4 Observation Limitations.",
    broken: "token that never fires",
    untested: "no probe yet; the experiment would be: child")

  static let notify28 = Rule(
    "NOTIFY-28", .documented,
    "Observing (collection, object) during a write that has made changes MUST die.",
    source: "S4 Observation Limitations (\"during a write transaction\").",
    broken: "accepted with undefined indices",
    untested:
      "no probe yet; the experiment would be: child: create then observe; and without changes "
      + "(accept both)")

  static let notify29 = Rule(
    "NOTIFY-29", .documented,
    "Observing from the wrong thread MUST die (thread text); on a loopless thread MUST die.",
    source: "S4 third limitation; (impl) OCT 2092.",
    broken: "accepted",
    untested:
      "no probe yet; the experiment would be: child on a foreign thread, on a loopless thread")
}
