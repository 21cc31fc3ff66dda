import CRealmCore
import Dispatch
import Foundation

// MARK: - Realms

extension Realm {
  /// What a listener of a realm is told.
  public enum Notification: String, Sendable {
    case didChange = "RLMRealmDidChangeNotification"
    case refreshRequired = "RLMRealmRefreshRequiredNotification"
  }

  /// A listener of a realm.
  public typealias NotificationBlock = (_ notification: Notification, _ realm: Realm) -> Void

  /// Calls a block after every write to the realm, in whatever thread or process, until the token
  /// is dropped.
  public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
    if isFrozen || !session.home.canDeliver || configuration.readOnly || !session.home.isHere {
      Facade.notAskable(
        "observing a realm where nothing can be heard: the C interface takes the listener without "
          + "a word, and RealmSwift refuses above it")
    }
    let listener = RealmListener(session, block)
    session.add(listener)
    return NotificationToken(Registered(listener))
  }
}

// MARK: - Objects

/// What a listener of an object is told.
@frozen public enum ObjectChange<T> {
  /// Never delivered; kept because code that switches over changes names it.
  case error(_: NSError)
  /// Properties of the object have been set.
  case change(_: T, _: [PropertyChange])
  /// The object is gone, and this was the last call.
  case deleted
}

/// A property that was set.
public struct PropertyChange {
  /// The property's name.
  public let name: String
  private let read: () -> Any?

  init(_ name: String, _ read: @escaping () -> Any?) {
    self.name = name
    self.read = read
  }

  /// Not askable: the C interface tells which properties were set, and no value.
  public var oldValue: Any? {
    Facade.notAskable("the value that a property had: the C interface tells only which were set")
  }

  /// The value now, read when it is asked for.
  public var newValue: Any? {
    Facade.decides()
    return read()
  }
}

extension ThreadConfined where Self: ObjectBase {
  /// Calls a block when properties of the object are set, and once when it is deleted, until the
  /// token is dropped.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = session else {
      Facade.refuse("Only objects which are managed by a Realm support change notifications")
    }
    let make = Self.listener(keyPaths, block)
    if let queue {
      return Registration.on(queue, self, make, gone: { block(.deleted) })
    }
    return NotificationToken(make(self, session))
  }

  /// As `observe`, with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { propertyName(of: $0, in: Self.self) }, on: queue, block)
  }

  /// As `observe(on:)`, on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard session != nil else {
      Facade.refuse("Change notifications are only supported for managed objects")
    }
    let told = onActor(actor, block)
    let gate = Listening()
    let token = await Registration.on(
      actor, self, Self.listener(keyPaths, listening: { gate.open() }, told),
      gone: {
        told(.deleted)
        gate.open()
      })
    // As RealmSwift has it, in force when it returns: when realm-core has called for the first
    // time.
    if !token.hasEnded { await gate.wait() }
    return token
  }

  /// As `observe(on:)`, with typed key paths, on an actor.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { propertyName(of: $0, in: Self.self) }, on: actor, block)
  }

  private static func listener(
    _ keyPaths: [String]?, listening: (() -> Void)? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { object, session in
      // The first call tells that it listens: told to whoever waits for that, and to the listener
      // if there is news in it.
      let first = First()
      let box = Box { (changes: UnsafeRawPointer) in
        if first.isNow { listening?() }
        if core.realm_object_changes_is_deleted(changes) { return block(.deleted) }
        var columns = [Int64](
          repeating: 0, count: core.realm_object_changes_get_num_modified_properties(changes))
        _ = core.realm_object_changes_get_modified_properties(changes, &columns, columns.count)
        guard let bound = object.bound, !columns.isEmpty else { return }
        let changed = bound.columns.indices.filter { columns.contains(bound.columns[$0]) }
        if changed.isEmpty {
          Facade.notAskable(
            "which property of links backwards a change came over: the C interface tells its "
              + "column, and of no such property which one it has")
        }
        block(
          .change(
            object,
            changed.map { index in
              let field = bound.layout.fields[index]
              return PropertyChange(field.property.name) {
                field.property.shape == .single ? present(object.value(of: field, index)) : nil
              }
            }))
      }
      let token = withKeyPaths(keyPaths, session, object.bound) { paths in
        core.realm_object_add_notification_callback(
          object.handle, box.handedOver, Box<(UnsafeRawPointer) -> Void>.free, paths,
          { data, changes in Box<(UnsafeRawPointer) -> Void>.of(data).value(changes) })
      }
      return Registered(check(token), session)
    }
  }
}

