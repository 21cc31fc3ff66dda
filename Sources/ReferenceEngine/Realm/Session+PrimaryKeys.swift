// A whole number as primary key is its row's key. A migration may give it to rows that have others,
// or change it: then the rows move, and all links with them.

extension Session {
  /// Makes primary keys true again after a migration. Throws if two objects of a class have the
  /// same.
  func settlePrimaryKeys() throws {
    var moved: [Int: [Int64: Int64]] = [:]
    for (number, table) in stored.tables.enumerated() where !table.isDropped {
      let column = table.columns.first { !$0.isDropped && $0.isPrimaryKey }
      var moves = try column.map { try movesToPrimaryKeys(number, table, $0) } ?? [:]
      if column?.isRowKey != true { moves = movesFromTheEnd(of: number) }
      if !moves.isEmpty {
        moveRows(moves, of: number)
        moved[number] = moves
      }
      store.followLastKey(of: number)
    }
    if !moved.isEmpty { redirectMixedLinks(moved) }
    contentChanged()
  }

  /// The rows of a table whose keys are not what their values ask for, and where they belong.
  private func movesToPrimaryKeys(
    _ number: Int, _ table: StoredTable, _ column: StoredColumn
  ) throws -> [Int64: Int64] {
    var moves: [Int64: Int64] = [:]
    var known: Set<DistinctValue> = []
    for key in store.allKeys(of: number) {
      let value = store.value(key, column, of: number) ?? .null
      guard known.insert(DistinctValue(value)).inserted else {
        throw Realm.Error(
          .fail,
          "Primary key property '\(table.name).\(column.name)' has duplicate values after "
            + "migration.",
          configuration.path)
      }
      if column.isRowKey, case .int(let wanted) = value, wanted != key { moves[key] = wanted }
    }
    return moves
  }

  /// Where the greatest keys of a table go that had a whole number as primary key and gives keys by
  /// itself from now on: behind all others, so that there are keys behind them.
  private func movesFromTheEnd(of number: Int) -> [Int64: Int64] {
    let keys = store.lastKeys(of: number)
    if keys.isEmpty { return [:] }
    let others = store.count(of: number) - keys.count
    let last = others == 0 ? nil : store.key(at: others - 1, of: number)
    let moves = zip(keys, max(0, (last ?? -1) + 1)...).filter { $0.0 != $0.1 }
    return Dictionary(uniqueKeysWithValues: moves)
  }

  /// Moves rows to new keys. What stands in the way of a row moves first; of a circle one steps
  /// aside.
  private func moveRows(_ moves: [Int64: Int64], of number: Int) {
    var left = moves
    for start in moves.keys.sorted() where left[start] != nil {
      var chain = [start]
      var end = moves[start] ?? start
      while end != start, let next = left[end] {
        chain.append(end)
        end = next
      }
      if end == start {
        var aside: Int64 = 0
        while store.locate(aside, of: number) != nil { aside += 1 }
        moveRow(start, to: aside, of: number)
        left[aside] = left.removeValue(forKey: start)
        chain[0] = aside
      }
      for key in chain.reversed() {
        if let target = left.removeValue(forKey: key) { moveRow(key, to: target, of: number) }
      }
    }
  }

  private func moveRow(_ key: Int64, to new: Int64, of number: Int) {
    let columns = stored.tables[number].columns
    for (source, column) in store.linkingColumns(to: number, in: stored) {
      for linker in store.backlinks(to: RowLink(table: number, key: key), from: source, column) {
        redirect(RowLink(table: source, key: linker), column, from: key, to: new)
      }
    }
    _ = store.insertRow(new, of: number)
    for column in columns where !column.isDropped {
      if column.type == .object || column.type == .any {
        let targets = links(from: RowLink(table: number, key: key), column)
        for target in Set(targets) {
          store.removeBacklink(column, of: number, from: key, to: target)
        }
        for target in targets { store.addBacklink(column, of: number, from: new, to: target) }
      }
      if column.shape == .single {
        store.set(store.value(key, column, of: number) ?? .null, new, column, of: number)
      } else {
        store.moveCollection(key, to: new, column, of: number)
      }
    }
    store.removeRow(key, of: number, ties(of: number))
  }

