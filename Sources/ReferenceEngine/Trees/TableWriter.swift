import CShims

/// Is told what a write touches: the raw material of change logs.
protocol ChangeSink: AnyObject {
  func inserted(table: UInt32, key: Int64)
  func deleted(table: UInt32, key: Int64)
  func modified(table: UInt32, key: Int64, column: Int)
}

/// One table during a write: its rows, columns and indexes, copied where they are changed.
///
/// A row that is to be changed is opened first, which makes the path to it pending; after that its values are set in place.
/// Invariants: 1. keys in a cluster ascend. 2. A cluster that is not the only one has at least one row. 3. The first
/// key and the number of rows that a branch notes for a child are those of the child.
final class TableWriter {
  let arena: NodeArena
  let index: Int
  @exclusivity(unchecked) private(set) var specs: [ColumnSpec]
  @exclusivity(unchecked) private(set) var root: NodeRef
  @exclusivity(unchecked) private(set) var height: Int
  @exclusivity(unchecked) private(set) var count: Int
  /// The key that the next row without one of its own gets.
  @exclusivity(unchecked) var nextKey: Int64 { didSet { isChanged = true } }
  /// Roots of indexes and backlinks, by numbers that the schema gives.
  @exclusivity(unchecked) var trees: [UInt32: NodeRef] { didSet { isChanged = true } }
  /// Grows whenever a place that was taken before may no longer be true: rows have moved, or their cluster was copied.
  @exclusivity(unchecked) private(set) var structure: UInt64 = 0
  @exclusivity(unchecked) private(set) var isChanged: Bool
  /// Whoever sets it keeps it alive as long as this: a weak or counted reference would be paid for at every value.
  unowned(unsafe) var recorder: (any ChangeSink)?

  private let cursor = RowCursor.make()
  /// Whether there are clusters that committing should pack.
  @exclusivity(unchecked) private var isScattered = false
  /// Whether the row being inserted belongs into the last cluster.
  @exclusivity(unchecked) private var isAppending = false
  @exclusivity(unchecked) private var writers: [ColumnWriter]
  private var space: NodeSpace { arena.space }

  deinit {
    cursor.pointee.steps.deallocate()
    cursor.deallocate()
  }

  /// A new, empty table.
  init(arena: NodeArena, index: Int, specs: [ColumnSpec]) {
    self.arena = arena
    self.index = index
    self.specs = specs
    writers = specs.map { ColumnWriter(arena: arena, spec: $0) }
    (root, height, count, nextKey, trees, isChanged) = (.none, 0, 0, 0, [:], true)
  }

  /// The table as it was committed.
  init(arena: NodeArena, index: Int, committed table: Table) {
    self.arena = arena
    self.index = index
    specs = table.specs
    writers = table.specs.map { ColumnWriter(arena: arena, spec: $0) }
    root = table.rows.root
    height = table.rows.height
    count = table.rows.count
    nextKey = table.nextKey
    trees = table.trees
    isChanged = false
  }

  /// The rows as they are now.
  var rows: RowTree { RowTree(space: space, root: root, height: height, count: count) }

  /// The table as it is now, to be read like a committed one.
  var reader: Table {
    Table(rows: rows, nextKey: nextKey, specs: specs, trees: trees)
  }

  // MARK: Columns

  /// Adds a column; every row holds null in it, or zero.
  func addColumn(_ spec: ColumnSpec) -> Int {
    specs.append(spec)
    writers.append(ColumnWriter(arena: arena, spec: spec))
    isChanged = true
    // Clusters get room for the column when they are opened the next time.
    cursor.pointee.drop()
    return specs.count - 1
  }

  /// Lets the values of a column go. What its references lead to must have been let go before.
  func removeColumn(_ column: Int) {
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
    if root.isNone { return nil }
    if !cursor.pointee.covers(key) {
      cursor.pointee.seek(key, root, height: height, in: space)
    }
    guard let node = cursor.pointee.cluster else { return nil }
    let (index, isFound) = Cluster(node).place(of: key, in: space)
    if !isFound { return nil }
    openPath()
    return cursor.pointee.cluster.map { RowPlace(cluster: Cluster($0), index: index) }
  }

