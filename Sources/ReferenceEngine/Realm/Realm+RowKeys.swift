// Rows by their internal key: what links, references and news come down to. Not part of Realm's
// surface.

extension Realm {
  /// The object of the row with that internal key, if it is there.
  package func object<E: Object>(ofType type: E.Type, forRowKey key: Int64) -> E? {
    session.verify(at: .readRealm)
    session.read()
    let bound = session.bound(type)
    guard let table = bound.number, let spot = session.store.locateToRead(key, of: table) else {
      return nil
    }
    return unsafeDowncast(session.accessor(bound, key, spot), to: type)
  }
}

extension ObjectBase {
  /// The internal key of the object's row; nil for an object that is not in a realm.
  package var rowKey: Int64? { _header.pointee.session == nil ? nil : _header.pointee.key }
}
