/// What happened to rows: to one, or to several with successive keys.
struct RowChange: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    case inserted = 1
    case deleted = 2
    case modified = 3
    /// Deleted and inserted again under the same key: another object.
    case replaced = 4

    /// Whether the rows that were there are no longer.
    var deletes: Bool { self == .deleted || self == .replaced }
  }

  var table: UInt32
  var kind: Kind
  /// Whether in a collection of theirs an element came, went or moved, or may have: else each is
  /// where it was, and those that differ were replaced.
  var isShifted = false
  /// Which of the columns from 63 on `further` is about: the first 32 of them are block 1; 0 if
  /// nobody has said which they are.
  var block: UInt16 = 0
  var key: Int64
  var count: UInt32
  /// One bit for each column of the block that was written.
  var further: UInt32 = 0
  /// One bit for each column that was written, the same value or not; columns from 63 on share the
  /// last one.
  var columns: UInt64

  /// The key behind the last; of the greatest key there is, the least.
  var end: Int64 { key &+ Int64(count) }

  /// The rows. Nothing lies behind the greatest key there is, whatever a record says.
  var keys: ClosedRange<Int64> {
    let (last, isBeyond) = key.addingReportingOverflow(Int64(max(count, 1) - 1))
    return key...(isBeyond ? .max : last)
  }

  /// Whether the rows that were there are no longer.
  var deletes: Bool { kind.deletes }

  /// The same without saying which columns share a bit.
  fileprivate var withoutBlock: RowChange {
    var change = self
    (change.block, change.further) = (0, 0)
    return change
  }

  /// The same without the columns that share a bit; nil if nothing is left.
  fileprivate var withoutShared: RowChange? {
    var change = self
    if kind == .modified { change.columns &= ~RowChange.shared }
    return kind == .modified && change.columns == 0 ? nil : change
  }

  /// Whether both tell the same of their rows' columns.
  @inline(__always)
  func hasSameColumns(as other: RowChange) -> Bool {
    columns == other.columns && isShifted == other.isShifted && further == other.further
      && block == other.block
  }

  static func bit(of column: Int) -> UInt64 { 1 << UInt64(min(column, firstShared)) }

  /// The first column that has no bit of its own.
  static let firstShared = 63
  /// The bit that all from there on share.
  static let shared: UInt64 = 1 << 63

  /// Where a column from `firstShared` on is told.
  static func place(ofShared column: Int) -> (block: UInt16, bit: UInt32) {
    let place = column - firstShared
    return (UInt16(truncatingIfNeeded: 1 + place >> 5), 1 << UInt32(place & 31))
  }

  /// The columns from `firstShared` on that it names.
  var named: [Int] {
    if block == 0 { return [] }
    return (0..<32).filter { further & 1 << UInt32($0) != 0 }.map {
      RowChange.firstShared + (Int(block) - 1) << 5 + $0
    }
  }

  /// What tells that columns of a row were written: one for all that have a bit of their own, and
  /// one for each block of others.
  static func modified(
    table: UInt32, key: Int64, isShifted: Bool, columns: [Int]
  ) -> [RowChange] {
    var own = RowChange(
      table: table, kind: .modified, isShifted: isShifted, key: key, count: 1, columns: 0)
    var blocks: [UInt16: UInt32] = [:]
    for column in columns {
      if column < firstShared {
        own.columns |= bit(of: column)
      } else {
        let place = place(ofShared: column)
        blocks[place.block, default: 0] |= place.bit
      }
    }
    let others = blocks.map { block, bits in
      RowChange(
        table: table, kind: .modified, isShifted: isShifted, block: block, key: key, count: 1,
        further: bits, columns: shared)
    }
    return own.columns == 0 && !others.isEmpty ? others : [own] + others
  }
}

/// Notes what a write touches, while it runs; the trees report to it.
///
/// A self-assignment is a change too, so it is the write that is noted and not a difference between
/// versions.
final class ChangeRecorder: ChangeSink {
  @exclusivity(unchecked) private var noted: [RowChange] = []
  /// Tell of what happened already and is not noted yet.
  private var heldBack: [() -> Void] = []

  /// All that was touched, in the order in which it happened to each row.
  var changes: [RowChange] {
    while !heldBack.isEmpty {
      let reports = heldBack
      heldBack = []
      for report in reports { report() }
    }
    return noted
  }

  /// Set if what happened to some table cannot be told row by row: readers then compare the
  /// versions.
  private(set) var isIncomplete = false

  var isEmpty: Bool { noted.isEmpty && heldBack.isEmpty && !isIncomplete }

  override func holdBack(_ report: @escaping () -> Void) { heldBack.append(report) }

  override func inserted(table: UInt32, key: Int64) {
    note(RowChange(table: table, kind: .inserted, key: key, count: 1, columns: 0))
  }

  override func deleted(table: UInt32, key: Int64) {
    note(RowChange(table: table, kind: .deleted, key: key, count: 1, columns: 0))
  }

