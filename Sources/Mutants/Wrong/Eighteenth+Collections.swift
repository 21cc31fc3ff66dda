#if Mutants
@_private(sourceFile: "ManagedCollection+Changing.swift") import ReferenceEngine
@_private(sourceFile: "Store+Backlinks.swift") import ReferenceEngine
@_private(sourceFile: "Store+Schema.swift") import ReferenceEngine

// The eighteenth set: collections, links and values.

extension ManagedCollection {
  @_dynamicReplacement(for:count)
  var eighteenthCount: Int {
    let right = count
    return CountsOfSets.count(of: self, right)
  }

  @_dynamicReplacement(for:removeMember(_:))
  func eighteenthRemoveMember(_ value: StoredValue) {
    removeMember(value)
    CountsOfSets.forget(self)
  }

  @_dynamicReplacement(for:set(_:forKey:adopting:))
  func eighteenthSet(_ value: StoredValue, forKey name: StoredValue, adopting: Bool = false) {
    let before = breaks(.entriesLinkOnce) ? linkedEntry(name) : nil
    set(value, forKey: name, adopting: adopting)
    guard let before, linkedEntry(name) == before, let stored, let number = table.number else {
      return
    }
    session.noteLink(RowLink(table: number, key: key), stored, to: before)
  }

  /// What a map of objects has under a key.
  private func linkedEntry(_ name: StoredValue) -> RowLink? {
    guard nested == nil, property.type == .object, case .link(let link)? = value(forKey: name)
    else { return nil }
    return link
  }
}

extension Store {
  /// The rows whose map links to one: those twice that were told twice of one entry.
  func linkersOfEntries(
    to target: RowLink, from number: Int, _ column: StoredColumn
  ) -> [Int64] {
    let keys = backlinks(to: target, from: number, column)
    guard let root = repeatRoot(column, of: number) else { return keys }
    let repeats = PairTree(space: space, root: root)
    return keys.flatMap { key -> [Int64] in
      let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: key))
      guard repeats.contains(pair) else { return [key] }
      let places = elements(key, column, of: number).positions(of: column.cell(.link(target)))
      return [Int64](repeating: key, count: max(2, places.count))
    }
  }

  @_dynamicReplacement(for:fillNew(_:_:_:))
  private func eighteenthFillNew(
    _ column: StoredColumn, _ table: TableWriter, _ number: Int
  ) {
    fillNew(column, table, number)
    guard breaks(.newPropertiesAreNil), column.shape == .single, column.isOptional,
      let nothing = column.type.nothing
    else { return }
    for key in allKeys(of: number) {
      if let place = table.openRow(key) { column.set(nothing, table, place) }
    }
  }
}

extension PropertyType {
  /// What a property of the type has that may not be nil and was not given; nil for the rare ones.
  fileprivate var nothing: StoredValue? {
    switch self {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data(.init())
    default: nil
    }
  }
}

extension Session {
  /// The row that one whose mixed value has a collection is taken for, by the lowest bits of its
  /// key; nil if that is itself.
  func takenFor(_ row: RowLink, _ column: StoredColumn) -> RowLink? {
    guard breaks(.nestedLinksKnowTheirRow), column.type == .any, column.shape == .single,
      row.key != row.key & 0xFF, case .nested? = load(row.key, column, of: row.table)
    else { return nil }
    return RowLink(table: row.table, key: row.key & 0xFF)
  }
}

extension StoredValue {
  @_dynamicReplacement(for:links(toAnyOf:))
  func eighteenthLinks(toAnyOf rows: Set<RowLink>) -> Bool {
    guard breaks(.linksInListsInListsAreHeard), case .nested(let outer) = self else {
      return links(toAnyOf: rows)
    }
    return outer.elements.contains { element in
      if case .link(let link) = element { rows.contains(link) } else { false }
    }
  }
}
#endif
