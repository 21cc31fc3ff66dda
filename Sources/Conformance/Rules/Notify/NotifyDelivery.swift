extension Rules.Notify {
  static let delivery: [Rule] = [
    notify18, notify19, notify21, notify22, notify32,
  ]

  static let notify18 = Rule(
    "NOTIFY-18", .documented,
    "For foreign writes the callback MUST come when the observing realm is (auto)refreshed "
      + "to a version that includes them; at that moment the realm shows them.",
    source: "S4 Observe.",
    broken: "callback before advance",
    untested:
      "no probe yet; the experiment would be: with autorefresh off nothing until `refresh()`; "
      + "inside the callback data is new")

  static let notify19 = Rule(
    "NOTIFY-19", .documented,
    "For local writes the collection/object callback MUST come some time after the commit, "
      + "never inside it.",
    source: "S4 Observe.",
    broken: "callback inside commit",
    untested: "no probe yet; the experiment would be: stamp commit return < callback. (Exception: "
      + "delivered inside a later `refresh`/`beginWrite`.)")

  static let notify21 = Rule(
    "NOTIFY-21", .documented,
    "Callbacks MUST run on the thread (run loop), queue or actor for which they were "
      + "registered, one at a time.",
    source: "S4 (\"on the given actor's executor\"); RS/Realm.swift:825.",
    broken: "helper thread; concurrent callbacks",
    untested: "no probe yet; the experiment would be: record thread id; re-entrancy flag")

  static let notify22 = Rule(
    "NOTIFY-22", .implementation,
    "`observe(on: queue)` MUST deliver on that serial queue with a collection/object bound "
      + "to that queue.",
    source: "RS/Object.swift:290; RST:1473, 1063.",
    broken: "delivered on the registering thread",
    untested:
      "no probe yet; the experiment would be: specific key; use object inside; not identical "
      + "to the source object")

  static let notify32 = Rule(
    "NOTIFY-32", .implementation,
    "Beginning a write inside a callback MUST be allowed; further notifications are "
      + "delivered recursively and consistently, `refresh()` there is a no-op.",
    source: "(impl) OCT/RealmTests.mm:949-1066; TOS/results.cpp:677-830.",
    broken: "deadlock, lost or repeated callbacks",
    untested: "no probe yet; the experiment would be: nest three writes in callbacks; counts and "
      + "model check")
}
