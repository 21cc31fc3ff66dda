/// All rules, in the order of their families and numbers.
public enum Catalogue {
  /// The families, and what each is about.
  public static let families: [(name: String, title: String)] = [
    ("READ", "lock-free reads and snapshot isolation"),
    ("WRITE", "one writer, blocking, nesting, rollback"),
    ("CONFINE", "thread confinement"),
    ("QUEUE", "realms confined to a dispatch queue"),
    ("ASYNC", "asynchronous writes"),
    ("REF", "ThreadSafeReference and @ThreadSafe"),
    ("REFRESH", "versions advance only at refresh points"),
    ("FREEZE", "frozen and thawed realms, objects, collections"),
    ("COMMIT", "atomicity, durability, copy-on-write"),
    ("NOTIFY", "realm, collection and object notifications"),
    ("ACTOR", "actor-isolated realms and Swift concurrency"),
    ("SEND", "what may cross threads"),
    ("LIFE", "opening, identity, invalidation, closing"),
    ("GROW", "pinned versions and file size"),
    ("DATA", "queries, order, links, keys and values"),
  ]

  /// Puts rules into the catalogue's order.
  static func ordered(_ rules: [Rule]) -> [Rule] {
    let places = Dictionary(uniqueKeysWithValues: families.enumerated().map { ($1.name, $0) })
    return rules.map { ((places[$0.family] ?? 99, $0.number), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
