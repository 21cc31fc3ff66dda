import CShims

/// What is left of records that were let go before a realm on an older version had read them: which
/// rows were deleted, of tables that give keys again.
///
/// It stands behind the changes of a record (`rb_deletions`), and tells all that the one before it
/// told, and the records between them. So the newest that is there is enough.
///
/// It is about as long as those tables have rows, however many commits it stands for: of a row that
/// is there it tells the last time that another one went under its key, and what is not there
/// between two such rows is one run, which had gone in the last of its versions at the latest
/// (`GoneRows.forget`).
struct DeletionSummary: Equatable, Sendable {
  struct Run: Equatable, Sendable {
    let table: UInt32
    let keys: ClosedRange<Int64>
    let version: VersionID
  }

  /// All that was deleted after this version
  let since: VersionID
  /// up to this one is told.
  let through: VersionID
  /// By version, oldest first.
  let runs: [Run]

  /// More are not written: who would read them compares versions, as ever. The record that has
  /// them has room in a node for what its own commit tells, too.
  static let most = 1 << 21

  /// Joins what records told, oldest first, with what those before them left.
  ///
  /// - Parameters:
  ///   - oldest: Nobody asks what was deleted up to this version.
  ///   - rows: The rows of a table in a later version.
  init(
    of logs: [ChangeLog], after last: DeletionSummary?, of tables: Set<UInt32>, oldest: VersionID,
    _ rows: (UInt32) -> RowTree?
  ) {
    let base = logs.first?.base ?? VersionID(0)
    var since = base
    var gone: [UInt32: GoneRows<VersionID>] = [:]
    func add(_ table: UInt32, _ keys: ClosedRange<Int64>, _ version: VersionID) {
      guard version > oldest, tables.contains(table) else { return }
      gone[table, default: GoneRows()].add(keys, version)
    }
    if let last, last.through >= base {
      since = last.since
      for run in last.runs { add(run.table, run.keys, run.version) }
    }
    for log in logs where log.knowsDeletions {
      for change in log.changes where change.deletes { add(change.table, change.keys, log.version) }
    }
    let through = logs.last?.version ?? base
    var runs: [Run] = []
    for table in gone.keys {
      let rows = rows(table)
      gone[table]?.forget(now: through, at: { rows?.position(of: $0) ?? (0, false) })
      gone[table]?.each { runs.append(Run(table: table, keys: $0, version: $1)) }
    }
    runs.sort {
      ($0.version, $0.table, $0.keys.lowerBound) < ($1.version, $1.table, $1.keys.lowerBound)
    }
    (self.since, self.through, self.runs) = (max(since, oldest), through, runs)
  }

  // MARK: in a record

  /// What it adds to the bytes of a record.
  var bytes: Int { rb_deletions_bytes + runs.count * rb_deleted_bytes }

  /// Reads what stands behind the changes of a record; nil if there is no room for what it says.
  init?(_ memory: UnsafeRawPointer, room: Int) {
    guard room >= rb_deletions_bytes else { return nil }
    since = VersionID(memory.load(fromByteOffset: rb_deletions_since, as: UInt64.self))
    through = VersionID(memory.load(fromByteOffset: rb_deletions_through, as: UInt64.self))
    let count = Int(memory.load(fromByteOffset: rb_deletions_rows, as: UInt32.self))
    guard count <= (room - rb_deletions_bytes) / rb_deleted_bytes else { return nil }
    var runs: [Run] = []
    runs.reserveCapacity(count)
    for index in 0..<count {
      let entry = memory + rb_deletions_bytes + index * rb_deleted_bytes
      let first = entry.load(fromByteOffset: rb_deleted_first, as: Int64.self)
      let last = entry.load(fromByteOffset: rb_deleted_last, as: Int64.self)
      let version = VersionID(entry.load(fromByteOffset: rb_deleted_version, as: UInt64.self))
      guard first <= last, version <= through else { return nil }
      runs.append(
        Run(
          table: entry.load(fromByteOffset: rb_deleted_table, as: UInt32.self), keys: first...last,
          version: version))
    }
    self.runs = runs
  }

  /// Whether what it says can be so in the record of a version.
  func isSound(in version: VersionID) -> Bool {
    through < version && runs.allSatisfy { $0.version <= through }
  }

  /// Writes it into memory that is all zeros.
  func write(to memory: UnsafeMutableRawPointer) {
    memory.storeBytes(of: since.number, toByteOffset: rb_deletions_since, as: UInt64.self)
    memory.storeBytes(of: through.number, toByteOffset: rb_deletions_through, as: UInt64.self)
    memory.storeBytes(of: UInt32(runs.count), toByteOffset: rb_deletions_rows, as: UInt32.self)
    var entry = memory + rb_deletions_bytes
    for run in runs {
      entry.storeBytes(of: run.keys.lowerBound, toByteOffset: rb_deleted_first, as: Int64.self)
      entry.storeBytes(of: run.keys.upperBound, toByteOffset: rb_deleted_last, as: Int64.self)
      entry.storeBytes(of: run.version.number, toByteOffset: rb_deleted_version, as: UInt64.self)
      entry.storeBytes(of: run.table, toByteOffset: rb_deleted_table, as: UInt32.self)
      entry += rb_deleted_bytes
    }
  }
}
