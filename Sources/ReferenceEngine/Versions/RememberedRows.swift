import Synchronization

/// A row that somebody will ask for again by its key, which may be another row's by then.
final class RememberedRow: Sendable {
  let table: Int
  let key: Int64
  private let known: Atomic<UInt64>
  /// In which version it had gone.
  private let end = Atomic(UInt64.max)
  private let isForeseen = Atomic(false)

  init(table: Int, key: Int64, since: VersionID) {
    (self.table, self.key) = (table, key)
    known = Atomic(since.number)
  }

  /// The version, or the write, in which it was there.
  var since: VersionID { VersionID(known.load(ordering: .acquiring)) }

  /// Whether it had been deleted in a version, or is as soon as a write has come to its end.
  func isGone(in version: VersionID) -> Bool {
    end.load(ordering: .acquiring) <= version.number || isForeseen.load(ordering: .acquiring)
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

  /// It goes if a write is kept that is about to end.
  func foreseeEnd() { isForeseen.store(true, ordering: .releasing) }

  /// What was foreseen has come.
  func goAsForeseen(in version: VersionID) {
    if isForeseen.load(ordering: .acquiring) { markGone(in: version) }
    isForeseen.store(false, ordering: .releasing)
  }

  /// The write came to nothing: the row is as it was in the version before.
  func comeBack(to version: VersionID) {
    known.store(version.number, ordering: .releasing)
    isForeseen.store(false, ordering: .releasing)
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
  }
  private struct State {
    var rows: [Weak] = []
    /// At so many the dead ones are dropped; doubled with the living, so that it costs little for
    /// each.
    var limit = 64
    /// All records up to this version have been read.
    var seen = VersionID(0)
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
      if state.rows.count >= state.limit {
        state.rows.removeAll { $0.row == nil }
        state.limit = max(64, state.rows.count * 2)
      }
      // While nobody remembers anything no record is read.
      state.seen = isInUse ? min(state.seen, version) : version
      state.rows.append(Weak(row: row))
      inUse.store(true, ordering: .sequentiallyConsistent)
    }
  }

  /// Records have to be read again from a version on, which is not the newest only if the caller
  /// has kept it.
  func readAgain(from version: VersionID) {
    state.withLock { $0.seen = min($0.seen, version) }
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
      let rows = state.rows.compactMap(\.row)
      guard !rows.isEmpty else {
        inUse.store(false, ordering: .sequentiallyConsistent)
        return
      }
      let deletions = Deletions(after: state.seen, upTo: root, in: space)
      for log in deletions.logs { note(log, rows) }
      for run in deletions.summary?.runs ?? [] {
        for row in rows
        where run.version > row.since && row.table == Int(run.table)
          && run.keys.contains(row.key)
        {
          row.markGone(in: run.version)
        }
      }
      // Of tables that give a key once what is there tells the rest.
      if !deletions.isFromRecords || !deletions.logs.allSatisfy(\.knowsRows) {
        let top = Top(space: space, ref: root.top)
        for row in rows where top.table(row.table)?.rows.find(row.key) == nil {
          row.markGone(in: root.version)
        }
      }
      state.seen = root.version
    }
  }

  private func note(_ log: ChangeLog, _ rows: [RememberedRow]) {
    for change in log.changes where change.deletes {
      for row in rows
      where log.version > row.since && row.table == Int(change.table)
        && change.keys.contains(row.key)
      {
        row.markGone(in: log.version)
      }
    }
  }
}
