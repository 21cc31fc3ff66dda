/// The rows that have gone in the sight of one session, of classes that give a key again: where a
/// whole number is the primary key it is the row's, too, and a later object may come under it.
///
/// Whatever was found before the state in which a row went belongs to the row that is gone, even if
/// another row has the key by now. So an object or a collection needs to remember only the state in
/// which it was last known to be right.
struct Departures {
  /// In which state of the session rows went, by table.
  private struct Book {
    /// By the tables' numbers: it is asked, and written, for each row of a loop.
    private(set) var tables: [GoneRows<UInt32>] = []
    /// Whether any row has ever been noted in it.
    private(set) var isEmpty = true

    var count: Int { tables.reduce(0) { $0 + $1.count } }

    @inline(__always)
    func have(_ row: RowLink, where isMeant: (UInt32) -> Bool) -> Bool {
      tables.indices.contains(row.table) && tables[row.table].contain(row.key, where: isMeant)
    }

    @inline(__always)
    func have(_ row: RowLink, after generation: UInt32) -> Bool {
      have(row) { $0.isLater(than: generation) }
    }

    private mutating func makeRoom(for table: Int) {
      isEmpty = false
      while tables.count <= table { tables.append(GoneRows()) }
    }

    /// Later than all that it has.
    mutating func add(_ table: Int, _ keys: ClosedRange<Int64>, _ generation: UInt32) {
      makeRoom(for: table)
      tables[table].add(keys, generation)
    }

    /// What others have deleted is read when it is certain: the session's own writes may have
    /// deleted what came after it.
    mutating func read(_ table: Int, _ keys: ClosedRange<Int64>, _ generation: UInt32) {
      makeRoom(for: table)
      tables[table].add(keys, generation) { $0.isLater(than: $1) }
    }

    mutating func add(_ other: Book) {
      for (table, rows) in other.tables.enumerated() where !rows.isEmpty {
        makeRoom(for: table)
        tables[table].add(rows) { $0.isLater(than: $1) }
      }
    }

    mutating func forget(
      now: UInt32, isPast: (UInt32) -> Bool,
      at positions: (_ table: Int) -> (Int64) -> (position: Int, isFound: Bool)
    ) {
      for table in tables.indices where !tables[table].isEmpty {
        tables[table].forget(now: now, isPast: isPast, at: positions(table))
      }
    }
  }

  private var settled = Book()
  /// What the running write has deleted, and would have back if it were cancelled.
  private var running = Book()
  /// What sealed writes have deleted that are on their way to the disk, oldest first, and would
  /// have back if they were lost.
  private var sealed: [(write: UInt32, book: Book)] = []
  /// The versions that another realm has sealed and that are shown, each with the state from which
  /// on.
  private var elsewhere: [(first: UInt32, version: VersionID)] = []
  /// What had gone in such versions, which would be there again if they were lost. Kept until it
  /// is known whether they are: who is on such a version pins no record of what led to it.
  private var doubtful: [(version: VersionID, book: Book)] = []
  /// By table, rows that never were: those that were added up to a version which was lost. Who
  /// found them did so in the states in which it was shown.
  private var lost: [Int: TakenRows] = [:]
  /// The classes whose table was made in a write that came to nothing, by name, each with the state
  /// in which it was not there any more. Its number may be another class's by now.
  private var vanished: [String: UInt32] = [:]
  private(set) var isEmpty = true
  /// The steps whose deletions are still to be read, while what was sealed elsewhere is shown: the
  /// version that was left, and the state that came of it.
  private var unread: [(since: VersionID, generation: UInt32)] = []
  /// When so many rows are remembered it is time to see which of them still matter. Then it is set
  /// to twice what is left, so that the look costs little for each row.
  private var limit = Departures.few
  /// The state in which it was looked last.
  private var swept: UInt32 = 0
  private static let few = 4096
  private static let long: UInt32 = 1 << 29

  /// Whether a row has gone since a state in which it was there.
  @inline(__always)
  func have(_ key: Int64, of table: BoundClass, after generation: UInt32) -> Bool {
    if _fastPath(isEmpty) { return false }
    return haveTaken(key, of: table, after: generation)
  }

  @inline(never)
  private func haveTaken(_ key: Int64, of table: BoundClass, after generation: UInt32) -> Bool {
    if _slowPath(!vanished.isEmpty), let time = vanished[table.name],
      time.isLater(than: generation)
    {
      return true
    }
    guard let number = table.number else { return false }
    let row = RowLink(table: number, key: key)
    return running.have(row, after: generation) || settled.have(row, after: generation)
      || doubtful.contains { $0.book.have(row, after: generation) }
      || lost[number]?.contain(key, at: generation) == true
      || sealed.contains { $0.book.have(row, after: generation) }
  }

