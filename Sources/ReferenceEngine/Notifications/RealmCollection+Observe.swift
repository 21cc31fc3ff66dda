import Dispatch

extension RealmCollection {
  /// Calls a block when members come, go or change, until the token is dropped.
  ///
  /// The first call tells that the collection can be used; it comes, like the others, where the
  /// realm is at home or on the queue, some time after a write and never inside one.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count; nil for all of them and of what the members
  ///     link to, over up to four links; empty for none. Members that come and go are always told.
  ///   - queue: The serial queue to be called on, with the collection as its realm sees it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = observedSession else { return NotificationToken() }
    if let queue {
      return Registration.on(queue, self, in: session, Self.observer(keyPaths, block))
    }
    return Registration.here(self, in: session, Self.observer(keyPaths, block))
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let session = observedSession else { return NotificationToken() }
    return await Registration.on(actor, self, in: session, block) { Self.observer(keyPaths, $0) }
  }

  static func observer(
    _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { collection, session, _ in
      CollectionObserver(collection, in: session, keyPaths: keyPaths, block)
    }
  }

  var observedSession: Session? {
    let session = realm?.session
    if session == nil { refuse(.observedUnmanagedCollection, at: .observe) }
    (self as? Results<Element>)?.state.verifyObservable()
    return session
  }
}

extension RealmCollection where Element: ObjectBase {
  /// As `observe`, with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    observe(
      keyPaths: keyPaths.map { propertyName(of: $0, in: Element.self) }, on: queue, block)
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
