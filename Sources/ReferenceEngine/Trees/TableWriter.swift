import CShims

/// Is told what a write touches: the raw material of change logs. This one forgets it.
///
/// A class and no protocol: it is told of every value and every row, and what is known by a
/// protocol alone is counted at each call.
class ChangeSink {
  func inserted(table: UInt32, key: Int64) {}
  func deleted(table: UInt32, key: Int64) {}
  func modified(table: UInt32, key: Int64, column: Int) {}
  /// Of a collection in which elements came, went or moved.
  func shifted(table: UInt32, key: Int64, column: Int) {}
  /// Takes what will tell of rows that are inserted already. It must be called before anybody is
  /// told of the changes.
  func holdBack(_ report: @escaping () -> Void) {}
}

/// One table during a write: its rows, columns and indexes, copied where they are changed.
///
/// A row that is to be changed is opened first, which makes the path to it pending; after that its
/// values are set in place. Invariants: 1. keys in a cluster ascend. 2. A cluster that is not the
/// only one has at least one row. 3. The first key and the number of rows that a branch notes for a
/// child are those of the child.
final class TableWriter: BranchWriter {
  typealias Inner = Branch

  let arena: NodeArena
  let index: Int
  @exclusivity(unchecked) private(set) var specs: [ColumnSpec]
  @exclusivity(unchecked) var root: NodeRef
  @exclusivity(unchecked) var height: Int
  @exclusivity(unchecked) var count: Int
  /// The key that the next row without one of its own gets.
  @exclusivity(unchecked) var nextKey: Int64 { didSet { isChanged = true } }
  /// Roots of indexes and backlinks, by numbers that the schema gives.
  @exclusivity(unchecked) var trees: [UInt32: NodeRef] { didSet { isChanged = true } }
  /// Grows whenever a place that was taken before may no longer be true: rows have moved, or their
  /// cluster was copied.
  @exclusivity(unchecked) private(set) var structure: UInt64 = 0
  @exclusivity(unchecked) private(set) var isChanged: Bool
  /// The table's node as this was when it was last unchanged.
  @exclusivity(unchecked) private(set) var home: NodeRef
  /// Whoever sets it keeps it alive as long as this: a weak or counted reference would be paid for
  /// at every value.
  var recorder: ChangeSink? {
    get { uncountedRecorder?.takeUnretainedValue() }
    set { uncountedRecorder = newValue.map(Unmanaged.passUnretained) }
  }

  /// The same, for whoever tells it of one value or one row.
  @exclusivity(unchecked) private(set) var uncountedRecorder: Unmanaged<ChangeSink>?

  let cursor = RowCursor.make()
  /// Rows that came in no order and are not in the tree yet: they belong behind all that is in it.
  @exclusivity(unchecked) var arrivals: Arrivals?
  /// Rows that are deleted and in the tree yet.
  @exclusivity(unchecked) var leaving: LeavingRows? {
    didSet { uncountedLeaving = leaving.map(Unmanaged.passUnretained) }
  }

  /// The same, for whoever asks of one row.
  @exclusivity(unchecked) private(set) var uncountedLeaving: Unmanaged<LeavingRows>?
  /// The row that was found last, and the structure in which it was.
  @exclusivity(unchecked) private var found: (key: Int64, structure: UInt64) = (0, .max)
  /// The rows that came in no order since the tree was in order.
  @exclusivity(unchecked) var scattered = 0
  /// Rows from this key on are the write's own; nil if that cannot be said of any.
  @exclusivity(unchecked) private(set) var firstOwn: Int64? = .min
  /// How many rows were there before the write.
  @exclusivity(unchecked) private(set) var older = 0
  /// Is told when rows have moved although nothing was inserted or deleted.
  var rowsMoved: (() -> Void)?
  /// Is told of deleted rows that are about to leave the tree, by ascending keys: their values can
  /// be read for the last time.
  var rowsLeave: (([Int64]) -> Void)?

  /// Whether there are clusters that committing should pack.
  @exclusivity(unchecked) var isScattered = false
  let clusters: ClusterWriter
  let space: NodeSpace

  deinit {
    cursor.pointee.steps.deallocate()
    cursor.deallocate()
  }

