/// The rows that have gone in the sight of one session, of classes that give a key again: where a
/// whole number is the primary key it is the row's, too, and a later object may come under it.
///
/// What was found in an earlier state than that in which a row went is of the row that is gone,
/// whatever is there by now. So an object, or a collection, needs to remember no more than the
/// state in which it was known to be right.
struct Departures {
  /// Many rows at once, each in one run at most: the last time that it went counts.
  private struct Runs {
    private(set) var runs: [(keys: ClosedRange<Int64>, generation: UInt32)] = []

    /// The first run that does not end before a key.
    private func place(of key: Int64) -> Int {
      var (low, high) = (0, runs.count)
      while low < high {
        let middle = (low + high) / 2
        if runs[middle].keys.upperBound < key { low = middle + 1 } else { high = middle }
      }
      return low
    }

    subscript(key: Int64) -> UInt32? {
      let place = place(of: key)
      guard place < runs.count, runs[place].keys.contains(key) else { return nil }
      return runs[place].generation
    }

    mutating func add(_ keys: ClosedRange<Int64>, _ generation: UInt32) {
      let first = place(of: keys.lowerBound)
      var end = first
      while end < runs.count, runs[end].keys.lowerBound <= keys.upperBound { end += 1 }
      var new = [(keys: keys, generation: generation)]
      if first < end {
        let (head, tail) = (runs[first], runs[end - 1])
        if head.keys.lowerBound < keys.lowerBound {
          new.insert((head.keys.lowerBound...(keys.lowerBound - 1), head.generation), at: 0)
        }
        if tail.keys.upperBound > keys.upperBound {
          new.append(((keys.upperBound + 1)...tail.keys.upperBound, tail.generation))
        }
      }
      runs.replaceSubrange(first..<end, with: new)
    }
  }

  private struct Book {
    /// In which state of the session a row went.
    var rows: [RowLink: UInt32] = [:]
    /// The same of many at once, by table.
    var runs: [Int: Runs] = [:]

    var isEmpty: Bool { rows.isEmpty && runs.isEmpty }

    func have(_ row: RowLink, after generation: UInt32) -> Bool {
      if let gone = rows[row], Departures.isLater(gone, generation) { return true }
      guard let gone = runs[row.table]?[row.key] else { return false }
      return Departures.isLater(gone, generation)
    }

    mutating func add(_ table: Int, _ keys: ClosedRange<Int64>, _ generation: UInt32) {
      if keys.lowerBound == keys.upperBound {
        rows[RowLink(table: table, key: keys.lowerBound)] = generation
      } else {
        runs[table, default: Runs()].add(keys, generation)
      }
    }
  }

  private var settled = Book()
  /// What the running write has deleted, and would have back if it were cancelled.
  private var running = Book()
  private(set) var isEmpty = true

  /// The states are numbered in a circle.
  private static func isLater(_ one: UInt32, _ other: UInt32) -> Bool {
    Int32(bitPattern: one &- other) > 0
  }

  /// Whether a row has gone since a state in which it was there.
  @inline(__always)
  func have(_ key: Int64, of table: BoundClass, after generation: UInt32) -> Bool {
    if _fastPath(isEmpty) { return false }
    return haveTaken(key, of: table, after: generation)
  }

  @inline(never)
  private func haveTaken(_ key: Int64, of table: BoundClass, after generation: UInt32) -> Bool {
    guard table.layout.keyIsRow, let number = table.table else { return false }
    let row = RowLink(table: number, key: key)
    return running.have(row, after: generation) || settled.have(row, after: generation)
  }

  /// Whether the running write has deleted a row.
  func haveInWrite(_ row: RowLink) -> Bool {
    running.rows[row] != nil || running.runs[row.table]?[row.key] != nil
  }

  /// Notes what the session's own write has deleted.
  mutating func note(_ table: Int, _ keys: ClosedRange<Int64>, at generation: UInt32) {
    running.add(table, keys, generation)
    isEmpty = false
  }

  /// Notes what others have deleted.
  mutating func read(_ table: Int, _ keys: ClosedRange<Int64>, at generation: UInt32) {
    settled.add(table, keys, generation)
    isEmpty = false
  }

  /// The running write is committed, or has come to nothing.
  mutating func endWrite(isKept: Bool) {
    if running.isEmpty { return }
    if isKept {
      for (row, generation) in running.rows { settled.rows[row] = generation }
      for (table, runs) in running.runs {
        for run in runs.runs { settled.add(table, run.keys, run.generation) }
      }
    }
    running = Book()
    isEmpty = settled.isEmpty
  }
}

extension Session {
  /// Takes note of rows that the session's own write has deleted.
  func noteDepartures(_ keys: [Int64], of number: Int) {
    var first = 0
    for index in keys.indices
    where index + 1 == keys.count || keys[index] == .max || keys[index] + 1 != keys[index + 1] {
      // A few are looked up one by one, long runs are looked through.
      if index - first >= 64 {
        departures.note(number, keys[first]...keys[index], at: generation)
      } else {
        for key in keys[first...index] { departures.note(number, key...key, at: generation) }
      }
      first = index + 1
    }
  }

  /// Reads which rows others have deleted since a version that was shown, once another one is.
  @inline(__always)
  func followDeletions(since version: VersionID) {
    let last = VersionBoard.lastDeletion(beside: hot.pointee.published)
    if _slowPath(last > version) || _slowPath(unread != nil) { readDeletions(since: version) }
  }

  @inline(never)
  private func readDeletions(since version: VersionID) {
    guard let root else { return }
    let since = min(version, unread ?? version)
    // What waits for its place in the file is read when it has one.
    if root.isWaiting {
      unread = since
      return
    }
    unread = nil
    let keyed = keyedTables
    guard !keyed.isEmpty, root.version > since,
      let logs = ChangeLog.chain(from: root, downTo: since, in: coordinator.space)
    else { return }
    for log in logs where log.knowsDeletions {
      for change in log.changes where change.deletes && keyed.contains(change.table) {
        departures.read(Int(change.table), change.keys, at: generation)
      }
    }
  }

  /// The tables whose rows have whole numbers as keys that their objects were given.
  var keyedTables: Set<UInt32> {
    Set(
      classes.all.filter(\.layout.keyIsRow).compactMap { $0.table.map { UInt32($0) } })
  }
}
