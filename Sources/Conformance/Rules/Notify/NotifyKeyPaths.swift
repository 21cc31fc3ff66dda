extension Rules.Notify {
  static let keyPaths: [Rule] = [
    notify11, notify12, notify14, notify15, notify41,
  ]

  static let notify11 = Rule(
    "NOTIFY-11", .documented,
    "Collection observers by default MUST also fire for changes of linked objects (up to "
      + "four levels), object observers MUST NOT.",
    source: "S4 Object section (\"By default, only direct changes ... linked objects do not "
      + "produce\"); RS/Object.swift doc (\"different from collection\").",
    broken: "both shallow or both deep",
    untested: "no probe yet; the experiment would be: Person list observer fires when `dog.age` "
      + "changes; `person.observe` does not")

  static let notify12 = Rule(
    "NOTIFY-12", .documented,
    "With a non-nil, non-empty key-path array only changes reachable by these key paths "
      + "MUST notify (object), key paths may traverse links.",
    source: "S4 Object section.",
    broken: "prefix match only",
    untested:
      "no probe yet; the experiment would be: `[\"name\"]`, `[\"dogs\"]`, `[\"dogs.name\"]`, "
      + "back-links; positive and negative with fence")

  static let notify14 = Rule(
    "NOTIFY-14", .documented,
    "An empty key-path array: object or collection observers become shallow (collection: "
      + "insert/delete only).",
    source: "S4 (\"non-nil, non-empty\" distinguishes); TOS/results.cpp:2745.",
    broken: "treated as nil (deep)",
    untested: "no probe yet; the experiment would be: observe with []; modify, insert, delete")

  static let notify15 = Rule(
    "NOTIFY-15", .implementation,
    "An invalid key path MUST die with the property and type named.",
    source: "(impl) RST/ObjectTests.swift:870.",
    broken: "ignored key path",
    untested: "no probe yet; the experiment would be: child")

  static let notify41 = Rule(
    "NOTIFY-41", .implementation,
    "Several tokens with different key paths on one object are not filtered exclusively: if "
      + "one path matches, the others' blocks run, too.",
    level: .informative,
    source: "(impl) RS/Object.swift:287. Informative; a check must accept both.",
    broken: "(none: informative)",
    untested: "no probe yet; the experiment would be: record")
}
