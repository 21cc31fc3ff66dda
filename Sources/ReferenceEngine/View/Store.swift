import Foundation

/// The trees of one version, or of a running write, spoken to in Realm's terms: rows, properties,
/// links.
///
/// What it remembers of a version's tables is found on first demand, or at once for a frozen
/// session, which many threads read. In a write it reads the pending trees.
final class Store: PendingTrees {
  let space: NodeSpace
  private(set) var top: Top
  /// The trees of the write; nil while a version is read.
  let trees: TreeWriter?
  /// Whether many threads read: then nothing is remembered after the beginning.
  private let isShared: Bool
  @exclusivity(unchecked) private var tables: FoundTables
  @exclusivity(unchecked) private var writers: [TableWriter?]
  @exclusivity(unchecked) private var opened: Opened?
  /// How long the texts of large tables are, with bit 63 set once it is known. Of whichever
  /// version: nobody relies on it.
  @exclusivity(unchecked) private var textLengths: [UInt64]
  /// Where the leaves of the tables' trees lie, of those that are asked often; true of `state`,
  /// which counts the versions that were shown.
  @exclusivity(unchecked) private var signposts: [TableSignposts] = []
  @exclusivity(unchecked) private var state: UInt64 = 1
  /// The state before, if what was shown in it was held until what is shown now was; else 0.
  @exclusivity(unchecked) private var stateBefore: UInt64 = 0
  /// Whether rows may be leaving a table of the write.
  @exclusivity(unchecked) private var mayLeave = false
  /// By table, what has to be seen to when those rows leave that are noted to do so.
  @exclusivity(unchecked) private var leavingTies: [RowTies?] = []
  /// Is told when the rows of the write have moved because somebody asked for them in order.
  var rowsMoved: (() -> Void)?
  /// The index that was asked last.
  @exclusivity(unchecked) private var lastTree: (number: Int, tree: UInt32, root: NodeRef?)?

  /// The trees of a version.
  ///
  /// - Parameter last: Has shown another version, or the same.
  init(space: NodeSpace, top: NodeRef, isShared: Bool = false, after last: Store? = nil) {
    self.space = space
    self.top = Top(space: space, ref: top)
    trees = nil
    self.isShared = isShared
    writers = []
    tables = FoundTables(count: self.top.tableCount)
    textLengths = []
    if isShared {
      for number in 0..<tables.count { openTable(number, after: last?.lastTable(number)) }
      last?.noteTables(of: self)
    }
  }

  /// Shows another version instead, without looking into it; false if it is not for that.
  func show(_ version: NodeRef) -> Bool {
    if trees != nil || isShared { return false }
    top = Top(space: space, ref: version)
    lastTree = nil
    state += 1
    stateBefore = 0
    for number in 0..<tables.count { tables[number].rows = nil }
    return true
  }

  /// The version that is shown was come to from the one that was shown before, and from no other.
  func noteStep() { stateBefore = state - 1 }

  deinit { for table in signposts { table.letGo() } }

  /// The trees of a write.
  init(writing transaction: WriteTransaction) {
    space = transaction.space
    top = Top(space: space, ref: transaction.base.top)
    let trees = TreeWriter(arena: transaction.arena, base: top)
    trees.recorder = transaction.changes
    self.trees = trees
    isShared = false
    tables = FoundTables(count: 0)
    textLengths = []
    writers = Array(repeating: nil, count: top.tableCount)
    trees.rowsMoved = { [unowned self] in
      opened = nil
      rowsMoved?()
    }
    transaction.trees = self
  }

  /// Shows the next write instead; false if it is not one that goes on from this one's.
  func goOn(with next: WriteTransaction) -> Bool {
    guard let trees, trees.arena === next.arena, writers.count == trees.tableCount else {
      return false
    }
    let base = Top(space: space, ref: next.base.top)
    guard trees.goOn(at: base) else { return false }
    top = base
    opened = nil
    lastTree = nil
    for number in writers.indices where !trees.isOpen(number) { writers[number] = nil }
    return true
  }

  /// Writes the pending trees to their places.
  func settle(into sink: any NodeSink) throws -> NodeRef { trees?.settle(into: sink) ?? top.ref }

