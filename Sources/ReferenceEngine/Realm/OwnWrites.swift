/// The writes of one session, numbered: which one runs, and what cancelled ones had added.
///
/// A write has another number after each deletion of a row whose key may be given again: so an
/// accessor that it found before is told from one of the row that it added under that key.
struct OwnWrites {
  /// The numbers that a write has had, and what it deleted at which of them.
  private struct Span {
    var last: UInt32
    var gone: [(table: Int, keys: ClosedRange<Int64>, number: UInt32)] = []
  }

  /// What a cancelled write had added: the rows whose keys were free before it, and whatever came
  /// under a key after the write had deleted what was there.
  private struct Undone {
    let write: UInt32
    let span: Span
    let rows: Set<RowLink>
  }

  /// The running write's number, 0 outside writes.
  private(set) var running: UInt32 = 0
  private var count: UInt32 = 0
  /// The first number of the write that runs, or ran last.
  private var first: UInt32 = 0
  /// Of the running write and of sealed ones, by their first numbers.
  private var spans: [UInt32: Span] = [:]
  /// What cancelled writes had added, the oldest write first: its accessors stay invalid though the
  /// key may be given again.
  private var undone: [Undone] = []
  /// What sealed writes have added that are on their way to the disk, oldest first.
  private var sealed: [(write: UInt32, last: UInt32, added: [RowChange])] = []

  mutating func begin() {
    count += 1
    (running, first) = (count, count)
    spans[first] = Span(last: first)
  }

  mutating func end() {
    running = 0
    if sealed.last?.write != first { spans[first] = nil }
  }

  /// Notes that the running write has deleted rows whose keys may be given again.
  mutating func note(_ table: Int, _ keys: ClosedRange<Int64>) {
    guard running != 0 else { return }
    spans[first]?.gone.append((table, keys, running))
    count += 1
    running = count
    spans[first]?.last = count
  }

  /// Notes that the running write has come to nothing.
  mutating func undo(_ changes: ChangeRecorder) { undo(first, added(by: changes)) }

  /// What has come and gone, in the order in which it did.
  private func added(by changes: ChangeRecorder) -> [RowChange] {
    changes.changes.filter { $0.kind != .modified }
  }

  private mutating func undo(_ write: UInt32, _ added: [RowChange]) {
    guard let span = spans[write] else { return }
    var rows: Set<RowLink> = []
    for change in added where change.kind == .inserted {
      for offset in 0..<Int64(change.count) {
        rows.insert(RowLink(table: Int(change.table), key: change.key + offset))
      }
    }
    rows.subtract(replaced(rows, span, added))
    if rows.isEmpty, span.gone.isEmpty { return }
    undone.append(Undone(write: write, span: span, rows: rows))
  }

  /// Those of the rows that came where something was before the write.
  private func replaced(_ rows: Set<RowLink>, _ span: Span, _ changes: [RowChange])
    -> Set<RowLink>
  {
    var open = rows.filter { row in
      span.gone.contains { $0.table == row.table && $0.keys.contains(row.key) }
    }
    var found: Set<RowLink> = []
    for change in changes where !open.isEmpty {
      let keys = change.keys
      for row in open where row.table == Int(change.table) && keys.contains(row.key) {
        open.remove(row)
        // What had gone before it came was there.
        if change.kind != .inserted { found.insert(row) }
      }
    }
    return found
  }

  /// Notes that the running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ changes: ChangeRecorder) {
    sealed.append((first, running, added(by: changes)))
  }

  /// The oldest of the sealed writes, or all, are on the disk, or lost.
  ///
  /// - Returns: the last of them.
  mutating func endSealed(_ count: Int?, areLost: Bool) -> UInt32? {
    let ended = sealed.prefix(count ?? sealed.count)
    sealed.removeFirst(ended.count)
    if areLost { for one in ended { undo(one.write, one.added) } }
    for one in ended { spans[one.write] = nil }
    return ended.last?.last
  }

  /// Whether a row was added by a write that was cancelled, as seen by an accessor made in write
  /// `birth`.
  @inline(__always)
  func haveUndone(_ key: Int64, of table: BoundClass, since birth: UInt32) -> Bool {
    if _fastPath(birth == 0 || undone.isEmpty) { return false }
    return haveTakenBack(key, of: table, since: birth)
  }

  @inline(never)
  private func haveTakenBack(_ key: Int64, of table: BoundClass, since birth: UInt32) -> Bool {
    guard let number = table.number else { return false }
    // The last write that had begun by then. Sealed ones that are lost come in their order, too.
    guard let one = undone.last(where: { $0.write <= birth }), birth <= one.span.last else {
      return false
    }
    return one.rows.contains(RowLink(table: number, key: key))
      || one.span.gone.contains {
        $0.number < birth && $0.table == number && $0.keys.contains(key)
      }
  }
}
