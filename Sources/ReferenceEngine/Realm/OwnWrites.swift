/// The writes of one session, numbered: which one runs, and what cancelled ones had added.
struct OwnWrites {
  /// The running write's number, 0 outside writes.
  private(set) var running: UInt32 = 0
  private var count: UInt32 = 0
  /// The rows that cancelled writes had added: their accessors stay invalid though the key may be
  /// given again.
  private var undone: [UInt32: Set<RowLink>] = [:]
  /// What sealed writes have added that are on their way to the disk, oldest first.
  private var sealed: [(write: UInt32, added: [RowChange])] = []

  mutating func begin() {
    count += 1
    running = count
  }

  mutating func end() { running = 0 }

  /// Notes that the running write has come to nothing.
  mutating func undo(_ changes: ChangeRecorder) { undo(running, added(by: changes)) }

  private func added(by changes: ChangeRecorder) -> [RowChange] {
    changes.changes.filter { $0.kind == .inserted || $0.kind == .replaced }
  }

  private mutating func undo(_ write: UInt32, _ added: [RowChange]) {
    var rows: Set<RowLink> = []
    for change in added {
      for offset in 0..<Int64(change.count) {
        rows.insert(RowLink(table: Int(change.table), key: change.key + offset))
      }
    }
    if !rows.isEmpty { undone[write] = rows }
  }

  /// Notes that the running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ changes: ChangeRecorder) { sealed.append((running, added(by: changes))) }

  /// The oldest of the sealed writes, or all, are on the disk, or lost.
  ///
  /// - Returns: the last of them.
  mutating func endSealed(_ count: Int?, areLost: Bool) -> UInt32? {
    let ended = sealed.prefix(count ?? sealed.count)
    sealed.removeFirst(ended.count)
    if areLost { for one in ended { undo(one.write, one.added) } }
    return ended.last?.write
  }

  /// Whether a row was added by a write that was cancelled, as seen by an accessor made in write
  /// `birth`.
  @inline(__always)
  func haveUndone(_ key: Int64, of table: BoundClass, since birth: UInt32) -> Bool {
    if _fastPath(birth == 0 || undone.isEmpty) { return false }
    guard let rows = undone[birth], let number = table.table else { return false }
    return rows.contains(RowLink(table: number, key: key))
  }
}
