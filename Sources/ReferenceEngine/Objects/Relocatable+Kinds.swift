// How each kind of thing is found again in another session.

extension ObjectBase: ThreadConfined, Relocatable {
  /// Whether the object is a snapshot; may be asked anywhere.
  public var isFrozen: Bool { _header.pointee.session?.isFrozen ?? false }

  /// A snapshot of the object, to be read on any thread.
  public func freeze() -> Self { frozenCopy(unmanaged: .frozeUnmanaged) }

  /// The live object of a snapshot, in the realm of the calling thread; nil if it is no longer
  /// there.
  public func thaw() -> Self? { thawedCopy(unmanaged: .thawedUnmanaged) }

  func found(in other: Session) -> Self? {
    let header = _header
    guard let bound = header.pointee.table,
      !other.hasLost(header.pointee.key, like: bound, since: header.pointee.session)
    else { return nil }
    guard let found = other.object(header.pointee.key, like: bound) else { return nil }
    return unsafeDowncast(found, to: Self.self)
  }

  func finder() -> Finder {
    let header = _header
    guard let bound = header.pointee.table else { return { _ in nil } }
    let (layout, key) = (bound.layout, header.pointee.key)
    return { session in session.object(key, of: layout) }
  }
}

extension Session {
  /// Whether a row that a snapshot has was deleted since, and another one may have its key; or,
  /// asked of a snapshot, whether the row is one that a write has put in the place of the
  /// snapshot's.
  fileprivate func hasLost(_ key: Int64, like bound: BoundClass, since other: Session?) -> Bool {
    guard let other, let table = bound.number else { return false }
    let row = RowLink(table: table, key: key)
    if isFrozen {
      return bound.layout.keyIsRow && !other.isFrozen && !other.departures.isEmpty
        && other.departures.haveInWrite(row)
    }
    guard other.isFrozen else { return false }
    read()
    // Mostly nothing has happened since; nobody is counted and nothing copied to see that.
    if departures.isEmpty, other.coordinator.lostVersions.isEmpty,
      let root, let since = other.root, root.version == since.version
    {
      return false
    }
    return hasLost(row, like: bound, sinceFrozen: other)
  }

  @inline(never)
  private func hasLost(_ row: RowLink, like bound: BoundClass, sinceFrozen other: Session) -> Bool {
    guard let frozen = other.frozenSnapshot else { return false }
    let (table, key) = (row.table, row.key)
    // What was lost never was, whoever has its key by now; but where it is shown it is there.
    let lost = lostGroup(of: frozen).flatMap { lost in
      root.map { lost.has($0.version) } == true ? nil : lost
    }
    if let lost, lost.hasAdded(key, of: table, by: frozen.version) { return true }
    guard bound.layout.keyIsRow else { return false }
    let version = lost?.base ?? frozen.version
    if departures.haveInWrite(row) { return true }
    if let root, root.version < version {
      return haveReplaced(key, of: table, between: root, and: frozen)
    }
    guard let root, root.version > version else { return false }
    // Of a lost version nobody reads what led to it.
    let published =
      coordinator.lostVersions.group(of: root.version)?.base ?? coordinator.newestVersion
    coordinator.follow(to: root)
    if coordinator.haveGone(key, of: table, between: max(version, published), and: root) {
      return true
    }
    let deleted = coordinator.deletedRows
    guard deleted.contain(key, of: table, after: version) else { return false }
    // It may have gone later than what is shown here, and before, too.
    if let isLost = deleted.contain(key, of: table, after: version, upTo: root.version) {
      return isLost
    }
    if root.isWaiting { return true }
    let deletions = Deletions(after: version, upTo: root, in: coordinator.space)
    return !deletions.isComplete || deletions.have(key, of: table, after: version)
  }

  /// Whether a row went, and its key was another one's then, before a snapshot that is newer than
  /// what is shown here. The records between the two were kept for this session.
  private func haveReplaced(
    _ key: Int64, of table: Int, between root: Root, and snapshot: Snapshot
  ) -> Bool {
    let deletions = Deletions(after: root.version, upTo: snapshot.root, in: coordinator.space)
    return !deletions.isComplete || deletions.have(key, of: table, after: root.version)
  }

  /// What a frozen version was lost with; nil if it was not.
  private func lostGroup(of snapshot: Snapshot) -> LostVersions.Group? {
    snapshot.coordinator.lostVersions.group(of: snapshot.version)
  }

  /// The object of a class that this session or another one knows; nil if it is not there.
  fileprivate func object(_ key: Int64, like bound: BoundClass) -> ObjectBase? {
    object(key, of: bound.layout)
  }

  fileprivate func object(_ key: Int64, of layout: ClassLayout) -> ObjectBase? {
    read()
    let bound = self.bound(like: layout)
    guard let table = bound.number, let spot = store.locate(key, of: table) else { return nil }
    return accessor(bound, key, spot)
  }
}

// MARK: - Collections of an object

extension ManagedCollection {
  /// The same property of the same object in another session; nil if the object is not there.
  func found(in other: Session) -> ManagedCollection? {
    other.hasLost(key, like: table, since: session) ? nil : place.found(in: other)
  }

