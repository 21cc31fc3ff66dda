extension Rules.Life {
  static let closing: [Rule] = [
    life08, life09, life11, life16, life20,
  ]

  static let life08 = Rule(
    "LIFE-08", .documented,
    "Closing = releasing all references to a realm, its objects, results, tokens; "
      + "afterwards the file is not held: another process can compact, delete; last close of an "
      + "in-memory realm erases it.",
    source: "S0 (closing); S4 `close()`; OCT/RealmTests.mm:2247.",
    broken: "handle leaked by a cache",
    untested: "no probe yet; the experiment would be: child or other process takes the file; "
      + "in-memory reopened empty")

  static let life09 = Rule(
    "LIFE-09", .implementation,
    "In-memory realms MUST share data between threads of the process by identifier, obey "
      + "all rules of this catalogue, and leave no data after the last instance is gone.",
    source: "(impl) RST:185.",
    broken: "per-thread in-memory copies",
    untested:
      "no probe yet; the experiment would be: run READ/WRITE/NOTIFY subset in memory; drop; "
      + "reopen empty")

  static let life11 = Rule(
    "LIFE-11", .implementation,
    "`Realm.deleteFiles(for:)` MUST refuse (THROW alreadyOpen 12) while the file is open "
      + "anywhere in the process, and delete file plus auxiliary files otherwise; "
      + "`fileExists(for:)` reports.",
    source: "(impl) RST:1056; OS/shared_realm.cpp:1409. diag contains `is still in use`.",
    broken: "deletes an open file",
    untested: "no probe yet; the experiment would be: open on another thread, try; close; try")

  static let life16 = Rule(
    "LIFE-16", .implementation,
    "compaction (`shouldCompactOnLaunch`) MUST only run when no other thread or process has "
      + "the file open, and keep all data.",
    source: "(impl) OCT/InterprocessTests.m:65-121; TOS/realm.cpp:4009.",
    broken: "compacts under a live reader",
    untested:
      "no probe yet; the experiment would be: second process open: callback not called or no "
      + "compaction")

  static let life20 = Rule(
    "LIFE-20", .documented,
    "Threads that never drop realm references pin their version: the `autoreleaseFrequency: "
      + ".workItem` advice. On Linux (no autorelease pools) dropping must be immediate with "
      + "ARC.",
    source: "S0 (properly scoped autoreleaseFrequency), S1 (autoreleasepool).",
    broken: "thread-local strong cache",
    untested: "no probe yet; the experiment would be: after the block returns, version count falls "
      + "without further action")
}
