/// The writes of one session, numbered: which one runs, and what cancelled ones had added.
struct OwnWrites {
  /// The running write's number, 0 outside writes.
  private(set) var running: UInt32 = 0
  private var count: UInt32 = 0
  /// The rows that cancelled writes had added: their accessors stay invalid though the key may be given again.
  private var undone: [UInt32: Set<RowLink>] = [:]

  mutating func begin() {
    count += 1
    running = count
  }

  mutating func end() { running = 0 }

  /// Notes that the running write has come to nothing.
  mutating func undo(_ changes: ChangeRecorder) {
    var rows: Set<RowLink> = []
    for change in changes.changes where change.kind == .inserted || change.kind == .replaced {
      for offset in 0..<Int64(change.count) {
        rows.insert(RowLink(table: Int(change.table), key: change.key + offset))
      }
    }
    if !rows.isEmpty { undone[running] = rows }
  }

  /// Whether a row was added by a write that was cancelled, as seen by an accessor made in write `birth`.
  @inline(__always)
  func haveUndone(_ key: Int64, of table: BoundClass, since birth: UInt32) -> Bool {
    if _fastPath(birth == 0 || undone.isEmpty) { return false }
    guard let rows = undone[birth], let number = table.table else { return false }
    return rows.contains(RowLink(table: number, key: key))
  }
}
