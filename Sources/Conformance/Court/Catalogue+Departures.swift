import Evidence

extension Catalogue {
  /// Until when what is known is forgiven. Then somebody looks at the engine's newest version and
  /// moves the day, or takes the entry out: an exception that nobody looks at again stays for ever.
  static let knownUntil = "2027-05-31"

  /// Why a rule is known to fall, where that is told and until when; nil where nothing is known, or
  /// no longer.
  static func known(
    _ rule: String, of engine: String, isLibrary: Bool, today: String
  ) -> (reason: String, issue: Verdict.Issue)? {
    let found = isLibrary ? departures[engine]?[rule] : knownViolations[rule]
    guard let reason = found, today <= knownUntil else { return nil }
    return (reason, Verdict.Issue(url: place(of: reason), expires: knownUntil))
  }

  /// Where the source lies that a departure names: `realm-core 14.14, db.cpp:2634`.
  static func place(of reason: String) -> String {
    let core = "https://github.com/realm/realm-core/blob/v14.14.0/src/realm/"
    guard let found = reason.firstMatch(of: /([a-z_\/-]+\.(?:cpp|hpp)):(\d+)/) else {
      return "docs/REALM.md"
    }
    return "\(core)\(found.output.1)#L\(found.output.2)"
  }

  /// What engines of others are known to do otherwise, by their names, and where in their source it
  /// is so; shown with every verdict. The documents stay the rule: such a rule is violated each
  /// time, and does not fail the run.
  public static let departures: [String: [String: String]] = [
    "realm": [
      "CONFINE-01":
        "whether a write is open may be asked on any thread; other calls are refused: realm-core "
        + "14.14, object-store/shared_realm.cpp:699",
      "WRITE-20":
        "an object that was asked in the write, and found deleted, stays invalid for its accessor "
        + "when the write is cancelled: realm-core 14.14, obj.cpp:331",
      "WRITE-27":
        "a commit that failed leaves its write open, and all other writers waiting, until "
        + "it is cancelled: realm-core 14.14, object-store/shared_realm.cpp:1072 (the asynchronous "
        + "one is rolled back, :965)",
      "WRITE-34":
        "strings of more than 16,777,199 bytes and data of more than 16,777,200 are refused, a few "
        + "below 16 MB: realm-core 14.14, obj.cpp:1583 and :1589",
      "ASYNC-09":
        "a commit that finds no room for its data raises where it is asked for: realm-core "
        + "14.14, object-store/shared_realm.cpp:960; RealmSwift 10.54, RLMRealm.mm:749",
      "ASYNC-10":
        "a commit that finds no room for its data raises where it is asked for: realm-core "
        + "14.14, object-store/shared_realm.cpp:960; RealmSwift 10.54, RLMRealm.mm:749",
      "ASYNC-33": "completions that a write finds due are called inside it: realm-core 14.14, "
        + "object-store/shared_realm.cpp:1053",
      "ASYNC-52":
        "the lock that an asynchronous write waits for is taken before its realm's home has a "
        + "thread to go on with; where all threads wait for the lock none ever has: realm-core "
        + "14.14, object-store/impl/realm_coordinator.cpp:1266",
      "REF-16": "such a reference is made, to the results before the write: realm-core 14.14, "
        + "object-store/thread_safe_reference.cpp:160 and shared_realm.cpp:142; the refusal in "
        + "transaction.cpp:389 is not on the way",
      "REF-21": "a reference names a class and a key, and no file: realm-core 14.14, "
        + "object-store/thread_safe_reference.cpp:123",
      "REF-25": "a reference takes a realm that has not read yet to the reference's version: "
        + "realm-core 14.14, object-store/thread_safe_reference.cpp:58",
      "COMMIT-07": "a commit that failed leaves its write open: realm-core 14.14, "
        + "object-store/shared_realm.cpp:1072",
      "COMMIT-19":
        "nodes have room for a checksum that nobody computes: damage is read as it lies, or raises "
        + "what names no file: realm-core 14.14, array.cpp:276",
      "LIFE-11":
        "a file is looked for by the name that it is asked for by: by a symbolic link the link is "
        + "deleted, whoever has the file open: realm-core 14.14, db.cpp:2634 and :2666",
      "LIFE-22":
        "whether a file is still the one of its name is looked at when it is opened; who has it "
        + "open commits to a file that has no name any more: realm-core 14.14, db.cpp:2370",
      "LIFE-23":
        "what is made anew, compacted files too, gets the mode 644: realm-core 14.14, "
        + "util/file.cpp:564, db.cpp:1675; and whatever bears the name of the lock file, or a link "
        + "of that name leads to, is truncated and written over: db.cpp:971 and :980",
      "LIFE-25":
        "whoever opens a file first truncates its lock file and reserves room for it again, which "
        + "a full disk refuses (files that are only read need none): realm-core 14.14, db.cpp:980",
      "GROW-07":
        "versions are counted when a commit is made, with the one that it replaces: under a limit "
        + "of 1 the second write is refused, whoever holds what: realm-core 14.14, db.cpp:2610, "
        + "object-store/shared_realm.cpp:630",
      "GROW-11":
        "the versions that a killed process held are held until all others have closed the file, "
        + "as only the first to open it counts anew: realm-core 14.14, db.cpp:1337",
      "DATA-02":
        "`>=` the least Int and `<=` the greatest one are no condition: they find objects that "
        + "have no value, too: realm-core 14.14, query.cpp:609 and :617",
      "DATA-03":
        "of letters beyond ASCII those of Latin-1 alone have capitals where the system is not "
        + "Windows: realm-core 14.14, unicode.cpp:204",
      "NOTIFY-01":
        "after a commit that failed its write is still open, so that nobody else can commit what "
        + "would be heard: realm-core 14.14, object-store/shared_realm.cpp:1072",
      "NOTIFY-11":
        "a class that links to nothing but itself is watched without its links: realm-core "
        + "14.14, object-store/impl/collection_notifier.cpp:66",
      "ACTOR-20":
        "the write of a task that waits for its turn is open before the task goes on, and "
        + "another task of the actor meets it: realm-core 14.14, object-store/shared_realm.cpp:856",
    ]
  ]
}
