extension Rules.Life {
  static let opening: [Rule] = [
    life01, life02, life03, life10, life13, life17, life19,
  ]

  static let life01 = Rule(
    "LIFE-01", .documented,
    "Realms opened with the same configuration (same file) anywhere MUST be the same data; "
      + "different files, different data.",
    source: "S0/S1 (\"same configuration ... same file on disk\"); S0 Communication.",
    broken: "data keyed by instance",
    untested: "no probe yet; the experiment would be: threads, processes, path aliases (symlink, "
      + "relative)")

  static let life02 = Rule(
    "LIFE-02", .documented,
    "`Realm()` MUST use `Realm.Configuration.defaultConfiguration`; setting that affects "
      + "later opens on all threads.",
    source: "S0/S4 code; RS/RealmConfiguration.swift:40.",
    broken: "default captured once",
    untested: "no probe yet; the experiment would be: change default between opens, on two threads")

  static let life03 = Rule(
    "LIFE-03", .implementation,
    "Opening a file already open in the process with contradicting settings MUST fail.",
    source: "(impl).",
    broken: "second opener silently gets other settings",
    untested: "no probe yet; the experiment would be: read-only vs read-write; different key")

  static let life10 = Rule(
    "LIFE-10", .documented,
    "Read-only realms MUST allow reading and freezing on any number of threads, refuse "
      + "write, refresh, observe; the file must exist.",
    source: "S4 Observation Limitations; OCT 98-190. diag as WRITE-26, NOTIFY-27, REFRESH-07; open "
      + "of a missing file THROWS fileNotFound(5).",
    broken: "creates the file; allows write",
    untested: "no probe yet; the experiment would be: each operation")

  static let life13 = Rule(
    "LIFE-13", .implementation,
    "`Realm.==` MUST compare instances, not files.",
    source: "RS/Realm.swift:1132; RST:1024.",
    broken: "file equality",
    untested: "no probe yet; the experiment would be: as RST:1024")

  static let life17 = Rule(
    "LIFE-17", .implementation,
    "Several threads and processes opening a *new* file at the same time MUST all succeed "
      + "and agree.",
    source: "(impl) OCT/InterprocessTests.m:37; test_shared.cpp:4403.",
    broken: "race in creation: one fails or wipes the other",
    untested: "no probe yet; the experiment would be: P processes x T threads, new path, each adds "
      + "one object")

  static let life19 = Rule(
    "LIFE-19", .implementation,
    "`Realm.open`/`asyncOpen` with callback queue MUST deliver a realm confined to that "
      + "queue.",
    source: "(impl) RS/Realm.swift:142.",
    broken: "bound to the calling thread",
    untested: "no probe yet; the experiment would be: asyncOpen(callbackQueue:), use in callback")
}
