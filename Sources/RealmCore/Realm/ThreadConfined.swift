import CRealmCore

/// What belongs to a realm and may only be used where that realm lives: objects and collections.
public protocol ThreadConfined {
  /// The realm that manages the value, nil if none does.
  var realm: Realm? { get }
  /// Whether the value can no longer be used.
  var isInvalidated: Bool { get }
  /// Whether the value is a snapshot that never changes.
  var isFrozen: Bool { get }
  /// A snapshot of the value at the version its realm is on.
  func freeze() -> Self
  /// The live value of a snapshot; nil if it is no longer there.
  func thaw() -> Self?
}

/// A thing with a handle of realm-core's, which it can find in another realm and hand over.
protocol Referable: ThreadConfined {
  /// realm-core's handle and the session it is of; nil for what no realm manages.
  var place: (handle: Handle, session: Session)? { get }
  /// The same thing in another realm of the file.
  func found(in session: Session) -> Self?
  /// What makes the thing of a reference that realm-core has made.
  var resolver: (Handle, Session) -> Self? { get }
}

extension Referable {
  func frozen(_ unmanaged: String) -> Self {
    guard let place else {
      Facade.refuse(unmanaged)
    }
    if place.session.isFrozen { return self }
    guard let found = found(in: place.session.frozen()) else {
      // realm-core finds nothing of an object of the write that made it; RealmSwift's words for
      // that.
      Facade.refuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return found
  }

  func thawed(_ unmanaged: String) -> Self? {
    guard let place else {
      Facade.refuse(unmanaged)
    }
    return place.session.isFrozen ? found(in: place.session.thawed()) : self
  }
}

// MARK: - Objects

extension ObjectBase: ThreadConfined {}

extension ThreadConfined where Self: ObjectBase {
  var place: (handle: Handle, session: Session)? {
    guard let handle, let session else { return nil }
    return (handle, session)
  }

  /// A snapshot of the object.
  public func freeze() -> Self {
    guard let handle, let session, let bound else {
      Facade.refuse("Unmanaged objects cannot be frozen.")
    }
    if session.isFrozen { return self }
    let frozen = session.frozen()
    var found: Handle?
    check(core.realm_object_resolve_in(handle, frozen.handle, &found))
    guard let found else {
      if isInvalidated { Facade.refuse("Object has been deleted or invalidated.") }
      Facade.refuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return unsafeDowncast(
      frozen.accessor(found, frozen.bound(bound.layout.type)), to: Self.self)
  }

  /// The live object of a snapshot; nil if it is no longer there.
  public func thaw() -> Self? {
    guard let handle, let session, let bound else {
      Facade.refuse("Unmanaged objects cannot be thawed.")
    }
    if !session.isFrozen { return self }
    let live = session.thawed()
    var found: Handle?
    check(core.realm_object_resolve_in(handle, live.handle, &found))
    return found.map {
      unsafeDowncast(live.accessor($0, live.bound(bound.layout.type)), to: Self.self)
    }
  }
}

// MARK: - Collections

private let unmanagedCollection =
  "This method may only be called on collections retrieved from an RLMRealm"

extension List: Referable {
  var place: (handle: Handle, session: Session)? { managed.map { ($0.handle, $0.session) } }
  func found(in session: Session) -> List? { managed?.found(in: session).map { List($0) } }
  var resolver: (Handle, Session) -> List? {
    { reference, session in
      let handle = check(core.realm_list_from_thread_safe_reference(session.handle, reference))
      let found = ManagedCollection(handle, session, .list, Element._rlmLinkedClass)
      return found.isInvalidated ? nil : List(found)
    }
  }
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> List { frozen(unmanagedCollection) }
  public func thaw() -> List? { thawed(unmanagedCollection) }
}

extension MutableSet: Referable {
  var place: (handle: Handle, session: Session)? { managed.map { ($0.handle, $0.session) } }
  func found(in session: Session) -> MutableSet? {
    managed?.found(in: session).map { MutableSet($0) }
  }
  var resolver: (Handle, Session) -> MutableSet? {
    { reference, session in
      let handle = check(core.realm_set_from_thread_safe_reference(session.handle, reference))
      let found = ManagedCollection(handle, session, .set, Element._rlmLinkedClass)
      return found.isInvalidated ? nil : MutableSet(found)
    }
  }
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> MutableSet { frozen(unmanagedCollection) }
  public func thaw() -> MutableSet? { thawed(unmanagedCollection) }
}

extension Map: Referable {
  var place: (handle: Handle, session: Session)? { managed.map { ($0.handle, $0.session) } }
  func found(in session: Session) -> Map? { managed?.found(in: session).map { Map($0) } }
  var resolver: (Handle, Session) -> Map? {
    { reference, session in
      let handle = check(
        core.realm_dictionary_from_thread_safe_reference(session.handle, reference))
      let found = ManagedCollection(handle, session, .map, Value._rlmLinkedClass)
      return found.isInvalidated ? nil : Map(found)
    }
  }
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> Map { frozen(unmanagedCollection) }
  public func thaw() -> Map? { thawed(unmanagedCollection) }
}

extension Map: ThreadConfined {}

extension ResultsState {
  /// What makes results of a reference that realm-core has made.
  var resolver: (Handle, Session) -> ResultsState {
    let type = bound?.layout.type
    return { reference, session in
      let handle = check(core.realm_results_from_thread_safe_reference(session.handle, reference))
      return ResultsState(handle, session, type.map(session.bound))
    }
  }
}

extension Results: Referable {
  var place: (handle: Handle, session: Session)? { (state.handle, state.session) }
  func found(in session: Session) -> Results? { Results(state.found(in: session)) }
  var resolver: (Handle, Session) -> Results? {
    let resolver = state.resolver
    return { Results(resolver($0, $1)) }
  }
  public var isFrozen: Bool { state.session.isFrozen }
  public func freeze() -> Results { frozen(unmanagedCollection) }
  public func thaw() -> Results? { thawed(unmanagedCollection) }
}

extension LinkingObjects: Referable {
  var place: (handle: Handle, session: Session)? { managed.map { ($0.handle, $0.session) } }
  func found(in session: Session) -> LinkingObjects? {
    managed.map { LinkingObjects($0.found(in: session), originProperty: originProperty) }
  }
  var resolver: (Handle, Session) -> LinkingObjects? {
    let (resolver, origin) = (state.resolver, originProperty)
    return { LinkingObjects(resolver($0, $1), originProperty: origin) }
  }
  public var isFrozen: Bool { managed?.session.isFrozen ?? false }
  public func freeze() -> LinkingObjects { frozen(unmanagedCollection) }
  public func thaw() -> LinkingObjects? { thawed(unmanagedCollection) }
}

extension AnyRealmCollection: Referable {
  var place: (handle: Handle, session: Session)? { members.place }
  func found(in session: Session) -> AnyRealmCollection? {
    members.found(in: session).map { AnyRealmCollection(members: $0) }
  }
  var resolver: (Handle, Session) -> AnyRealmCollection? {
    let resolver = members.resolver
    return { resolver($0, $1).map { AnyRealmCollection(members: $0) } }
  }
}
