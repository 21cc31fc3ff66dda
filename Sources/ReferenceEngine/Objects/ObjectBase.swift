import CShims

/// What everything with properties in a realm is: top-level, embedded and dynamic objects.
open class ObjectBase {
  // The first stored property lies at offset 16; `_header` relies on it, and a test looks.
  @usableFromInline final var header: HeaderWords

  // Inlinable, so that making an object writes zeros and calls nothing.
  @inlinable public required init() { header = HeaderWords() }

  deinit {
    if _slowPath(_header.pointee.session == nil) { Remains.take(from: self) }
    _header.deinitialize(count: 1)
  }

  /// The header through a raw pointer: no exclusivity check, no retain.
  @inlinable @inline(__always)
  final var _header: UnsafeMutablePointer<ObjectHeader> {
    (Unmanaged.passUnretained(self).toOpaque() + 16).assumingMemoryBound(to: ObjectHeader.self)
  }

  /// The header, after making sure that the object may be used here and that its place is that of
  /// the version the realm is on. Only of a managed object.
  @inlinable @inline(__always)
  final func _checked() -> UnsafeMutablePointer<ObjectHeader> {
    let own = _header
    return _slowPath(rb_object_is_doubtful(own)) ? _recheck(own) : own
  }

  /// The class's name in the schema.
  // As `String(describing:)` says it, which asks a dozen protocols first.
  public static func className() -> String {
    _realmObjectName() ?? _typeName(self, qualified: false)
  }

  /// The class's name in the schema where it is not the one in Swift.
  open class func _realmObjectName() -> String? { nil }

  /// Names in the file that differ from those in Swift.
  open class func propertiesMapping() -> [String: String] { [:] }
  open class func primaryKey() -> String? { nil }
  open class func ignoredProperties() -> [String] { [] }
  open class func indexedProperties() -> [String] { [] }

  /// Whether realms whose configuration names no classes know this one before it is used.
  open class func shouldIncludeInDefaultSchema() -> Bool { true }
  open class func _realmIgnoreClass() -> Bool { false }
}

/// The part of a check that is rarely needed: asks the scheduler, finds the row again.
///
/// Declared to be read-only although it remembers the place in the header: it writes the same words
/// whenever it is called, through raw pointers, and the getters around it then need no retain.
@_effects(readonly) @inline(never) @usableFromInline
func _recheck(_ header: UnsafeMutablePointer<ObjectHeader>) -> UnsafeMutablePointer<ObjectHeader> {
  // The usual case of a queue's or an actor's object, without touching a reference count, and apart
  // from the rest, whose many registers would have to be saved for it.
  let hot = header.pointee.hot.unsafelyUnwrapped
  if header.pointee.generation == hot.pointee.generation {
    if hot.pointee.sign.isHere { return header }
    // Another session of the thread has moved on.
    if let clock = hot.pointee.clock, UInt(rb_token_get()) == hot.pointee.token {
      header.pointee.instant = clock.pointee
      return header
    }
  }
  return recheckSlowly(header)
}

@_effects(readonly) @inline(never)
private func recheckSlowly(
  _ header: UnsafeMutablePointer<ObjectHeader>
) -> UnsafeMutablePointer<ObjectHeader> {
  guard let session = header.pointee.session.map(Unmanaged.passUnretained),
    let table = header.pointee.table.map(Unmanaged.passUnretained)
  else { refuse(.invalidated) }
  // Neither is counted, nor are the trees: the object keeps the session, and that all else. A loop
  // that changes something at each turn comes here at each turn.
  return session._withUnsafeGuaranteedRef { session in
    session.verify(at: .readProperty)
    if header.pointee.generation == session.generation { return header }
    let key = header.pointee.key
    let place: RowPlace? = table._withUnsafeGuaranteedRef { table in
      guard header.pointee.epoch == session.epoch,
        !session.writes.haveTakenBack(key, of: table, since: header.pointee.birth),
        !session.departures.have(key, of: table, after: header.pointee.generation),
        let number = table.number
      else { return nil }
      return Unmanaged.passUnretained(session.store)._withUnsafeGuaranteedRef {
        $0.locate(key, of: number)
      }
    }
    guard let place else { refuse(.invalidated) }
    ObjectHeader.notePlace(header, key, place)
    return header
  }
}
