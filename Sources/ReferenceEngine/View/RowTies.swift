/// What has to be seen to when rows of a table go: worked out once for a schema, because deleting
/// asks it of each row. A class, so that nothing of it is counted but itself.
final class RowTies {
  /// The table's columns that link to rows.
  let links: [StoredColumn]
  /// Columns, of any table, that may link to rows of this one.
  let linking: [(table: Int, column: StoredColumn)]
  /// The table's columns that are collections, each a small tree of a row's own.
  let collections: [StoredColumn]
  /// The table's columns that have an index of their own.
  let indexed: [StoredColumn]
  /// Whether a later row may come under a key of one that is gone.
  let givesKeysAgain: Bool
  /// Whether a row goes without anything else but its entries in indexes.
  let isAlone: Bool

  init(of number: Int, in schema: StoredSchema, _ store: Store) {
    let columns = schema.tables[number].columns.filter { !$0.isDropped }
    links = columns.filter { $0.type == .object || $0.type == .any }
    linking =
      (store.linkingColumns(to: number, in: schema) + store.mixedColumns(in: schema))
      .map { (table: $0.0, column: $0.1) }
    collections = columns.filter { $0.shape != .single }
    indexed = columns.filter { $0.shape == .single && $0.isIndexed && !$0.isRowKey }
    givesKeysAgain = columns.contains(where: \.isRowKey)
    isAlone = links.isEmpty && linking.isEmpty && collections.isEmpty
  }
}
