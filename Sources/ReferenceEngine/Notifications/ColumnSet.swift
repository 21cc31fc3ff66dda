/// Columns of a table: what was written of a row.
struct ColumnSet: Hashable {
  /// As `RowChange.columns`: the bit that many columns share says that nobody knows which of them.
  private var near: UInt64 = 0
  /// Those of them that are known.
  private var further: Set<Int> = []

  init() {}

  private init(near: UInt64) { self.near = near }

  /// All that there can be.
  static let all = ColumnSet(near: .max)

  func contains(_ column: Int) -> Bool {
    near & RowChange.bit(of: column) != 0 || further.contains(column)
  }

  mutating func insert(_ column: Int) {
    if column < RowChange.firstShared {
      near |= RowChange.bit(of: column)
    } else {
      further.insert(column)
    }
  }

  fileprivate mutating func insert(ownOf change: RowChange) {
    near |= change.columns & ~RowChange.shared
  }

  fileprivate mutating func insert(sharedOf change: RowChange) {
    if change.block == 0 { near |= RowChange.shared } else { further.formUnion(change.named) }
  }
}

extension ChangeSet {
  /// The columns that were written of a row; nil if it was not modified, or is not the same row.
  func columns(of row: RowLink) -> ColumnSet? {
    guard let change = change(of: row), change.kind == .modified else { return nil }
    return columns(of: row, in: change)
  }

  /// The same of a row whose run of changes is known.
  private func columns(of row: RowLink, in change: RowChange) -> ColumnSet {
    var columns = ColumnSet()
    columns.insert(ownOf: change)
    guard change.columns & RowChange.shared != 0 else { return columns }
    for block in shared[UInt32(row.table)] ?? [] {
      if let run = block.run(with: row.key) { columns.insert(sharedOf: run) }
    }
    return columns
  }

  /// The rows of a run of modified ones of which a column was written.
  func rows(of change: RowChange, modifiedIn column: Int) -> [RowLink] {
    if change.columns & RowChange.bit(of: column) == 0 { return [] }
    let rows = change.keys.map { RowLink(table: Int(change.table), key: $0) }
    if column < RowChange.firstShared { return rows }
    return rows.filter { columns(of: $0, in: change).contains(column) }
  }
}
