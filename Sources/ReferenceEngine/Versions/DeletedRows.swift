import Synchronization

/// The rows that were deleted since the oldest snapshot that somebody may thaw something of: what
/// is thawed must not be a later object under its key.
///
/// Read from the records of all commits, as `RememberedRows` is, but only while there is such a
/// snapshot, and only of tables that give keys again. What a record does not tell counts as there
/// if it is there.
final class DeletedRows: Sendable {
  private struct State {
    var keepers = 0
    var tables: Set<UInt32> = []
    /// The oldest version that somebody keeps.
    var since = VersionID(0)
    /// All records up to this version have been read.
    var seen = VersionID(0) { didSet { most = max(most, seen) } }
    /// And once up to this one, of the tables that were asked for then.
    var most = VersionID(0)
    var rows: [UInt32: GoneRows<VersionID>] = [:]
    /// When rows went that did so again later: whoever is behind may have seen the one in between.
    var earlier: [UInt32: [(keys: ClosedRange<Int64>, version: VersionID)]] = [:]
    /// What went more than once up to this version is no longer known.
    var forgotten = VersionID(0)
    /// Up to this version any may have gone of which nobody could tell.
    var untold = VersionID(0)
    /// At so many it is looked which are still of interest.
    var limit = DeletedRows.few

    var count: Int {
      rows.values.reduce(0) { $0 + $1.count } + earlier.values.reduce(0) { $0 + $1.count }
    }

    mutating func note(_ keys: ClosedRange<Int64>, of table: UInt32, in version: VersionID) {
      let replaced = rows[table]?.replaced(by: keys).filter { $0.time < version } ?? []
      if !replaced.isEmpty {
        earlier[table, default: []] += replaced.map { (keys: $0.keys, version: $0.time) }
      }
      rows[table, default: GoneRows()].add(keys, version)
    }
  }

  private static let few = 4096

  private let state = Mutex(State())
  /// Spares everybody the lock while nobody keeps a snapshot.
  private let inUse = Atomic(false)

  var isInUse: Bool { inUse.load(ordering: .sequentiallyConsistent) }
  /// Up to where all records have been read; nil if nobody keeps a snapshot.
  var seen: VersionID? { isInUse ? state.withLock { $0.seen } : nil }

  /// Held by a snapshot as long as something may be thawed of it.
  final class Keeper: Sendable {
    private let rows: DeletedRows

    fileprivate init(_ rows: DeletedRows) { self.rows = rows }

    deinit { rows.leave() }
  }

  /// - Parameter version: One behind which all records are there.
  func keeper(of tables: Set<UInt32>, since version: VersionID) -> Keeper {
    state.withLock { state in
      // Mostly they are the same, which is seen at once.
      let areKnown = state.tables == tables || tables.isSubset(of: state.tables)
      if state.keepers == 0 {
        state.seen = version
        state.since = version
      } else if version < state.since || !areKnown {
        // No further back than this one asks for: what is behind older ones may be gone by now, and
        // was read for them.
        state.seen = min(state.seen, version)
        state.since = min(state.since, version)
      }
      state.keepers += 1
      if state.tables.isEmpty {
        state.tables = tables
      } else if !areKnown {
        state.tables.formUnion(tables)
      }
      inUse.store(true, ordering: .sequentiallyConsistent)
    }
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
      guard lastDeletion > state.seen else { return }
      let deletions = Deletions(after: state.seen, upTo: root, in: space)
      deletions.each { table, keys, version in
        if version > state.seen, state.tables.contains(table) {
          state.note(keys, of: table, in: version)
        }
      }
      if !deletions.isFromRecords { state.forgotten = root.version }
      if !deletions.isComplete(after: state.most) {
        (state.forgotten, state.untold) = (root.version, root.version)
      }
      if state.count < state.limit { return }
      let top = Top(space: space, ref: root.top)
      for table in state.rows.keys {
        let rows = top.table(Int(table))?.rows
        state.rows[table]?.forget(
          now: root.version, at: { rows?.position(of: $0) ?? (0, false) })
      }
      state.earlier = [:]
      state.forgotten = root.version
      state.limit = max(DeletedRows.few, state.count * 2)
    }
  }

  /// Whether a row was deleted after a version, as far as has been read, or may have been.
  func contain(_ key: Int64, of table: Int, after version: VersionID) -> Bool {
    guard isInUse else { return false }
    return state.withLock { state in
      if state.untold > version, state.tables.contains(UInt32(table)) { return true }
      return state.rows[UInt32(table)]?.contain(key) { $0 > version } ?? false
    }
  }

  /// Whether a row was deleted after a version and up to another one, of one that was deleted after
  /// the first; nil if that is no longer known.
  func contain(
    _ key: Int64, of table: Int, after version: VersionID, upTo last: VersionID
  ) -> Bool? {
    state.withLock { state in
      func isMeant(_ time: VersionID) -> Bool { time > version && time <= last }
      let table = UInt32(table)
      if state.rows[table]?.contain(key, where: isMeant) ?? false { return true }
      if state.earlier[table]?.contains(where: { $0.keys.contains(key) && isMeant($0.version) })
        ?? false
      {
        return true
      }
      return state.forgotten > version ? nil : false
    }
  }

  /// When a row was deleted first after a version, or the next time that is still known; nil if it
  /// was not.
  func end(of key: Int64, of table: Int, after version: VersionID) -> VersionID? {
    guard isInUse else { return nil }
    return state.withLock { state in
      let table = UInt32(table)
      let times =
        (state.rows[table]?.times(of: key) ?? [])
        + (state.earlier[table] ?? []).filter { $0.keys.contains(key) }.map(\.version)
        + (state.tables.contains(table) ? [state.untold] : [])
      return times.filter { $0 > version }.min()
    }
  }
}
