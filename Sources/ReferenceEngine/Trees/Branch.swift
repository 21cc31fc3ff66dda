import CShims

/// An inner node of a row tree: up to 32 children, each with its first key and the rows below it.
///
///     count   children; width: how many the node has room for
///     first   i64 first keys, one for each place
///     then    u64 children
///     then    u32 rows
@frozen @usableFromInline
struct Branch: BranchNode {
  struct Entry {
    let key: Int64
    let child: NodeRef
    let rows: Int
  }

  @usableFromInline let node: UnsafeRawPointer

  @inlinable init(_ node: UnsafeRawPointer) { self.node = node }

  static var most: Int { rb_branch_most }
  static var entryBytes: Int { rb_branch_entry }

  @inlinable var count: Int { node.nodeCount }
  @inlinable var room: Int { Int(node.nodeWidth) }

  // Where the parts of an entry stand.
  @inlinable @inline(__always)
  func keyOffset(_ index: Int) -> Int { rb_node_payload &+ index &<< 3 }
  @inlinable @inline(__always)
  func childOffset(_ index: Int) -> Int { rb_node_payload &+ (room &+ index) &<< 3 }
  @inlinable @inline(__always)
  func rowsOffset(_ index: Int) -> Int { rb_node_payload &+ room &<< 4 &+ index &<< 2 }

  @inlinable @inline(__always)
  func key(_ index: Int) -> Int64 {
    node.load(fromByteOffset: keyOffset(index), as: Int64.self)
  }

  @inlinable @inline(__always)
  func child(_ index: Int) -> NodeRef {
    NodeRef(raw: node.load(fromByteOffset: childOffset(index), as: UInt64.self))
  }

  @inlinable @inline(__always)
  func rows(_ index: Int) -> Int {
    Int(node.load(fromByteOffset: rowsOffset(index), as: UInt32.self))
  }

  /// The child under which a key lies or would lie: the last one whose first key is not above it,
  /// else the first.
  @inlinable @inline(__always)
  func place(of key: Int64) -> Int { rb_branch_place(node, count, key) }

  func entry(_ index: Int) -> Entry {
    Entry(key: key(index), child: child(index), rows: rows(index))
  }

  func set(_ index: Int, _ entry: Entry) {
    let node = UnsafeMutableRawPointer(mutating: node)
    node.storeBytes(of: entry.key, toByteOffset: keyOffset(index), as: Int64.self)
    node.storeBytes(of: entry.child.raw, toByteOffset: childOffset(index), as: UInt64.self)
    node.storeBytes(of: UInt32(entry.rows), toByteOffset: rowsOffset(index), as: UInt32.self)
  }

  func setKey(_ index: Int, _ key: Int64) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: key, toByteOffset: keyOffset(index), as: Int64.self)
  }

  func setChild(_ index: Int, _ child: NodeRef) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: child.raw, toByteOffset: childOffset(index), as: UInt64.self)
  }

  /// Counts rows that a child has gained, the first of them with a key.
  @inline(__always)
  func count(_ rows: Int, in index: Int, _ key: Int64) {
    let node = UnsafeMutableRawPointer(mutating: node)
    let place = node + rowsOffset(index)
    place.storeBytes(
      of: place.load(as: UInt32.self) &+ UInt32(truncatingIfNeeded: rows), as: UInt32.self)
    if key < self.key(index) {
      node.storeBytes(of: key, toByteOffset: keyOffset(index), as: Int64.self)
    }
  }

  func copyEntries(from other: Branch) {
    let node = UnsafeMutableRawPointer(mutating: node)
    let count = other.count
    func copy(_ place: (Branch) -> Int, _ bytes: Int) {
      (node + place(self)).copyMemory(from: other.node + place(other), byteCount: count * bytes)
    }
    copy({ $0.keyOffset(0) }, 8)
    copy({ $0.childOffset(0) }, 8)
    copy({ $0.rowsOffset(0) }, 4)
  }
}
