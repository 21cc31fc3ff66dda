import CShims

/// Up to 32 children of a list that has outgrown one column: {u64 child, u64 values below it} each
/// (`rb_list_entry`); width = height above the columns.
struct ListBranch: BranchNode {
  struct Entry {
    let child: NodeRef
    let values: Int
  }

  let node: UnsafeRawPointer
  init(_ node: UnsafeRawPointer) { self.node = node }

  static var most: Int { rb_list_branch_most }
  static var entryBytes: Int { rb_list_entry_bytes }

  func child(_ index: Int) -> NodeRef {
    NodeRef(
      raw: node.load(
        fromByteOffset: rb_list_entry_child + index * ListBranch.entryBytes, as: UInt64.self))
  }

  func values(_ index: Int) -> Int {
    Int(
      truncatingIfNeeded: node.load(
        fromByteOffset: rb_list_entry_values + index * ListBranch.entryBytes, as: UInt64.self))
  }

  func entry(_ index: Int) -> Entry { Entry(child: child(index), values: values(index)) }

  func set(_ index: Int, _ entry: Entry) {
    let node = UnsafeMutableRawPointer(mutating: node)
    let place = index * ListBranch.entryBytes
    node.storeBytes(of: entry.child.raw, toByteOffset: rb_list_entry_child + place, as: UInt64.self)
    node.storeBytes(
      of: UInt64(entry.values), toByteOffset: rb_list_entry_values + place, as: UInt64.self)
  }

  func copyEntries(from other: ListBranch) {
    UnsafeMutableRawPointer(mutating: node + rb_node_payload).copyMemory(
      from: other.node + rb_node_payload, byteCount: other.count * ListBranch.entryBytes)
  }

  /// The child that holds the value at a position, and the position within it. One past the end is
  /// in the last.
  func place(of position: Int) -> (child: Int, within: Int) {
    var left = position
    for index in 0..<(count - 1) {
      let values = self.values(index)
      if left < values { return (index, left) }
      left &-= values
    }
    return (count - 1, left)
  }
}

/// A list, set or map's values by position, read at one version. An empty one has no node.
struct ListTree {
  let space: NodeSpace
  let root: NodeRef
  /// How its values are kept.
  let element: ColumnSpec

  /// How many branches lie above a list's columns at most, and so many values in it.
  private static let most = 1 << 40

  /// A node and what it says of itself, after a look at it.
  private func node(
    _ ref: NodeRef, from node: UnsafeRawPointer, height: Int? = nil
  ) -> NodeHeader {
    space.listNode(ref, from: node, of: element, height: height)
  }

  /// How many values a branch says are below it.
  private func sum(_ branch: ListBranch) -> Int {
    var sum = 0
    for index in 0..<branch.count {
      let values = branch.values(index)
      guard values >= 0, values < ListTree.most else {
        space.damaged(space.ref(to: branch.node), "counts \(values) values")
      }
      sum += values
    }
    return sum
  }

  var count: Int {
    if root.isNone { return 0 }
    let header = node(root, from: space.knowledge)
    guard header.kind == NodeKind.listBranch else { return Int(header.count) }
    return sum(ListBranch(space.node(root)))
  }

  /// The column that holds the value at a position, and its place there. The position must be
  /// inside the list.
  func place(at position: Int) -> (column: Column, index: Int) {
    var ref = root
    var left = position
    var header = node(ref, from: space.knowledge)
    while header.kind == NodeKind.listBranch {
      let branch = ListBranch(space.node(ref))
      let (child, within) = branch.place(of: left)
      ref = branch.child(child)
      left = within
      header = node(ref, from: branch.node, height: Int(header.width) - 1)
    }
    if _slowPath(left >= Int(header.count)) {
      space.damaged(ref, "has fewer values than are counted above it")
    }
    return (Column(space.node(ref)), left)
  }

  func int(_ position: Int) -> Int64 {
    let (column, index) = place(at: position)
    return column.int(index)
  }

  func cell(_ position: Int) -> Cell {
    let (column, index) = place(at: position)
    return column.cell(index, in: space)
  }

  /// Calls `body` with each column in order and the position of its first value, until it returns
  /// false.
  func forEachColumn(_ body: (Column, _ first: Int) -> Bool) {
    if root.isNone { return }
    var first = 0
    _ = walk(root, node(root, from: space.knowledge), &first, body)
  }

  private func walk(
    _ ref: NodeRef, _ header: NodeHeader, _ first: inout Int, _ body: (Column, Int) -> Bool
  ) -> Bool {
    guard header.kind == NodeKind.listBranch else {
      space.examineColumn(ref)
      let column = Column(space.node(ref))
      defer { first += column.count }
      return body(column, first)
    }
    let branch = ListBranch(space.node(ref))
    for index in 0..<branch.count {
      let child = branch.child(index)
      let below = node(child, from: branch.node, height: Int(header.width) - 1)
      let found =
        below.kind == NodeKind.listBranch
        ? sum(ListBranch(space.node(child))) : Int(below.count)
      // Who walks may have made room for as many values as are counted.
      if found != branch.values(index) {
        space.damaged(child, "has \(found) values, counted are \(branch.values(index))")
      }
      if !walk(child, below, &first, body) { return false }
    }
    return true
  }
}
