import CShims

/// Up to 256 rows with ascending keys, as one reference for each column.
///
///     count    rows; width: only while it is written, see `limit`
///     base     i64
///     keys     u64 a column of whole numbers to be added to the base; none = the row's place in
///              the cluster. With its form likewise
///     columns  u64 each, with its form in the low bits (ColumnSlot); one that is missing holds
///              nulls, or zeros
@frozen @usableFromInline
struct Cluster {
  @usableFromInline let node: UnsafeRawPointer

  @inlinable @inline(__always)
  init(_ node: UnsafeRawPointer) { self.node = node }

  @inlinable static var most: Int { rb_cluster_most }
  @inlinable static var columnsOffset: Int { rb_cluster_columns }

  @inlinable var count: Int { node.nodeCount }
  @inlinable var base: Int64 { node.load(fromByteOffset: rb_cluster_base, as: Int64.self) }
  @inlinable @inline(__always)
  var keySlot: ColumnSlot {
    ColumnSlot(word: node.load(fromByteOffset: rb_cluster_keys, as: UInt64.self))
  }
  @inlinable var keys: NodeRef { keySlot.ref }

  /// How many column references the node has room for; columns beyond are missing.
  @inlinable @inline(__always)
  var columnCount: Int { (node.nodeBytes &- rb_cluster_columns) &>> 3 }

  /// The reference to a column, with its form; none if it is missing.
  @inlinable @inline(__always)
  func slot(_ index: Int) -> ColumnSlot {
    ColumnSlot(word: rb_row_slot(node, index))
  }

  /// A column; none if it is missing.
  @inlinable @inline(__always)
  func column(_ index: Int) -> NodeRef { slot(index).ref }

  @inlinable
  func key(_ index: Int, in space: NodeSpace) -> Int64 {
    let keys = keySlot
    return keys.isNone ? base &+ Int64(index) : base &+ keys.int(index, in: space.base)
  }

  /// The first row whose key is not below one, and whether it has just this key.
  @inlinable @inline(__always)
  func place(of key: Int64, in space: NodeSpace) -> (index: Int, isFound: Bool) {
    let offset = UInt64(bitPattern: key &- base)
    if _fastPath(keySlot.isNone && offset < UInt64(count)) {
      return (Int(truncatingIfNeeded: offset), true)
    }
    return search(key, in: space)
  }

  /// The same where a write knows from its branches between which keys those of the cluster lie:
  /// the guess needs none of the cluster's own.
  @inline(__always)
  func place(
    of key: Int64, from low: Int64, through high: Int64, in space: NodeSpace
  ) -> (index: Int, isFound: Bool) {
    let keys = keySlot
    guard keys.isPending, keys.code == 7, key >= low, key <= high else {
      return place(of: key, in: space)
    }
    let values = keys.values(space.base)
    // What is kept is relative to the base, and wraps around if the keys are far apart.
    let base = self.base
    let guess = PlaceGuess(
      UInt64(bitPattern: key &- low), from: 0, to: UInt64(bitPattern: high &- low))
    let count = self.count
    // Signed numbers are in the order of unsigned ones once the sign is turned around.
    let index = guess.place(
      among: count, words: values, stride: 8, window: 8,
      bias: UInt64(bitPattern: base &+ .min), below: UInt64(bitPattern: key &+ .min))
    let isFound =
      index < count
      && base &+ values.load(fromByteOffset: index &<< 3, as: Int64.self) == key
    return (index, isFound)
  }

  @inlinable @inline(never)
  func search(_ key: Int64, in space: NodeSpace) -> (index: Int, isFound: Bool) {
    let count = self.count
    let keys = keySlot
    if keys.isNone { return key < base ? (0, false) : (count, false) }
    // Keys are spread evenly more often than not: a guess lands within a few of the place and in
    // the same line of the cache; from there the steps double. Halving would touch a line a step.
    let first = self.key(0, in: space)
    let last = self.key(count &- 1, in: space)
    if key <= first { return (0, key == first) }
    if key >= last { return key == last ? (count &- 1, true) : (count, false) }
    let share =
      Double(UInt64(bitPattern: key &- first)) / Double(UInt64(bitPattern: last &- first))
    var low = 0
    var high = count &- 1
    var guess = min(max(Int(share * Double(count &- 1)), 0), count &- 1)
    var step = 2
    // Below `low` + 1 all keys are smaller; the one at `high` is not.
    if self.key(guess, in: space) < key {
      repeat {
        low = guess
        guess &+= step
        step &<<= 1
      } while guess < high && self.key(guess, in: space) < key
      high = min(guess, high)
    } else {
      repeat {
        high = guess
        guess &-= step
        step &<<= 1
      } while guess > low && self.key(guess, in: space) >= key
      low = max(guess, low)
    }
    while high &- low > 1 {
      let middle = (low &+ high) &>> 1
      if self.key(middle, in: space) < key { low = middle } else { high = middle }
    }
    return (high, self.key(high, in: space) == key)
  }