  // MARK: - Rows

  /// The table as it is now; nil if there is none.
  @inline(__always)
  func table(_ number: Int) -> Table? {
    if trees != nil { return trees?.reader(number) }
    if number >= 0, number < tables.count, tables[number].state == state {
      return tables[number].table
    }
    return find(number)
  }

  @inline(never)
  private func find(_ number: Int) -> Table? {
    guard makeRoom(for: number) else { return nil }
    // Taken out, so that what changed of it is changed where it lies.
    openTable(number, after: tables[number].table.take())
    return tables[number].table
  }

  /// A table as it was opened last, in whichever version.
  private func lastTable(_ number: Int) -> Table? {
    number < tables.count ? tables[number].table : nil
  }

  /// Keeps what another store has found of tables that were not opened here: the next one need not
  /// make it anew.
  private func noteTables(of other: Store) {
    guard trees == nil, !isShared else { return }
    for number in 0..<min(tables.count, other.tables.count)
    where tables[number].table == nil && tables[number].state != state {
      tables[number].table = other.tables[number].table
    }
  }

  private func openTable(_ number: Int, after last: Table?) {
    let table = top.table(number, after: last)
    tables[number].rows = table?.rows
    tables[number].state = state
    tables[number].table = table
  }

  @inline(never)
  private func findRows(_ number: Int) -> RowTree? {
    guard makeRoom(for: number) else { return nil }
    tables[number].rows = top.rows(number)
    return tables[number].rows
  }

  /// False of a table that the version does not have.
  private func makeRoom(for number: Int) -> Bool {
    guard !isShared, number >= 0, number < top.tableCount else { return false }
    tables.grow(to: top.tableCount)
    return true
  }

  @inline(__always)
  func rows(of number: Int) -> RowTree? {
    if trees != nil { return writer(number)?.rows }
    if number >= 0, number < tables.count, let known = tables[number].rows { return known }
    return findRows(number)
  }

  /// A table of the write.
  @inline(__always)
  func writer(_ number: Int) -> TableWriter? {
    if number >= 0, number < writers.count, let known = writers[number] { return known }
    guard let trees, number >= 0, number < trees.tableCount else { return nil }
    while writers.count <= number { writers.append(nil) }
    writers[number] = trees.table(number)
    return writers[number]
  }

  /// The same for whoever sets values in it: it is there as long as this, and not counted.
  @inline(__always)
  func uncountedWriter(_ number: Int) -> Unmanaged<TableWriter>? {
    if number >= 0, number < writers.count, let known = writers[number] {
      return .passUnretained(known)
    }
    return writer(number).map(Unmanaged.passUnretained)
  }

  /// Where a row lies; nil if there is none with the key.
  @inline(__always)
  func locate(_ key: Int64, of number: Int) -> RowPlace? {
    if trees == nil { return rows(of: number)?.find(key) }
    return uncountedWriter(number)?._withUnsafeGuaranteedRef { $0.locate(key) } ?? nil
  }

  /// Where a row lies whose values are read next.
  @inline(__always)
  func locateToRead(_ key: Int64, of number: Int) -> RowPlace? {
    guard trees == nil else {
      return uncountedWriter(number)?._withUnsafeGuaranteedRef { $0.locate(key) } ?? nil
    }
    guard let rows = rows(of: number),
      let place = rows.find(key, by: signposts(toRowsOf: number, rows))
    else { return nil }
    prefetchValues(of: place, in: rows, of: number)
    return place
  }

  @inline(__always)
  func signposts(toRowsOf number: Int, _ rows: RowTree) -> Signposts? {
    if number < signposts.count, signposts[number].rows.isTrue(of: state) {
      return signposts[number].rows
    }
    if rows.count < Signposts.fewestRows || trees != nil || isShared { return nil }
    return countLookup(ofRowsOf: number, rows)
  }

  @inline(__always)
  func signposts(toKeysOf number: Int, _ column: Int, _ rows: RowTree) -> Signposts? {
    if number < signposts.count, signposts[number].keys.isTrue(of: state),
      signposts[number].column == column
    {
      return signposts[number].keys
    }
    if rows.count < Signposts.fewestRows || trees != nil || isShared { return nil }
    return countLookup(ofKeysOf: number, column, rows)
  }