  /// Makes the links of a row's column that lead to one key lead to another.
  private func redirect(_ row: RowLink, _ column: StoredColumn, from old: Int64, to new: Int64) {
    func positions() -> [Int] {
      store.elements(row.key, column, of: row.table).positions(of: .int(old))
    }
    let isRepeated = column.mayRepeat && positions().count > 1
    switch column.shape {
    case .single:
      store.set(.link(RowLink(table: -1, key: new)), row.key, column, of: row.table)
    case .list:
      let places = positions()
      store.changeElements(row.key, column, of: row.table) { list in
        for place in places { list.set(.int(new), at: place) }
      }
    case .set:
      let places = positions()
      store.changeElements(row.key, column, of: row.table) { list in
        for place in places { list.remove(at: place) }
      }
      let tree = store.elements(row.key, column, of: row.table)
      let place = ManagedCollection.place(of: .int(new), in: tree).0
      store.changeElements(row.key, column, of: row.table) { $0.insert(.int(new), at: place) }
    case .map:
      let places = positions()
      store.changeEntries(row.key, column, of: row.table) { _, values in
        for place in places { values.set(.int(new), at: place) }
      }
    }
    // Columns that link to one table: whose number it is makes no difference.
    store.removeBacklink(column, of: row.table, from: row.key, to: RowLink(table: 0, key: old))
    store.addBacklink(column, of: row.table, from: row.key, to: RowLink(table: 0, key: new))
    if isRepeated {
      store.setRepeated(
        true, column, of: row.table, from: row.key, to: RowLink(table: 0, key: new))
    }
  }

  /// Makes links in mixed values lead to the rows' new keys.
  private func redirectMixedLinks(_ moved: [Int: [Int64: Int64]]) {
    func redirected(_ value: StoredValue) -> StoredValue? {
      guard value.links.contains(where: { moved[$0.table]?[$0.key] != nil }) else { return nil }
      return value.replacingSingles { single in
        guard case .link(let link) = single, let new = moved[link.table]?[link.key] else {
          return single
        }
        return .link(RowLink(table: link.table, key: new))
      }
    }
    for (number, table) in stored.tables.enumerated() where !table.isDropped {
      for column in table.columns where !column.isDropped && column.type == .any {
        for key in store.allKeys(of: number) {
          let row = RowLink(table: number, key: key)
          let values =
            column.shape == .single
            ? [store.value(key, column, of: number) ?? .null] : elements(of: row, column)
          if !values.contains(where: { redirected($0) != nil }) { continue }
          let new = values.map { redirected($0) ?? $0 }
          if column.shape == .single {
            store.set(new[0], key, column, of: number)
          } else {
            rewrite(new.map(column.cell), of: row, column)
          }
          // All go before any comes: one's new key may be another's old one.
          for link in Set(values.flatMap(\.links)) {
            store.removeBacklink(column, of: number, from: key, to: link)
          }
          for link in Set(new.flatMap(\.links)) {
            store.addBacklink(column, of: number, from: key, to: link)
          }
        }
      }
    }
  }

  private func rewrite(_ cells: [Cell], of row: RowLink, _ column: StoredColumn) {
    switch column.shape {
    case .single: break
    case .list, .set:
      let cells = column.shape == .set ? cells.sorted { $0.isBelow($1) } : cells
      store.changeElements(row.key, column, of: row.table) { list in
        list.removeAll()
        for cell in cells { list.append(cell) }
      }
    case .map:
      store.changeEntries(row.key, column, of: row.table) { _, values in
        for (place, cell) in cells.enumerated() { values.set(cell, at: place) }
      }
    }
  }
}