  override func modified(table: UInt32, key: Int64, column: Int) {
    if _slowPath(column >= RowChange.firstShared) {
      return modifiedShared(table: table, key: key, column: column, isShifted: false)
    }
    let bit = RowChange.bit(of: column)
    if let last = noted.last, last.table == table, last.key == key, last.count == 1,
      last.kind != .deleted
    {
      noted[noted.count - 1].columns |= last.kind == .modified ? bit : 0
      return
    }
    note(RowChange(table: table, kind: .modified, key: key, count: 1, columns: bit))
  }

  /// The same of a collection in which elements came, went or moved.
  override func shifted(table: UInt32, key: Int64, column: Int) {
    if _slowPath(column >= RowChange.firstShared) {
      return modifiedShared(table: table, key: key, column: column, isShifted: true)
    }
    let bit = RowChange.bit(of: column)
    if let last = noted.last, last.table == table, last.key == key, last.count == 1,
      last.kind != .deleted
    {
      guard last.kind == .modified else { return }
      noted[noted.count - 1].columns |= bit
      noted[noted.count - 1].isShifted = true
      return
    }
    note(
      RowChange(
        table: table, kind: .modified, isShifted: true, key: key, count: 1, columns: bit))
  }

  /// The same of a column that has no bit of its own.
  @inline(never)
  private func modifiedShared(table: UInt32, key: Int64, column: Int, isShifted: Bool) {
    let (block, bit) = RowChange.place(ofShared: column)
    if let last = noted.last, last.table == table, last.key == key, last.count == 1,
      last.kind != .deleted
    {
      guard last.kind == .modified else { return }
      if last.block == 0 || last.block == block {
        noted[noted.count - 1].columns |= RowChange.shared
        noted[noted.count - 1].block = block
        noted[noted.count - 1].further |= bit
        if isShifted { noted[noted.count - 1].isShifted = true }
        return
      }
    }
    note(
      RowChange(
        table: table, kind: .modified, isShifted: isShifted, block: block, key: key, count: 1,
        further: bit, columns: RowChange.shared))
  }

  /// Everything may have changed: a table was dropped or rebuilt.
  func everything() { isIncomplete = true }

  func reset() {
    noted.removeAll(keepingCapacity: noted.capacity < 4096)
    heldBack = []
    isIncomplete = false
  }

  @inline(__always)
  private func note(_ change: RowChange) {
    if let last = noted.last, last.table == change.table, last.kind == change.kind,
      last.hasSameColumns(as: change), last.end == change.key, change.key != .min,
      last.count < .max
    {
      noted[noted.count - 1].count += 1
    } else {
      noted.append(change)
    }
  }
}

/// What changed between two versions: for each table, runs of rows in ascending order, none twice.
struct ChangeSet: Sendable {
  private(set) var tables: [UInt32: [RowChange]] = [:]
  /// Which of the columns that share a bit were written: by table, for each block of them the runs
  /// of rows in ascending order, none twice. What was not only modified is told by `tables`.
  private(set) var shared: [UInt32: [[RowChange]]] = [:]

  var isEmpty: Bool { tables.isEmpty }

  /// Joins changes that happened in this order.
  init(_ changes: [RowChange]) {
    // Mostly they are of one.
    if let table = changes.first?.table, changes.allSatisfy({ $0.table == table }) {
      add(changes, of: table)
      return
    }
    for (table, list) in Dictionary(grouping: changes, by: \.table) { add(list, of: table) }
  }

  private mutating func add(_ list: [RowChange], of table: UInt32) {
    if let runs = ChangeSet.runs(ofAlike: list) {
      tables[table] = runs
      return
    }
    let hasShared = list.contains { $0.columns & RowChange.shared != 0 }
    let merged = ChangeSet.merge(hasShared ? list.map(\.withoutBlock) : list)
    if !merged.isEmpty { tables[table] = merged }
    if hasShared, !merged.isEmpty { shared[table] = ChangeSet.blocks(of: list) }
  }

  /// Of single rows to which the same has happened, as to those that an app's loop deletes or
  /// inserts: by their keys alone, which are a fifth of what would be moved about. Nil if they are
  /// not such.
  private static func runs(ofAlike changes: [RowChange]) -> [RowChange]? {
    guard changes.count > 1, let first = changes.first, first.columns & RowChange.shared == 0,
      changes.allSatisfy({
        $0.count == 1 && $0.kind == first.kind && $0.hasSameColumns(as: first)
      })
    else { return nil }
    let keys = PackedSort.sorted(changes.map(\.key))
    var runs: [RowChange] = []
    var run = first
    run.key = keys[0]
    var last = run.key
    for key in keys where key != last {
      if key == last + 1, run.count < .max - 1 {
        run.count += 1
      } else {
        runs.append(run)
        (run.key, run.count) = (key, 1)
      }
      last = key
    }
    runs.append(run)
    return runs
  }

