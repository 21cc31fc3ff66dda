// Rules about what compiles are put to the compiler. Their mutants are declarations that hide or
// extend the engine's own: what stands in the module that is compiled goes before what is imported.

extension Mutant {
  private static func declaring(
    _ name: String, _ story: String, caughtBy: [String], _ declarations: String
  ) -> Mutant {
    Mutant(name, story, caughtBy: caughtBy, declarations: declarations) { _ in }
  }

  /// Engines whose declarations are wrong.
  static let declaring: [Mutant] = [
    declaring(
      "shares-confined-types", "types that are confined say they are Sendable",
      caughtBy: ["SEND-01", "SEND-04"],
      [
        "ObjectBase", "Realm", "List", "MutableSet", "Map", "Results", "LinkingObjects",
        "AnyRealmCollection", "AnyRealmValue",
      ].map { "extension \($0): @retroactive @unchecked Sendable {}" }.joined(separator: "\n")),
    declaring(
      "shares-references-with-their-target", "a reference is Sendable if its target is",
      caughtBy: ["SEND-02", "SEND-07", "REF-31"],
      """
      final class ThreadSafeReference<Confined: ThreadConfined> {
        let confined: Confined
        init(to confined: Confined) { self.confined = confined }
      }
      extension ThreadSafeReference: Sendable where Confined: Sendable {}
      """),
    declaring(
      "keeps-ids-at-home", "object ids are not Sendable", caughtBy: ["SEND-02", "ACTOR-28"],
      "class ObjectId { static func generate() -> ObjectId { ObjectId() } }"),
    declaring(
      "thread-safe-is-not-optional", "a @ThreadSafe variable is never nil",
      caughtBy: ["REF-23", "REF-27"],
      """
      @propertyWrapper struct ThreadSafe<Confined: ThreadConfined> { var wrappedValue: Confined }
      """),
    declaring(
      "refers-to-realms", "a realm can be referred to", caughtBy: ["REF-34"],
      """
      extension Realm: @retroactive ThreadConfined {
        public var realm: Realm? { self }
        public var isInvalidated: Bool { false }
        public func thaw() -> Realm? { self }
      }
      """),
    declaring(
      "asks-for-grouping", "whether to group has to be said", caughtBy: ["ASYNC-47"],
      """
      struct Realm {
        func commitAsyncWrite(allowGrouping: Bool, _ onComplete: (((any Error)?) -> Void)? = nil) {}
      }
      """),
    declaring(
      "write-async-has-other-labels", "the completion of writeAsync has another name",
      caughtBy: ["ASYNC-56"],
      """
      struct Realm {
        func deleteAll() {}
        func writeAsync(_ block: @escaping () -> Void, then: (((any Error)?) -> Void)? = nil) {}
      }
      """),
    declaring(
      "changes-have-no-error", "changes lack the case of an error", caughtBy: ["NOTIFY-40"],
      """
      enum RealmCollectionChange<Collection> {
        case initial(Collection)
        case update(Collection, deletions: [Int], insertions: [Int], modifications: [Int])
      }
      """),
    declaring(
      "refresh-insists-on-its-answer", "what refresh returns has to be used",
      caughtBy: ["SEND-08", "REFRESH-17"],
      """
      extension Realm {
        func refresh() -> Bool { true }
        func asyncRefresh() async -> Bool { true }
      }
      """),
    declaring(
      "opens-for-no-actor", "a realm cannot be opened for an actor", caughtBy: ["ACTOR-40"],
      """
      struct Realm {
        init() async throws {}
      }
      """),
  ]
}