  @inline(never)
  private func countLookup(ofRowsOf number: Int, _ rows: RowTree) -> Signposts? {
    while signposts.count <= number { signposts.append(TableSignposts()) }
    if signposts[number].rows.follow(rows, in: state, after: stateBefore) {
      return signposts[number].rows
    }
    // A cluster is half full at least where rows came in any order.
    let stretches = rows.count / 128
    guard signposts[number].rows.isDue(in: state, stretches: stretches),
      let first = rows.key(at: 0), let last = rows.key(at: rows.count - 1)
    else { return nil }
    signposts[number].rows.begin(
      in: state, low: first, last: UInt64(bitPattern: last &- first), stretches: stretches,
      entries: rows.count, hasNotes: true)
    signposts[number].rows.stand(on: rows)
    return signposts[number].rows
  }

  @inline(never)
  private func countLookup(ofKeysOf number: Int, _ column: Int, _ rows: RowTree) -> Signposts? {
    while signposts.count <= number { signposts.append(TableSignposts()) }
    let root = root(UInt32(column) << 1, of: number) ?? .none
    if signposts[number].column == column, signposts[number].keys.follow(root, in: space, state) {
      return signposts[number].keys
    }
    // Likewise of a leaf of pairs.
    let stretches = rows.count / (PairLeaf.most / 2)
    guard signposts[number].keys.isDue(in: state, stretches: stretches) else { return nil }
    signposts[number].keys.begin(
      in: state, low: 0, last: .max, stretches: stretches, entries: rows.count)
    signposts[number].keys.stand(on: root, in: space)
    signposts[number].column = column
    return signposts[number].keys
  }

  /// Fetches what is read of a row next, if its table is large.
  @inline(__always)
  private func prefetchValues(of place: RowPlace, in rows: RowTree, of number: Int) {
    guard rows.isLarge else { return }
    rows.prefetchValues(of: place, textLengths: textLengths(of: number, rows))
  }

  /// How long the texts of a large table are, as `Cluster.textLengths` says it; 0 if not known.
  @inline(__always)
  func textLengths(of number: Int, _ rows: RowTree) -> UInt64 {
    let known = number < textLengths.count ? textLengths[number] : 0
    return known != 0 || !rows.isLarge ? known : learnTextLengths(of: number, rows)
  }

  @inline(never)
  private func learnTextLengths(of number: Int, _ rows: RowTree) -> UInt64 {
    if isShared || trees != nil { return 0 }
    while textLengths.count <= number { textLengths.append(0) }
    let lengths = rows.place(at: 0)?.cluster.textLengths(in: space) ?? 0
    textLengths[number] = lengths | 1 << 63
    return textLengths[number]
  }

  func count(of number: Int) -> Int {
    (trees == nil ? rows(of: number)?.count : writer(number)?.count) ?? 0
  }

  func key(at position: Int, of number: Int) -> Int64? { rows(of: number)?.key(at: position) }

  func allKeys(of number: Int) -> [Int64] {
    guard let rows = rows(of: number) else { return [] }
    var keys: [Int64] = []
    keys.reserveCapacity(rows.count)
    rows.forEachCluster { cluster, _ in
      for index in 0..<cluster.count { keys.append(cluster.key(index, in: space)) }
      return true
    }
    return keys
  }

  /// The key of the next row that is given none.
  func nextKey(of number: Int) -> Int64 { writer(number)?.nextKey ?? 0 }

  /// Lets the next rows begin where the most keys are free, if hardly any are left behind the last
  /// one: none of them is given twice, and none was a row's before. Until `followLastKey` they are
  /// behind none.
  func makeRoom(of number: Int) {
    guard let table = writer(number), table.nextKey > .max / 2 else { return }
    var (first, count) = (Int64(0), Int64(0))
    var free: Int64 = 0
    for key in allKeys(of: number) where key >= free {
      if key - free > count { (first, count) = (free, key - free) }
      if key == .max {
        table.nextKey = first
        return
      }
      free = key + 1
    }
    table.nextKey = .max - free < count ? first : free
  }