  /// The columns that share a bit, each block of them by itself.
  private static func blocks(of changes: [RowChange]) -> [[RowChange]] {
    let known = changes.filter { $0.kind == .modified && $0.columns & RowChange.shared != 0 }
    return Dictionary(grouping: known, by: \.block).values.map { list in
      merge(
        list.map { change in
          var change = change
          change.columns = RowChange.shared
          return change
        })
    }
  }

  /// Each row of each table once, of changes that happened in this order; once more for each block
  /// of columns that share a bit.
  static func normalised(_ changes: [RowChange]) -> [RowChange] {
    changes.count < 2 ? changes : ChangeSet(changes).all
  }

  var all: [RowChange] {
    tables.keys.sorted().flatMap { table in
      let rows = tables[table] ?? []
      guard let blocks = shared[table] else { return rows }
      return rows.compactMap(\.withoutShared)
        + blocks.flatMap { ChangeSet.parts(of: $0, in: rows) }
    }
  }

  /// The parts of ascending runs that are of rows which were only modified: told of once more, any
  /// other would be read as another row under its key.
  private static func parts(of runs: [RowChange], in rows: [RowChange]) -> [RowChange] {
    var parts: [RowChange] = []
    var next = 0
    for row in rows where row.kind == .modified {
      while next < runs.count, runs[next].keys.upperBound < row.key { next += 1 }
      for run in runs[next...].prefix(while: { $0.key <= row.keys.upperBound }) {
        var part = run
        part.key = max(run.key, row.key)
        let last = min(run.keys.upperBound, row.keys.upperBound)
        part.count = UInt32(truncatingIfNeeded: last &- part.key &+ 1)
        parts.append(part)
      }
    }
    return parts
  }

  private static func merge(_ changes: [RowChange]) -> [RowChange] {
    if changes.count == 1 { return changes }
    let order = PackedSort.order(of: changes.map(\.key)).map { Int($0) }
    // Usually no two of them meet.
    var meets = false
    for index in 1..<order.count
    where changes[order[index - 1]].keys.upperBound >= changes[order[index]].key {
      meets = true
      break
    }
    return joined(meets ? pieces(of: changes, order) : order.map { changes[$0] })
  }

  /// Runs that meet, cut where another one begins or ends, so that each piece has one history: the
  /// cost is that of the runs, however long they are.
  private static func pieces(of changes: [RowChange], _ order: [Int]) -> [RowChange] {
    var pieces: [RowChange] = []
    // The runs around the place, by age.
    var open: [Int] = []
    var next = 0
    var place = Int64.min
    while next < order.count || !open.isEmpty {
      if open.isEmpty { place = changes[order[next]].key }
      while next < order.count, changes[order[next]].key == place {
        let age = order[next]
        open.insert(age, at: open.lastIndex { $0 < age }.map { $0 + 1 } ?? 0)
        next += 1
      }
      var last = open.reduce(Int64.max) { min($0, changes[$1].keys.upperBound) }
      if next < order.count { last = min(last, changes[order[next]].key - 1) }
      var whole: RowChange?
      for age in open { whole = whole.map { combine($0, changes[age]) } ?? changes[age] }
      if var whole {
        (whole.key, whole.count) = (place, UInt32(truncatingIfNeeded: last &- place &+ 1))
        pieces.append(whole)
      }
      if last == .max { break }
      open.removeAll { changes[$0].keys.upperBound == last }
      place = last + 1
    }
    return pieces
  }

  /// What two changes of one row are together; nil if nothing is left of them.
  private static func combine(_ old: RowChange, _ new: RowChange) -> RowChange? {
    var result = old
    switch (old.kind, new.kind) {
    case (.inserted, .deleted): return nil
    case (.modified, .modified):
      result.columns |= new.columns
      // One block's, or nobody's.
      result.further |= new.further
      result.isShifted = old.isShifted || new.isShifted
    case (.inserted, _), (.replaced, .modified), (.replaced, .inserted), (.replaced, .replaced):
      break
    case (.replaced, .deleted), (.modified, .deleted), (.deleted, .deleted):
      result.kind = .deleted
      result.columns = 0
    case (.deleted, _), (.modified, .replaced), (.modified, .inserted):
      result.kind = .replaced
      result.columns = 0
    }
    return result
  }

  private static func joined(_ changes: [RowChange]) -> [RowChange] {
    var result: [RowChange] = []
    for change in changes {
      invariant(
        result.last.map { $0.key < change.key } ?? true,
        "of table \(change.table) row \(change.key) changes behind row \(result.last?.key ?? 0)")
      if let last = result.last, last.end == change.key, change.key != .min,
        last.kind == change.kind, last.hasSameColumns(as: change),
        UInt64(last.count) + UInt64(change.count) < UInt32.max
      {
        result[result.count - 1].count += change.count
      } else {
        result.append(change)
      }
    }
    return result
  }
}