  /// Makes the cursor's path and cluster pending.
  private func openPath() {
    guard let node = cursor.pointee.cluster else { return }
    let ref = space.ref(to: node)
    if cursor.pointee.isOpen && Cluster(node).columnCount >= specs.count { return }
    let opened = openCluster(ref)
    var below = opened
    for level in stride(from: cursor.pointee.height - 1, through: 0, by: -1) {
      let step = cursor.pointee.steps[level]
      let old = space.ref(to: step.branch.node)
      let ref = openBranch(old)
      cursor.pointee.steps[level].branch = Branch(space.node(ref))
      cursor.pointee.steps[level].branch.setChild(step.index, below)
      below = ref
    }
    root = below
    cursor.pointee.cluster = space.node(opened)
    cursor.pointee.isOpen = true
    structure &+= 1
    isChanged = true
  }

  /// The pending column of an opened row's cluster.
  @inline(__always)
  private func column(_ place: RowPlace, _ column: Int) -> ColumnSlot {
    let slot = place.cluster.slot(column)
    return _fastPath(slot.isPending) ? slot : openColumn(place, column)
  }

  @inline(never)
  private func openColumn(_ place: RowPlace, _ column: Int) -> ColumnSlot {
    let opened = writers[column].open(
      place.cluster.column(column), count: place.cluster.count, room: place.cluster.limit)
    place.cluster.setColumn(column, opened, in: space)
    return place.cluster.slot(column)
  }

