import Dispatch

extension ProjectionObservable {
  /// Calls a block when what the projection shows is set, and once when its object is deleted, until the token is
  /// dropped. What the object holds besides is none of its business.
  ///
  /// - Parameters:
  ///   - keyPaths: The projected properties whose changes count, by their names in the projection; nil for all.
  ///   - queue: The serial queue to be called on, with the projection as its realm sees it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = rootObject.observedSession(.observedUnmanagedObject) else {
      return NotificationToken()
    }
    let make = Self.observer(keyPaths, block)
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
    observe(keyPaths: keyPaths.map(Self.label(of:)), on: queue, block)
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
      Self.observer(keyPaths, $0)
    }
  }

  /// As `observe(on:)`, with typed key paths of the projection, on an actor.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map(Self.label(of:)), on: actor, block)
  }

  private static func observer(
    _ labels: [String]?, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { view, session, told in
      ProjectionObserver(view, in: session, told: told, labels: labels, block)
    }
  }
}
