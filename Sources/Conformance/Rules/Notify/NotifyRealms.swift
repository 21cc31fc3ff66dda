extension Rules.Notify {
  static let realms: [Rule] = [
    notify01, notify02, notify03, notify33, notify34, notify35, notify36,
  ]

  static let notify01 = Rule(
    "NOTIFY-01", .documented,
    "Realm observers (`Realm.observe`) MUST be called after every commit made in any thread "
      + "or process (coalescing allowed).",
    source: "S0/S1/S3 Communication (\"react to changes made on any thread, use notifications\"); "
      + "RS/Realm.swift:823.",
    broken: "only in-process",
    untested: "no probe yet; the experiment would be: own commit, other thread, other process")

  static let notify02 = Rule(
    "NOTIFY-02", .implementation,
    "For commits by the same realm instance they MUST be called synchronously inside the "
      + "commit; for foreign ones asynchronously on the observer's thread.",
    source: "RS/Realm.swift:303-308; TOS/realm.cpp:3057-3075.",
    broken: "all asynchronous; or foreign ones inside the foreign thread",
    untested: "no probe yet; the experiment would be: stamps")

  static let notify03 = Rule(
    "NOTIFY-03", .documented,
    "Realm observers MUST be called even if no data of interest changed or the commit was "
      + "empty.",
    source: "WRITE-21; OCT/RealmTests.mm:1404.",
    broken: "suppressed when nothing changed",
    untested: "no probe yet; the experiment would be: empty and unrelated commits")

  static let notify33 = Rule(
    "NOTIFY-33", .implementation,
    "A cancelled write MUST produce no realm, collection or object notifications.",
    source: "RS/Realm.swift:363.",
    broken: "observers see the rolled-back state",
    untested: "no probe yet; the experiment would be: observe all kinds, cancel, fence by a real "
      + "commit")

  static let notify34 = Rule(
    "NOTIFY-34", .documented,
    "Changes by another process MUST reach observers in this process without polling by the "
      + "user.",
    source: "S4 (\"different threads or in different processes\").",
    broken: "needs refresh",
    untested: "no probe yet; the experiment would be: child commits; parent only spins its loop")

  static let notify35 = Rule(
    "NOTIFY-35", .implementation,
    "No spurious notification MUST arise from another process merely opening or reading.",
    source: "(impl) OCT/InterprocessTests.m:220.",
    broken: "file-watch on any access",
    untested: "no probe yet; the experiment would be: child opens and reads; fence by a real child "
      + "commit")

  static let notify36 = Rule(
    "NOTIFY-36", .documented,
    "A blocked observer thread MUST NOT hold up delivery to other threads, nor writers.",
    source: "(impl) AsyncTests.mm:747; S0 rule 1.",
    broken: "delivery under a global lock",
    untested: "no probe yet; the experiment would be: block main loop on a latch which is released "
      + "only after another thread got its notification and did a write")
}
