import CShims

// How a session comes to newer versions, and to those of references.

extension Session {
  /// Looks what has happened since, where the session is at home: called after somebody has rung.
  func lookForNews() {
    guard let listeners, !isInWrite, !listeners.comesAgain() else { return }
    if listeners.search() { return }
    if listeners.isSearched {
      listeners.tellObservers()
      // What was committed meanwhile is for another turn.
      if !isNewest { listeners.knock() }
      return
    }
    // First the step, then the telling: what was committed before a listener's first call belongs
    // to that call.
    if isAutorefreshing, root != nil {
      if let step = listeners.foreseenStep() {
        advance(to: step)
        // What was committed meanwhile is for another turn.
        if !isNewest { listeners.knock() }
        return
      }
      if listeners.foresee() || advance() { return }
    }
    listeners.tellObservers()
    let newest = coordinator.newestVersion
    guard let root else { return listeners.tellUnread(newest) }
    if newest > root.version { return listeners.tellBehind(newest) }
  }

  /// What a step will mean to listeners has been found out elsewhere. Kept by its caller meanwhile,
  /// the session outlives what it tells.
  func receive(_ forecast: Forecast) { listeners?.receive(forecast) }

  /// Brings the session to the newest version; false if it shows it, or is busy with a write or
  /// with telling news.
  func refreshIfPossible() -> Bool {
    if advanceUnheard() { return true }
    if isInWrite { return false }
    if let listeners {
      if listeners.isTelling { return false }
      listeners.tellObservers()
    }
    if root == nil {
      read()
      return true
    }
    return advance()
  }

  /// Whether `refresh` has certainly nothing to do: two loads and a comparison.
  @inline(__always)
  var isQuiet: Bool { rb_load_acquire(hot.pointee.published) <= hot.pointee.quietAt }

  /// Whether nothing newer has been committed.
  var isNewest: Bool { root.map { coordinator.newestVersion <= $0.version } ?? false }

  /// Whether a later version is shown than that one.
  func hasMoved(from old: VersionID?) -> Bool {
    guard let old, let version else { return false }
    return old < version
  }

  /// Comes to a version or a later one; a session that is there stays.
  func reach(_ target: VersionID) {
    read()
    if isFrozen || isInWrite { return }
    if let version, version < target { _ = advance() }
    if let version, version < target {
      advanceToSealed(target)
      // It may have become the newest between the two.
      _ = advance()
    }
  }

  /// Something that the session shows may be looked for elsewhere from now on: its write's, as soon
  /// as that is committed, or what the write was begun on, at once; or what it has sealed, which
  /// needs a place for that, and a record of its own, or nothing would tell of a row that the next
  /// write of the group deletes.
  func refersInWrite() {
    // If it finds no place it is lost, which its completion is told. Where a write has begun on top
    // of it, it is written to the file at once: if that write is cancelled this realm reads it
    // there, and what is not written yet is not known any more.
    try? placeSealed(isForLater: !isInWrite)
    guard let write else { return }
    write.isReferredTo = true
    write.settleBase()
  }

  /// Whether a version is on its way to the disk, and was not to be read here.
  ///
  /// - Parameter file: Who brings it there: another one if the file is open here to be read only.
  func cannotReach(_ version: VersionID, of file: Coordinator) -> Bool {
    guard !isInWrite, let shown = self.version, shown < version else { return false }
    return file.writer.hasSealed(version)
  }

  /// The oldest version in which what this session shows now can be found.
  var referenceVersion: VersionID {
    read()
    if let write, !write.changes.isEmpty { return write.version }
    return version ?? VersionID(0)
  }

  /// Whether what it shows is on its way to the disk, whoever has sealed it, or is lost.
  var mayShowLost: Bool { version.map { !coordinator.isKept($0) } ?? false }

  /// Whether the write the session is in has changed something.
  var hasChangesInWrite: Bool { write.map { !$0.changes.isEmpty } ?? false }

  /// Whether something comes from the file of this session, by whatever name that was opened.
  func isSameFile(as other: Origin) -> Bool {
    other === origin || other.place.map { $0 == origin.place } ?? false
  }

  /// Begins a write for asynchronous work at home.
  func startWrite() throws {
    begin(try asyncWrites.transaction())
  }

  /// What was sealed is told to be lost. It is left, if that was not done when a read, or a write,
  /// found it to be lost: what is shown since stays.
  ///
  /// - Returns: the version that was left, as `leaveLost` does.
  func hearOfLoss() -> Root? {
    listeners?.didFail()
    guard let root, coordinator.lostVersions.group(of: root.version) != nil else { return nil }
    return leaveLost()
  }

  /// What was sealed could not be brought to the disk: shows the newest version that is there.
  ///
  /// - Returns: the version that was left: who has heard of more than there is, is told by
  ///   `didStep`.
  func leaveLost() -> Root? {
    listeners?.didFail()
    // A write that goes on has begun since, on what is there.
    guard !isInWrite, let lost = willStep() else { return nil }
    fallBack()
    return lost
  }
}

// MARK: - Links backwards

extension Session {
  /// Calls `body` with each row that links to a row, and the column that does.
  ///
  /// - Parameter mixed: The columns of mixed values in which links to it are looked for, too.
  func forEachSource(
    of row: RowLink, mixed: [(Int, StoredColumn)] = [], _ body: (RowLink, Int) -> Void
  ) {
    guard stored.tables.indices.contains(row.table) else { return }
    for (source, column) in store.linkingColumns(to: row.table, in: stored) + mixed {
      for key in store.backlinks(to: row, from: source, column) {
        body(RowLink(table: source, key: key), column.number)
      }
    }
  }
}