/// Where a task waits until its listener listens.
private final class Listening: @unchecked Sendable {
  // Both properties are guarded by the lock.
  private let lock = NSLock()
  private var isOpen = false
  private var waiting: CheckedContinuation<Void, Never>?

  func open() {
    let waiting = lock.withLock {
      isOpen = true
      defer { self.waiting = nil }
      return self.waiting
    }
    waiting?.resume()
  }

  func wait(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let isLate = lock.withLock {
        if !isOpen { waiting = continuation }
        return isOpen
      }
      if isLate { continuation.resume() }
    }
  }
}

/// The first call of a listener.
private final class First {
  private var isFirst = true

  var isNow: Bool {
    defer { isFirst = false }
    return isFirst
  }
}

/// The value without the optional around it.
private func present(_ value: Any) -> Any? {
  if let optional = value as? any OptionalProtocol { return optional.anyValue }
  return value
}

/// A block of an actor as one that is called where its realm is at home, which is that actor.
private func onActor<A: Actor, Change>(
  _ actor: A, _ block: @Sendable @escaping (isolated A, Change) -> Void
) -> (Change) -> Void {
  // The actor is not kept alive by its listener.
  weak let weakly: A? = actor
  return { change in
    guard let actor = weakly else { return }
    let change = Handed(change)
    actor.assumeIsolated { block($0, change.value) }
  }
}

// MARK: - Collections

extension RealmCollection {
  /// Calls a block when members come, go or change, until the token is dropped.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = realm?.session else { refuseUnmanaged() }
    let make = Self.listener(keyPaths, block)
    if let queue { return Registration.on(queue, self, make) }
    session.verifyLoop()
    return NotificationToken(make(self, session))
  }

  /// As `observe(on:)`, on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    if realm == nil { refuseUnmanaged() }
    return await Registration.on(actor, self, Self.listener(keyPaths, onActor(actor, block)))
  }

  private func refuseUnmanaged() -> Never {
    Facade.refuse("Change notifications are only supported on managed collections.")
  }

  private static func listener(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { collection, session in
      let own = (collection as? any ManagedOwner)?.managed
      // Of results RealmSwift keeps back what the first call brings; of lists and sets it does not.
      let first = own == nil ? First() : nil
      let box = Box { (changes: UnsafeRawPointer) in
        let told = Positions(changes)
        if first?.isNow ?? false || told.isEmpty { return block(.initial(collection)) }
        block(
          .update(
            collection, deletions: told.deletions, insertions: told.insertions,
            modifications: told.modifications))
      }
      let (data, free) = (box.handedOver, Box<(UnsafeRawPointer) -> Void>.free)
      let call: rc_change = { data, changes in
        Box<(UnsafeRawPointer) -> Void>.of(data).value(changes)
      }
      let linked = (Element._rlmLinkedClass).map(session.bound)
      let token = withKeyPaths(keyPaths, session, linked) { paths in
        switch own?.shape {
        case .set: core.realm_set_add_notification_callback(own?.handle, data, free, paths, call)
        case .some: core.realm_list_add_notification_callback(own?.handle, data, free, paths, call)
        case nil:
          core.realm_results_add_notification_callback(
            collection._source.state.handle, data, free, paths, call)
        }
      }
      return Registered(check(token), session)
    }
  }
}

extension Session {
  /// Stops where RealmSwift refuses before realm-core is asked: a listener that can never be
  /// called.
  func verifyLoop() {
    if home.isHere, !home.canDeliver, !isFrozen, !configuration.readOnly {
      Facade.notAskable(
        "observing a collection on a thread without a loop: realm-core takes the listener, and "
          + "RealmSwift refuses above it")
    }
  }
}

/// What has a collection of realm-core's once a realm manages it.
protocol ManagedOwner {
  var managed: ManagedCollection? { get }
}

extension List: ManagedOwner {}
extension MutableSet: ManagedOwner {}

