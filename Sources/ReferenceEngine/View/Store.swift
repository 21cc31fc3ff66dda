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
  /// Whether rows may be leaving a table of the write.
  @exclusivity(unchecked) private var mayLeave = false
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
    for number in 0..<tables.count { tables[number].rows = nil }
    return true
  }

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

  // MARK: - Schema

  /// The bytes of the stored schema.
  var schemaBytes: [UInt8] { trees?.schema ?? Array(top.schema) }

  var tableCount: Int { trees?.tableCount ?? top.tableCount }

  /// The node of a version's schema; another one if the schema is another one.
  var schemaRef: NodeRef { top.schemaRef }

  func setSchema(_ bytes: [UInt8]) { trees?.setSchema(bytes) }

  func makeTable(_ number: Int) {
    guard let trees else { return }
    let made = trees.addTable([])
    invariant(made.index == number, "table \(number) got number \(made.index)")
  }

  func makeColumn(_ column: StoredColumn, of number: Int) {
    guard let table = writer(number) else { return }
    // The row that was opened last has no room for it.
    opened = nil
    let made = table.addColumn(column.physical)
    invariant(made == column.number, "column \(column.number) got number \(made)")
    fillNew(column, table, number)
    if column.isIndexed { setIndexed(true, column, of: number) }
  }

  /// Gives a column that was added to rows that are there its default where zeros are not one.
  private func fillNew(_ column: StoredColumn, _ table: TableWriter, _ number: Int) {
    guard column.shape == .single, table.count > 0 else { return }
    switch column.property.missing {
    case .date, .decimal:
      for key in allKeys(of: number) {
        guard let place = table.openRow(key) else { continue }
        column.set(column.property.missing, table, place)
      }
    default: break
    }
  }

  /// Lets a column go with its index, its links and its collections.
  func dropColumn(_ column: StoredColumn, of number: Int) {
    guard let table = writer(number), let trees else { return }
    for tree in [column.indexNumber, column.backlinkNumber, column.repeatNumber] {
      if let root = table.trees.removeValue(forKey: tree) { discardTree(root, arena: trees.arena) }
    }
    if column.shape != .single {
      for key in allKeys(of: number) { discardCollection(key, column, of: number) }
    }
    // Taking it out may open the row that was opened last once more.
    opened = nil
    table.removeColumn(column.number)
  }

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

  /// Where a row lies; nil if there is none with the key.
  @inline(__always)
  func locate(_ key: Int64, of number: Int) -> RowPlace? {
    trees == nil ? rows(of: number)?.find(key) : writer(number)?.locate(key)
  }

  /// Where a row lies whose values are read next.
  @inline(__always)
  func locateToRead(_ key: Int64, of number: Int) -> RowPlace? {
    guard trees == nil else { return writer(number)?.locate(key) }
    guard let rows = rows(of: number),
      let place = rows.find(key, by: signposts(toRowsOf: number, rows))
    else { return nil }
    prefetchValues(of: place, in: rows, of: number)
    return place
  }

  @inline(__always)
  private func signposts(toRowsOf number: Int, _ rows: RowTree) -> Signposts? {
    if number < signposts.count, signposts[number].rows.isTrue(of: state) {
      return signposts[number].rows
    }
    if rows.count < Signposts.fewestRows || trees != nil || isShared { return nil }
    return countLookup(ofRowsOf: number, rows)
  }

  @inline(__always)
  private func signposts(toKeysOf number: Int, _ column: Int, _ rows: RowTree) -> Signposts? {
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
    // A cluster is half full at least where rows came in any order.
    let stretches = rows.count / 128
    guard signposts[number].rows.isDue(in: state, stretches: stretches),
      let first = rows.key(at: 0), let last = rows.key(at: rows.count - 1)
    else { return nil }
    signposts[number].rows.begin(
      in: state, low: first, last: UInt64(bitPattern: last &- first), stretches: stretches,
      entries: rows.count, hasNotes: true)
    return signposts[number].rows
  }

  @inline(never)
  private func countLookup(ofKeysOf number: Int, _ column: Int, _ rows: RowTree) -> Signposts? {
    while signposts.count <= number { signposts.append(TableSignposts()) }
    // Likewise of a leaf of pairs.
    let stretches = rows.count / (PairLeaf.most / 2)
    guard signposts[number].keys.isDue(in: state, stretches: stretches) else { return nil }
    signposts[number].keys.begin(
      in: state, low: 0, last: .max, stretches: stretches, entries: rows.count)
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
  private func textLengths(of number: Int, _ rows: RowTree) -> UInt64 {
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
    let place = writer(number)?.insert(key)
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
    if !ties.indexed.isEmpty, let place = locate(key, of: number) {
      for column in ties.indexed { removeIndex(column, of: number, place, key) }
    }
    writer(number)?.delete(key)
    mayLeave = true
    opened = nil
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
    guard let table = writer(number), let trees else { return }
    let rows = table.ascending(keys)
    for column in ties.indexed where !column.isRowKey {
      guard let root = table.trees[column.indexNumber] else { continue }
      var pairs = PairWriter(arena: trees.arena, root: root)
      pairs.remove(
        Pair.ascending(
          rows.map { column.indexWord(at: $0.place, space) },
          rows.map { UInt64(bitPattern: $0.key) }))
      table.trees[column.indexNumber] = pairs.root.isNone ? nil : pairs.root
    }
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

  // MARK: - Indexes

  /// The row whose value equals one; of several the one with the least key.
  func firstKey(of number: Int, where column: StoredColumn, equals value: StoredValue) -> Int64? {
    var found: Int64?
    forEachKey(of: number, where: column, equals: value) {
      found = $0
      return false
    }
    return found
  }

  /// The row whose indexed, required text equals one.
  func row(
    of number: Int, whereText column: Int, equals text: String
  ) -> (key: Int64, place: RowPlace)? {
    // Read where it lies: a copy would be counted.
    let found = text.utf8.withContiguousStorageIfAvailable {
      row(of: number, whereText: column, equals: UnsafeRawBufferPointer($0))
    }
    if let found { return found }
    var text = text
    return text.withUTF8 {
      row(of: number, whereText: column, equals: UnsafeRawBufferPointer($0))
    }
  }

  // What is captured below are plain values: nothing is counted on the way.
  @inline(__always)
  private func row(
    of number: Int, whereText column: Int, equals wanted: UnsafeRawBufferPointer
  ) -> (key: Int64, place: RowPlace)? {
    guard let root = root(UInt32(column) << 1, of: number), let rows = rows(of: number) else {
      return nil
    }
    let space = space
    let posts = signposts(toRowsOf: number, rows)
    let lengths = textLengths(of: number, rows)
    let length = column < 5 ? lengths &>> UInt64(column &* 12) & 0xFFF : 0
    var found: (Int64, RowPlace)?
    PairTree(space: space, root: root).forEach(
      first: StoredValue.hash(wanted), by: signposts(toKeysOf: number, column, rows)
    ) { second in
      let key = Int64(bitPattern: second)
      guard let place = rows.find(key, by: posts, text: (column, length)) else { return true }
      if rows.isLarge { rows.prefetchValues(of: place, textLengths: lengths) }
      // Different texts may share a hash.
      guard place.bytes(column, in: space).isEqual(to: wanted) else { return true }
      found = (key, place)
      return false
    }
    return found
  }

  /// Calls the body with the rows whose indexed value equals one, until it returns false.
  func forEachKey(
    of number: Int, where column: StoredColumn, equals value: StoredValue,
    _ body: (Int64) -> Bool
  ) {
    guard let root = root(column.indexNumber, of: number), let rows = rows(of: number) else {
      return
    }
    PairTree(space: space, root: root).forEach(first: value.indexWord) { second in
      let key = Int64(bitPattern: second)
      // Different values may share a word.
      guard let place = rows.find(key), column.value(place, space) == value else { return true }
      return body(key)
    }
  }

  func setIndexed(_ isIndexed: Bool, _ column: StoredColumn, of number: Int) {
    guard let table = writer(number), let trees else { return }
    if let old = table.trees.removeValue(forKey: column.indexNumber) {
      discardTree(old, arena: trees.arena)
    }
    // An integer primary key is the row key, and needs no index.
    guard isIndexed, !column.isRowKey else { return }
    for key in allKeys(of: number) {
      guard let place = locate(key, of: number) else { continue }
      addIndex(column, of: number, column.value(place, space), key)
    }
  }

  private func addIndex(
    _ column: StoredColumn, of number: Int, _ value: StoredValue, _ key: Int64
  ) {
    if column.isRowKey { return }
    changePairs(column.indexNumber, of: number) {
      $0.insert(Pair(first: value.indexWord, second: UInt64(bitPattern: key)))
    }
  }

  private func removeIndex(
    _ column: StoredColumn, of number: Int, _ place: RowPlace, _ key: Int64
  ) {
    if column.isRowKey { return }
    let word = column.indexWord(at: place, space)
    changePairs(column.indexNumber, of: number) {
      $0.remove(Pair(first: word, second: UInt64(bitPattern: key)))
    }
  }

  // MARK: - Backlinks

  /// The rows of a table whose column links to a row, ascending.
  func backlinks(to target: RowLink, from number: Int, _ column: StoredColumn) -> [Int64] {
    guard let root = root(column.backlinkNumber, of: number) else { return [] }
    var keys: [Int64] = []
    PairTree(space: space, root: root).forEach(first: column.backlinkWord(target)) {
      keys.append(Int64(bitPattern: $0))
      return true
    }
    return keys
  }

  /// The same, each as often as it links.
  func linkers(to target: RowLink, from number: Int, _ column: StoredColumn) -> [Int64] {
    let keys = backlinks(to: target, from: number, column)
    guard column.mayRepeat, let root = repeatRoot(column, of: number) else { return keys }
    let repeats = PairTree(space: space, root: root)
    let link = column.cell(.link(target))
    return keys.flatMap { key in
      let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: key))
      guard repeats.contains(pair) else { return [key] }
      return [Int64](
        repeating: key, count: elements(key, column, of: number).positions(of: link).count)
    }
  }

  func addBacklink(
    _ column: StoredColumn, of number: Int, from source: Int64, to target: RowLink
  ) {
    let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: source))
    var isNew = true
    changePairs(column.backlinkNumber, of: number) { isNew = $0.insert(pair) }
    if !isNew, column.mayRepeat { changePairs(column.repeatNumber, of: number) { $0.insert(pair) } }
  }

  func removeBacklink(
    _ column: StoredColumn, of number: Int, from source: Int64, to target: RowLink
  ) {
    changePairs(column.backlinkNumber, of: number) {
      $0.remove(Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: source)))
    }
    setRepeated(false, column, of: number, from: source, to: target)
  }

  /// Notes whether a row's list or map links to a row more than once.
  func setRepeated(
    _ isRepeated: Bool, _ column: StoredColumn, of number: Int, from source: Int64,
    to target: RowLink
  ) {
    guard column.mayRepeat, isRepeated || writer(number)?.trees[column.repeatNumber] != nil else {
      return
    }
    let pair = Pair(first: column.backlinkWord(target), second: UInt64(bitPattern: source))
    changePairs(column.repeatNumber, of: number) {
      _ = isRepeated ? $0.insert(pair) : $0.remove(pair)
    }
  }

  /// Apart from the tree that was asked last, which is another one.
  private func repeatRoot(_ column: StoredColumn, of number: Int) -> NodeRef? {
    if trees != nil { return writer(number)?.trees[column.repeatNumber] }
    return table(number)?.trees[column.repeatNumber]
  }

  /// The columns whose values may link to rows of any table.
  func mixedColumns(in schema: StoredSchema) -> [(Int, StoredColumn)] {
    schema.tables.enumerated().flatMap { source, table in
      table.isDropped
        ? [] : table.columns.filter { !$0.isDropped && $0.type == .any }.map { (source, $0) }
    }
  }

  /// The columns that may link to rows of a table.
  func linkingColumns(to number: Int, in schema: StoredSchema) -> [(Int, StoredColumn)] {
    let name = schema.tables[number].name
    return schema.tables.enumerated().flatMap { source, table in
      table.isDropped
        ? []
        : table.columns.filter { !$0.isDropped && $0.type == .object && $0.target == name }
          .map { (source, $0) }
    }
  }

  @inline(__always)
  private func root(_ tree: UInt32, of number: Int) -> NodeRef? {
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

  private func changePairs(_ tree: UInt32, of number: Int, _ change: (inout PairWriter) -> Void) {
    guard let table = writer(number), let trees else { return }
    var pairs = PairWriter(arena: trees.arena, root: table.trees[tree] ?? .none)
    let before = pairs.root
    change(&pairs)
    if pairs.root != before { table.trees[tree] = pairs.root.isNone ? nil : pairs.root }
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

extension StoredColumn {
  /// The numbers under which a table keeps what belongs to the column.
  var indexNumber: UInt32 { UInt32(number) << 1 }
  var backlinkNumber: UInt32 { UInt32(number) << 1 | 1 }
  /// Those of the backlinks that stand for more than one link.
  var repeatNumber: UInt32 { 1 << 31 | backlinkNumber }
  /// Whether a row can link to another one more than once by it. Mixed values can, too, but nobody
  /// asks how often.
  var mayRepeat: Bool { type == .object && (shape == .list || shape == .map) }

  /// By what the column's backlinks are found: the row's key, and where the column links to many
  /// tables its table's number above it. Who finds a row by that looks whether it is the one that
  /// is meant.
  func backlinkWord(_ target: RowLink) -> UInt64 {
    let key = UInt64(bitPattern: target.key)
    return type == .any ? key ^ UInt64(truncatingIfNeeded: target.table) << 40 : key
  }
  /// Whether the column says what the row's key says already.
  var isRowKey: Bool { isPrimaryKey && type == .int && !isOptional }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let one = baseAddress, let two = other.baseAddress, count > 0 else { return true }
    // Of most keys two words are all.
    if _fastPath(count >= 8 && count <= 16) {
      let last = count &- 8
      let first = one.loadUnaligned(as: UInt64.self) ^ two.loadUnaligned(as: UInt64.self)
      let second =
        one.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        ^ two.loadUnaligned(fromByteOffset: last, as: UInt64.self)
      return first | second == 0
    }
    return memcmp(one, two, count) == 0
  }
}
