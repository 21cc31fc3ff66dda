/// What the records of commits tell of the rows that were deleted between two versions.
///
/// A row is told from a later one under its key by nothing but that. So whoever comes late finds it
/// as well: when records go that a realm on an older version has not read, the commit that lets
/// them go keeps in its own record what they told of deletions (`DeletionSummary`).
struct Deletions {
  /// Newest first.
  let logs: [ChangeLog]
  /// What is left of those before them.
  let summary: DeletionSummary?
  /// Whether all are told that went in tables which give keys again.
  var isComplete: Bool { isComplete(after: version) }
  private let version: VersionID
  /// Whether each is told by the record of its commit, and so with its version.
  let isFromRecords: Bool

  /// - Parameter root: Kept by the caller. The older version is, too, as live or for a notifier, or
  ///   else not all need be told.
  init(after version: VersionID, upTo root: Root, in space: NodeSpace) {
    let (logs, areAll) = ChangeLog.those(from: root, downTo: version, in: space)
    (self.logs, isFromRecords) = (logs, areAll)
    summary = areAll ? nil : logs.lazy.compactMap(\.summary).first
    self.version = version
  }

  /// Whether all are told that went in them after a version, which is not before the first one.
  func isComplete(after version: VersionID) -> Bool {
    guard let oldest = logs.last else { return isFromRecords }
    let isReached =
      oldest.base <= version
      || summary.map { $0.since <= version && oldest.base <= $0.through } ?? false
    return isReached && logs.allSatisfy { $0.version <= version || $0.knowsDeletions }
  }

  /// Tells of each run of rows in which version they were deleted, oldest first; of what is no
  /// longer known exactly, in which version they were gone.
  func each(
    _ body: (_ table: UInt32, _ keys: ClosedRange<Int64>, _ version: VersionID) -> Void
  ) {
    for run in summary?.runs ?? [] { body(run.table, run.keys, run.version) }
    for log in logs.reversed() where log.knowsDeletions {
      for change in log.changes where change.deletes {
        body(change.table, change.keys, log.version)
      }
    }
  }

  /// Whether a row was deleted after a version, which is not before the first one.
  func have(_ key: Int64, of table: Int, after version: VersionID) -> Bool {
    var isGone = false
    each { number, keys, time in
      if time > version, Int(number) == table, keys.contains(key) { isGone = true }
    }
    return isGone
  }
}
