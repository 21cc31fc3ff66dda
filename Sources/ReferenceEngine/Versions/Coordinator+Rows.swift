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
    row.follow(by: number)
    recordMark.set { newest in
      rememberedRows.add(row, readUpTo: isFrozen ? newest : row.since)
    }
    // Who shows what is lost may name something of it still.
    if let lost = lostVersions.group(of: row.since) { rememberedRows.lose(lost) }
    // Whoever commits here after this looks sees that rows are remembered.
    if row.since < newestVersion { followNewest() }
    if isFrozen, let end = deletedRows.end(of: row.key, of: row.table, after: row.since) {
      row.markGone(in: end)
    }
    hearOrAskAgain()
  }

  /// Remembers a row that was named where the same file was open by itself: before it was closed,
  /// when nobody read what became of rows, or with a realm that may only read.
  ///
  /// What the records tell that are left counts, and else what is there. A file that has not come
  /// so far as the row's version was made anew.
  func adopt(_ row: RememberedRow, of other: Coordinator?) {
    if other === self || row.isGoneForGood { return }
    if let other { return other.followNewest() }
    guard row.follow(by: number) else { return }
    recordMark.set { newest in rememberedRows.add(row, readUpTo: newest) }
    hearOrAskAgain()
    guard let snapshot = try? newestSnapshot(kind: .follower) else { return }
    if row.since > snapshot.version { return row.markGone(in: snapshot.version) }
    Deletions(after: row.since, upTo: snapshot.root, in: space).each { table, keys, version in
      if version > row.since, Int(table) == row.table, keys.contains(row.key) {
        row.markGone(in: version)
      }
    }
  }

  /// Whether a row goes with a write that is not known to be kept, for whoever shows a version. Its
  /// realm, which sees to it, may not have heard yet that the write is lost.
  func foreseesEnd(of row: RememberedRow, in version: VersionID) -> Bool {
    guard let end = row.foreseenEnd, end <= version else { return false }
    return lostVersions.group(of: end).map { $0.has(version) } ?? true
  }

  /// Whether a row had been deleted in a version, which the caller keeps.
  func isGone(_ row: RememberedRow, in root: Root) -> Bool {
    // Asked first: what is published meanwhile need not have been read. And of a lost version
    // nobody reads what led to it.
    let published = lostVersions.group(of: root.version)?.base ?? newestVersion
    follow(to: root)
    if row.isGone(in: root.version) { return true }
    if haveGone(row.key, of: row.table, between: max(row.since, published), and: root) {
      return true
    }
    // Gone later, as far as was read: what was read late may be the end of another row under its
    // key, and the record of this version knows better.
    guard row.isGoneForGood, row.since < root.version, !root.isWaiting else { return false }
    return Deletions(after: row.since, upTo: root, in: space)
      .have(row.key, of: row.table, after: row.since)
  }

  /// Whether a row was named in a commit that is lost, or behind one, and never was for whoever
  /// shows a version that is not lost with it.
  func hasLost(_ row: RememberedRow, for version: VersionID) -> Bool {
    guard let lost = lostVersions.group(of: row.since), !lost.has(version) else { return false }
    return row.wasAdded(by: lost)
  }

  /// Whether a row was deleted in commits that are on their way to the disk: of those nobody has
  /// read, and they may be lost.
  ///
  /// - Parameter published: What is published, or the later version in which the row was there.
  func haveGone(
    _ key: Int64, of table: Int, between published: VersionID, and root: Root
  ) -> Bool {
    root.version > published
      && Deletions(after: published, upTo: root, in: space).have(key, of: table, after: published)
  }

  /// Lets others read what is deleted after a version that a live realm is on.
  func keepDeletedRows(of tables: Set<UInt32>, since version: VersionID) -> DeletedRows.Keeper {
    let keeper = recordMark.set { _ in deletedRows.keeper(of: tables, since: version) }
    if version < newestVersion { followNewest() }
    hearOrAskAgain()
    return keeper
  }

  /// Whether a version is published, and not one that was lost.
  func isKept(_ version: VersionID) -> Bool {
    version <= newestVersion && lostVersions.group(of: version) == nil
  }

  /// Reads what became of them up to a version that the caller keeps, or that is the newest if the
  /// caller is inside the gate; nothing if that is not published yet, as it may come to nothing, or
  /// has come to nothing.
  func follow(to root: Root) {
    guard isKept(root.version) else { return }
    let last = board.lastDeletion
    rememberedRows.follow(to: root, lastDeletion: last, in: space)
    deletedRows.follow(to: root, lastDeletion: last, in: space)
    recordMark.move {
      let (remembered, deleted) = (rememberedRows.seen, deletedRows.seen)
      guard let seen = remembered ?? deleted else { return nil }
      return min(seen, deleted ?? seen, root.version)
    }
  }

  /// Reads what became of them up to now, by whichever process.
  func followNewest() {
    guard remembersRows, let snapshot = try? newestSnapshot(kind: .follower) else { return }
    follow(to: snapshot.root)
  }
}