  /// What names the collection in every session.
  var place: CollectionPlace {
    CollectionPlace(
      layout: table.layout, key: key, field: table.field(ofColumn: column), nested: nested)
  }
}

/// A collection property of an object, named without a session.
struct CollectionPlace: Sendable {
  let layout: ClassLayout
  let key: Int64
  let field: Int
  /// The collection in the property's mixed value; nil for the property itself.
  let nested: NestedValue?

  func found(in session: Session) -> ManagedCollection? {
    session.read()
    let bound = session.bound(like: layout)
    guard session.hasRow(key, of: bound) else { return nil }
    let property = ManagedCollection(
      session: session, table: bound, key: key, column: bound.columns[field])
    return nested.map(property.found) ?? property
  }
}

extension Violation {
  /// What Realm says of a collection that no realm manages, in its internal names.
  fileprivate static func needsManaged(_ word: String) -> Violation {
    Violation("This method may only be called on \(word) instances retrieved from an RLMRealm")
  }
}

extension List: ThreadConfined, Relocatable {
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> List { frozenCopy(unmanaged: .needsManaged("RLMArray")) }
  public func thaw() -> List? { thawedCopy(unmanaged: .needsManaged("RLMArray")) }

  func found(in other: Session) -> List? { managed?.found(in: other).map { List($0) } }

  func finder() -> Finder {
    let place = managed?.place
    return { session in place?.found(in: session).map { List($0) } }
  }
}

extension MutableSet: ThreadConfined, Relocatable {
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> MutableSet { frozenCopy(unmanaged: .needsManaged("RLMSet")) }
  public func thaw() -> MutableSet? { thawedCopy(unmanaged: .needsManaged("RLMSet")) }

  func found(in other: Session) -> MutableSet? {
    managed?.found(in: other).map { MutableSet($0) }
  }

  func finder() -> Finder {
    let place = managed?.place
    return { session in place?.found(in: session).map { MutableSet($0) } }
  }
}

extension Map: ThreadConfined, Relocatable {
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> Map { frozenCopy(unmanaged: .needsManaged("RLMDictionary")) }
  public func thaw() -> Map? { thawedCopy(unmanaged: .needsManaged("RLMDictionary")) }

  func found(in other: Session) -> Map? { managed?.found(in: other).map { Map($0) } }

  func finder() -> Finder {
    let place = managed?.place
    return { session in place?.found(in: session).map { Map($0) } }
  }
}

extension LinkingObjects: ThreadConfined, Relocatable {
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> LinkingObjects {
    frozenCopy(unmanaged: .needsManaged("RLMLinkingObjects"))
  }
  public func thaw() -> LinkingObjects? {
    thawedCopy(unmanaged: .needsManaged("RLMLinkingObjects"))
  }

  func found(in other: Session) -> LinkingObjects? {
    managed?.found(in: other).map { LinkingObjects($0, originProperty: originProperty) }
  }

  func finder() -> Finder {
    let (place, origin) = (managed?.place, originProperty)
    return { session in
      place?.found(in: session).map { LinkingObjects($0, originProperty: origin) }
    }
  }
}

// MARK: - Results

extension Results: ThreadConfined, Relocatable {
  public var isFrozen: Bool { state.session.isFrozen }
  public func freeze() -> Results { frozenCopy(unmanaged: .invalidatedResults) }
  public func thaw() -> Results? { thawedCopy(unmanaged: .invalidatedResults) }

  static var referencesPin: Bool { true }

  func found(in other: Session) -> Results? {
    if case .collection(let collection) = state.origin, collection.found(in: other) == nil {
      return nil
    }
    return state.question.asked(in: other).map { Results($0) }
  }

  func finder() -> Finder {
    let question = state.question
    return { session in question.asked(in: session).map { Results($0) } }
  }
}

extension ResultsState {
  /// The question without the session that it was asked in.
  var question: Question {
    let origin: Question.Origin
    switch self.origin {
    case .all(let bound): origin = .all(bound.layout)
    case .collection(let collection): origin = .collection(collection.place)
    }
    return Question(origin: origin, predicate: predicate, orderings: orderings)
  }
}

/// What a `Results` asks, named without a session.
struct Question: @unchecked Sendable {
  // Sendable because its values are; a predicate names objects by value once it belongs to a
  // `Results`.
  enum Origin {
    case all(ClassLayout)
    case collection(CollectionPlace)
  }
  let origin: Origin
  let predicate: Predicate
  let orderings: [ResultsState.Ordering]

  /// Asks it in a session; nil if the collection it is about is not there.
  func asked(in session: Session) -> ResultsState? {
    session.read()
    let found: ResultsState.Origin
    switch origin {
    case .all(let layout): found = .all(session.bound(like: layout))
    case .collection(let place):
      guard let collection = place.found(in: session) else { return nil }
      found = .collection(collection)
    }
    return ResultsState(
      session: session, origin: found, predicate: predicate, orderings: orderings)
  }
}
