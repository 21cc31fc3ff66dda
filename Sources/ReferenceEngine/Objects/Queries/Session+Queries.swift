// What queries ask of a session and of the floors below it.

extension Session {
  /// The rows of a class at the version, or in the write, that is shown; nil while the class has no
  /// table.
  func rows(of table: BoundClass) -> RowTree? { table.number.flatMap { store.rows(of: $0) } }

  /// The rows whose indexed property equals a value; nil if the property has no index.
  ///
  /// - Parameter most: how many are wanted, in the order of the index.
  func keys(
    of bound: BoundClass, where property: Property, equals value: StoredValue,
    atMost most: Int = .max
  ) -> [Int64]? {
    guard let table = bound.number, let column = bound.column(named: property.name) else {
      return nil
    }
    let value = value.converted(for: property.type)
    if column.isRowKey {
      guard case .int(let key) = value else { return value == .null ? [] : nil }
      return store.locate(key, of: table) == nil ? [] : [key]
    }
    guard column.isIndexed, column.type.isFoundByWord(value) else { return nil }
    var keys: [Int64] = []
    store.forEachKey(of: table, where: column, equals: value) {
      keys.append($0)
      return keys.count < most
    }
    return keys
  }

  /// An object constant as the row it is; one that is in no realm, or in another, equals no row.
  func stored(_ value: StoredValue) -> StoredValue {
    guard let object = value.object else { return value }
    let header = object._header
    guard let owner = header.pointee.session, owner.coordinator === coordinator,
      let table = header.pointee.table?.number
    else { return value }
    // Whoever has its key now is another one.
    if owner === self || owner.isFrozen, !owner.isThere(header) { return value }
    return .link(RowLink(table: table, key: header.pointee.key))
  }
}

extension PropertyType {
  /// Whether an index finds the value under the same word as the column's own values: of the same
  /// kind, and not NaN.
  fileprivate func isFoundByWord(_ value: StoredValue) -> Bool {
    switch (self, value) {
    case (.int, .int), (.bool, .bool), (.string, .string), (.data, .data), (.date, .date),
      (.objectId, .objectId), (.UUID, .uuid), (_, .null):
      true
    default: false
    }
  }
}

extension ManagedCollection {
  /// What the members are.
  var elementType: PropertyType {
    property.type == .linkingObjects ? .object : property.type
  }

  /// The class of the members; nil where they are values.
  var elementClass: BoundClass? {
    session.linkedClass(of: table.layout.fields[table.field(ofColumn: column)])
  }

  /// The values of a list, a set or a map, or the objects that link here.
  func members() -> [StoredValue] {
    if property.type == .linkingObjects { return linkers().rows.map { .link($0) } }
    return shape == .map ? allEntries().map(\.value) : allValues()
  }
}
