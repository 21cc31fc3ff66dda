import Synchronization

/// The rows that were deleted since the oldest snapshot that somebody may thaw something of: what
/// is thawed must not be a later object under its key.
///
/// Read from the records of all commits, as `RememberedRows` is, but only while there is such a
/// snapshot, and only of tables that give keys again. What a record does not tell counts as there
/// if it is there.
final class DeletedRows: Sendable {
  private struct Row: Hashable {
    let table: UInt32
    let key: Int64
  }

  private struct State {
    var keepers = 0
    var tables: Set<UInt32> = []
    /// The oldest version that somebody keeps.
    var since = VersionID(0)
    /// All records up to this version have been read.
    var seen = VersionID(0)
    var rows: [Row: VersionID] = [:]
    var runs: [(change: RowChange, version: VersionID)] = []
  }

  private let state = Mutex(State())
  /// Spares everybody the lock while nobody keeps a snapshot.
  private let inUse = Atomic(false)

  var isInUse: Bool { inUse.load(ordering: .sequentiallyConsistent) }

  /// Held by a snapshot as long as something may be thawed of it.
  final class Keeper: Sendable {
    private let rows: DeletedRows

    fileprivate init(_ rows: DeletedRows) { self.rows = rows }

    deinit { rows.leave() }
  }

  /// - Parameter version: A version that is the newest, or pinned.
  func keeper(of tables: Set<UInt32>, since version: VersionID) -> Keeper {
    state.withLock { state in
      // What was read for others need not be read again, if they began no later and asked for as
      // much.
      if state.keepers == 0 || version < state.since || !tables.isSubset(of: state.tables) {
        state.since = state.keepers == 0 ? version : min(state.since, version)
        state.seen = state.since
      }
      state.keepers += 1
      state.tables.formUnion(tables)
    }
    inUse.store(true, ordering: .sequentiallyConsistent)
    return Keeper(self)
  }

  private func leave() {
    state.withLock { state in
      state.keepers -= 1
      if state.keepers > 0 { return }
      state = State()
      inUse.store(false, ordering: .sequentiallyConsistent)
    }
  }

  /// Reads what happened up to a version, which the caller keeps, or which is the newest and the
  /// caller is inside the gate.
  func follow(to root: Root, lastDeletion: VersionID, in space: NodeSpace) {
    guard isInUse, !root.isWaiting else { return }
    state.withLock { state in
      guard root.version > state.seen else { return }
      defer { state.seen = root.version }
      guard lastDeletion > state.seen,
        let logs = ChangeLog.chain(from: root, downTo: state.seen, in: space)
      else { return }
      for log in logs where log.knowsDeletions {
        for change in log.changes where change.deletes && state.tables.contains(change.table) {
          if change.count > 1 {
            state.runs.append((change, log.version))
          } else {
            let row = Row(table: change.table, key: change.key)
            state.rows[row] = max(log.version, state.rows[row] ?? log.version)
          }
        }
      }
    }
  }

  /// Whether a row was deleted after a version, as far as has been read.
  func contain(_ key: Int64, of table: Int, after version: VersionID) -> Bool {
    guard isInUse else { return false }
    let row = Row(table: UInt32(table), key: key)
    return state.withLock { state in
      if let gone = state.rows[row], gone > version { return true }
      return state.runs.contains { change, gone in
        gone > version && change.table == row.table && change.keys.contains(key)
      }
    }
  }
}
