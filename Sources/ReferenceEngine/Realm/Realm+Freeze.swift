import Foundation

extension Realm {
  /// Whether the realm is a snapshot; may be asked anywhere.
  public var isFrozen: Bool {
    if !keeps(.isFrozenIsForEveryone) { session.verify(at: .readRealm) }
    return session.isFrozen
  }

  /// A snapshot of the realm at the version it is on, to be read on any thread.
  public func freeze() -> Realm {
    if session.isFrozen, keeps(.freezingAgainChangesNothing) { return self }
    session.verify(at: .freeze)
    if !keeps(.freezingTakesASnapshot) { return self }
    return Realm(session.frozenSession())
  }

  /// The live realm of the calling thread.
  public func thaw() -> Realm {
    session.isFrozen && keeps(.thawingComesToLife) ? Realm(session.thawedSession()) : self
  }

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
  /// The frozen session of the version this one is on; inside a write, of the version the write began with.
  func frozenSession() -> Session {
    if !keeps(.viewsShareTheirVersion) { takeSpaceForACopy() }
    if let known = lastFrozen, known.version == version, !known.isClosed,
      keeps(.oneVersionFreezesOnce)
    {
      return known
    }
    let frozen = frozenSession(at: committedSnapshot)
    if !keeps(.freezingCopiesNothing) { frozen.copyAll() }
    lastFrozen = frozen
    return frozen
  }

  /// Reads the whole version into memory of its own.
  private func copyAll() {
    guard let root else { return }
    attachments[ObjectIdentifier(NSData.self)] = NSData(
      bytes: coordinator.space.base, length: Int(root.end))
  }

  /// Makes the file as much larger as the smallest copy of anything in it would.
  private func takeSpaceForACopy() {
    let disk = coordinator.disk
    guard let size = try? disk.size() else { return }
    try? disk.grow(from: size, to: size + UInt64(FreePage.bytes))
  }

  /// The session of the calling thread for the same configuration.
  func thawedSession() -> Session {
    do {
      let live = try Session.openHere(configuration, of: coordinator)
      if !keeps(.thawingRefreshesNothing) { _ = live.advance() }
      return live
    } catch {
      fatalError("a frozen realm cannot be thawed: \(error.localizedDescription)")
    }
  }
}