  /// A new, empty table.
  init(arena: NodeArena, index: Int, specs: [ColumnSpec]) {
    self.arena = arena
    space = arena.space
    self.index = index
    self.specs = specs
    clusters = ClusterWriter(arena: arena, specs: specs)
    (root, height, count, nextKey, trees, isChanged) = (.none, 0, 0, 0, [:], true)
    home = .none
  }

  /// The table as it was committed.
  init(arena: NodeArena, index: Int, committed table: Table, at ref: NodeRef) {
    home = ref
    self.arena = arena
    space = arena.space
    self.index = index
    specs = table.specs
    clusters = ClusterWriter(arena: arena, specs: table.specs)
    root = table.rows.root
    height = table.rows.height
    count = table.rows.count
    nextKey = table.nextKey
    trees = table.trees
    isChanged = false
    begin()
  }

  /// Begins a write with what is there.
  private func begin() {
    older = count
    // A row of the greatest key leaves none that could be behind it.
    firstOwn = count == 0 ? .min : nextKey == .max ? nil : nextKey
    (isScattered, scattered) = (false, 0)
  }

  /// The rows as they are now.
  var rows: RowTree {
    if arrivals != nil || leaving != nil { putInOrder() }
    return tree
  }

  /// The same, but for rows that are not in the tree yet, and with those that are leaving it.
  @inline(__always)
  var tree: RowTree {
    RowTree(
      space: space, root: root, height: height, count: count,
      table: UInt32(truncatingIfNeeded: index), form: home)
  }

  func look(at ref: NodeRef, height: Int) {
    if height == 0 {
      _ = tree.cluster(ref, from: space.knowledge)
    } else {
      _ = tree.branch(ref, from: space.knowledge)
    }
  }

  /// Where a row lies; nil if there is none with the key.
  @inline(__always)
  func locate(_ key: Int64) -> RowPlace? {
    if let arrivals, arrivals.take(key) { return arrivals.place(of: key) }
    if isLeaving(key) { return nil }
    guard let place = tree.find(key) else { return nil }
    found = (key, structure)
    return place
  }

  /// Whether a row is deleted and in the tree yet.
  @inline(__always)
  func isLeaving(_ key: Int64) -> Bool {
    uncountedLeaving?._withUnsafeGuaranteedRef { $0.contain(key) } ?? false
  }

  /// Whether a row was found and nothing has changed since that could have taken it away: whoever
  /// deletes an object has mostly just looked for it.
  @inline(__always)
  func isFound(_ key: Int64) -> Bool { found.key == key && found.structure == structure }

  /// The table as it is now, to be read like a committed one.
  var reader: Table {
    Table(rows: rows, nextKey: nextKey, specs: specs, trees: trees)
  }

  // MARK: Columns

  /// Adds a column; every row holds null in it, or zero.
  func addColumn(_ spec: ColumnSpec) -> Int {
    putInOrder()
    specs.append(spec)
    clusters.addColumn(spec)
    invariant(
      clusters.columns.count == specs.count,
      "table \(index) has \(specs.count) columns, and its clusters \(clusters.columns.count)")
    isChanged = true
    // Clusters get room for the column when they are opened the next time.
    cursor.pointee.drop()
    return specs.count - 1
  }

  /// Lets the values of a column go. What its references lead to must have been let go before.
  func removeColumn(_ column: Int) {
    putInOrder()
    invariant(
      specs.indices ~= column && !specs[column].isRemoved,
      "column \(column) of \(specs.count) in table \(index) is removed, and not there")
    specs[column].isRemoved = true
    isChanged = true
    var keys: [Int64] = []
    rows.forEachCluster { cluster, _ in
      if !cluster.column(column).isNone { keys.append(cluster.key(0, in: space)) }
      return true
    }
    for key in keys {
      guard let place = openRow(key) else { continue }
      let node = Column(space.node(place.cluster.column(column)))
      if node.kind == NodeKind.bytes { node.forEachChild(arena.discard) }
      arena.discard(place.cluster.column(column))
      place.cluster.setSlot(column, ColumnSlot(word: 0))
    }
    cursor.pointee.drop()
  }

  // MARK: Setting values