  /// The average lengths of the texts of the first five columns: 12 bits for each, in sixteenths of
  /// a byte, and 0 for a column that has no short texts. The clusters of a table are much alike, so
  /// one tells where to look in another.
  func textLengths(in space: NodeSpace) -> UInt64 {
    var lengths: UInt64 = 0
    for index in 0..<min(columnCount, 5) where count > 0 {
      let slot = slot(index)
      if slot.isNone || slot.code != 5 { continue }
      guard Column(slot.node(space.base)).kind == NodeKind.bytes else { continue }
      let end = slot.values(space.base).load(fromByteOffset: (count - 1) * 2, as: UInt16.self)
      let length = UInt64(end) * 16 / UInt64(count)
      if length < 1 << 12 { lengths |= length << UInt64(index * 12) }
    }
    return lengths
  }

  @inline(__always)
  func setSlot(_ index: Int, _ slot: ColumnSlot) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(
        of: slot.word, toByteOffset: rb_cluster_columns &+ index &<< 3, as: UInt64.self)
  }

  func setColumn(_ index: Int, _ ref: NodeRef, in space: NodeSpace) {
    setSlot(index, ref.isNone ? ColumnSlot(word: 0) : ColumnSlot(ref, in: space))
  }

  func setKeySlot(_ slot: ColumnSlot) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: slot.word, toByteOffset: rb_cluster_keys, as: UInt64.self)
  }

  func setKeys(_ ref: NodeRef, in space: NodeSpace) {
    setKeySlot(ref.isNone ? ColumnSlot(word: 0) : ColumnSlot(ref, in: space))
  }

  func setBase(_ base: Int64) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: base, toByteOffset: rb_cluster_base, as: Int64.self)
  }

  // MARK: While it is written

  /// What a cluster that is new in a write and takes rows between others splits at.
  static var small: Int { 64 }

  /// The rows that its pending columns have room for.
  @inline(__always)
  var limit: Int {
    node.nodeWidth & 2 == 0 ? Cluster.most : Cluster.small
  }

  /// Whether no version has had it yet.
  @inline(__always)
  var isNew: Bool { node.nodeWidth & 1 != 0 }

  func setNew(isSmall: Bool) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: isSmall ? 3 : 1, toByteOffset: rb_node_width, as: UInt8.self)
  }

  func setCount(_ count: Int) { node.setNodeCount(count) }
}

/// Where a row lies: its cluster and its place in it.
///
/// True while the root of the table is the same; a write changes clusters in place, so inside a
/// write it is true until the next row is inserted or deleted.
@frozen @usableFromInline
struct RowPlace {
  @usableFromInline let cluster: Cluster
  @usableFromInline let index: Int

  @inlinable @inline(__always)
  init(cluster: Cluster, index: Int) { (self.cluster, self.index) = (cluster, index) }

  @inlinable @inline(__always)
  func int(_ column: Int, in space: NodeSpace) -> Int64 {
    cluster.slot(column).int(index, in: space.base)
  }

  /// Whether a value of a nullable column is null; a missing column is.
  @inlinable @inline(__always)
  func isNull(_ column: Int, in space: NodeSpace) -> Bool {
    cluster.slot(column).isNull(index, in: space.base)
  }

  @inlinable @inline(__always)
  func bytes(_ column: Int, in space: NodeSpace) -> UnsafeRawBufferPointer {
    let slot = cluster.slot(column)
    return slot.isNone
      ? UnsafeRawBufferPointer(start: nil, count: 0)
      : slot.bytes(index, count: cluster.count, in: space.base)
  }

  /// A value of fixed size; empty if the column is missing.
  @inlinable @inline(__always)
  func fixed(_ column: Int, in space: NodeSpace) -> UnsafeRawBufferPointer {
    let ref = cluster.column(column)
    return ref.isNone
      ? UnsafeRawBufferPointer(start: nil, count: 0) : Column(space.node(ref)).fixed(index)
  }

  /// The reference that is a row's value: the root of a collection.
  @inlinable @inline(__always)
  func ref(_ column: Int, in space: NodeSpace) -> NodeRef {
    let ref = cluster.column(column)
    return ref.isNone ? .none : Column(space.node(ref)).ref(index, in: space)
  }
}
