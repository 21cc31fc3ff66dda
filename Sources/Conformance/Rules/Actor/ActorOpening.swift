extension Rules.Actor {
  static let opening: [Rule] = [
    actor01, actor02, actor03, actor04, actor05, actor10, actor11, actor35,
  ]

  static let actor01 = Rule(
    "ACTOR-01", .documented,
    "`try await Realm()` without an actor argument MUST give a realm isolated to "
      + "`MainActor`.",
    source: "S4 Open an Actor-Isolated Realm.",
    broken: "binds to the calling executor",
    untested:
      "no probe yet; the experiment would be: from a detached task, the call succeeds, use is "
      + "legal on MainActor only; equals `Realm()` opened synchronously on main")

  static let actor02 = Rule(
    "ACTOR-02", .documented,
    "`Realm(actor: MainActor.shared)` MUST be identical to it.",
    source: "S4 code comment (\"These are identical\").",
    broken: "two instances",
    untested: "no probe yet; the experiment would be: `==`")

  static let actor03 = Rule(
    "ACTOR-03", .documented,
    "`Realm(configuration:actor:)` MUST open the given configuration isolated to the given "
      + "actor, with defaults for configuration and download behaviour.",
    source: "S4 code 2 (custom config).",
    broken: "configuration ignored",
    untested: "no probe yet; the experiment would be: documented code; `fileURL` honoured")

  static let actor04 = Rule(
    "ACTOR-04", .documented,
    "Local (`actor` instance), global (`@globalActor`) and `isolated`-parameter actors MUST "
      + "all be accepted.",
    source: "S4 Define a Custom Realm Actor (\"either local or global actors\").",
    broken: "only @MainActor works",
    untested: "no probe yet; the experiment would be: documented RealmActor, BackgroundActor, "
      + "`createObject(in: isolated ...)`")

  static let actor05 = Rule(
    "ACTOR-05", .documented,
    "`Realm(actor: self)` MUST work inside an actor's async initialiser (implicitly "
      + "unwrapped property).",
    source: "S4 code.",
    broken: "isolation error in init",
    untested: "no probe yet; the experiment would be: compile and use")

  static let actor10 = Rule(
    "ACTOR-10", .documented,
    "Opening twice for one actor MUST give the same instance; different actors, different "
      + "instances.",
    source: "(impl) cacheKey per actor; CONFINE-10.",
    broken: "fresh instance per open: self-deadlock of two writes",
    untested: "no probe yet; the experiment would be: == of two opens")

  static let actor11 = Rule(
    "ACTOR-11", .documented,
    "The first open with an actor MUST do its expensive part off the actor, with the caller "
      + "suspended; the actor stays able to run other work.",
    source: "S4 (\"await opening\").",
    broken: "migration on the actor",
    untested: "no probe yet; the experiment would be: big migration; another job on the actor runs "
      + "before the open finishes")

  static let actor35 = Rule(
    "ACTOR-35", .documented,
    "An actor MUST be able to let its realm go (`realm = nil`) and a later open start "
      + "fresh.",
    source: "S4 `close()`.",
    broken: "actor cache keeps it",
    untested:
      "no probe yet; the experiment would be: close, foreign write, new actor opens, sees it; "
      + "file deletable (LIFE-11)")
}
