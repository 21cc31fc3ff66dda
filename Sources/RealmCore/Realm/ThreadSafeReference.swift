import CRealmCore
import Synchronization

/// Carries an object or a collection to another thread, queue or actor. Resolved at most once;
/// copies are the same reference.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let parcel: Parcel

  /// Makes a reference; the value stays usable here.
  public init(to confined: Confined) {
    parcel = Parcel(Handover(of: confined))
  }

  /// Whether it has been resolved.
  public var isInvalidated: Bool { parcel.isTaken }

  func take() -> Handover? { parcel.take() }
}

/// What a reference carries until somebody takes it.
private final class Parcel: Sendable {
  private let content: Mutex<Handover?>

  init(_ handover: Handover) { content = Mutex(handover) }

  var isTaken: Bool { content.withLock { $0 == nil } }

  func take() -> Handover? {
    content.withLock { content in
      defer { content = nil }
      return content
    }
  }
}

/// A reference that realm-core has made, and what makes the thing of it again.
final class Handover: @unchecked Sendable {
  // Sendable because realm-core's references may be used on any thread, by one at a time.
  let configuration: Realm.Configuration
  private let reference: Handle
  private let resolver: (Handle, Session) -> Any?

  init<Confined: ThreadConfined>(of confined: Confined) {
    if confined.isInvalidated {
      Facade.refuse("Cannot construct reference to invalidated object")
    }
    if let view = confined as? any AnyProjection {
      (configuration, reference, resolver) = view.handedOver
      return
    }
    if let object = confined as? ObjectBase {
      (configuration, reference, resolver) = object.handedOver
      return
    }
    guard let thing = confined as? any Referable else {
      Facade.refuse("\(Confined.self) is not a type that a reference can carry")
    }
    guard let place = thing.place else {
      Facade.refuse(
        "Cannot construct reference to unmanaged object, which can be passed across threads "
          + "directly"
      )
    }
    configuration = place.session.configuration
    reference = check(core.realm_create_thread_safe_reference(place.handle))
    resolver = Handover.resolver(of: thing)
  }

  private static func resolver<Thing: Referable>(of thing: Thing) -> (Handle, Session) -> Any? {
    let resolver = thing.resolver
    return { resolver($0, $1) }
  }

  deinit { core.realm_release(reference) }

  /// The thing in a session of the same file.
  func found(in session: Session) -> Any? { resolver(reference, session) }
}

extension ObjectBase {
  typealias HandedOver = (Realm.Configuration, Handle, (Handle, Session) -> Any?)

  var handedOver: HandedOver {
    guard let handle, let session, let bound else {
      Facade.refuse(
        "Cannot construct reference to unmanaged object, which can be passed across threads "
          + "directly"
      )
    }
    let reference = check(core.realm_create_thread_safe_reference(handle))
    let type = bound.layout.type
    return (
      session.configuration, reference,
      { reference, session in
        let object = check(
          core.realm_object_from_thread_safe_reference(session.handle, reference))
        guard core.realm_object_is_valid(object) else {
          core.realm_release(object)
          return nil
        }
        return session.accessor(object, session.bound(type))
      }
    )
  }
}

extension Realm {
  /// The thing a reference was made to, in this realm; nil if it has been deleted.
  public func resolve<Confined: ThreadConfined>(
    _ reference: ThreadSafeReference<Confined>
  ) -> Confined? {
    guard let handover = reference.take() else {
      Facade.refuse("Can only resolve a thread safe reference once.")
    }
    return handover.found(in: session) as? Confined
  }
}

/// A variable that any thread may read: each gets the object or collection in a realm of its own.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private let handover: Mutex<Handover?>

  public init(wrappedValue: T?) {
    handover = Mutex(Self.handover(of: wrappedValue))
  }

  /// The value for the calling thread.
  public var wrappedValue: T? {
    get {
      Facade.decides()
      return handover.withLock { known -> Handed<T>? in
        guard let carried = known,
          let session = try? Session.open(carried.configuration, at: .here()),
          let value = carried.found(in: session) as? T, !value.isInvalidated
        else {
          known = nil
          return nil
        }
        // Each use spends a reference, so the next one gets a new one.
        known = Handover(of: value)
        return Handed(value)
      }?.value
    }
    set {
      let new = Self.handover(of: newValue)
      handover.withLock { $0 = new }
    }
  }

  private static func handover(of value: T?) -> Handover? {
    guard let value else { return nil }
    guard value.realm != nil else {
      Facade.refuse("Only managed objects may be wrapped as thread safe.")
    }
    return Handover(of: value)
  }
}

/// A value that is handed from one place to another and used in one at a time.
struct Handed<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
