extension Rules.Actor {
  static let refreshing: [Rule] = [
    actor22, actor23, actor24, actor38,
  ]

  static let actor22 = Rule(
    "ACTOR-22", .documented,
    "`asyncRefresh()` MUST bring the realm to the latest version, deliver notifications, "
      + "and return true if there were updates, false if it already was latest, frozen, "
      + "read-only or without read transaction.",
    source: "S4 Observe.",
    broken: "returns before advance; wrong Bool",
    untested: "no probe yet; the experiment would be: RST:1535")

  static let actor23 = Rule(
    "ACTOR-23", .implementation,
    "It MUST wait for the version that was latest at the call, even if notifiers lag, with "
      + "autorefresh on or off, and several waiters MUST all resume.",
    source: "(impl) RST:1558-1660; 10.43.1 hang fix.",
    broken: "stops at an intermediate version; one waiter never resumes",
    untested:
      "no probe yet; the experiment would be: RST tests; black box: k foreign commits, then "
      + "asyncRefresh must show the last")

  static let actor24 = Rule(
    "ACTOR-24", .implementation,
    "Cancelling a task in `asyncRefresh` MUST resume it with false.",
    source: "(impl) RST:1685.",
    broken: "hangs; true",
    untested: "no probe yet; the experiment would be: RST:1685 ported")

  static let actor38 = Rule(
    "ACTOR-38", .documented,
    "Autorefresh MUST work on actor realms: foreign commits appear without any call once "
      + "the actor runs other work.",
    source: "S4 (\"(auto)refreshed\").",
    broken: "only with observers; never",
    untested: "no probe yet; the experiment would be: commit elsewhere, `await Task.yield()` loop "
      + "until seen")
}
