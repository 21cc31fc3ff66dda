extension Rules.Actor {
  static let observing: [Rule] = [
    actor29, actor30, actor31, actor32, actor33, actor34,
  ]

  static let actor29 = Rule(
    "ACTOR-29", .documented,
    "`await collection.observe(on: actor) { actor, changes in }` and `await "
      + "object.observe(on: actor) { actor, change in }` MUST deliver on that actor's executor, "
      + "with the actor passed as isolated parameter.",
    source: "S4 Observe Notifications on a Different Actor.",
    broken: "delivers on caller's actor",
    untested: "no probe yet; the experiment would be: `actor.assertIsolated()` in the block")

  static let actor30 = Rule(
    "ACTOR-30", .documented,
    "The object or collection passed to the block MUST be a copy isolated to that actor, "
      + "not the caller's instance.",
    source: "S4 (\"copy of the object isolated to the requested actor ... safely used\").",
    broken: "same instance passed (data race)",
    untested: "no probe yet; the experiment would be: not identical, readable there")

  static let actor31 = Rule(
    "ACTOR-31", .documented,
    "When `await observe(on:)` has returned, the observation MUST be in force: a write made "
      + "right after is reported.",
    source: "S4 code order (observe then write).",
    broken: "lazily registered, first change lost",
    untested: "no probe yet; the experiment would be: write directly after")

  static let actor32 = Rule(
    "ACTOR-32", .implementation,
    "If the calling task is already cancelled, no registration is made; a token is returned "
      + "whose `invalidate()` gives false.",
    source: "(impl) RST:1685; RealmCollectionTypeTests:750.",
    broken: "registers anyway",
    untested: "no probe yet; the experiment would be: RST:1685 ported")

  static let actor33 = Rule(
    "ACTOR-33", .documented,
    "Observing with key paths (strings and typed) MUST exist on the actor variants, same "
      + "filtering (NOTIFY-12).",
    source: "S4 (\"keypath array\").",
    broken: "key paths ignored on actor overload",
    untested: "no probe yet; the experiment would be: positive and negative")

  static let actor34 = Rule(
    "ACTOR-34", .documented,
    "Observing an actor-confined collection from outside its actor MUST fail (ACTOR-09).",
    source: "S4 Observation Limitations.",
    broken: "silent registration",
    untested: "no probe yet; the experiment would be: child with unchecked capture")
}
