// The way of a property that is not on the fastest path: a value, any kind, one call.

extension _Cell {
  var session: Session {
    guard let session = header.pointee.session else { refuse(.invalidated) }
    return session
  }

  var table: BoundClass {
    guard let table = header.pointee.table else { refuse(.invalidated) }
    return table
  }

  /// The property as its class declares it.
  var property: Property { table.property(ofColumn: column) }

  /// The collection that lies here.
  var collection: ManagedCollection {
    ManagedCollection(session: session, table: table, key: header.pointee.key, column: column)
  }

  func load() -> _Stored {
    let session = self.session
    return _Stored(session.load(header.pointee.key, of: table, column: column), session)
  }

  func store(_ stored: _Stored) {
    session.store(stored.value, header.pointee.key, of: table, column: column)
  }
}
