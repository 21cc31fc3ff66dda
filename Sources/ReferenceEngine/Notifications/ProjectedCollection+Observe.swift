import Dispatch

extension ProjectedCollection {
  /// Calls a block when members come or go or what is shown of them is set, as
  /// `RealmCollection.observe` does.
  public func observe(
    on queue: DispatchQueue? = nil,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
  ) -> NotificationToken {
    members.observe(on: queue, block)
  }

  /// As `observe(on:)`, on an actor: in force when it returns, and called on the actor's executor.
  public func observe<A: Actor>(
    on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
  ) async -> NotificationToken {
    await members.observe(on: actor, isolation: _isolation, block)
  }
}
