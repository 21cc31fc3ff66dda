// The tables and columns of a write: made, filled and dropped.

extension Store {
  /// The bytes of the stored schema.
  var schemaBytes: [UInt8] { trees?.schema ?? Array(top.schema) }

  var tableCount: Int { trees?.tableCount ?? top.tableCount }

  /// The node of a version's schema; another one if the schema is another one.
  var schemaRef: NodeRef { top.schemaRef }

  func setSchema(_ bytes: [UInt8]) { trees?.setSchema(bytes) }

  func makeTable(_ number: Int) {
    guard let trees else { return }
    let made = trees.addTable([])
    invariant(made.index == number, "table \(number) got number \(made.index)")
  }

  func makeColumn(_ column: StoredColumn, of number: Int) {
    guard let table = writer(number) else { return }
    // The row that was opened last has no room for it.
    forgetOpened()
    let made = table.addColumn(column.physical)
    invariant(made == column.number, "column \(column.number) got number \(made)")
    fillNew(column, table, number)
    if column.isIndexed { setIndexed(true, column, of: number) }
  }

  /// Gives a column that was added to rows that are there its default where zeros are not one.
  private func fillNew(_ column: StoredColumn, _ table: TableWriter, _ number: Int) {
    guard column.shape == .single, table.count > 0 else { return }
    switch column.property.missing {
    case .date, .decimal:
      for key in allKeys(of: number) {
        guard let place = table.openRow(key) else { continue }
        column.set(column.property.missing, table, place)
      }
    default: break
    }
  }

  /// Lets a column go with its index, its links and its collections.
  func dropColumn(_ column: StoredColumn, of number: Int) {
    guard let table = writer(number), let trees else { return }
    for tree in [column.indexNumber, column.backlinkNumber, column.repeatNumber] {
      if let root = table.trees.removeValue(forKey: tree) { discardTree(root, arena: trees.arena) }
    }
    if column.shape != .single {
      for key in allKeys(of: number) { discardCollection(key, column, of: number) }
    }
    // Taking it out may open the row that was opened last once more.
    forgetOpened()
    table.removeColumn(column.number)
  }
}
