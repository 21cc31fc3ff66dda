import CRealmCore
import Dispatch
import Foundation

/// A database as one thread, queue or actor sees it. A value over a shared session: copies are the
/// same realm.
public struct Realm {
  let session: Session

  init(_ session: Session) { self.session = session }

  /// Opens the default configuration's realm for the calling thread, or for a serial queue.
  public init(queue: DispatchQueue? = nil) throws {
    try self.init(configuration: .defaultConfiguration, queue: queue)
  }

  /// Opens a realm for the calling thread, or for a serial queue.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    guard let queue else {
      self.init(try Session.open(configuration, at: .here()))
      return
    }
    // What realm-core's own scheduler for Apple's queues and RealmSwift's opening say.
    if !queue.isSerial {
      Facade.decides()
      throw Realm.Error(.fail, queue.refusal)
    }
    let home = Home.of(queue)
    if !home.isHere {
      Facade.refuse("Realm opened from incorrect dispatch queue.")
    }
    self.init(try Session.open(configuration, at: home))
  }

  /// Opens a file for the calling thread.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// What it was opened with.
  public var configuration: Configuration { session.configuration }

  /// The classes that are persisted, as this module knows them.
  public var schema: Schema {
    Schema((session.configuration.classes ?? ClassLayout.used).map(\.schema))
  }

  /// Whether no class has any object.
  public var isEmpty: Bool {
    session.verify()
    var keys = [UInt32](repeating: 0, count: core.realm_get_num_classes(session.handle))
    var count = 0
    check(core.realm_get_class_keys(session.handle, &keys, keys.count, &count))
    return keys.allSatisfy { key in
      var objects = 0
      check(core.realm_get_num_objects(session.handle, key, &objects))
      return objects == 0
    }
  }
}

extension Realm: Equatable {
  /// Whether both are the same instance of realm-core's.
  public static func == (left: Realm, right: Realm) -> Bool {
    core.realm_equals(left.session.handle, right.session.handle)
  }
}

extension Realm {
  /// How `add` and `create` treat a primary key that is there already.
  public enum UpdatePolicy: Int, Sendable {
    case error = 1
    case all = 2
    case modified = 3
  }

  /// When an opening waits for a server; kept for source compatibility, for there is no server.
  public enum OpenBehavior: Sendable {
    case never
    case once
    case always
  }
}

// MARK: - Objects

extension Realm {
  /// Makes an object, and what it links to, part of the realm.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    session.verify()
    session.add(object, update: update)
  }

  public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error)
  where S.Element: Object {
    for object in objects { add(object, update: update) }
  }

  /// Makes a new object from a dictionary, an array or another object; with an update policy it may
  /// be one that is there.
  @discardableResult
  public func create<T: Object>(
    _ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> T {
    session.verify()
    return unsafeDowncast(session.create(type, from: value, update: update), to: type)
  }

  /// Removes an object from the realm; links to it become nil, lists lose it.
  public func delete(_ object: ObjectBase) {
    session.verify()
    session.delete(object)
  }

  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    for object in Array(objects) { session.delete(object) }
  }

  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    session.verify()
    session.deleteAll(of: objects.state)
  }

  public func delete<Element: ObjectBase>(_ objects: List<Element>) {
    delete(members: objects.managed?.results(), orEach: Array(objects))
  }

  public func delete<Element: ObjectBase>(_ objects: MutableSet<Element>) {
    delete(members: objects.managed?.results(), orEach: Array(objects))
  }

  public func delete<Element: ObjectBase>(_ objects: LinkingObjects<Element>) {
    delete(members: objects.managed, orEach: Array(objects))
  }

  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) {
    for object in map.values { object.map(session.delete) }
  }

  /// What a realm manages is deleted by realm-core as a whole, so that it sees the call even where
  /// there is nothing to delete.
  private func delete(members: ResultsState?, orEach loose: @autoclosure () -> [ObjectBase]) {
    guard let members else { return loose().forEach(session.delete) }
    members.session.verify()
    session.deleteAll(of: members)
  }

  /// Removes every object of every class.
  public func deleteAll() {
    session.verify()
    session.deleteAll()
  }

  /// All objects of a class.
  public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
    session.verify()
    guard let model = (type as? ObjectBase.Type) ?? type._rlmLinkedClass else {
      Facade.refuse("Only objects can be queried by their type, not \(type).")
    }
    let bound = session.bound(model)
    let handle = check(core.realm_object_find_all(session.handle, bound.key))
    return Results(ResultsState(handle, session, bound))
  }

  /// The object with that primary key, if there is one.
  public func object<E: Object, K>(ofType type: E.Type, forPrimaryKey key: K) -> E? {
    session.verify()
    let bound = session.bound(type)
    guard let index = bound.layout.primaryKey else {
      Facade.refuse("Object type '\(bound.layout.name)' does not have a primary key")
    }
    let given = key as Any
    guard let stored = bound.layout.fields[index].wrapper.stored(given) else {
      Facade.refuse(
        invalidValue(given, bound.layout.fields[index].property, bound.layout.name))
    }
    var found = false
    _ = core.realm_clear_last_error()
    let row = stored.withCore {
      core.realm_object_find_with_primary_key(session.handle, bound.key, $0, &found)
    }
    guard let row else {
      // Nothing found and nothing possible look alike but for the error.
      var error = rc_error()
      if core.realm_get_last_error(&error), error.code != 0 { die() }
      return nil
    }
    return unsafeDowncast(session.accessor(row, bound), to: type)
  }
}

