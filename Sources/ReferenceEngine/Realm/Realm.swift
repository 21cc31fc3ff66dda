import Dispatch
import Foundation

/// A database as one thread, queue or actor sees it: one version at a time, live until it is
/// frozen.
///
/// A value over a shared `Session`: copies are the same realm, and so is what opening the same
/// configuration in the same place gives.
public struct Realm {
  @usableFromInline let session: Session

  init(_ session: Session) { self.session = session }

  /// Opens the default configuration's realm for the calling thread, or for a serial queue.
  public init(queue: DispatchQueue? = nil) throws {
    if queue == nil, let known = SessionCache.here() {
      self.init(known)
    } else {
      try self.init(configuration: .defaultConfiguration, queue: queue)
      if queue == nil { SessionCache.remember(standard: session) }
    }
  }

  /// Opens a realm for the calling thread, or for a serial queue.
  // `__shared`, because a copy of a configuration retains everything in it.
  public init(configuration: __shared Configuration, queue: DispatchQueue? = nil) throws {
    session =
      try queue == nil
      ? Session.openHere(configuration)
      : Session.open(configuration, at: Session.scheduler(for: queue))
  }

  /// Opens a file for the calling thread.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  /// What it was opened with.
  public var configuration: Configuration { session.configuration }

  /// The classes this realm knows so far.
  public var schema: Schema {
    session.verify(at: .readRealm)
    return session.schema
  }

  /// Whether no class has any object.
  public var isEmpty: Bool {
    session.verify(at: .readRealm)
    return session.isEmpty
  }
}

extension Realm: Equatable {
  /// Whether both are the same instance; two realms of one file on two threads are not.
  public static func == (left: Realm, right: Realm) -> Bool { left.session === right.session }
}

extension Realm {
  /// How `add` and `create` treat a primary key that is there already.
  public enum UpdatePolicy: Int, Sendable {
    /// Refuses.
    case error = 1
    /// Writes every value.
    case all = 2
    /// Writes the values that differ.
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
    session.verifyAdding(at: .add)
    if update != .error {
      let bound = session.bound(type(of: object))
      if bound.layout.primaryKey == nil { refuse(.cannotUpdate(bound.name)) }
    }
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
    session.verifyAdding(at: .create)
    let bound = session.bound(type)
    if update != .error, bound.layout.primaryKey == nil { refuse(.cannotUpdate(bound.name)) }
    return unsafeDowncast(session.create(bound, from: value, update: update), to: type)
  }

  /// Removes an object from the realm; links to it become nil, lists lose it.
  public func delete(_ object: ObjectBase) {
    session.verifyAdding(at: .delete)
    session.delete(object)
  }

  public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
    session.verifyAdding(at: .delete)
    for object in Array(objects) { session.delete(object) }
  }

  public func delete<Element: ObjectBase>(_ objects: List<Element>) {
    session.verifyAdding(at: .delete)
    for object in objects.all { session.delete(object) }
  }

  public func delete<Element: ObjectBase>(_ objects: MutableSet<Element>) {
    session.verifyAdding(at: .delete)
    for object in objects.all { session.delete(object) }
  }

  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) {
    session.verifyAdding(at: .delete)
    for object in map.values { object.map(session.delete) }
  }

  /// Removes every object of every class.
  public func deleteAll() {
    session.verifyAdding(at: .delete)
    session.deleteAll()
  }

  /// The object with that primary key, if there is one.
  // Inlinable, so that the caller's compiler knows the type of the key: asking a value of any type
  // what it is costs more than finding the row.
  @inlinable
  public func object<E: Object, K>(ofType type: E.Type, forPrimaryKey key: K) -> E? {
    let found: ObjectBase? =
      if K.self == Int.self {
        session.object(type, key: unsafeBitCast(key, to: Int.self))
      } else if K.self == String.self {
        session.object(type, key: unsafeBitCast(key, to: String.self))
      } else {
        session.object(type, anyKey: key)
      }
    guard let found else { return nil }
    return unsafeDowncast(found, to: type)
  }

  /// The object with that primary key, its class given by name.
  public func dynamicObject(ofType name: String, forPrimaryKey key: Any) -> DynamicObject? {
    session.verify(at: .readRealm)
    return session.object(session.dynamicClass(name), forPrimaryKey: key) as? DynamicObject
  }

  @discardableResult
  public func dynamicCreate(
    _ name: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject {
    session.verifyAdding(at: .create)
    return unsafeDowncast(
      session.create(session.dynamicClass(name), from: value, update: update),
      to: DynamicObject.self)
  }
}
