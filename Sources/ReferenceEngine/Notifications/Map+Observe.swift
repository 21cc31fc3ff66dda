import Dispatch

extension Map {
  /// Calls a block when keys come, go or get another value, until the token is dropped; see
  /// `RealmCollection.observe`.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> NotificationToken {
    guard let session = observedSession else { return NotificationToken() }
    let make = Map.observer(keyPaths, block)
    if let queue { return Registration.on(queue, self, in: session, make) }
    return Registration.here(self, in: session, make)
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken {
    guard let session = observedSession else { return NotificationToken() }
    return await Registration.on(actor, self, in: session, block) { Map.observer(keyPaths, $0) }
  }

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

  private static func observer(
    _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> Registration.Make<Map> {
    { map, session, _ in MapObserver(map, in: session, keyPaths: keyPaths, block) }
  }

  private var observedSession: Session? {
    let session = realm?.session
    if session == nil { refuse(.observedUnmanagedCollection, at: .observe) }
    return session
  }
}