  /// The keys of a table's rows that are so great that soon no greater one would be left.
  func lastKeys(of number: Int) -> [Int64] {
    guard let last = lastKey(of: number), last >= .max / 2 else { return [] }
    return allKeys(of: number).filter { $0 >= .max / 2 }
  }

  private func lastKey(of number: Int) -> Int64? { key(at: count(of: number) - 1, of: number) }

  /// Lets the next row follow the last one that is there, if it would not, or hardly any key would
  /// be left for it.
  func followLastKey(of number: Int) {
    guard let table = writer(number) else { return }
    let last = lastKey(of: number) ?? -1
    if table.nextKey > last, table.nextKey <= .max / 2 { return }
    table.nextKey = last == .max ? .max : max(0, last + 1)
  }

  func insertRow(_ key: Int64, of number: Int) -> RowPlace? {
    let place = uncountedWriter(number)?._withUnsafeGuaranteedRef { $0.insert(key) } ?? nil
    opened = place.map { Opened(table: number, key: key, place: $0, isNew: true) }
    return place
  }

  /// The row that was opened last: one object's properties are often written one after the other.
  private struct Opened {
    let table: Int
    let key: Int64
    let place: RowPlace
    /// Whether it is the row inserted last: that it was inserted says all about its values.
    let isNew: Bool
  }

  func forgetOpened() { opened = nil }

  /// A row, to be written until the next one is opened, inserted or removed.
  @inline(__always)
  func open(_ key: Int64, of number: Int, _ table: TableWriter) -> RowPlace? {
    if let opened, opened.key == key, opened.table == number { return opened.place }
    guard let place = table.openRow(key) else { return nil }
    opened = Opened(table: number, key: key, place: place, isNew: false)
    return place
  }

  /// Notes that a value of a row was written.
  @inline(__always)
  func touch(_ key: Int64, _ column: Int, of number: Int, _ table: TableWriter) {
    if let opened, opened.isNew, opened.key == key, opened.table == number { return }
    table.touch(key, column: column)
  }

  /// Notes that elements of a row's collection came, went or moved.
  func touchShifted(_ key: Int64, _ column: Int, of number: Int, _ table: TableWriter) {
    if let opened, opened.isNew, opened.key == key, opened.table == number { return }
    table.touchShifted(key, column: column)
  }

  /// Removes a row with its collections and its entries in indexes; links are the caller's to take
  /// away before.
  func removeRow(_ key: Int64, of number: Int, _ ties: RowTies) {
    for column in ties.collections { discardCollection(key, column, of: number) }
    if !ties.indexed.isEmpty, !leaveIndexesLater(of: number, ties),
      let place = locate(key, of: number)
    {
      for column in ties.indexed { removeIndex(column, of: number, place, key) }
    }
    uncountedWriter(number)?._withUnsafeGuaranteedRef { _ = $0.delete(key) }
    mayLeave = true
    opened = nil
  }

  /// Whether the entries in indexes of a row that is removed next stay until it leaves the tree:
  /// who asks an index asks for the rows before. One by one, each took a descent of its own to a
  /// leaf somewhere else, and the row was looked for once more; together they are taken out in
  /// their order.
  @inline(__always)
  private func leaveIndexesLater(of number: Int, _ ties: RowTies) -> Bool {
    uncountedWriter(number)?._withUnsafeGuaranteedRef { table in
      if !table.letsRowsLeaveLater() { return false }
      let isNoted =
        number < leavingTies.count && leavingTies[number] === ties && table.rowsLeave != nil
      if !isNoted { note(ties, of: number) }
      return true
    } ?? false
  }

  @inline(never)
  private func note(_ ties: RowTies, of number: Int) {
    while leavingTies.count <= number { leavingTies.append(nil) }
    leavingTies[number] = ties
    writer(number)?.rowsLeave = { [unowned self] in leaveIndexes($0, of: number) }
  }

  /// Takes rows that are about to leave their tree out of its indexes.
  ///
  /// - Parameter keys: Ascending.
  private func leaveIndexes(_ keys: [Int64], of number: Int) {
    guard let table = writer(number), let ties = leavingTies[number] else { return }
    takeFromIndexes(table.inTree(keys), ties, table)
  }