/// Where members came, went and changed, as realm-core tells it.
private struct Positions {
  let deletions: [Int]
  let insertions: [Int]
  let modifications: [Int]
  /// The owner of the collection is gone, or all of its members at once.
  private let hasGone: Bool

  init(_ changes: UnsafeRawPointer) {
    var (gone, come, changed, moved) = (0, 0, 0, 0)
    var (cleared, deleted) = (false, false)
    core.realm_collection_changes_get_num_changes(
      changes, &gone, &come, &changed, &moved, &cleared, &deleted)
    var deletions = [Int](repeating: 0, count: gone)
    var insertions = [Int](repeating: 0, count: come)
    var modifications = [Int](repeating: 0, count: changed)
    core.realm_collection_changes_get_changes(
      changes, &deletions, gone, &insertions, come, &modifications, changed, nil, 0, nil, 0)
    (self.deletions, self.insertions, self.modifications) = (deletions, insertions, modifications)
    hasGone = cleared || deleted
  }

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && !hasGone
  }
}

extension RealmCollection where Element: ObjectBase {
  /// As `observe`, with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { propertyName(of: $0, in: Element.self) }, on: queue, block)
  }

  /// As `observe(on:)`, with typed key paths, on an actor.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: keyPaths.map { propertyName(of: $0, in: Element.self) }, on: actor, block)
  }
}

// MARK: - Maps

extension Map {
  /// Calls a block when keys come, go or get another value, until the token is dropped.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    guard let session = managed?.session else {
      Facade.refuse("Change notifications are only supported on managed collections.")
    }
    let make = Map.listener(keyPaths, block)
    if let queue { return Registration.on(queue, self, make) }
    session.verifyLoop()
    return NotificationToken(make(self, session))
  }

  /// As `observe(on:)`, on an actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    await Registration.on(actor, self, Map.listener(keyPaths, onActor(actor, block)))
  }

  private static func listener(
    _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> Registration.Make<Map> {
    { map, session in
      let box = Box { (changes: UnsafeRawPointer) in
        var (gone, come, changed) = (0, 0, 0)
        var wasDeleted = false
        core.realm_dictionary_get_changes(changes, &gone, &come, &changed, &wasDeleted)
        if gone + come + changed == 0 { return block(.initial(map)) }
        var deletions = [rc_value](repeating: rc_value(), count: gone)
        var insertions = [rc_value](repeating: rc_value(), count: come)
        var modifications = [rc_value](repeating: rc_value(), count: changed)
        var wasCleared = false
        core.realm_dictionary_get_changed_keys(
          changes, &deletions, &gone, &insertions, &come, &modifications, &changed, &wasCleared)
        func keys(_ raw: [rc_value]) -> [Key] {
          raw.map { Key._rlmDecode(_Stored(StoredValue($0))) }
        }
        block(
          .update(
            map, deletions: keys(deletions), insertions: keys(insertions),
            modifications: keys(modifications)))
      }
      let token = withKeyPaths(keyPaths, session, Value._rlmLinkedClass.map(session.bound)) {
        paths in
        core.realm_dictionary_add_notification_callback(
          map.managed?.handle, box.handedOver, Box<(UnsafeRawPointer) -> Void>.free, paths,
          { data, changes in Box<(UnsafeRawPointer) -> Void>.of(data).value(changes) })
      }
      return Registered(check(token), session)
    }
  }
}

extension Map {
  /// As `observe`, with typed key paths of the objects it holds.
  public func observe<Member: ObjectBase>(
    keyPaths: [PartialKeyPath<Member>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken where Value == Member? {
    observe(keyPaths: keyPaths.map { propertyName(of: $0, in: Member.self) }, on: queue, block)
  }

  /// As `observe(on:)`, with typed key paths of the objects it holds, on an actor.
  public func observe<A: Actor, Member: ObjectBase>(
    keyPaths: [PartialKeyPath<Member>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken where Value == Member? {
    await observe(
      keyPaths: keyPaths.map { propertyName(of: $0, in: Member.self) }, on: actor, block)
  }
}

// MARK: - Projections

extension ProjectionObservable {
  /// Not askable: this module has no listeners of projections.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    Facade.notAskable("listeners of projections: what stands for RealmSwift here has none")
  }
}