  /// Whether the running write has deleted a row.
  func haveInWrite(_ row: RowLink) -> Bool {
    running.have(row) { _ in true }
  }

  /// Notes what the session's own write has deleted.
  mutating func note(_ table: Int, _ keys: ClosedRange<Int64>, at generation: UInt32) {
    running.add(table, keys, generation)
    isEmpty = false
  }

  /// Notes that a class has lost its table: all that was found in it before never was.
  mutating func vanish(_ name: String, at generation: UInt32) {
    vanished[name] = generation
    isEmpty = false
  }

  /// Notes what others have deleted.
  mutating func read(_ table: Int, _ keys: ClosedRange<Int64>, at generation: UInt32) {
    settled.read(table, keys, generation)
    isEmpty = false
  }

  /// A version that another realm has sealed is shown from this state on.
  mutating func beginElsewhere(_ version: VersionID, at generation: UInt32) {
    elsewhere.append((generation, version))
    areUnread = true
  }

  /// Notes what has been deleted in a version that is not published yet.
  mutating func readElsewhere(
    _ table: Int, _ keys: ClosedRange<Int64>, in version: VersionID, at generation: UInt32
  ) {
    if doubtful.last?.version != version { doubtful.append((version, Book())) }
    doubtful[doubtful.count - 1].book.add(table, keys, generation)
    isEmpty = false
  }

  /// Whether something has gone in versions of which it is not known whether they come to nothing.
  var haveDoubts: Bool { !doubtful.isEmpty }

  /// What another realm had sealed is left: of what was lost with it nothing ever was.
  ///
  /// - Parameters:
  ///   - group: What it was lost with; nil if it is durable, or may be.
  ///   - isKept: Whether a version is published.
  mutating func leaveElsewhere(
    _ group: LostVersions.Group?, isKept: (VersionID) -> Bool, at generation: UInt32
  ) {
    if elsewhere.isEmpty { return }
    if let group {
      for (index, step) in elsewhere.enumerated() where group.has(step.version) {
        let end = index + 1 < elsewhere.count ? elsewhere[index + 1].first : generation
        let time = TakenRows.Time(first: step.first, last: end &- 1)
        for (table, keys) in group.added(by: step.version) {
          lost[table, default: TakenRows()].add(keys, time)
        }
      }
      elsewhere.removeAll { group.has($0.version) }
      doubtful.removeAll { group.has($0.version) }
    }
    for one in doubtful where isKept(one.version) { settled.add(one.book) }
    doubtful.removeAll { isKept($0.version) }
    elsewhere.removeAll { isKept($0.version) }
    lookIfEmpty()
  }

  /// A version is shown that is published.
  mutating func endElsewhere() {
    elsewhere = []
    areUnread = !unread.isEmpty
  }

  private mutating func lookIfEmpty() {
    isEmpty =
      settled.isEmpty && sealed.isEmpty && running.isEmpty && lost.isEmpty
      && doubtful.isEmpty && vanished.isEmpty
  }

  /// Whether steps have been made whose deletions have not been read, or of which it is not known
  /// whether they come to nothing.
  private(set) var areUnread = false

  /// A version was left, and what went with it will be read later.
  mutating func notRead(since version: VersionID, at generation: UInt32) {
    unread.append((version, generation))
    areUnread = true
  }

  /// The steps that have not been read, oldest first: who takes them reads them.
  mutating func takeUnread() -> [(since: VersionID, generation: UInt32)] {
    defer {
      unread = []
      areUnread = !elsewhere.isEmpty
    }
    return unread
  }

  /// The running write is committed, or has come to nothing.
  mutating func endWrite(isKept: Bool) {
    if running.isEmpty { return }
    if isKept { settled.add(running) }
    running = Book()
    lookIfEmpty()
  }

