import Synchronization

/// A row that somebody will ask for again by its key, which may be another row's by then.
final class RememberedRow: Sendable {
  let table: Int
  let key: Int64
  private let known: Atomic<UInt64>
  /// In which version it had gone.
  private let end = Atomic(UInt64.max)
  /// In which version it will have gone if a write is kept, and has gone for whoever shows that.
  private let foreseen = Atomic(UInt64.max)
  private let isSeenTo = Atomic(false)
  private let follower = Atomic(0)
  /// Whether its key may be given to another one.
  let mayBeSucceeded: Bool
  /// The version below the write that it was named in, if it was there already.
  let before: VersionID?

  init(
    table: Int, key: Int64, since: VersionID, before: VersionID? = nil, mayBeSucceeded: Bool = true
  ) {
    (self.table, self.key, self.mayBeSucceeded) = (table, key, mayBeSucceeded)
    self.before = before
    known = Atomic(since.number)
  }

  /// The realm that wrote what it is of sees to it if that comes to nothing (`ReferredRows`).
  func leaveToItsRealm(_ isLeft: Bool = true) { isSeenTo.store(isLeft, ordering: .releasing) }

  /// Notes that a coordinator reads what becomes of it; false if it was that one that did.
  @discardableResult
  func follow(by number: Int) -> Bool {
    follower.exchange(number, ordering: .acquiringAndReleasing) != number
  }

  /// The version, or the write, in which it was there.
  var since: VersionID { VersionID(known.load(ordering: .acquiring)) }

  /// Whether it had been deleted in a version.
  func isGone(in version: VersionID) -> Bool {
    end.load(ordering: .acquiring) <= version.number
  }

  /// In which version it will have gone, if a write is kept of which that is not yet known.
  var foreseenEnd: VersionID? {
    let version = foreseen.load(ordering: .acquiring)
    return version == .max ? nil : VersionID(version)
  }

  /// Whether it can never come back.
  var isGoneForGood: Bool { end.load(ordering: .acquiring) != .max }

  /// It had gone in a version, if not before. Several may find that out at a time.
  func markGone(in version: VersionID) {
    // (`min` of an unsigned number compares it as a signed one: docs/DECISIONS.md.)
    var known = end.load(ordering: .acquiring)
    while version.number < known {
      let (exchanged, original) = end.compareExchange(
        expected: known, desired: version.number, ordering: .acquiringAndReleasing)
      if exchanged { return }
      known = original
    }
  }

  /// It goes with a version if a write is kept that is about to end.
  func foreseeEnd(in version: VersionID) { foreseen.store(version.number, ordering: .releasing) }

  /// What was foreseen has come.
  func goAsForeseen() {
    let version = foreseen.load(ordering: .acquiring)
    if version == .max { return }
    markGone(in: VersionID(version))
    foreseen.store(.max, ordering: .releasing)
  }

  /// Whether lost commits had added it: what the write that it was named in has put in its place
  /// is another one.
  func wasAdded(by group: LostVersions.Group) -> Bool {
    let since = self.since
    return group.hasAdded(key, of: table, by: before.map { min($0, since) } ?? since)
  }

  /// Commits are lost with the version that it was found in, by another realm than theirs.
  fileprivate func lose(_ group: LostVersions.Group) -> Bool {
    guard group.has(since), !isSeenTo.load(ordering: .acquiring) else { return false }
    if wasAdded(by: group) { markGone(in: group.base) }
    comeBack(to: group.base)
    return true
  }

  /// The write came to nothing: the row is as it was in the version before.
  func comeBack(to version: VersionID) {
    known.store(version.number, ordering: .releasing)
    foreseen.store(.max, ordering: .releasing)
  }
}

/// The rows of a file that this process remembers, and what becomes of them: read from the records
/// of all commits, by whoever commits here or hears of another process's commit, so that none is
/// missed.
///
/// A row is told from a later one under its key only by that. Records that have not been read here
/// stay, or are summed up (`RecordMark`).
final class RememberedRows: Sendable {
  private struct Weak {
    weak var row: RememberedRow?
    let place: (Int, Int64)
  }
  private struct State {
    var rows: [Weak] = []
    var clearing = Clearing()
    /// All records up to this version have been read.
    var seen = VersionID(0) { didSet { most = max(most, seen) } }
    /// And once up to this one, for those that were remembered then: it is read again what became
    /// of newcomers.
    var most = VersionID(0)
  }

