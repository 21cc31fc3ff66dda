extension Rules.Confine {
  static let instances: [Rule] = [
    confine10, confine11, confine12, confine13, confine14, confine15,
  ]

  static let confine10 = Rule(
    "CONFINE-10", .documented,
    "Two opens with the same configuration on one thread MUST yield the same underlying "
      + "instance (`==`, shared write state, shared version, shared autorefresh flag).",
    source: "(impl) OC/RLMRealmUtil.mm:40-70; S0 thread-confinement ensures one internal version "
      + "per thread",
    broken: "fresh instance each time (two versions in one thread; self-deadlock on write)",
    untested: "no probe yet; the experiment would be: `r1 == r2`; begin in r1, "
      + "`r2.isInWriteTransaction`")

  static let confine11 = Rule(
    "CONFINE-11", .documented,
    "Opens on different threads MUST yield different instances.",
    source: "S0 \"You cannot share realm instances across threads\".",
    broken: "one process-wide instance",
    untested: "no probe yet; the experiment would be: `r1 != r2` compared on a third party via `==`"
  )

  static let confine12 = Rule(
    "CONFINE-12", .documented,
    "The main thread and the main queue and `MainActor` MUST share one instance.",
    source: "S4 Open (realm1 and realm2 identical).",
    broken: "three instances",
    untested:
      "no probe yet; the experiment would be: `Realm()` on main == `Realm(queue: .main)` == "
      + "`await Realm()`; a write begun in one shows in the other")

  static let confine13 = Rule(
    "CONFINE-13", .implementation,
    "A cached instance of a dead thread MUST NOT be handed to a new thread which reuses the "
      + "thread id.",
    source: "(impl) OC/RLMRealmUtil.mm:60-68; OCT/RealmTests.mm:2807; CHANGELOG 5.x.",
    broken: "cache keyed by raw pthread id",
    untested:
      "no probe yet; the experiment would be: create/exit threads until an id repeats while "
      + "an object keeps the old realm alive; the new thread opens and reads without death")

  static let confine14 = Rule(
    "CONFINE-14", .implementation,
    "The cache MUST be weak: once no reference to the instance or its objects remains, the "
      + "next open on that thread starts on the latest version with default flags.",
    source: "RS/Realm.swift:878-883.",
    broken: "strong cache keeps an old version",
    untested:
      "no probe yet; the experiment would be: `autoreleasepool`-free scope; foreign commit; "
      + "reopen sees it without refresh; `autorefresh` true again")

  static let confine15 = Rule(
    "CONFINE-15", .implementation,
    "An object or collection MUST keep its realm alive.",
    source: "RS/Realm.swift:880.",
    broken: "weak back reference, use-after-free",
    untested:
      "no probe yet; the experiment would be: keep only a Results; reopen gives `==` realm; "
      + "data still readable")
}
