extension Realm {
  /// Whether the realm is a snapshot; may be asked anywhere.
  public var isFrozen: Bool { session.isFrozen }

  /// A snapshot of the realm at the version it is on, to be read on any thread.
  public func freeze() -> Realm {
    if session.isFrozen { return self }
    session.verify(at: .freeze)
    return Realm(session.frozenSession())
  }

  /// The live realm of the calling thread.
  public func thaw() -> Realm { session.isFrozen ? Realm(session.thawedSession()) : self }

  /// A snapshot of an object of this realm.
  public func freeze<T: ObjectBase>(_ object: T) -> T { object.freeze() }

  /// The live object of a snapshot; nil if it is no longer there.
  public func thaw<T: ObjectBase>(_ object: T) -> T? { object.thaw() }

  /// A snapshot of a collection of this realm.
  public func freeze<C: RealmCollection>(_ collection: C) -> C {
    collection.freeze()
  }

  /// The live collection of a snapshot; nil if its owner is no longer there.
  public func thaw<C: RealmCollection>(_ collection: C) -> C? { collection.thaw() }
}

extension Session {
  /// The frozen session of the version this one is on; inside a write, of the version the write
  /// began with.
  func frozenSession() -> Session {
    if let known = lastFrozen, known.root?.isSame(as: root) == true, !known.isClosed {
      return known
    }
    let frozen = frozenSession(at: committedSnapshot)
    lastFrozen = frozen
    return frozen
  }

  /// The session of the calling thread for the same configuration.
  func thawedSession() -> Session {
    do {
      // By its origin: nothing of the configuration is copied.
      return try Session.openHere(origin.configuration, of: coordinator)
    } catch {
      fatalError("a frozen realm cannot be thawed: \(error.localizedDescription)")
    }
  }
}
