/// Up to 256 rows with ascending keys, as one reference for each column.
///
///     count   rows
///     0       i64 base
///     8       u64 keys: a column of whole numbers to be added to the base; none = the row's place in the cluster
///     16      u64 columns; one that is missing holds nulls, or zeros
@frozen @usableFromInline
struct Cluster {
  @usableFromInline let node: UnsafeRawPointer

  @inlinable @inline(__always)
  init(_ node: UnsafeRawPointer) { self.node = node }

  @usableFromInline static let most = 256
  @usableFromInline static let columnsOffset = 32

  @inlinable var count: Int { Int(node.load(fromByteOffset: 2, as: UInt16.self)) }
  @inlinable var base: Int64 { node.load(fromByteOffset: 16, as: Int64.self) }
  @inlinable var keys: NodeRef { NodeRef(raw: node.load(fromByteOffset: 24, as: UInt64.self)) }

  /// How many column references the node has room for; columns beyond are missing.
  @inlinable @inline(__always)
  var columnCount: Int {
    let units = Int(truncatingIfNeeded: node.load(fromByteOffset: 8, as: UInt64.self) & 0xFF_FFFF)
    return (units &<< 4 &- 32) &>> 3
  }

  /// A column; none if it is missing.
  @inlinable @inline(__always)
  func column(_ index: Int) -> NodeRef {
    index < columnCount
      ? NodeRef(raw: node.load(fromByteOffset: 32 &+ index &<< 3, as: UInt64.self)) : .none
  }

  @inlinable
  func key(_ index: Int, in space: NodeSpace) -> Int64 {
    keys.isNone ? base &+ Int64(index) : base &+ Column(space.node(keys)).int(index)
  }

  /// The first row whose key is not below one, and whether it has just this key.
  @inlinable
  func place(of key: Int64, in space: NodeSpace) -> (index: Int, isFound: Bool) {
    let count = self.count
    if keys.isNone {
      let offset = key &- base
      if key < base { return (0, false) }
      return offset < 0 || offset >= Int64(count) ? (count, false) : (Int(offset), true)
    }
    let column = Column(space.node(keys))
    // Keys are distinct and ascending, so a key lies at most its distance from the base away, and often there.
    let offset = key &- base
    if offset >= 0, offset < Int64(count), column.int(Int(offset)) == offset {
      return (Int(offset), true)
    }
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) &>> 1
      if base &+ column.int(middle) < key { low = middle &+ 1 } else { high = middle }
    }
    return (low, low < count && base &+ column.int(low) == key)
  }

  func setColumn(_ index: Int, _ ref: NodeRef) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: ref.raw, toByteOffset: 32 + index * 8, as: UInt64.self)
  }

  func setKeys(_ ref: NodeRef) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: ref.raw, toByteOffset: 24, as: UInt64.self)
  }

  func setBase(_ base: Int64) {
    UnsafeMutableRawPointer(mutating: node).storeBytes(of: base, toByteOffset: 16, as: Int64.self)
  }

  func setCount(_ count: Int) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: UInt16(count), toByteOffset: 2, as: UInt16.self)
  }
}

/// Where a row lies: its cluster and its place in it.
///
/// True while the root of the table is the same; a write changes clusters in place, so inside a write it is true until the
/// next row is inserted or deleted.
@frozen @usableFromInline
struct RowPlace {
  @usableFromInline let cluster: Cluster
  @usableFromInline let index: Int

  @inlinable @inline(__always)
  init(cluster: Cluster, index: Int) { (self.cluster, self.index) = (cluster, index) }

  @inlinable @inline(__always)
  func int(_ column: Int, in space: NodeSpace) -> Int64 {
    let ref = cluster.column(column)
    return ref.isNone ? 0 : Column(space.node(ref)).int(index)
  }

  /// Whether a value of a nullable column is null; a missing column is.
  @inlinable @inline(__always)
  func isNull(_ column: Int, in space: NodeSpace) -> Bool {
    let ref = cluster.column(column)
    return ref.isNone || Column(space.node(ref)).isNull(index)
  }

  @inlinable @inline(__always)
  func bytes(_ column: Int, in space: NodeSpace) -> UnsafeRawBufferPointer {
    let ref = cluster.column(column)
    return ref.isNone
      ? UnsafeRawBufferPointer(start: nil, count: 0)
      : Column(space.node(ref)).bytes(index, in: space)
  }

  /// A value of fixed size; empty if the column is missing.
  @inlinable @inline(__always)
  func fixed(_ column: Int, in space: NodeSpace) -> UnsafeRawBufferPointer {
    let ref = cluster.column(column)
    return ref.isNone
      ? UnsafeRawBufferPointer(start: nil, count: 0) : Column(space.node(ref)).fixed(index)
  }

  @inlinable @inline(__always)
  func ref(_ column: Int, in space: NodeSpace) -> NodeRef {
    let ref = cluster.column(column)
    return ref.isNone ? .none : Column(space.node(ref)).ref(index)
  }
}