  @inline(__always)
  private func setPresent(_ slot: ColumnSlot, _ index: Int) {
    if slot.hasNulls {
      let byte = space.pendingNode(slot.ref).assumingMemoryBound(to: UInt8.self) + 16 + index &>> 3
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
    let used = Int(values.load(fromByteOffset: 4, as: UInt32.self))
    let cell = values + (8 &+ place.index &<< 3)
    let heap = 8 &+ cells &<< 3
    // A short value that fits behind the others, in place of one that is not long.
    let capacity =
      space.header(slot.ref).bytes &- (values - space.pendingNode(slot.ref)) &- heap
    if bytes.count <= ColumnWriter.longest, used &+ bytes.count <= capacity,
      cell.load(fromByteOffset: 4, as: UInt32.self) & Column.longFlag == 0
    {
      if let start = bytes.baseAddress {
        (values + (heap &+ used)).copyMemory(from: start, byteCount: bytes.count)
      }
      cell.storeBytes(
        of: UInt64(truncatingIfNeeded: used) | UInt64(truncatingIfNeeded: bytes.count) &<< 32,
        as: UInt64.self)
      values.storeBytes(
        of: UInt32(truncatingIfNeeded: used &+ bytes.count), toByteOffset: 4, as: UInt32.self)
      setPresent(slot, place.index)
    } else {
      setBytesSlowly(place, column, slot.ref, bytes)
    }
  }

  @inline(never)
  private func setBytesSlowly(
    _ place: RowPlace, _ column: Int, _ opened: NodeRef, _ bytes: UnsafeRawBufferPointer
  ) {
    let changed = writers[column].setBytes(opened, place.index, bytes)
    if changed != opened { place.cluster.setColumn(column, changed, in: space) }
  }

  func setFixed(_ place: RowPlace, _ column: Int, _ bytes: UnsafeRawBufferPointer) {
    writers[column].setFixed(self.column(place, column).ref, place.index, bytes)
  }

  func setRef(_ place: RowPlace, _ column: Int, _ ref: NodeRef) {
    writers[column].setRef(self.column(place, column).ref, place.index, ref)
  }

  func setNull(_ place: RowPlace, _ column: Int) {
    if place.cluster.slot(column).isNone { return }
    let opened = self.column(place, column).ref
    let changed = writers[column].setNullValue(opened, place.index)
    if changed != opened { place.cluster.setColumn(column, changed, in: space) }
  }

  /// Notes that a value of a row was set, whether or not it differs from the one before.
  @inline(__always)
  func touch(_ key: Int64, column: Int) {
    recorder?.modified(table: UInt32(index), key: key, column: column)
  }

  // MARK: Opening nodes

  private func openBranch(_ ref: NodeRef) -> NodeRef {
    if ref.isPending { return ref }
    let old = Branch(space.node(ref))
    let opened = makeBranch(count: old.count)
    Branch(space.node(opened)).copy(from: old)
    arena.discard(ref)
    return opened
  }

  private func makeBranch(count: Int) -> NodeRef {
    arena.make(
      kind: NodeKind.branch, width: UInt8(Branch.most), count: count,
      payload: Branch.most * Branch.entryBytes)
  }

  private func openCluster(_ ref: NodeRef) -> NodeRef {
    let old = Cluster(space.node(ref))
    if ref.isPending && old.columnCount >= specs.count { return ref }
    let opened = makeCluster(count: old.count, base: old.base)
    let cluster = Cluster(space.node(opened))
    cluster.setKeySlot(old.keySlot)
    for column in 0..<min(specs.count, old.columnCount) {
      cluster.setSlot(column, old.slot(column))
    }
    arena.discard(ref)
    structure &+= 1
    return opened
  }

  private func makeCluster(count: Int, base: Int64) -> NodeRef {
    let payload = 16 + specs.count * 8
    let ref = arena.make(kind: NodeKind.cluster, count: count, payload: payload)
    space.pendingPayload(ref)
      .initializeMemory(as: UInt8.self, repeating: 0, count: arena.capacity(of: ref))
    Cluster(space.node(ref)).setBase(base)
    return ref
  }

  private static let keys = ColumnSpec.int

  /// The keys of an opened cluster as a column of their own, even if they follow each other without a gap.
  private func openKeys(_ cluster: Cluster) -> NodeRef {
    let writer = ColumnWriter(arena: arena, spec: TableWriter.keys)
    if cluster.keys.isNone {
      let ref = writer.make(count: cluster.count, room: cluster.limit)
      for at in 0..<cluster.count { writer.setInt(ref, at, Int64(at)) }
      cluster.setKeys(ref, in: space)
    } else {
      cluster.setKeys(
        writer.open(cluster.keys, count: cluster.count, room: cluster.limit), in: space)
    }
    return cluster.keys
  }

  // MARK: Inserting

  private struct Inserted {
    var place: RowPlace
    var ref: NodeRef
    var split: NodeRef?
  }

  /// Inserts a row of nulls and zeros; nil if there is one with this key already.
  @inline(__always)
  func insert(_ key: Int64) -> RowPlace? {
    // The key that follows the last one, into a cluster with room for it: the row is there as soon as it is counted.
    if cursor.pointee.isLast, cursor.pointee.room > 0, let node = cursor.pointee.cluster {
      let cluster = Cluster(node)
      let index = cluster.count
      if index < cursor.pointee.room, cluster.keySlot.isNone, key == cluster.base &+ Int64(index) {
        for column in 0..<cluster.columnCount {
          let slot = cluster.slot(column)
          if !slot.isNone {
            UnsafeMutableRawPointer(mutating: slot.node(space.base))
              .storeBytes(
                of: UInt16(truncatingIfNeeded: index &+ 1), toByteOffset: 2, as: UInt16.self)
          }
        }
        cluster.setCount(index &+ 1)
        countInserted(key)
        return RowPlace(cluster: cluster, index: index)
      }
    }
    return insertAnywhere(key)
  }

  /// Counts a row inserted into the cursor's cluster in the branches above it and in the table.
  @inline(__always)
  private func countInserted(_ key: Int64) {
    for level in 0..<cursor.pointee.height {
      let step = cursor.pointee.steps[level]
      step.branch.count(1, in: step.index, key)
    }
    count &+= 1
    if key >= nextKey { nextKey = key == .max ? .max : key &+ 1 }
    recorder?.inserted(table: UInt32(truncatingIfNeeded: index), key: key)
  }

  @inline(never)
  private func insertAnywhere(_ key: Int64) -> RowPlace? {
    if !root.isNone {
      if !cursor.pointee.covers(key) {
        cursor.pointee.seek(key, root, height: height, in: space)
      }
      if let node = cursor.pointee.cluster {
        let (at, isFound) = Cluster(node).place(of: key, in: space)
        if isFound { return nil }
        if isFull(Cluster(node), at: at) { return insertGrowing(key) }
        prefetch(Cluster(node), at)
        openPath()
        if let node = cursor.pointee.cluster {
          let cluster = Cluster(node)
          if at < cluster.count { structure &+= 1 }
          insert(key, into: cluster, at: at)
          cursor.pointee.room = cluster.limit
          countInserted(key)
          return RowPlace(cluster: cluster, index: at)
        }
      }
    }
    return insertGrowing(key)
  }

  /// Asks for the lines of memory that an insertion is about to write: in a large write most of them are far away, and one
  /// after the other they would cost a miss each.
  @inline(__always)
  private func prefetch(_ cluster: Cluster, _ place: Int) {
    for column in 0..<cluster.columnCount {
      let node = cluster.slot(column).node(space.base)
      rb_prefetch(node)
      rb_prefetch(node + (16 &+ place &<< 3))
    }
  }

  /// Whether a cluster must split before it takes a row at a place.
  ///
  /// One that is new in this write and takes rows between others splits at a quarter of its size: what an insertion has to
  /// move is what it costs. Committing packs such clusters.
  private func isFull(_ cluster: Cluster, at place: Int) -> Bool {
    let count = cluster.count
    return count >= cluster.limit || (cluster.isNew && place < count && count >= Cluster.small)
  }

  /// Inserts a row where clusters and branches may have to split.
  private func insertGrowing(_ key: Int64) -> RowPlace? {
    isAppending = cursor.pointee.covers(key) && cursor.pointee.isLast
    cursor.pointee.drop()
    if root.isNone {
      root = makeCluster(count: 0, base: key)
      Cluster(space.node(root)).setNew(isSmall: false)
    }
    guard let inserted = insert(key, root, height) else { return nil }
    root = inserted.ref
    if let split = inserted.split {
      let top = makeBranch(count: 2)
      let branch = Branch(space.node(top))
      note(branch, 0, root, height)
      note(branch, 1, split, height)
      root = top
      height += 1
    }
    count += 1
    if key >= nextKey { nextKey = key == .max ? .max : key + 1 }
    structure &+= 1
    isChanged = true
    recorder?.inserted(table: UInt32(index), key: key)
    return inserted.place
  }

  private func insert(_ key: Int64, _ ref: NodeRef, _ level: Int) -> Inserted? {
    if level == 0 { return insert(key, cluster: ref) }
    let old = Branch(space.node(ref))
    let at = old.place(of: key)
    guard let inserted = insert(key, old.child(at), level - 1) else { return nil }
    let opened = openBranch(ref)
    let branch = Branch(space.node(opened))
    guard let split = inserted.split else {
      branch.set(
        at, key: min(key, branch.key(at)), child: inserted.ref, rows: branch.rows(at) + 1)
      return Inserted(place: inserted.place, ref: opened)
    }
    note(branch, at, inserted.ref, level - 1)
    if branch.count < Branch.most {
      insert(split, into: branch, at: at + 1, level - 1)
      return Inserted(place: inserted.place, ref: opened)
    }
    // Ascending keys fill a branch before they begin the next one; others halve it.
    let keep = at == Branch.most - 1 ? Branch.most : Branch.most / 2
    let right = makeBranch(count: 0)
    let other = Branch(space.node(right))
    for place in keep..<Branch.most {
      other.set(
        place - keep, key: branch.key(place), child: branch.child(place), rows: branch.rows(place))
    }
    other.setCount(Branch.most - keep)
    branch.setCount(keep)
    if at + 1 <= keep && keep < Branch.most {
      insert(split, into: branch, at: at + 1, level - 1)
    } else {
      insert(split, into: other, at: at + 1 - keep, level - 1)
    }
    return Inserted(place: inserted.place, ref: opened, split: right)
  }

  private func insert(_ child: NodeRef, into branch: Branch, at index: Int, _ level: Int) {
    let count = branch.count
    var place = count
    while place > index {
      branch.set(
        place, key: branch.key(place - 1), child: branch.child(place - 1),
        rows: branch.rows(place - 1))
      place -= 1
    }
    branch.setCount(count + 1)
    note(branch, index, child, level)
  }

  /// Writes what a branch knows about a child: its first key and its rows.
  private func note(_ branch: Branch, _ index: Int, _ child: NodeRef, _ level: Int) {
    if level == 0 {
      let cluster = Cluster(space.node(child))
      branch.set(index, key: cluster.key(0, in: space), child: child, rows: cluster.count)
    } else {
      let below = Branch(space.node(child))
      var rows = 0
      for at in 0..<below.count { rows += below.rows(at) }
      branch.set(index, key: below.key(0), child: child, rows: rows)
    }
  }

  private func insert(_ key: Int64, cluster ref: NodeRef) -> Inserted? {
    let old = Cluster(space.node(ref))
    let (at, isFound) = old.place(of: key, in: space)
    if isFound { return nil }
    let opened = openCluster(ref)
    let cluster = Cluster(space.node(opened))
    guard isFull(cluster, at: at) else {
      insert(key, into: cluster, at: at)
      return Inserted(place: RowPlace(cluster: cluster, index: at), ref: opened)
    }
    if at == cluster.count {
      let next = makeCluster(count: 0, base: key)
      let other = Cluster(space.node(next))
      other.setNew(isSmall: cluster.limit == Cluster.small && !isAppending)
      insert(key, into: other, at: 0)
      return Inserted(place: RowPlace(cluster: other, index: 0), ref: opened, split: next)
    }
    let half = cluster.count / 2
    let right = split(cluster, at: half)
    let other = Cluster(space.node(right))
    if at <= half {
      insert(key, into: cluster, at: at)
      return Inserted(place: RowPlace(cluster: cluster, index: at), ref: opened, split: right)
    }
    insert(key, into: other, at: at - half)
    return Inserted(place: RowPlace(cluster: other, index: at - half), ref: opened, split: right)
  }

  private func insert(_ key: Int64, into cluster: Cluster, at place: Int) {
    let count = cluster.count
    let followsDensely =
      cluster.keys.isNone && place == count && (count == 0 || key &- cluster.base == Int64(count))
    if followsDensely {
      if count == 0 { cluster.setBase(key) }
    } else {
      let writer = ColumnWriter(arena: arena, spec: TableWriter.keys)
      let keys = writer.insert(openKeys(cluster), at: place)
      writer.setInt(keys, place, key &- cluster.base)
      cluster.setKeys(keys, in: space)
    }
    for column in specs.indices {
      let ref = cluster.column(column)
      if ref.isNone { continue }
      let opened = writers[column].open(ref, count: count, room: cluster.limit)
      let grown = writers[column].insert(opened, at: place)
      if grown != ref { cluster.setColumn(column, grown, in: space) }
    }
    cluster.setCount(count + 1)
  }

  /// Moves the rows from `keep` on into a new cluster.
  private func split(_ cluster: Cluster, at keep: Int) -> NodeRef {
    let count = cluster.count
    let writer = ColumnWriter(arena: arena, spec: TableWriter.keys)
    let base = cluster.key(keep, in: space)
    let right = makeCluster(count: count - keep, base: base)
    let other = Cluster(space.node(right))
    let room = cluster.isNew ? Cluster.small : Cluster.most
    if cluster.isNew {
      isScattered = true
      other.setNew(isSmall: true)
    }
    if !cluster.keys.isNone {
      let keys = openKeys(cluster)
      let (left, moved) = writer.split(keys, at: keep, room: room)
      let shift = base &- cluster.base
      let column = Column(space.node(moved))
      for at in 0..<(count - keep) { writer.setInt(moved, at, column.int(at) &- shift) }
      cluster.setKeys(left, in: space)
      other.setKeys(moved, in: space)
    }
    for column in specs.indices where !cluster.column(column).isNone {
      let opened = writers[column].open(cluster.column(column), count: count)
      let (left, moved) = writers[column].split(opened, at: keep, room: room)
      cluster.setColumn(column, left, in: space)
      other.setColumn(column, moved, in: space)
    }
    cluster.setCount(keep)
    return right
  }

  // MARK: Deleting

  /// Deletes a row; false if there is none. Small trees that it refers to must have been let go before.
  @discardableResult
  func delete(_ key: Int64) -> Bool {
    guard !root.isNone, rows.find(key) != nil else { return false }
    cursor.pointee.drop()
    root = delete(key, root, height)
    while height > 0, Branch(space.node(root)).count == 1 {
      let only = Branch(space.node(root)).child(0)
      arena.discard(root)
      root = only
      height -= 1
    }
    count -= 1
    if count == 0 {
      arena.discard(root)
      root = .none
      height = 0
    }
    structure &+= 1
    isChanged = true
    recorder?.deleted(table: UInt32(index), key: key)
    return true
  }

  private func delete(_ key: Int64, _ ref: NodeRef, _ level: Int) -> NodeRef {
    if level == 0 {
      let opened = openCluster(ref)
      remove(
        Cluster(space.node(opened)), at: Cluster(space.node(opened)).place(of: key, in: space).index
      )
      return opened
    }
    let at = Branch(space.node(ref)).place(of: key)
    let child = delete(key, Branch(space.node(ref)).child(at), level - 1)
    let opened = openBranch(ref)
    let branch = Branch(space.node(opened))
    if size(of: child, level - 1) == 0 {
      arena.discard(child)
      remove(branch, at: at)
    } else {
      note(branch, at, child, level - 1)
      merge(branch, at: at, level - 1)
    }
    return opened
  }

  private func size(of ref: NodeRef, _ level: Int) -> Int {
    level == 0 ? Cluster(space.node(ref)).count : Branch(space.node(ref)).count
  }

  private func remove(_ branch: Branch, at index: Int) {
    let count = branch.count
    for place in index..<(count - 1) {
      branch.set(
        place, key: branch.key(place + 1), child: branch.child(place + 1),
        rows: branch.rows(place + 1))
    }
    branch.setCount(count - 1)
  }

  private func remove(_ cluster: Cluster, at place: Int) {
    let count = cluster.count
    if !(cluster.keys.isNone && place == count - 1) {
      let keys = openKeys(cluster)
      cluster.setKeys(
        ColumnWriter(arena: arena, spec: TableWriter.keys).remove(keys, at: place), in: space)
    }
    for column in specs.indices {
      let ref = cluster.column(column)
      if ref.isNone { continue }
      let opened = writers[column].open(ref, count: count)
      let left = writers[column].remove(opened, at: place)
      cluster.setColumn(column, left, in: space)
    }
    cluster.setCount(count - 1)
    if count == 1 { discardColumns(cluster) }
  }

  private func discardColumns(_ cluster: Cluster) {
    arena.discard(cluster.keys)
    cluster.setKeys(.none, in: space)
    for column in specs.indices {
      arena.discard(cluster.column(column))
      cluster.setSlot(column, ColumnSlot(word: 0))
    }
  }

  /// Joins a child that has become small with a neighbour, if both fit well into one.
  private func merge(_ branch: Branch, at index: Int, _ level: Int) {
    let most = level == 0 ? Cluster.most : Branch.most
    guard branch.count > 1, size(of: branch.child(index), level) < most / 4 else { return }
    let left = index > 0 ? index - 1 : index
    let sizes = size(of: branch.child(left), level) + size(of: branch.child(left + 1), level)
    guard sizes <= most * 3 / 4 else { return }
    let (one, other) = (branch.child(left), branch.child(left + 1))
    let joined = level == 0 ? joinClusters(one, other) : joinBranches(one, other)
    note(branch, left, joined, level)
    remove(branch, at: left + 1)
  }

  private func joinBranches(_ one: NodeRef, _ other: NodeRef) -> NodeRef {
    let opened = openBranch(one)
    let branch = Branch(space.node(opened))
    let right = Branch(space.node(other))
    let count = branch.count
    for at in 0..<right.count {
      branch.set(count + at, key: right.key(at), child: right.child(at), rows: right.rows(at))
    }
    branch.setCount(count + right.count)
    arena.discard(other)
    return opened
  }

  private func joinClusters(_ one: NodeRef, _ other: NodeRef) -> NodeRef {
    let opened = openCluster(one)
    let cluster = Cluster(space.node(opened))
    let right = Cluster(space.node(other))
    let (count, more) = (cluster.count, right.count)
    let writer = ColumnWriter(arena: arena, spec: TableWriter.keys)
    if !(cluster.keys.isNone && right.keys.isNone && right.base &- cluster.base == Int64(count)) {
      let keys = writer.append(.none, count: more, to: openKeys(cluster), room: Column.most)
      for at in 0..<more {
        writer.setInt(keys, count + at, right.key(at, in: space) &- cluster.base)
      }
      cluster.setKeys(keys, in: space)
    }
    for column in specs.indices {
      let (left, moved) = (cluster.column(column), right.column(column))
      if left.isNone && moved.isNone { continue }
      let open = writers[column].open(left, count: count)
      cluster.setColumn(
        column, writers[column].append(moved, count: more, to: open, room: Column.most), in: space)
    }
    if cluster.isNew { cluster.setNew(isSmall: false) }
    cluster.setCount(count + more)
    arena.discard(right.keys)
    arena.discard(other)
    return opened
  }

  // MARK: Packing

  /// Joins the small clusters that rows inserted in no order have left behind.
  private func pack() {
    guard isScattered else { return }
    isScattered = false
    structure &+= 1
    pack(root, height)
    while height > 0, Branch(space.node(root)).count == 1 {
      let only = Branch(space.node(root)).child(0)
      arena.discard(root)
      root = only
      height -= 1
    }
  }

  private func pack(_ ref: NodeRef, _ level: Int) {
    guard ref.isPending, level > 0 else { return }
    let branch = Branch(space.node(ref))
    for at in 0..<branch.count { pack(branch.child(at), level - 1) }
    let most = level == 1 ? Cluster.most : Branch.most
    var last = 0
    for at in 1..<max(branch.count, 1) {
      let (one, other) = (branch.child(last), branch.child(at))
      if isLoose(one, level - 1) && isLoose(other, level - 1),
        size(of: one, level - 1) + size(of: other, level - 1) <= most
      {
        let joined = level == 1 ? joinClusters(one, other) : joinBranches(one, other)
        branch.set(
          last, key: branch.key(last), child: joined, rows: branch.rows(last) + branch.rows(at))
      } else {
        last += 1
        branch.set(last, key: branch.key(at), child: other, rows: branch.rows(at))
      }
    }
    branch.setCount(last + 1)
  }

  private func isLoose(_ ref: NodeRef, _ level: Int) -> Bool {
    ref.isPending && (level > 0 || Cluster(space.node(ref)).isNew)
  }

  // MARK: Clearing

  /// Deletes all rows. Everything that they refer to goes with them.
  func deleteAll() {
    rows.forEachCluster { cluster, _ in
      for at in 0..<cluster.count {
        recorder?.deleted(table: UInt32(index), key: cluster.key(at, in: space))
      }
      return true
    }
    cursor.pointee.drop()
    discardTree(root, arena: arena)
    root = .none
    height = 0
    count = 0
    structure &+= 1
    isChanged = true
  }

  /// Writes the table's own node; everything below has been settled before.
  func settle(_ settler: Settler, into sink: any NodeSink) -> NodeRef {
    cursor.pointee.drop()
    pack()
    root = settler.settle(root)
    for (number, tree) in trees { trees[number] = settler.settle(tree) }
    isChanged = false
    return reader.write(into: sink, born: arena.version)
  }
}

/// Lets a node and everything below it go.
func discardTree(_ ref: NodeRef, arena: NodeArena) {
  if ref.isNone { return }
  forEachChild(of: ref, in: arena.space) { discardTree($0, arena: arena) }
  arena.discard(ref)
}
