/// A collection property of a managed row: what a managed `List`, `MutableSet` or `Map` works on.
///
/// Named by row key and column, so it stays the same collection whatever happens around it; what
/// lies in a mixed value has a number besides. Speaks stored values; the typed collections turn
/// them into elements.
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
  /// The list or dictionary in a mixed value that it is, as it was when it was found; nil for the
  /// property itself.
  let nested: NestedValue?
  /// The same in the newest state of a live session that was asked for it.
  @exclusivity(unchecked) var latest: (generation: UInt32, content: NestedValue?)

  init(
    session: Session, table: BoundClass, key: Int64, column: UInt32, nested: NestedValue? = nil
  ) {
    self.session = session
    self.table = table
    self.key = key
    self.column = column
    epoch = session.epoch
    birth = session.writes.number
    generation = session.generation
    self.nested = nested
    latest = (generation, nested)
  }

  /// What lies in a mixed value of a property's row, or of its collection.
  convenience init(_ nested: NestedValue, of place: ManagedCollection) {
    self.init(
      session: place.session, table: place.table, key: place.key, column: place.column,
      nested: nested)
  }

  var property: Property { table.property(ofColumn: column) }

  var realm: Realm? { isInvalidated ? nil : Realm(session) }

  /// Whether the row is gone.
  var isInvalidated: Bool {
    session.verify(at: .readCollection)
    return !isThere
  }

  private var isThere: Bool {
    epoch == session.epoch && !session.writes.haveTakenBack(key, of: table, since: birth)
      && session.hasRow(key, of: table)
      && !session.departures.have(key, of: table, after: generation)
      && (nested == nil || content != nil)
  }

  func isSame(as other: ManagedCollection) -> Bool {
    session === other.session && (table === other.table || table.isSame(as: other.table))
      && key == other.key && column == other.column && nested?.number == other.nested?.number
  }

  /// What kind of collection it is.
  var shape: PropertyShape {
    guard let nested else { return property.shape }
    return nested.isList ? .list : .map
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
    switch shape {
    case .list, .single: "List"
    case .set: "Set"
    case .map: "Dictionary"
    }
  }

  /// Realm's internal name for the kind of collection, which its diagnostics use.
  private var word: String {
    switch shape {
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