  /// Makes a row changeable. The place is true until the next row is inserted or deleted.
  func openRow(_ key: Int64) -> RowPlace? {
    if let arrivals, arrivals.take(key) { return arrivals.place(of: key) }
    if root.isNone { return nil }
    if isLeaving(key) { return nil }
    if !cursor.pointee.covers(key) {
      cursor.pointee.seek(key, in: tree)
    }
    guard let node = cursor.pointee.cluster else { return nil }
    let (index, isFound) = Cluster(node).place(of: key, in: space)
    if !isFound { return nil }
    openPath()
    return cursor.pointee.cluster.map { RowPlace(cluster: Cluster($0), index: index) }
  }

  /// Makes the cursor's path and cluster pending.
  func openPath() {
    guard let node = cursor.pointee.cluster else { return }
    let ref = space.ref(to: node)
    if cursor.pointee.isOpen && Cluster(node).columnCount >= specs.count { return }
    let opened = clusters.open(ref)
    var below = opened
    for level in stride(from: cursor.pointee.height - 1, through: 0, by: -1) {
      let step = cursor.pointee.steps[level]
      let ref = openBranch(space.ref(to: step.branch.node), height: cursor.pointee.height - level)
      cursor.pointee.steps[level].branch = Branch(space.node(ref))
      cursor.pointee.steps[level].branch.setChild(step.index, below)
      below = ref
    }
    root = below
    invariant(
      root.isPending, "a row of table \(index) is opened, and its root at \(root.raw) is not")
    cursor.pointee.cluster = space.node(opened)
    cursor.pointee.isOpen = true
    structureChanged()
  }

  /// The pending column of an opened row's cluster.
  @inline(__always)
  private func column(_ place: RowPlace, _ column: Int) -> ColumnSlot {
    let slot = place.cluster.slot(column)
    return _fastPath(slot.isPending) ? slot : openColumn(place, column)
  }

  @inline(never)
  private func openColumn(_ place: RowPlace, _ column: Int) -> ColumnSlot {
    let opened = clusters.columns[column].open(
      place.cluster.column(column), count: place.cluster.count, room: place.cluster.limit)
    place.cluster.setColumn(column, opened, in: space)
    return place.cluster.slot(column)
  }

  @inline(__always)
  private func setPresent(_ slot: ColumnSlot, _ index: Int) {
    if slot.hasNulls {
      let byte =
        space.pendingNode(slot.ref).assumingMemoryBound(to: UInt8.self)
        + rb_node_payload + index &>> 3
      byte.pointee &= ~(1 &<< UInt8(truncatingIfNeeded: index & 7))
    }
  }

  @inline(__always)
  func setInt(_ place: RowPlace, _ column: Int, _ value: Int64) {
    let slot = self.column(place, column)
    UnsafeMutableRawPointer(mutating: slot.values(space.base))
      .storeBytes(of: value, toByteOffset: place.index &<< 3, as: Int64.self)
    setPresent(slot, place.index)
  }

  @inline(__always)
  func setBytes(_ place: RowPlace, _ column: Int, _ bytes: UnsafeRawBufferPointer) {
    let slot = self.column(place, column)
    let values = UnsafeMutableRawPointer(mutating: slot.values(space.base))
    let cells = Int(values.load(as: UInt32.self))
    let used = Int(values.load(fromByteOffset: rb_cells_used, as: UInt32.self))
    let cell = values + (rb_cells_first &+ place.index &<< 3)
    let heap = rb_cells_first &+ cells &<< 3
    // A short value that fits behind the others, in place of one that is not long.
    let capacity =
      space.header(slot.ref).bytes &- (values - space.pendingNode(slot.ref)) &- heap
    if bytes.count <= ColumnWriter.longest, used &+ bytes.count <= capacity,
      cell.load(fromByteOffset: rb_cell_length, as: UInt32.self) & Column.longFlag == 0
    {
      if let start = bytes.baseAddress {
        (values + (heap &+ used)).copyMemory(from: start, byteCount: bytes.count)
      }
      cell.storeBytes(
        of: UInt64(truncatingIfNeeded: used) | UInt64(truncatingIfNeeded: bytes.count) &<< 32,
        as: UInt64.self)
      values.storeBytes(
        of: UInt32(truncatingIfNeeded: used &+ bytes.count), toByteOffset: rb_cells_used,
        as: UInt32.self)
      setPresent(slot, place.index)
    } else {
      setBytesSlowly(place, column, slot.ref, bytes)
    }
  }

