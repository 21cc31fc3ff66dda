extension Rules.Notify {
  static let tokens: [Rule] = [
    notify23, notify24, notify25, notify30, notify31,
  ]

  static let notify23 = Rule(
    "NOTIFY-23", .documented,
    "A token MUST be kept to keep receiving; dropping it or `invalidate()` ends delivery; "
      + "after `invalidate()` returned on the delivering thread no further callback runs.",
    source: "S4 (\"must retain the returned token\").",
    broken: "registration owned by the realm",
    untested:
      "no probe yet; the experiment would be: drop: silent after fence (another live token as "
      + "fence)")

  static let notify24 = Rule(
    "NOTIFY-24", .implementation,
    "`invalidate()` on a collection or object token MUST be allowed from any thread and "
      + "twice; it returns true the first time and false later.",
    source: "(impl) OC/RLMCollection.mm RLMCancellationToken; CHANGELOG; NotificationToken is "
      + "Sendable.",
    broken: "dies on foreign thread; returns true twice",
    untested: "no probe yet; the experiment would be: invalidate on another thread, then again")

  static let notify25 = Rule(
    "NOTIFY-25", .implementation,
    "`invalidate()` before a queue/actor registration happened MUST prevent it.",
    source: "(impl) RST:1523.",
    broken: "late registration fires",
    untested: "no probe yet; the experiment would be: RST:1523 ported")

  static let notify30 = Rule(
    "NOTIFY-30", .implementation,
    "`write(withoutNotifying: [token])` / `commitWrite(withoutNotifying:)` MUST skip "
      + "exactly that token for exactly that transaction, other tokens are notified, later "
      + "transactions notify again with correct indices.",
    source: "RS/Realm.swift:235-260; TOS/results.cpp:901-1260.",
    broken: "skipped changes re-appear later; index drift",
    untested: "no probe yet; the experiment would be: model check with random skips")

  static let notify31 = Rule(
    "NOTIFY-31", .implementation,
    "Passing a token of another realm there MUST die.",
    source: "(impl) RS/Realm.swift:318-322; OC/RLMRealm.mm:629-632",
    broken: "silently ignored",
    untested: "no probe yet; the experiment would be: child")
}
