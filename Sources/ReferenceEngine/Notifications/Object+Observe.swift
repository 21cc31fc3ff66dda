import Dispatch

extension ThreadConfined where Self: ObjectBase {
  /// Calls a block when properties of the object are set, and once when it is deleted, until the
  /// token is dropped.
  ///
  /// Setting a property to the value it has counts, changes of objects it links to do not, unless
  /// key paths lead to them. The calls come where the realm is at home or on the queue, some time
  /// after a write and never inside one.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties whose changes count; nil for all of the object's own.
  ///   - queue: The serial queue to be called on, with the object as its realm sees it.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    guard let session = observedSession(.observedUnmanagedObject) else {
      return NotificationToken()
    }
    if let queue {
      return Registration.on(
        queue, self, in: session, farewell: { block(.deleted) }, Self.observer(keyPaths, block))
    }
    return Registration.here(self, in: session, Self.observer(keyPaths, block))
  }

  /// As `observe`, with a block that knows the object by a class above its own.
  @_disfavoredOverload
  public func observe<T: ObjectBase>(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<T>) -> Void
  ) -> NotificationToken {
    guard self is T else {
      refuse(.observedAsOther("\(Self.self)", "\(T.self)"), at: .observe)
      return NotificationToken()
    }
    return observe(keyPaths: keyPaths, on: queue) { (change: ObjectChange<Self>) in
      switch change {
      case .change(let object, let properties):
        if let object = object as? T { block(.change(object, properties)) }
      case .deleted: block(.deleted)
      case .error(let error): block(.error(error))
      }
    }
  }

  /// As `observe`, with typed key paths.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
    _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { propertyName(of: $0, in: Self.self) }, on: queue, block)
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    guard let session = observedSession(.observedUnmanagedObjectOnActor) else {
      return NotificationToken()
    }
    return await Registration.on(actor, self, in: session, farewell: .deleted, block) {
      Self.observer(keyPaths, $0)
    }
  }

  /// As `observe(on:)`, with typed key paths, on an actor.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(
      keyPaths: keyPaths.map { propertyName(of: $0, in: Self.self) }, on: actor, block)
  }

  private static func observer(
    _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> Registration.Make<Self> {
    { object, session, told in
      ObjectObserver(object, in: session, told: told, keyPaths: keyPaths, block)
    }
  }

  func observedSession(_ unmanaged: Violation) -> Session? {
    guard let session = realm?.session else {
      refuse(isInvalidated ? .invalidated : unmanaged, at: .observe)
      return nil
    }
    session.verify(at: .observe)
    if isInvalidated { refuse(.invalidated, at: .observe) }
    return session
  }
}

extension Violation {
  static func observedAsOther(_ type: String, _ other: String) -> Violation {
    Violation("An object of type '\(type)' cannot be observed as one of type '\(other)'.")
  }
}
