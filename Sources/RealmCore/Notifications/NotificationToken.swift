import CRealmCore
import Dispatch
import Foundation
import Synchronization

/// Keeps a listener listening: it ends when the token is dropped or invalidated.
public final class NotificationToken: Sendable {
  private enum State {
    case waiting
    case holding(Registered)
    case ended
  }
  private let state = Mutex(State.waiting)

  init() {}

  convenience init(_ registered: Registered) {
    self.init()
    hold(registered)
  }

  /// Takes in the listener once it is registered.
  func hold(_ registered: Registered) {
    state.withLock { state in
      // One that comes too late is let go of, and realm-core's token with it.
      if case .waiting = state { state = .holding(registered) }
    }
  }

  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  /// Stops the listener; false if it had been stopped before. May be called anywhere.
  @discardableResult
  public func invalidate() -> Bool {
    let (before, registered) = state.withLock { state in
      defer { state = .ended }
      return switch state {
      case .waiting: (true, nil as Registered?)
      case .holding(let registered): (true, registered)
      case .ended: (false, nil)
      }
    }
    // Outside the lock: what it lets go of may be the last of a realm.
    withExtendedLifetime(registered) {}
    return before
  }

  deinit { invalidate() }
}

/// A registered listener; ends with this.
final class Registered: @unchecked Sendable {
  // Sendable because realm-core's tokens may be let go of on any thread, and listeners of realms
  // guard themselves.
  private enum Kind {
    case token(Handle, Session)
    case realm(RealmListener)
  }
  private let kind: Kind

  /// A token of realm-core's, and the session that has to live as long.
  init(_ token: Handle, _ session: Session) { kind = .token(token, session) }

  init(_ listener: RealmListener) { kind = .realm(listener) }

  deinit {
    switch kind {
    case .token(let token, _): core.realm_release(token)
    case .realm(let listener): listener.end()
    }
  }
}

/// Registers a listener on a queue or on an actor, as RealmSwift does: by a reference that is
/// resolved there.
enum Registration {
  /// Adds a listener to a thing where it is at home.
  typealias Make<Confined> = (Confined, Session) -> Registered

  static func on<Confined: ThreadConfined>(
    _ queue: DispatchQueue, _ confined: Confined, _ make: @escaping Make<Confined>,
    gone: @escaping () -> Void = {}
  ) -> NotificationToken {
    let token = NotificationToken()
    let errand = errand(confined, token, make, gone)
    queue.async {
      // There RealmSwift opens the realm, which refuses.
      if !queue.isSerial { Facade.refuse(queue.refusal) }
      errand.value(.of(queue))
    }
    return token
  }

  /// Registered when it returns.
  static func on<A: Actor, Confined: ThreadConfined>(
    _ actor: A, _ confined: Confined, _ make: @escaping Make<Confined>,
    gone: @escaping () -> Void = {}, isolation: isolated (any Actor)? = #isolation
  ) async -> NotificationToken {
    let token = NotificationToken()
    // As RealmSwift has it: a task that was cancelled before registers nothing.
    if Task.isCancelled {
      Facade.decides()
      token.invalidate()
      return token
    }
    if confined.isFrozen {
      Facade.notAskable(
        "observing what is frozen on an actor: realm-core knows no actors, and RealmSwift hands "
          + "the listener a reference")
    }
    await actor.perform(errand(confined, token, make, gone))
    return token
  }

  /// What is to be done there.
  private static func errand<Confined: ThreadConfined>(
    _ confined: Confined, _ token: NotificationToken, _ make: @escaping Make<Confined>,
    _ gone: @escaping () -> Void
  ) -> Handed<(Home) -> Void> {
    Facade.decides()
    let handover = Handover(of: confined)
    return Handed { home in
      guard !token.hasEnded, let session = try? Session.open(handover.configuration, at: home)
      else { return }
      guard let found = handover.found(in: session) as? Confined else { return gone() }
      token.hold(make(found, session))
    }
  }
}

extension Actor {
  fileprivate func perform(_ errand: Handed<(Home) -> Void>) { errand.value(.of(self)) }
}

/// Key paths as realm-core takes them: none given is another thing than an empty list.
func withKeyPaths<R>(
  _ keyPaths: [String]?, _ session: Session, _ bound: BoundClass?, _ body: (Handle?) -> R
) -> R {
  guard let keyPaths else { return body(nil) }
  let copies = keyPaths.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  var pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) }
  let made = core.realm_create_key_path_array(
    session.handle, bound?.key ?? 0, pointers.count, &pointers)
  let array = check(made)
  defer { core.realm_release(array) }
  return body(array)
}
