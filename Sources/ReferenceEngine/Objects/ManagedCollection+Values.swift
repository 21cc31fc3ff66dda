// Reading a managed collection, in stored values.

extension ManagedCollection {
  /// The column, once the file has one.
  var stored: StoredColumn? { table.column(column) }

  /// Where a collection's elements are. Each verb asks once, and says for every place what it does.
  enum Elements {
    /// In trees of the row's own: of a column, in a table.
    case inTrees(StoredColumn, Int)
    /// In a mixed value, with the collection itself.
    case inValue(NestedValue)
    /// The file has no column yet.
    case nowhere
  }

  /// Where the elements are in the state that the session shows.
  @inline(__always)
  var elements: Elements {
    if nested != nil { return content.map(Elements.inValue) ?? .nowhere }
    guard let stored, let number = table.number else { return .nowhere }
    return .inTrees(stored, number)
  }

  private func resolved(_ value: StoredValue, _ column: StoredColumn) -> StoredValue {
    column.type == .any ? placed(value) : session.resolved(value, column)
  }

  var count: Int {
    verifyRead()
    if property.type == .linkingObjects { return linkers().keys.count }
    return switch elements {
    case .inTrees(let stored, let number): session.store.elements(key, stored, of: number).count
    case .inValue(let content): content.elements.count
    case .nowhere: 0
    }
  }

  /// The element at a position, after looking whether there is one.
  func checkedElement(at position: Int) -> _Stored {
    verifyRead()
    switch elements {
    case .inTrees(let stored, let number):
      let tree = session.store.elements(key, stored, of: number)
      checkIndex(position, below: tree.count)
      let (column, index) = tree.place(at: position)
      let value = stored.value(column, index, session.store.space)
      return _Stored(resolved(value, stored), session)
    case .inValue(let content):
      checkIndex(position, below: content.elements.count)
      return _Stored(placed(content.elements[position]), session)
    case .nowhere: refuse(.outOfBounds(position, count: 0))
    }
  }

  /// All elements, of a map its values.
  func allValues() -> [StoredValue] {
    verifyRead()
    return values()
  }

  /// The same, where it is known that the collection may be read.
  func values() -> [StoredValue] {
    switch elements {
    case .inTrees(let stored, let number):
      let values = session.values(session.store.elements(key, stored, of: number), stored)
      return stored.type == .any ? values.map(placed) : values
    case .inValue(let content): return content.elements.map(placed)
    case .nowhere: return []
    }
  }

  /// All entries of a map, by key.
  func allEntries() -> [(key: StoredValue, value: StoredValue)] {
    verifyRead()
    switch elements {
    case .inTrees(let stored, let number):
      let keys = session.strings(session.store.keys(key, stored, of: number))
      return Array(zip(keys.map { StoredValue.string($0) }, values()))
    case .inValue(let content):
      return zip(content.keys ?? [], content.elements).map { (.string($0), placed($1)) }
    case .nowhere: return []
    }
  }

  /// The first position of a value; for an object, of its row.
  func index(of value: StoredValue) -> Int? {
    verifyRead()
    guard let wanted = linkOrSelf(value) else { return nil }
    switch elements {
    case .inTrees(let stored, let number) where stored.shape == .set:
      let (position, isThere) = placeOfMember(stored.cell(wanted), stored, number)
      return isThere ? position : placeOfEqualNumber(wanted, stored, number)
    case .inTrees(let stored, let number) where stored.isComparedByBytes:
      return session.store.elements(key, stored, of: number).position(of: stored.cell(wanted))
    case .inTrees(let stored, _) where stored.type != .any: return values().firstIndex(of: wanted)
    // Among mixed values NaN is itself, and two spellings are two texts.
    case .inTrees, .inValue:
      let distinct = DistinctValue(wanted)
      return values().firstIndex { DistinctValue($0) == distinct }
    case .nowhere: return nil
    }
  }

  /// A value as it is looked for: an object by its row, which the session has to know; anything
  /// else as itself.
  private func linkOrSelf(_ value: StoredValue) -> StoredValue? {
    guard let object = value.object else { return value }
    guard object._header.pointee.session === session,
      let number = object._header.pointee.table?.number, session.isThere(object._header)
    else { return nil }
    return .link(RowLink(table: number, key: object._header.pointee.key))
  }

