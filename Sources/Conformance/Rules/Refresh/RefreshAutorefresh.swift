extension Rules.Refresh {
  static let autorefresh: [Rule] = [
    refresh08, refresh09, refresh10, refresh11, refresh12, refresh13, refresh14, refresh18,
  ]

  static let refresh08 = Rule(
    "REFRESH-08", .documented,
    "`autorefresh` MUST default to true.",
    source: "RS/Realm.swift:884; S0 Refreshing code.",
    broken: "default false",
    untested: "no probe yet; the experiment would be: fresh realm on main, queue, thread, actor")

  static let refresh09 = Rule(
    "REFRESH-09", .documented,
    "With autorefresh on, a realm on a run-loop thread, serial queue or actor MUST advance "
      + "by itself after a foreign commit, without any call, once its loop/queue/executor gets "
      + "to run.",
    source: "S0/S1/S3 Refreshing (\"event loop thread ... automatically refreshes at the beginning "
      + "of that thread's loop\"); S4 (\"(auto)refreshed\").",
    broken: "only on open; only with observers",
    untested: "no probe yet; the experiment would be: foreign commit; spin the loop until advanced "
      + "(watchdog)")

  static let refresh10 = Rule(
    "REFRESH-10", .documented,
    "It MUST NOT advance in the middle of a synchronous stretch of code on that thread.",
    source: "S0/S1/S3 (\"at the beginning of that thread's loop\").",
    broken: "refresh on read",
    untested:
      "no probe yet; the experiment would be: in one main-queue block read, let the foreign "
      + "thread commit and stamp, busy-wait for the stamp, read again: unchanged")

  static let refresh11 = Rule(
    "REFRESH-11", .documented,
    "With autorefresh off it MUST NOT advance by itself, on any kind of thread.",
    source: "S0/S1/S3.",
    broken: "flag ignored on queue realms",
    untested: "no probe yet; the experiment would be: run the loop past a fence (own "
      + "`.refreshRequired` notification): data unchanged; then `refresh()`")

  static let refresh12 = Rule(
    "REFRESH-12", .documented,
    "On a loopless thread it MUST never advance by itself even with autorefresh true.",
    source: "S0/S1/S3 (\"must manually refresh\").",
    broken: "timer thread refreshes",
    untested:
      "no probe yet; the experiment would be: after foreign commits and many reads still old")

  static let refresh13 = Rule(
    "REFRESH-13", .documented,
    "With autorefresh off, realm observers MUST get `.refreshRequired` for a foreign "
      + "commit; with it on, `.didChange` after the advance.",
    source: "RS/Realm.swift:874 + Notification 1143; S0.",
    broken: "wrong kind of notification, both, or none",
    untested: "no probe yet; the experiment would be: observe; foreign commit; record notification "
      + "values in both settings")

  static let refresh14 = Rule(
    "REFRESH-14", .implementation,
    "`autorefresh` MUST read false on a frozen realm, and setting it to true MUST die.",
    source: "(impl) OCT 2530.",
    broken: "settable",
    untested: "no probe yet; the experiment would be: read getter; child for the setter")

  static let refresh18 = Rule(
    "REFRESH-18", .implementation,
    "Setting `autorefresh` MUST affect the shared instance of the thread (CONFINE-10) and "
      + "be forgotten when the instance dies.",
    source: "RS/Realm.swift:878-883.",
    broken: "per-value flag",
    untested:
      "no probe yet; the experiment would be: set on r1, read on r2 of the same thread; drop "
      + "all; reopen: true")
}
