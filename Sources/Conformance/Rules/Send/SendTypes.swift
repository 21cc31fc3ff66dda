extension Rules.Send {
  static let types: [Rule] = [
    send01, send02, send03, send04, send05, send06, send07, send08,
  ]

  static let send01 = Rule(
    "SEND-01", .documented,
    "The public types MUST fall into three groups: Sendable; not Sendable and not "
      + "thread-confined; thread-confined.",
    source: "S0, S2 Sendable section.",
    broken: "a confined type marked Sendable",
    untested: "no probe yet; the experiment would be: compile-time table (one `need<T: Sendable>` "
      + "line per type; negative ones in files that must fail under "
      + "`-strict-concurrency=complete -warnings-as-errors`, Swift 6 mode)")

  static let send02 = Rule(
    "SEND-02", .documented,
    "Sendable MUST be: `ThreadSafeReference`, `ThreadSafe`, `Realm.Configuration`, "
      + "`Realm.OpenBehavior`, `NotificationToken`, `ObjectId`, `Decimal128`, "
      + "`Schema`/`ObjectSchema`/`Property` descriptors, `SortDescriptor`'s backing, "
      + "`StringOptions`, `AnyBSON`, AsyncOpen types, (sync: App, User, Credentials, sessions "
      + "...).",
    source: "docs table; RS grep of Sendable; RLMRealm.h:951 (token), "
      + "RLMProperty/RLMSchema/RLMSortDescriptor. Without Sync: the first ten.",
    broken: "missing conformance",
    untested: "no probe yet; the experiment would be: one line each")

  static let send03 = Rule(
    "SEND-03", .documented,
    "Not Sendable but not confined (share only with synchronisation) MUST be plain "
      + "configuration-like reference types; in the table these are all Sync types "
      + "(RLMSyncConfiguration, RLMAppConfiguration, RLMFindOptions, RLMRequest ...). For a "
      + "local engine: unmanaged objects and unmanaged collections behave so at run time.",
    source: "S0, S2.",
    broken: "unmanaged objects bound to a thread",
    untested: "no probe yet; the experiment would be: unmanaged object used alternately by two "
      + "threads under a lock: works")

  static let send04 = Rule(
    "SEND-04", .documented,
    "Thread-confined MUST be: `Realm`, `Object`, `EmbeddedObject`, `List`, `MutableSet`, "
      + "`Map`, `Results`, `LinkingObjects`, `AnyRealmCollection`, `AnyRealmValue` (may hold an "
      + "object), `Projection`, sectioned results, `RealmProperty`/`RealmOptional`, property "
      + "and collection change values that carry objects, dictionary changes.",
    source: "docs table; S0 Pass Instances; S4 (\"Realm objects are not Sendable\").",
    broken: "@unchecked Sendable on Object",
    untested: "no probe yet; the experiment would be: none of these satisfies `need<T: Sendable>`")

  static let send05 = Rule(
    "SEND-05", .documented,
    "Synchronisation MUST NOT make live confined types usable elsewhere: access under a "
      + "user mutex from another thread still dies.",
    source: "S0, S2 (\"cannot pass ... even with synchronization\").",
    broken: "engine tracks locks instead of threads",
    untested: "no probe yet; the experiment would be: child, mutex held")

  static let send06 = Rule(
    "SEND-06", .documented,
    "Frozen confined types MUST be exempt at run time.",
    source: "S0, S2 (\"unless frozen\"). = FREEZE-04.",
    broken: "frozen refused",
    untested: "no probe yet; the experiment would be: see FREEZE-04")

  static let send07 = Rule(
    "SEND-07", .documented,
    "`ThreadSafeReference<T>` MUST be Sendable though `T` is not.",
    source: "S0 Sendable Conformance.",
    broken: "conditional conformance",
    untested: "no probe yet; the experiment would be: compile with a confined T")

  static let send08 = Rule(
    "SEND-08", .documented,
    "The API MUST compile warning-free with complete strict concurrency and with "
      + "`-enable-actor-data-race-checks`; that runtime check MUST stay silent for legal "
      + "programs.",
    source: "S4 Prerequisites.",
    broken: "false race reports",
    untested: "no probe yet; the experiment would be: build and run the suite with the flags")
}
