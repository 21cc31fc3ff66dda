/// The rows that somebody here will ask for again, or may thaw: what becomes of them is read from
/// the records of commits, before those are gone.
///
/// The records behind a version stay only while a live realm is on it, or a mark is
/// (`RecordMark`). So whoever remembers a row as an older version has it reads the records up to
/// the newest at once; from then on each commit made here reads its own, the beacon's thread those
/// of other processes, and whoever asks what both have left.
extension Coordinator {
  /// Whether somebody here asks what became of rows, by whichever process.
  var remembersRows: Bool { rememberedRows.isInUse || deletedRows.isInUse }

  /// Remembers a row.
  ///
  /// - Parameters:
  ///   - row: Of a version that a live realm is on, or of a frozen one.
  ///   - isFrozen: Whether it is of a frozen one, behind which no records are kept: then what is
  ///     kept for thawing tells what became of the row until now.
  func remember(_ row: RememberedRow, isFrozen: Bool) {
    recordMark.set { newest in
      rememberedRows.add(row, readUpTo: isFrozen ? newest : row.since)
    }
    // Whoever commits here after this looks sees that rows are remembered.
    if row.since < newestVersion { followNewest() }
    if isFrozen, let end = deletedRows.end(of: row.key, of: row.table, after: row.since) {
      row.markGone(in: end)
    }
    hearOrAskAgain()
  }

  /// Whether a row had been deleted in a version, which the caller keeps.
  func isGone(_ row: RememberedRow, in root: Root) -> Bool {
    if row.isGone(in: root.version) { return true }
    // Gone later, as far as was read: what was read late may be the end of another row under its
    // key, and the record of this version knows better.
    guard row.isGoneForGood, row.since < root.version, !root.isWaiting else { return false }
    return Deletions(after: row.since, upTo: root, in: space)
      .have(row.key, of: row.table, after: row.since)
  }

  /// Lets others read what is deleted after a version that a live realm is on.
  func keepDeletedRows(of tables: Set<UInt32>, since version: VersionID) -> DeletedRows.Keeper {
    let keeper = recordMark.set { _ in deletedRows.keeper(of: tables, since: version) }
    if version < newestVersion { followNewest() }
    hearOrAskAgain()
    return keeper
  }

  /// Reads what became of them up to a version that the caller keeps, or that is the newest if the
  /// caller is inside the gate.
  func follow(to root: Root) {
    let last = board.lastDeletion
    rememberedRows.follow(to: root, lastDeletion: last, in: space)
    deletedRows.follow(to: root, lastDeletion: last, in: space)
    recordMark.move {
      [rememberedRows.seen, deletedRows.seen].compactMap(\.self).min().map {
        min($0, root.version)
      }
    }
  }

  /// Reads what became of them up to now, by whichever process.
  func followNewest() {
    guard remembersRows, let snapshot = try? newestSnapshot(kind: .follower) else { return }
    follow(to: snapshot.root)
  }
}