  private func takeFromIndexes(
    _ rows: [(key: Int64, place: RowPlace)], _ ties: RowTies, _ table: TableWriter
  ) {
    guard let arena = trees?.arena else { return }
    for column in ties.indexed {
      guard let root = table.trees[column.indexNumber] else { continue }
      var pairs = PairWriter(arena: arena, root: root)
      let words = rows.map { column.indexWord(at: $0.place, space) }
      if rows.count < 4 {
        for (row, word) in zip(rows, words) {
          pairs.remove(Pair(first: word, second: UInt64(bitPattern: row.key)))
        }
      } else {
        pairs.remove(Pair.ascending(words, rows.map { UInt64(bitPattern: $0.key) }))
      }
      table.trees[column.indexNumber] = pairs.root.isNone ? nil : pairs.root
    }
  }

  /// Lets the rows that the write has deleted leave their trees, so that nobody's question does:
  /// what was found before rows have moved is looked for once more.
  @inline(__always)
  func letLeave() {
    if _slowPath(mayLeave) { letAllLeave() }
  }

  @inline(never)
  private func letAllLeave() {
    mayLeave = false
    for writer in writers { writer?.letLeave() }
  }

  /// Removes those rows that are there, and their entries in indexes; nothing else may hang on
  /// them.
  func removeRows(_ keys: [Int64], of number: Int, _ ties: RowTies) {
    opened = nil
    guard let table = writer(number) else { return }
    let rows = table.ascending(keys)
    takeFromIndexes(rows, ties, table)
    table.delete(rows.map(\.key))
  }

  func removeAllRows(_ schema: StoredSchema) {
    opened = nil
    for (number, table) in schema.tables.enumerated() where !table.isDropped {
      guard let writer = writer(number), let trees else { continue }
      for root in writer.trees.values { discardTree(root, arena: trees.arena) }
      writer.trees = [:]
      writer.deleteAll()
    }
  }

  // MARK: - Values

  func value(_ key: Int64, _ column: StoredColumn, of number: Int) -> StoredValue? {
    locate(key, of: number).map { column.value($0, space) }
  }

  /// Writes a value of a row that is there, and notes that it was written.
  func set(_ value: StoredValue, _ key: Int64, _ column: StoredColumn, of number: Int) {
    guard let table = writer(number), let place = open(key, of: number, table) else { return }
    if column.isIndexed {
      removeIndex(column, of: number, place, key)
      addIndex(column, of: number, value, key)
    }
    column.set(value, table, place)
    touch(key, column.number, of: number, table)
  }

  /// Writes a value of a row that was just inserted.
  func setNew(
    _ value: StoredValue, _ key: Int64, _ place: RowPlace, _ column: StoredColumn, of number: Int
  ) {
    guard let table = writer(number) else { return }
    if column.isIndexed { addIndex(column, of: number, value, key) }
    column.set(value, table, place)
  }

  // MARK: - Trees beside the rows

  @inline(__always)
  func root(_ tree: UInt32, of number: Int) -> NodeRef? {
    if let last = lastTree, last.tree == tree, last.number == number { return last.root }
    return findRoot(tree, of: number)
  }

  @inline(never)
  private func findRoot(_ tree: UInt32, of number: Int) -> NodeRef? {
    if trees != nil { return writer(number)?.trees[tree] }
    let root = table(number)?.trees[tree]
    if !isShared { lastTree = (number, tree, root) }
    return root
  }

  func changePairs(_ tree: UInt32, of number: Int, _ change: (inout PairWriter) -> Void) {
    guard let arena = trees?.arena else { return }
    uncountedWriter(number)?._withUnsafeGuaranteedRef { table in
      var pairs = PairWriter(arena: arena, root: table.trees[tree] ?? .none)
      let before = pairs.root
      change(&pairs)
      if pairs.root != before { table.trees[tree] = pairs.root.isNone ? nil : pairs.root }
    }
  }
}

/// What is known of where a table's rows lie, and the pairs of its primary key's index: of the
/// column's that was asked last.
private struct TableSignposts {
  var rows = Signposts()
  var keys = Signposts()
  var column = -1

  func letGo() {
    rows.letGo()
    keys.letGo()
  }
}
