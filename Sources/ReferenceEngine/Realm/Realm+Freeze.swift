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
  public func thaw() -> Realm {
    session.isFrozen ? Realm(session.thawedSession()) : self
  }
}

extension Session {
  /// The frozen session of the version this one is on; inside a write, of the version the write began with.
  func frozenSession() -> Session {
    if let known = lastFrozen, known.version == version, !known.isClosed { return known }
    let frozen = frozenSession(at: committedSnapshot)
    lastFrozen = frozen
    return frozen
  }

  /// The session of the calling thread for the same configuration.
  func thawedSession() -> Session {
    do {
      return try Session.openHere(configuration)
    } catch {
      fatalError("a frozen realm cannot be thawed: \(error.localizedDescription)")
    }
  }
}