  /// The running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ write: UInt32) {
    if running.isEmpty { return }
    sealed.append((write, running))
    running = Book()
  }

  /// Sealed writes, up to this one, are on the disk, or lost.
  mutating func endSealed(through write: UInt32, areLost: Bool) {
    while let first = sealed.first, !first.write.isLater(than: write) {
      sealed.removeFirst()
      if !areLost { settled.add(first.book) }
    }
    lookIfEmpty()
  }

  /// Sealed writes, from this one on, are lost, which will be told later.
  mutating func loseSealed(from write: UInt32) {
    sealed.removeAll { !write.isLater(than: $0.write) }
    lookIfEmpty()
  }

  /// How many versions that others have sealed are remembered.
  var countElsewhere: Int { elsewhere.count }

  /// How much is remembered of what is decided.
  private var kept: Int { settled.count + lost.values.reduce(0) { $0 + $1.count } }

  /// How much is remembered.
  var count: Int { kept + running.count + sealed.reduce(0) { $0 + $1.book.count } }

  /// Whether much is remembered, or for so many states that their numbers may come again.
  @inline(__always)
  func isDue(at generation: UInt32) -> Bool {
    !isEmpty && (kept >= limit || generation &- swept > Departures.long)
  }

  /// Forgets what nobody can ask for any more.
  ///
  /// - Parameter rows: The rows of a table in the state that is shown.
  mutating func sweep(at generation: UInt32, _ rows: (Int) -> RowTree?) {
    func isPast(_ time: UInt32) -> Bool { generation &- time > 2 * Departures.long }
    settled.forget(now: generation, isPast: isPast) { table in
      var rows = rows(table).map { RowPositions($0) }
      return { rows?.position(of: $0) ?? (0, false) }
    }
    for table in lost.keys {
      let rows = rows(table)
      lost[table]?.forget(
        now: generation, isPast: isPast, at: { rows?.position(of: $0) ?? (0, false) })
    }
    vanished = vanished.filter { !isPast($0.value) }
    limit = max(Departures.few, kept * 2)
    swept = generation
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

  /// Forgets what need not be remembered of rows that have gone: where a version is opened, or a
  /// write that has changed nothing yet.
  @inline(__always)
  func sweepDepartures() {
    if _slowPath(departures.isDue(at: generation) || writes.isDue) { forgetDepartures() }
  }

  @inline(never)
  private func forgetDepartures() {
    // What waits for its place in the file is looked into when it has one.
    guard !hasChangesInWrite, let root, !root.isWaiting else { return }
    // What may come to nothing tells of no row that it is gone.
    guard coordinator.isKept(root.version) else { return }
    let top = Top(space: coordinator.space, ref: root.top)
    departures.sweep(at: generation) { top.table($0)?.rows }
    writes.sweep { top.table($0)?.rows }
  }

  /// Reads which rows others have deleted since a version that was shown, once another one is.
  @inline(__always)
  func followDeletions(since version: VersionID) {
    let last = VersionBoard.lastDeletion(beside: hot.pointee.published)
    if _slowPath(last > version) || _slowPath(departures.areUnread) {
      readDeletions(since: version)
    }
  }

  @inline(never)
  private func readDeletions(since version: VersionID) {
    guard let root else { return }
    // Objects that were found after a step are of rows that it left.
    departures.notRead(since: version, at: generation)
    // What waits for its place in the file is read when it has one.
    if root.isWaiting { return }
    verifyKeeps(at: root)
    // The records were kept for this session, and may be gone before others come to read them.
    coordinator.follow(to: root)
    let steps = departures.takeUnread()
    leaveElsewhere(version)
    departures.endElsewhere()
    shownElsewhere = []
    let keyed = keyedTables
    guard !keyed.isEmpty, let since = steps.map(\.since).min(), root.version > since else {
      return
    }
    Deletions(after: since, upTo: root, in: coordinator.space).each { table, keys, version in
      guard version > since, keyed.contains(table) else { return }
      let step = steps.last { $0.since < version } ?? steps[0]
      departures.read(Int(table), keys, at: step.generation)
    }
  }

  /// Reads what has gone in a version that is another realm's, and not durable yet.
  ///
  /// - Parameter version: What was shown before, which may be one of those, too.
  func readSealed(since version: VersionID) {
    departures.notRead(since: version, at: generation)
    leaveElsewhere(version)
    read()
    // Not if it could not be read, and has been left.
    guard let root, !coordinator.isKept(root.version) else { return }
    departures.beginElsewhere(root.version, at: generation)
    if root.isWaiting { return }
    let steps = departures.takeUnread()
    let keyed = keyedTables
    guard let since = steps.map(\.since).min(), root.version > since else { return }
    Deletions(after: since, upTo: root, in: coordinator.space).each { table, keys, time in
      guard time > since, keyed.contains(table) else { return }
      let step = steps.last { $0.since < time } ?? steps[0]
      // What went later is noted later.
      if !departures.haveDoubts, coordinator.isKept(time) {
        departures.read(Int(table), keys, at: step.generation)
      } else {
        departures.readElsewhere(Int(table), keys, in: time, at: step.generation)
      }
    }
  }

  /// Finds out what has become of a version that is left, if another realm had sealed it.
  private func leaveElsewhere(_ version: VersionID) {
    departures.leaveElsewhere(
      coordinator.lostVersions.group(of: version), isKept: coordinator.isKept, at: generation)
  }

  /// The tables whose rows have whole numbers as keys that their objects were given.
  var keyedTables: Set<UInt32> {
    Set(
      classes.all.filter(\.layout.keyIsRow).compactMap { $0.number.map { UInt32($0) } })
  }
}