  private let state = Mutex(State())
  /// Spares everybody the lock while nothing is remembered.
  private let inUse = Atomic(false)

  var isInUse: Bool { inUse.load(ordering: .sequentiallyConsistent) }
  /// Up to where all records have been read; nil if nothing is remembered.
  var seen: VersionID? { isInUse ? state.withLock { $0.seen } : nil }

  /// - Parameter version: What became of the row up to there the caller knows otherwise. The
  ///   records behind it are there.
  func add(_ row: RememberedRow, readUpTo version: VersionID) {
    state.withLock { state in
      if state.clearing.isDue(state.rows.count) {
        state.rows.removeAll { $0.row == nil }
        state.clearing.leaves(state.rows.count)
      }
      // While nobody remembers anything no record is read.
      if !isInUse { state.most = version }
      state.seen = isInUse ? min(state.seen, version) : version
      state.rows.append(Weak(row: row, place: (row.table, row.key)))
      inUse.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// Those that may be there still.
  var living: [RememberedRow] {
    guard isInUse else { return [] }
    return state.withLock { $0.rows.compactMap(\.row) }.filter { !$0.isGoneForGood }
  }

  /// Records have to be read again from a version on, which is not the newest only if the caller
  /// has kept it.
  func readAgain(from version: VersionID) {
    state.withLock { $0.seen = min($0.seen, version) }
  }

  /// Commits are lost that others than their realm had been shown.
  func lose(_ group: LostVersions.Group) {
    guard isInUse else { return }
    state.withLock { state in
      for row in state.rows.compactMap(\.row) where row.lose(group) {
        state.seen = min(state.seen, group.base)
      }
    }
  }

  /// Reads what happened up to a version, which the caller keeps, or which is the newest and the
  /// caller is inside the gate.
  ///
  /// - Parameter lastDeletion: Up to the version, no row was deleted after that one.
  func follow(to root: Root, lastDeletion: VersionID, in space: NodeSpace) {
    guard isInUse, !root.isWaiting else { return }
    state.withLock { state in
      guard root.version > state.seen else { return }
      if lastDeletion <= state.seen {
        state.seen = root.version
        return
      }
      state.rows.removeAll { $0.row?.isGoneForGood ?? true }
      // By key, as those that are looked for: mostly they are in order since the last time.
      state.rows.sort { $0.place < $1.place }
      let rows = state.rows.compactMap(\.row)
      guard !rows.isEmpty else {
        inUse.store(false, ordering: .sequentiallyConsistent)
        return
      }
      let deletions = Deletions(after: state.seen, upTo: root, in: space)
      for log in deletions.logs { note(log, rows) }
      for run in deletions.summary?.runs ?? [] {
        note(run.keys, of: run.table, in: run.version, rows)
      }
      // Of what is on its way to the disk no published version knows anything.
      let older = rows.filter { $0.since < root.version }
      // Of tables that give a key once what is there tells the rest.
      if !deletions.isFromRecords || !deletions.logs.allSatisfy(\.knowsRows) {
        let top = Top(space: space, ref: root.top)
        for row in older where top.rows(row.table)?.find(row.key) == nil {
          row.markGone(in: root.version)
        }
      }
      // Else another one under its key would be taken for it.
      if !deletions.isComplete(after: state.most) {
        for row in older where row.mayBeSucceeded { row.markGone(in: root.version) }
      }
      state.seen = root.version
    }
  }

  private func note(_ log: ChangeLog, _ rows: [RememberedRow]) {
    for change in log.changes where change.deletes {
      note(change.keys, of: change.table, in: log.version, rows)
    }
  }

  /// - Parameter rows: In the order of their tables and keys: a commit may delete as many as there
  ///   are.
  private func note(
    _ keys: ClosedRange<Int64>, of table: UInt32, in version: VersionID, _ rows: [RememberedRow]
  ) {
    let first = (Int(table), keys.lowerBound)
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if (rows[middle].table, rows[middle].key) < first { low = middle + 1 } else { high = middle }
    }
    for row in rows[low...] {
      guard row.table == Int(table), keys.contains(row.key) else { return }
      if version > row.since { row.markGone(in: version) }
    }
  }
}
