// Values from one store into another: what migrations and copies of a file are made of.

extension Store {
  /// Copies a row's value, or its collection, into another column. What was null is the default
  /// where null may not be.
  func copyValue(
    _ key: Int64, of number: Int, _ source: StoredColumn, from other: Store, to target: Int64,
    of targetNumber: Int, _ column: StoredColumn
  ) {
    switch column.shape {
    case .single:
      let value = other.value(key, source, of: number) ?? .null
      set(column.filled(value), target, column, of: targetNumber)
      addBacklinks([value], target, column, of: targetNumber)
    case .list, .set:
      let values = other.values(key, source, of: number)
      if values.isEmpty { return }
      var cells = values.map { column.cell(column.filled($0)) }
      if column.shape == .set, values.first == .null, cells[0] != .null {
        // Nulls stand in front of a set's members; the default may stand elsewhere among them, and
        // be there already.
        let filled = cells.removeFirst()
        let place = cells.firstIndex { !$0.isBelow(filled) } ?? cells.count
        if place == cells.count || cells[place] != filled { cells.insert(filled, at: place) }
      }
      changeElements(target, column, of: targetNumber) { list in
        for cell in cells { list.append(cell) }
      }
      addBacklinks(values, target, column, of: targetNumber)
    case .map:
      let values = other.values(key, source, of: number)
      if values.isEmpty { return }
      let tree = other.keys(key, source, of: number)
      changeEntries(target, column, of: targetNumber) { keys, entries in
        for (index, value) in values.enumerated() {
          keys.append(tree.cell(index))
          entries.append(column.cell(column.filled(value)))
        }
      }
      addBacklinks(values, target, column, of: targetNumber)
    }
  }

  private func addBacklinks(
    _ values: [StoredValue], _ key: Int64, _ column: StoredColumn, of number: Int
  ) {
    for value in values {
      for link in value.links { addBacklink(column, of: number, from: key, to: link) }
    }
  }

  private func values(_ key: Int64, _ column: StoredColumn, of number: Int) -> [StoredValue] {
    var found: [StoredValue] = []
    elements(key, column, of: number).forEachColumn { values, _ in
      for index in 0..<values.count { found.append(column.value(values, index, space)) }
      return true
    }
    return found
  }

  /// Writes all tables and rows of another store into this empty one.
  func fill(from other: Store, _ schema: StoredSchema) {
    setSchema(schema.bytes)
    for (number, table) in schema.tables.enumerated() {
      makeTable(number)
      for column in table.columns { makeColumn(column, of: number) }
    }
    for (number, table) in schema.tables.enumerated() where !table.isDropped {
      for key in other.allKeys(of: number) {
        _ = insertRow(key, of: number)
        for column in table.columns where !column.isDropped {
          copyValue(key, of: number, column, from: other, to: key, of: number, column)
        }
      }
    }
  }
}

extension StoredColumn {
  /// What the column has for a value of one that may have had null.
  fileprivate func filled(_ value: StoredValue) -> StoredValue {
    value == .null && !isOptional && type != .object ? property.missing : value
  }
}
