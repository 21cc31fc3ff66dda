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

  /// The same, where the row is now: writing another property may have added objects, and rows have
  /// moved.
  var current: _Cell {
    header.pointee.generation == session.generation ? self : _Cell(_recheck(header), column)
  }

  /// The property as its class declares it.
  var property: Property { table.property(ofColumn: column) }

  /// The collection that lies here.
  var collection: ManagedCollection {
    ManagedCollection(session: session, table: table, key: header.pointee.key, column: column)
  }

  /// The collection that lies here, to be written: stops whoever has an object that is gone.
  var writtenCollection: ManagedCollection {
    session.verify(at: .writeCollection)
    if header.pointee.generation != session.generation, !session.isThere(header) {
      refuse(.invalidated, at: .writeCollection)
    }
    return collection
  }

  /// The value; the property's default while the file has no column for it.
  @usableFromInline @inline(never)
  func load() -> _Stored {
    let (session, table) = (self.session, self.table)
    guard let stored = table.column(column) else { return _Stored(property.missing, session) }
    return _Stored(session.resolved(stored.value(place, space), stored), session)
  }

  /// Writes the value: of an object that may be read here, in a write.
  func store(_ stored: _Stored, adopting: Bool = false) {
    let session = self.session
    session.verifyWriting(header)
    session.store(stored.value, header.pointee.key, of: table, column: column, adopting: adopting)
  }
}

extension Property {
  /// What a property is read as before the file has a column for it.
  var missing: StoredValue {
    if isOptional { return .null }
    switch type {
    case .int: return .int(0)
    case .bool: return .bool(false)
    case .float: return .float(0)
    case .double: return .double(0)
    case .string: return .string("")
    case .data: return .data(.init())
    case .date: return .date(.init(timeIntervalSince1970: 0))
    case .objectId: return .objectId(ObjectId())
    case .UUID: return .uuid(.init(fixed: nil))
    case .decimal128: return .decimal(Decimal128())
    case .object, .linkingObjects, .any: return .null
    }
  }
}
