import Dispatch

extension ProjectionObservable {
  /// Calls a block when what the projection shows is set, and once when its object is deleted,
  /// until the token is dropped. What the object holds besides is none of its business.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the object whose changes count; nil for all that the
  ///     projection shows.
  ///   - queue: The serial queue to be called on, with the projection as its realm sees it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = rootObject.observedSession(.observedUnmanagedObject) else {
      return NotificationToken()
    }
    return listen(on: queue, in: session, .ofObject(keyPaths), block)
  }

  private func listen(
    on queue: DispatchQueue?, in session: Session, _ scope: ProjectionScope,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let make = Self.observer(scope, block)
    if let queue {
      return Registration.on(queue, self, in: session, farewell: { block(.deleted) }, make)
    }
    return Registration.here(self, in: session, make)
  }

  /// As `observe`, with typed key paths of the projection.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = rootObject.observedSession(.observedUnmanagedObject) else {
      return NotificationToken()
    }
    return listen(on: queue, in: session, .labels(keyPaths.map(Self.label(of:))), block)
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let session = rootObject.observedSession(.observedUnmanagedObjectOnActor) else {
      return NotificationToken()
    }
    return await Registration.on(actor, self, in: session, farewell: .deleted, block) {
      Self.observer(.ofObject(keyPaths), $0)
    }
  }

  /// As `observe(on:)`, with typed key paths of the projection, on an actor.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let session = rootObject.observedSession(.observedUnmanagedObjectOnActor) else {
      return NotificationToken()
    }
    let labels = keyPaths.map(Self.label(of:))
    return await Registration.on(actor, self, in: session, farewell: .deleted, block) {
      Self.observer(.labels(labels), $0)
    }
  }

  private static func observer(
    _ scope: ProjectionScope, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { view, session, told in
      ProjectionObserver(view, in: session, told: told, scope: scope, block)
    }
  }
}
