/// The writes of one session, numbered: and what those had added that came to nothing.
///
/// An accessor carries the number at which it was made. A row that a write adds under a key whose
/// row it has deleted begins another number: so the accessors of the two are told from each other.
/// The numbers go round in a circle.
struct OwnWrites {
  /// The numbers of one write, and of rows that it added under keys that it had freed, the number
  /// from which they are there.
  private struct Span {
    let first: UInt32
    var last: UInt32
    var again: [RowLink: UInt32] = [:]
  }

  /// When others lay in the place of a row, and the number through which what was found before is
  /// gone, too.
  private struct Cover {
    let first: UInt32
    let last: UInt32
    let gone: UInt32?
  }

  /// What accessors that are made now carry: 0 outside of writes, if nothing that was sealed can be
  /// lost any more.
  private(set) var number: UInt32 = 0
  private var newest: UInt32 = 0
  private var isRunning = false
  /// The write that runs, or ran last.
  private var span = Span(first: 0, last: 0)
  /// A write that is on its way to the disk, with what happened to rows in it.
  private struct Sealed {
    let span: Span
    let changes: [RowChange]
    /// Whether it is the first of those that reach the disk, or are lost, together.
    let beginsGroup: Bool
    /// Whether it is known to be lost, which its realm is still to be told.
    var isLost = false
  }

  /// Oldest first.
  private var sealed: [Sealed] = []

  /// By table, the rows that were not there before a write that came to nothing had added them,
  /// each with the last number that was given by then: whoever found one before found what is gone.
  private var taken: [Int: GoneRows<UInt32>] = [:]
  /// Of those that were taken again since something is on its way to the disk, the numbers before:
  /// if it is lost, what it had deleted is there, and what was gone before that is not.
  private var takenBefore: [Int: GoneRows<UInt32>] = [:]
  /// The rows in whose place others lay while such a write ran, and at which numbers.
  private var covered: [RowLink: [Cover]] = [:]
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
    if sealed.isEmpty {
      number = 0
      takenBefore = [:]
    } else {
      next()
    }
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
    for one in rows { take(one.keys, of: Int(one.table), through: newest) }
    // What the write had deleted of them, and put in their place, was not there before either.
    for row in Array(covered.keys)
    where rows.contains(where: { Int($0.table) == row.table && $0.keys.contains(row.key) }) {
      covered[row] = nil
    }
    if !rows.isEmpty { isClean = false }
  }

  /// Notes that the running write is sealed: whether it comes to something is not certain yet.
  mutating func seal(_ changes: [RowChange], beginsGroup: Bool) {
    sealed.append(
      Sealed(span: span, changes: OwnWrites.moves(changes), beginsGroup: beginsGroup))
  }

  /// The group that was sealed last is lost, which will be told later.
  ///
  /// - Returns: the first number of the first of its writes; nil if it was known.
  mutating func loseGroup() -> UInt32? {
    guard let first = sealed.lastIndex(where: \.beginsGroup), !sealed[first].isLost else {
      return nil
    }
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

  /// Writes that followed each other have come to nothing.
  private mutating func takeBack(
    _ writes: [(span: Span, changes: [RowChange])], through last: UInt32
  ) {
    // Where nothing went, nothing was before what came.
    var emptied: Set<UInt32> = []
    for write in writes {
      for change in write.changes where change.kind.deletes { emptied.insert(change.table) }
    }
    var wasThere: [RowLink: Bool] = [:]
    for write in writes {
      var (span, met): (Span, Set<RowLink>) = (write.span, [])
      for change in write.changes {
        if emptied.contains(change.table) {
          for key in change.keys {
            let row = RowLink(table: Int(change.table), key: key)
            // Where an earlier one had deleted it, all that was found in this write is another one.
            if span.again[row] != nil, met.insert(row).inserted, change.kind == .inserted {
              span.again[row] = nil
            }
            takeBack(row, change.kind, span, through: last, &wasThere)
          }
        } else {
          take(change.keys, of: Int(change.table), through: last)
          isClean = false
        }
      }
    }
  }

  private mutating func takeBack(
    _ row: RowLink, _ kind: RowChange.Kind, _ span: Span, through last: UInt32,
    _ wasThere: inout [RowLink: Bool]
  ) {
    let was = wasThere[row]
    if was == nil { wasThere[row] = kind != .inserted }
    if kind == .deleted {
      // What a later write had added under its key, and was taken back before, lay in its place.
      if wasThere[row] == true,
        taken[row.table]?.contain(row.key, where: { $0.isLater(than: span.last) }) == true
      {
        cover(row, from: span.last &+ 1, through: last)
      }
      return
    }
    isClean = false
    if was ?? (kind != .inserted) {
      let first = span.again[row] ?? span.first
      // Once for all the times that it came, from the first of them on.
      if let known = covered[row]?.last, known.last == last, !known.first.isLater(than: first) {
        return
      }
      cover(row, from: first, through: last)
    } else {
      take(row.key...row.key, of: row.table, through: last)
    }
  }

  /// Notes rows that were not there before something that came to nothing.
  private mutating func take(_ keys: ClosedRange<Int64>, of table: Int, through last: UInt32) {
    if let oldest = sealed.first?.span.first {
      for one in taken[table]?.replaced(by: keys) ?? [] where oldest.isLater(than: one.time) {
        takenBefore[table, default: GoneRows()].add(one.keys, one.time)
      }
    }
    taken[table, default: GoneRows()].add(keys, last)
  }

  private mutating func cover(_ row: RowLink, from first: UInt32, through last: UInt32) {
    let gone = takenBefore[row.table]?.times(of: row.key).max { $1.isLater(than: $0) }
    covered[row, default: []].append(Cover(first: first, last: last, gone: gone))
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
    guard let number = table.number else { return false }
    let covers = covered[RowLink(table: number, key: key)] ?? []
    if covers.contains(where: { one in
      !one.first.isLater(than: birth) && !birth.isLater(than: one.last)
    }) {
      return true
    }
    return taken[number]?.contain(key) { OwnWrites.isTaken(birth, through: $0, covers) } ?? false
  }

  /// Whether what was found at a number went with what was taken back through a later one.
  private static func isTaken(_ birth: UInt32, through time: UInt32, _ covers: [Cover]) -> Bool {
    // What went and came in writes that are all lost was there before them, if it was there then.
    !birth.isLater(than: time)
      && !covers.contains { one in
        one.first.isLater(than: birth) && !one.first.isLater(than: time)
          && !time.isLater(than: one.last)
          && !(one.gone.map { isTaken(birth, through: $0, covers) } ?? false)
      }
  }

  // MARK: Forgetting

  /// Whether much is remembered.
  @inline(__always)
  var isDue: Bool { !isClean && remembered >= limit }

  /// How much is remembered.
  var remembered: Int { covered.count + taken.values.reduce(0) { $0 + $1.count } }

  /// Forgets what nobody can ask for any more.
  ///
  /// - Parameter rows: The rows of a table in the state that is shown.
  mutating func sweep(_ rows: (Int) -> RowTree?) {
    // What a write that runs is still to add under their keys is there.
    let now = isRunning ? span.first &- 1 : newest
    // Of what is not there everybody found what is gone.
    for row in Array(covered.keys) where rows(row.table)?.position(of: row.key).isFound != true {
      covered[row] = nil
      taken[row.table, default: GoneRows()].add(row.key...row.key, now)
    }
    for table in taken.keys {
      let rows = rows(table)
      taken[table]?.forget(now: now, at: { rows?.position(of: $0) ?? (0, false) })
    }
    limit = max(OwnWrites.few, remembered * 2)
  }
}
