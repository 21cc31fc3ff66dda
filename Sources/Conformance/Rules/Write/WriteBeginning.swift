extension Rules.Write {
  static let beginning: [Rule] = [
    write09, write10, write11, write12, write13, write14, write22, write23, write28, write29,
  ]

  static let write09 = Rule(
    "WRITE-09", .documented,
    "Beginning a synchronous write while the same realm is already in one MUST die.",
    source: "RS/Realm.swift:268 (impl); S0 rule 2",
    broken: "nesting counted; self-deadlock (child hangs: fail)",
    untested: "no probe yet; the experiment would be: nested `realm.write` in a child; also via a "
      + "second `Realm()` on the same thread (same instance, CONFINE-10)")

  static let write10 = Rule(
    "WRITE-10", .documented,
    "`write(_:)` MUST commit when the block returns normally and return the block's value.",
    source: "S0 examples; RST testWriteReturning:283",
    broken: "commit deferred",
    untested:
      "no probe yet; the experiment would be: value returned; visible to another thread after "
      + "the call returned")

  static let write11 = Rule(
    "WRITE-11", .implementation,
    "If the block of `write(_:)` throws, the transaction MUST be cancelled and that same "
      + "error rethrown.",
    source: "(impl) RS/Realm.swift:264-268; RST testThrowsWrite:316",
    broken: "commits before rethrow; leaves the transaction open",
    untested:
      "no probe yet; the experiment would be: custom error identity kept; nothing persisted; "
      + "lock free (another thread can write at once)")

  static let write12 = Rule(
    "WRITE-12", .implementation,
    "Inside `write(_:)` the block MAY call `cancelWrite()` or `commitWrite()`; afterwards "
      + "`write` MUST neither commit again nor fail.",
    source: "RS/Realm.swift:365-367 doc; OCT/RealmTests.mm:1205-1222",
    broken: "unconditional commit (error)",
    untested: "no probe yet; the experiment would be: cancel: nothing persisted, no error; commit "
      + "then more reads: persisted once")

  static let write13 = Rule(
    "WRITE-13", .implementation,
    "`cancelWrite()` outside a write MUST die.",
    source: "(impl) OCT/RealmTests.mm:1435.",
    broken: "silent no-op",
    untested: "no probe yet; the experiment would be: child")

  static let write14 = Rule(
    "WRITE-14", .implementation,
    "`commitWrite()` outside a write MUST throw (not die).",
    source: "(impl).",
    broken: "no-op; crash",
    untested:
      "no probe yet; the experiment would be: `do { try realm.commitWrite(); fail } catch {}`")

  static let write22 = Rule(
    "WRITE-22", .implementation,
    "`isInWriteTransaction` MUST be true exactly between begin and commit/cancel of that "
      + "instance; other instances on other threads see false.",
    source: "RST/RealmTests.swift:330; OS/shared_realm.cpp:699",
    broken: "file-wide flag",
    untested:
      "no probe yet; the experiment would be: sample before, in, after, in throwing block, in "
      + "async block, in notification of beginWrite (true, WRITE-28)")

  static let write23 = Rule(
    "WRITE-23", .implementation,
    "If the last reference to a realm goes away inside an open write, the write MUST be "
      + "rolled back and the lock freed.",
    source: "(impl) OC/RLMRealm.mm:849-858",
    broken: "lock leak; implicit commit",
    untested:
      "no probe yet; the experiment would be: thread begins a write, drops everything, ends; "
      + "another thread can begin (no deadlock) and sees no change")

  static let write28 = Rule(
    "WRITE-28", .implementation,
    "While begin delivers notifications (because it advanced the realm) the realm MUST "
      + "already be in the write transaction.",
    source: "RS/Realm.swift:277-279; OCT/RealmTests.mm:1333; TOS/results.cpp:808",
    broken: "notify before taking the lock",
    untested: "no probe yet; the experiment would be: observer records `isInWriteTransaction` when "
      + "triggered by `beginWrite` after a foreign commit: true")

  static let write29 = Rule(
    "WRITE-29", .documented,
    "An object added or created in a write MUST stay usable on that thread after the "
      + "commit, with `realm` set.",
    source: "S4 examples (object returned out of asyncWrite).",
    broken: "accessor detached at commit",
    untested:
      "no probe yet; the experiment would be: value returned from `write`/`asyncWrite` read "
      + "later")
}
