/// The writes of one session, numbered: and what those had added that came to nothing.
///
/// An accessor carries the number at which it was made. A row that a write adds under a key whose
/// row it has deleted begins another number: so what was found under a key between two numbers is
/// one and the same, and what comes to nothing is known by the numbers between which it was there.
/// The numbers go round in a circle.
struct OwnWrites {
  /// The numbers of one write, and of rows that it added under keys that it had freed, the number
  /// from which they are there.
  private struct Span {
    let first: UInt32
    var last: UInt32
    var again: [RowLink: UInt32] = [:]
  }

  /// A write that is on its way to the disk, with what happened to rows in it.
  private struct Sealed {
    let span: Span
    let version: VersionID
    let changes: [RowChange]
    /// Whether it is the first of those that reach the disk, or are lost, together.
    let beginsGroup: Bool
    /// Whether it is known to be lost, which its realm is still to be told.
    var isLost = false
  }

  /// What accessors that are made now carry: 0 outside of writes, if nothing that was sealed can be
  /// lost any more.
  private(set) var number: UInt32 = 0
  private var newest: UInt32 = 0
  private var isRunning = false
  /// The write that runs, or ran last.
  private var span = Span(first: 0, last: 0)
  /// Oldest first.
  private var sealed: [Sealed] = []

  /// By table, the rows that came to nothing.
  private var taken: [Int: TakenRows] = [:]
  private var isClean = true
  /// At so many it is looked which are still of interest; doubled with those.
  private var limit = OwnWrites.few
  private static let few = 4096

  private mutating func next() {
    newest &+= 1
    if newest == 0 { newest = 1 }
    number = newest
  }

  mutating func begin() {
    next()
    isRunning = true
    span = Span(first: newest, last: newest)
  }

  mutating func end() {
    isRunning = false
    settle()
  }

  /// What is found between two writes may be of one that is lost yet, and is of neither.
  private mutating func settle() {
    if isRunning { return }
    if sealed.isEmpty { number = 0 } else { next() }
  }

  /// Notes that the running write has added a row under a key whose row it had deleted.
  mutating func comesAgain(_ row: RowLink) {
    next()
    span.last = newest
    if span.again[row] == nil { span.again[row] = newest }
  }

  // MARK: Coming to nothing

  /// Notes that the running write has come to nothing.
  mutating func undo(_ changes: [RowChange]) {
    takeBack([(span, OwnWrites.moves(changes))], through: newest)
  }

  /// Notes that what the running write was begun on is lost, with the rows that it had added.
  mutating func lose(_ rows: [RowChange]) {
    for one in rows { take(one.keys, of: Int(one.table), span.first, through: newest) }
  }

  /// Notes that the running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ changes: [RowChange], as version: VersionID, beginsGroup: Bool) {
    sealed.append(
      Sealed(
        span: span, version: version, changes: OwnWrites.moves(changes), beginsGroup: beginsGroup))
  }

  /// The group that was sealed last is lost, which will be told later.
  ///
  /// - Parameter version: Its last one; another is lost with what another session has sealed.
  /// - Returns: the first number of the first of its writes; nil if it was known.
  mutating func loseGroup(of version: VersionID?) -> UInt32? {
    guard let last = sealed.last, last.version == version, !last.isLost,
      let first = sealed.lastIndex(where: \.beginsGroup)
    else { return nil }
    takeBack(sealed[first...])
    for index in first..<sealed.count { sealed[index].isLost = true }
    settle()
    return sealed[first].span.first
  }

  /// The oldest of the sealed writes, or all, are on the disk, or lost.
  ///
  /// - Returns: the last number of the last of them.
  mutating func endSealed(_ count: Int?, areLost: Bool) -> UInt32? {
    let ended = Array(sealed.prefix(count ?? sealed.count))
    if ended.isEmpty { return nil }
    sealed.removeFirst(ended.count)
    if areLost { takeBack(ended.filter { !$0.isLost }[...]) }
    settle()
    return ended.last?.span.last
  }

  /// What has come and gone, in the order in which it did.
  private static func moves(_ changes: [RowChange]) -> [RowChange] {
    changes.filter { $0.kind != .modified }
  }

  /// Sealed writes that followed each other are lost.
  private mutating func takeBack(_ writes: ArraySlice<Sealed>) {
    // A write that runs has begun on what is there.
    takeBack(writes.map { ($0.span, $0.changes) }, through: isRunning ? span.first &- 1 : newest)
  }

  /// Writes have come to nothing: whoever found what they had added found somebody who never was.
  private mutating func takeBack(
    _ writes: [(span: Span, changes: [RowChange])], through last: UInt32
  ) {
    for write in writes {
      // Where nothing went, nobody was before those who came.
      let emptied = Set(write.changes.lazy.filter { $0.kind.deletes }.map(\.table))
      var began: [RowLink: UInt32] = [:]
      for change in write.changes {
        if emptied.contains(change.table) {
          for key in change.keys {
            let row = RowLink(table: Int(change.table), key: key)
            takeBack(row, change.kind, write.span, through: last, &began)
          }
        } else {
          take(change.keys, of: Int(change.table), write.span.first, through: last)
        }
      }
    }
  }

  /// - Parameter began: The numbers from which on the write's own are found under keys.
  private mutating func takeBack(
    _ row: RowLink, _ kind: RowChange.Kind, _ span: Span, through last: UInt32,
    _ began: inout [RowLink: UInt32]
  ) {
    // Until the write deletes who was there when it began, that one is found.
    let first = began[row] ?? (kind.deletes ? span.again[row] : nil) ?? span.first
    began[row] = first
    if kind != .deleted { take(row.key...row.key, of: row.table, first, through: last) }
  }

  private mutating func take(
    _ keys: ClosedRange<Int64>, of table: Int, _ first: UInt32, through last: UInt32
  ) {
    taken[table, default: TakenRows()].add(keys, TakenRows.Time(first: first, last: last))
    isClean = false
  }

  // MARK: Asking

  /// Whether a row was added by a write that came to nothing, as seen by an accessor that was made
  /// at a number.
  @inline(__always)
  func haveTakenBack(_ key: Int64, of table: BoundClass, since birth: UInt32) -> Bool {
    if _fastPath(isClean || birth == 0) { return false }
    return haveTaken(key, of: table, since: birth)
  }

  @inline(never)
  private func haveTaken(_ key: Int64, of table: BoundClass, since birth: UInt32) -> Bool {
    table.number.flatMap { taken[$0]?.contain(key, at: birth) } ?? false
  }

  // MARK: Forgetting

  /// Whether much is remembered.
  @inline(__always)
  var isDue: Bool { !isClean && remembered >= limit }

  /// How much is remembered.
  var remembered: Int { taken.values.reduce(0) { $0 + $1.count } }

  /// Forgets what nobody can ask for any more.
  ///
  /// - Parameter rows: The rows of a table in the state that is shown.
  mutating func sweep(_ rows: (Int) -> RowTree?) {
    // What a write that runs is still to add under their keys is there.
    let now = isRunning ? span.first &- 1 : newest
    for table in taken.keys {
      let rows = rows(table)
      taken[table]?.forget(now: now) { rows?.position(of: $0) ?? (0, false) }
    }
    limit = max(OwnWrites.few, remembered * 2)
  }
}