  /// A map's value for a key.
  func value(forKey name: StoredValue) -> StoredValue? {
    verifyRead()
    switch elements {
    case .inTrees(let stored, let number):
      let (position, isThere) = placeOfKey(name, stored, number)
      guard isThere else { return nil }
      let (column, index) = session.store.elements(key, stored, of: number).place(at: position)
      return resolved(stored.value(column, index, session.store.space), stored)
    case .inValue(let content):
      guard case .string(let name) = name else { return nil }
      return content.value(for: name).map(placed)
    case .nowhere: return nil
    }
  }

  // MARK: - Order of sets and maps

  /// Where a value stands, or would, among the ascending ones of a set.
  func placeOfMember(_ cell: Cell, _ stored: StoredColumn, _ number: Int) -> (Int, Bool) {
    ManagedCollection.place(of: cell, in: session.store.elements(key, stored, of: number))
  }

  /// Where a number of the same value stands in a set of mixed values, which has it once. The value
  /// itself is not there.
  ///
  /// They are looked for in each of their forms: the order of the set is that of the bytes.
  func placeOfEqualNumber(_ value: StoredValue, _ stored: StoredColumn, _ number: Int) -> Int? {
    guard stored.type == .any, let decimal = value.equalDecimal else { return nil }
    let tree = session.store.elements(key, stored, of: number)
    func place(of value: StoredValue) -> Int? {
      let (position, isThere) = ManagedCollection.place(of: stored.cell(value), in: tree)
      return isThere ? position : nil
    }
    for number in value.equalBinaryNumbers {
      if let found = place(of: number) { return found }
    }
    let tag = StoredValue.tagOfDecimals
    let first = ManagedCollection.place(of: .bytes([tag]), in: tree).0
    let decimals = (first..<tree.count).lazy.prefix {
      if case .bytes(let bytes) = tree.cell($0) { bytes.first == tag } else { false }
    }
    if decimals.isEmpty { return nil }
    if let spellings = decimal.spellings {
      return spellings.lazy.compactMap { place(of: .decimal($0)) }.first
    }
    let wanted = stored.cell(.decimal(decimal))
    return decimals.first { position in
      let cell = tree.cell(position)
      if cell == wanted { return true }
      guard case .bytes(let bytes) = cell,
        case .decimal(let member)? = bytes.withUnsafeBytes({ StoredValue(tagged: $0) })
      else { return false }
      return member == decimal
    }
  }

  func placeOfKey(_ name: StoredValue, _ stored: StoredColumn, _ number: Int) -> (Int, Bool) {
    guard case .string(let name) = name else { return (0, false) }
    return ManagedCollection.place(
      of: .bytes(Array(name.utf8)), in: session.store.keys(key, stored, of: number))
  }

  static func place(of cell: Cell, in tree: ListTree) -> (Int, Bool) {
    var (low, high) = (0, tree.count)
    while low < high {
      let middle = (low + high) / 2
      if tree.cell(middle).isBelow(cell) { low = middle + 1 } else { high = middle }
    }
    return (low, low < tree.count && tree.cell(low) == cell)
  }
}

extension Session {
  /// The values of a collection's tree.
  func values(_ tree: ListTree, _ stored: StoredColumn) -> [StoredValue] {
    var found: [StoredValue] = []
    tree.forEachColumn { column, _ in
      for index in 0..<column.count {
        found.append(resolved(stored.value(column, index, store.space), stored))
      }
      return true
    }
    return found
  }

  func strings(_ tree: ListTree) -> [String] {
    var found: [String] = []
    tree.forEachColumn { column, _ in
      for index in 0..<column.count {
        found.append(SmallString.make(column.bytes(index, in: store.space)))
      }
      return true
    }
    return found
  }

  /// The elements of a row's collection.
  func elements(of row: RowLink, _ column: StoredColumn) -> [StoredValue] {
    values(store.elements(row.key, column, of: row.table), column)
  }
}

extension Cell {
  /// The order of a set's values and of a map's keys.
  func isBelow(_ other: Cell) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.int(let one), .int(let two)): one < two
    case (.bytes(let one), .bytes(let two)), (.fixed(let one), .fixed(let two)):
      one.lexicographicallyPrecedes(two)
    default: false
    }
  }
}
