/// A collection property of a managed row: what a managed `List`, `MutableSet` or `Map` works on.
///
/// Named by row key and column, so it stays the same collection whatever happens around it. Speaks
/// stored values; the typed collections turn them into elements.
final class ManagedCollection {
  let session: Session
  let table: BoundClass
  let key: Int64
  let column: UInt32
  /// The session's life the collection belongs to.
  let epoch: UInt32
  let birth: UInt32
  /// The state of the session in which the row was known to be there.
  let generation: UInt32

  init(session: Session, table: BoundClass, key: Int64, column: UInt32) {
    self.session = session
    self.table = table
    self.key = key
    self.column = column
    epoch = session.epoch
    birth = session.writes.running
    generation = session.generation
  }

  var property: Property { table.property(ofColumn: column) }

  var realm: Realm? { isInvalidated ? nil : Realm(session) }

  /// Whether the row is gone.
  var isInvalidated: Bool {
    session.verify(at: .readCollection)
    return !isThere
  }

  private var isThere: Bool {
    epoch == session.epoch && !session.writes.haveUndone(key, of: table, since: birth)
      && session.hasRow(key, of: table)
      && !session.departures.have(key, of: table, after: generation)
  }

  func isSame(as other: ManagedCollection) -> Bool {
    session === other.session && table === other.table && key == other.key
      && column == other.column
  }

  /// Whether links out of it own what they lead to.
  var linksOwn: Bool { property.type == .object && session.isEmbedded(property.objectClassName) }

  // MARK: Guards

  func verifyRead() {
    session.verify(at: .readCollection)
    if !isThere { refuse(.invalidatedCollection(typeWord), at: .readCollection) }
  }

  func verifyWrite() {
    session.verify(at: .writeCollection)
    if !isThere { refuse(.invalidatedCollection(typeWord), at: .writeCollection) }
    // The same words for a frozen one, as its realm is never in a write.
    if !session.isInWrite { refuse(.modifiedOutsideWrite(word), at: .writeCollection) }
  }

  private var typeWord: String {
    switch property.shape {
    case .list, .single: "List"
    case .set: "Set"
    case .map: "Dictionary"
    }
  }

  /// Realm's internal name for the kind of collection, which its diagnostics use.
  private var word: String {
    switch property.shape {
    case .list, .single: "RLMArray"
    case .set: "RLMSet"
    case .map: "RLMDictionary"
    }
  }
}

extension Violation {
  static func invalidatedCollection(_ collection: String) -> Violation {
    Violation(
      "\(collection) is no longer valid. Either the parent object was deleted or the containing "
        + "Realm has been invalidated or closed.")
  }
}
