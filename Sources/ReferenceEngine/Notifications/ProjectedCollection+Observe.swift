import Dispatch

extension ProjectedCollection {
  /// Calls a block when members come or go or what is shown of them is set, as
  /// `RealmCollection.observe` does.
  public func observe(
    on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    observed.observe(on: queue, block)
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
  ) async -> NotificationToken {
    await observed.observe(on: actor, isolation: _isolation, block)
  }

  private var observed: any ObservedMembers<Element> {
    guard let observed = members as? any ObservedMembers<Element> else {
      fatalError("every kind of members can be observed")
    }
    return observed
  }
}

/// The members behind a projected collection, as its listeners ask for them.
private protocol ObservedMembers<Element> {
  associatedtype Element: RealmCollectionValue

  func observe(
    on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken

  func observe<A: Actor>(
    on actor: A, isolation: isolated (any Actor)?,
    _ block:
      @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) async -> NotificationToken
}

extension ProjectedMembersOf: ObservedMembers {
  func observe(
    on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken {
    let shown = self.shown
    return collection.observe(keyPaths: [path], on: queue) { block($0.mapped(shown)) }
  }

  func observe<A: Actor>(
    on actor: A, isolation: isolated (any Actor)?,
    _ block:
      @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) async -> NotificationToken {
    guard let session = collection.observedSession else { return NotificationToken() }
    let (path, shown) = (self.path, self.shown)
    return await Registration.on(actor, collection, in: session, block) { tell in
      Base.observer([path]) { tell($0.mapped(shown)) }
    }
  }
}