// MARK: - Writing

extension Realm {
  /// Changes data: all of the block, or nothing if it throws.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> R
  ) throws -> R {
    beginWrite()
    let result: R
    do {
      result = try block()
    } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write on the newest version, once it is this realm's turn.
  public func beginWrite() {
    // Listeners that are told of the step to the newest version are called inside the write.
    session.isWriting = true
    check(core.realm_begin_write(session.handle))
  }

  /// Makes the write durable and visible to others.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    if !tokens.isEmpty {
      Facade.notAskable("silencing listeners for a write: the C interface has no way to do it")
    }
    guard core.realm_commit(session.handle) else {
      let error = CoreError.last()
      if error.code == .wrongThread { fatalError(error.message) }
      throw Realm.Error(error, session.configuration)
    }
    session.isWriting = false
  }

  /// Undoes everything since the write began.
  public func cancelWrite() {
    check(core.realm_rollback(session.handle))
    session.isWriting = false
  }

  /// Whether this realm is between the begin and the end of a write.
  public var isInWriteTransaction: Bool { session.isInWrite }
}

// MARK: - Versions

extension Realm {
  /// Not askable: the C interface has no switch for it.
  public var autorefresh: Bool {
    get { Facade.notAskable("autorefresh: the C interface neither tells nor switches it") }
    nonmutating set {
      Facade.notAskable("autorefresh: the C interface neither tells nor switches it")
    }
  }

  /// Brings the realm and all that came from it to the newest version; false if it already shows
  /// it.
  @discardableResult
  public func refresh() -> Bool {
    var did = false
    check(core.realm_refresh(session.handle, &did))
    return did
  }

  /// Not askable: the C interface has no such function, and closing is something else.
  public func invalidate() {
    Facade.notAskable("invalidating a realm: the C interface has no function for it")
  }

  /// Whether the realm is a snapshot.
  public var isFrozen: Bool { core.realm_is_frozen(session.handle) }

  /// A snapshot of the realm at the version it is on, to be read on any thread.
  public func freeze() -> Realm {
    if isFrozen { return self }
    session.verify()
    return Realm(session.frozen())
  }

  /// The live realm of the calling thread.
  public func thaw() -> Realm { isFrozen ? Realm(session.thawed()) : self }

  /// A snapshot of an object of this realm.
  public func freeze<T: ObjectBase>(_ object: T) -> T { object.freeze() }

  /// The live object of a snapshot; nil if it is no longer there.
  public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thaw() }

  /// A snapshot of a collection of this realm.
  public func freeze<C: RealmCollection>(_ collection: C) -> C { collection.freeze() }

  /// The live collection of a snapshot; nil if its owner is no longer there.
  public func thaw<C: RealmCollection>(_ collection: C) -> C? { collection.thaw() }
}

extension Session {
  /// The live realm of the calling thread.
  func thawed() -> Session {
    do {
      return try Session.open(configuration, at: .here())
    } catch {
      Facade.refuse("a frozen realm cannot be thawed: \(error.localizedDescription)")
    }
  }
}