  @inline(never)
  private func setBytesSlowly(
    _ place: RowPlace, _ column: Int, _ opened: NodeRef, _ bytes: UnsafeRawBufferPointer
  ) {
    let changed = clusters.columns[column].setBytes(opened, place.index, bytes)
    if changed != opened { place.cluster.setColumn(column, changed, in: space) }
  }

  func setFixed(_ place: RowPlace, _ column: Int, _ bytes: UnsafeRawBufferPointer) {
    clusters.columns[column].setFixed(self.column(place, column).ref, place.index, bytes)
  }

  func setRef(_ place: RowPlace, _ column: Int, _ ref: NodeRef) {
    clusters.columns[column].setRef(self.column(place, column).ref, place.index, ref)
  }

  func setNull(_ place: RowPlace, _ column: Int) {
    if place.cluster.slot(column).isNone { return }
    let opened = self.column(place, column).ref
    let changed = clusters.columns[column].setNullValue(opened, place.index)
    if changed != opened { place.cluster.setColumn(column, changed, in: space) }
  }

  /// Notes that a value of a row was set, whether or not it differs from the one before.
  @inline(__always)
  func touch(_ key: Int64, column: Int) {
    // Of those that arrived is told that they are inserted, which says all.
    if let arrivals, arrivals.take(key) { return }
    uncountedRecorder?._withUnsafeGuaranteedRef {
      $0.modified(table: UInt32(truncatingIfNeeded: index), key: key, column: column)
    }
  }

  /// The same of a collection in which elements came, went or moved.
  func touchShifted(_ key: Int64, column: Int) {
    if let arrivals, arrivals.take(key) { return }
    recorder?.shifted(table: UInt32(index), key: key, column: column)
  }

  // MARK: Nodes

  static let mostInLeaf = Cluster.most

  func makeBranch(height: Int) -> NodeRef {
    arena.make(
      kind: NodeKind.branch, width: UInt8(Branch.most), payload: Branch.most * Branch.entryBytes)
  }

  /// What a branch knows about a child: its first key and its rows.
  func entry(for child: NodeRef, height: Int) -> Branch.Entry {
    if height == 0 {
      let cluster = Cluster(space.node(child))
      return Branch.Entry(key: cluster.key(0, in: space), child: child, rows: cluster.count)
    }
    let below = branch(child)
    var rows = 0
    for at in 0..<below.count { rows += below.rows(at) }
    return Branch.Entry(key: below.key(0), child: child, rows: rows)
  }

  func joinLeaves(_ one: NodeRef, _ other: NodeRef) -> NodeRef {
    for cluster in [one, other] where !cluster.isPending { look(at: cluster, height: 0) }
    return clusters.join(one, other)
  }

  /// Places that were taken before are no longer true.
  func structureChanged() {
    structure &+= 1
    isChanged = true
  }

  /// Writes the table's own node; everything below has been settled before.
  func settle(_ settler: Settler, into sink: any NodeSink) -> NodeRef {
    var settler = settler
    settler.table = UInt32(truncatingIfNeeded: index)
    settler.left = letLeaveAtLast()
    if !settler.left.isEmpty {
      settler.room = .allocate(byteCount: Settler.roomBytes, alignment: 16)
    }
    defer { settler.room?.deallocate() }
    putInOrder()
    cursor.pointee.drop()
    pack()
    invariant(
      arrivals == nil && leaving == nil && !isScattered,
      "table \(index) is settled before its rows are in order")
    root = settler.settle(root)
    for (number, tree) in trees { trees[number] = settler.settle(tree) }
    isChanged = false
    home = reader.write(into: sink, born: arena.version)
    space.know(home, NodeSpace.Mark.table)
    return home
  }

  /// Goes on as the table of the next write; false if the version that this is based on has another
  /// one.
  func goOn(at ref: NodeRef) -> Bool {
    guard !isChanged, home == ref else { return false }
    cursor.pointee.drop()
    structure &+= 1
    begin()
    return true
  }
}
