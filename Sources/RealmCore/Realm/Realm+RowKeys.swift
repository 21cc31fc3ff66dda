// Rows by realm-core's own keys, which RealmSwift shows nobody, and the benchmarks ask every engine
// for.

extension Realm {
  /// The object of the row with that internal key, if it is there.
  package func object<E: Object>(ofType type: E.Type, forRowKey key: Int64) -> E? {
    session.verify()
    let bound = session.bound(type)
    guard let row = core.realm_get_object(session.handle, bound.key, key) else { return nil }
    return unsafeDowncast(session.accessor(row, bound), to: type)
  }
}

extension ObjectBase {
  /// The internal key of the object's row; nil for an object that is not in a realm.
  package var rowKey: Int64? { handle.map { core.realm_object_get_key($0) } }
}
