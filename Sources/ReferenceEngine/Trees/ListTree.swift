/// Up to 32 children of a list that has outgrown one column: {u64 child, u64 values below it} each; width = height
/// above the columns.
struct ListBranch {
  let node: UnsafeRawPointer
  init(_ node: UnsafeRawPointer) { self.node = node }

  static let most = 32
  static let entryBytes = 16
  var count: Int { Int(node.load(fromByteOffset: 2, as: UInt16.self)) }

  func child(_ index: Int) -> NodeRef {
    NodeRef(raw: node.load(fromByteOffset: 16 + index * 16, as: UInt64.self))
  }

  func values(_ index: Int) -> Int {
    Int(node.load(fromByteOffset: 24 + index * 16, as: UInt64.self))
  }

  func set(_ index: Int, child: NodeRef, values: Int) {
    let node = UnsafeMutableRawPointer(mutating: node)
    node.storeBytes(of: child.raw, toByteOffset: 16 + index * 16, as: UInt64.self)
    node.storeBytes(of: UInt64(values), toByteOffset: 24 + index * 16, as: UInt64.self)
  }

  func setCount(_ count: Int) {
    UnsafeMutableRawPointer(mutating: node)
      .storeBytes(of: UInt16(count), toByteOffset: 2, as: UInt16.self)
  }

  /// The child that holds the value at a position, and the position within it. One past the end is in the last.
  func place(of position: Int) -> (child: Int, within: Int) {
    var left = position
    for index in 0..<(count - 1) {
      let values = self.values(index)
      if left < values { return (index, left) }
      left -= values
    }
    return (count - 1, left)
  }
}

/// A list, set or map's values by position, read at one version. An empty one has no node.
struct ListTree {
  let space: NodeSpace
  let root: NodeRef

  var count: Int {
    if root.isNone { return 0 }
    let header = space.header(root)
    guard header.kind == NodeKind.listBranch else { return Int(header.count) }
    let branch = ListBranch(space.node(root))
    var sum = 0
    for index in 0..<branch.count { sum += branch.values(index) }
    return sum
  }

  /// The column that holds the value at a position, and its place there. The position must be inside the list.
  func place(at position: Int) -> (column: Column, index: Int) {
    var ref = root
    var left = position
    while space.header(ref).kind == NodeKind.listBranch {
      let branch = ListBranch(space.node(ref))
      let (child, within) = branch.place(of: left)
      ref = branch.child(child)
      left = within
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

  /// Calls `body` with each column in order and the position of its first value, until it returns false.
  func forEachColumn(_ body: (Column, _ first: Int) -> Bool) {
    var first = 0
    if !root.isNone { _ = walk(root, &first, body) }
  }

  private func walk(_ ref: NodeRef, _ first: inout Int, _ body: (Column, Int) -> Bool) -> Bool {
    guard space.header(ref).kind == NodeKind.listBranch else {
      let column = Column(space.node(ref))
      defer { first += column.count }
      return body(column, first)
    }
    let branch = ListBranch(space.node(ref))
    for index in 0..<branch.count where !walk(branch.child(index), &first, body) { return false }
    return true
  }
}

/// Changes the values of a list. Whoever owns the root puts `root` back when it is done.
struct ListWriter {
  let arena: NodeArena
  private(set) var root: NodeRef
  private let writer: ColumnWriter

  init(arena: NodeArena, root: NodeRef, spec: ColumnSpec) {
    self.arena = arena
    self.root = root
    writer = ColumnWriter(arena: arena, spec: spec)
  }

  private var space: NodeSpace { arena.space }
  var tree: ListTree { ListTree(space: space, root: root) }
  var count: Int { tree.count }

  mutating func insert(_ cell: Cell, at position: Int) {
    if root.isNone { root = writer.make(count: 0, room: 8) }
    let (ref, split) = insert(cell, at: position, root)
    root = ref
    if let split {
      let top = makeBranch(count: 2, height: level(ref) + 1)
      let branch = ListBranch(space.node(top))
      branch.set(0, child: ref, values: size(ref))
      branch.set(1, child: split, values: size(split))
      root = top
    }
  }

  mutating func append(_ cell: Cell) { insert(cell, at: count) }

  mutating func set(_ cell: Cell, at position: Int) {
    root = set(cell, at: position, root)
  }

  mutating func remove(at position: Int) {
    root = remove(at: position, root) ?? .none
    while !root.isNone, level(root) > 0, ListBranch(space.node(root)).count == 1 {
      let only = ListBranch(space.node(root)).child(0)
      arena.discard(root)
      root = only
    }
  }

  mutating func removeAll() {
    discardTree(root, arena: arena)
    root = .none
  }

  // MARK: Nodes

  private func level(_ ref: NodeRef) -> Int {
    let header = space.header(ref)
    return header.kind == NodeKind.listBranch ? Int(header.width) : 0
  }

  private func size(_ ref: NodeRef) -> Int { ListTree(space: space, root: ref).count }

  private func makeBranch(count: Int, height: Int) -> NodeRef {
    arena.make(
      kind: NodeKind.listBranch, width: UInt8(height), count: count,
      payload: ListBranch.most * ListBranch.entryBytes)
  }

  private func open(_ ref: NodeRef) -> NodeRef {
    if ref.isPending { return ref }
    let header = space.header(ref)
    guard header.kind == NodeKind.listBranch else {
      return writer.open(ref, count: Int(header.count), room: Int(header.count) + 8)
    }
    let opened = makeBranch(count: Int(header.count), height: Int(header.width))
    space.pendingPayload(opened).copyMemory(
      from: space.payload(ref), byteCount: Int(header.count) * ListBranch.entryBytes)
    arena.discard(ref)
    return opened
  }

  private func insert(_ cell: Cell, at position: Int, _ old: NodeRef) -> (NodeRef, NodeRef?) {
    let ref = open(old)
    guard level(ref) > 0 else { return insert(cell, at: position, column: ref) }
    let branch = ListBranch(space.node(ref))
    let (at, within) = branch.place(of: position)
    let (child, split) = insert(cell, at: within, branch.child(at))
    branch.set(at, child: child, values: size(child))
    guard let split else { return (ref, nil) }
    if branch.count < ListBranch.most {
      insert(split, into: branch, at: at + 1)
      return (ref, nil)
    }
    let keep = at == ListBranch.most - 1 ? ListBranch.most : ListBranch.most / 2
    let right = makeBranch(count: ListBranch.most - keep, height: level(ref))
    let other = ListBranch(space.node(right))
    for place in keep..<ListBranch.most {
      other.set(place - keep, child: branch.child(place), values: branch.values(place))
    }
    branch.setCount(keep)
    if at + 1 <= keep && keep < ListBranch.most {
      insert(split, into: branch, at: at + 1)
    } else {
      insert(split, into: other, at: at + 1 - keep)
    }
    return (ref, right)
  }

  private func insert(_ child: NodeRef, into branch: ListBranch, at index: Int) {
    var place = branch.count
    branch.setCount(place + 1)
    while place > index {
      branch.set(place, child: branch.child(place - 1), values: branch.values(place - 1))
      place -= 1
    }
    branch.set(index, child: child, values: size(child))
  }

  private func insert(_ cell: Cell, at index: Int, column ref: NodeRef) -> (NodeRef, NodeRef?) {
    let count = Column(space.node(ref)).count
    guard count == Column.most else {
      return (writer.set(writer.insert(ref, at: index), index, cell), nil)
    }
    if index == count {
      let next = writer.insert(writer.make(count: 0, room: Column.most), at: 0)
      return (ref, writer.set(next, 0, cell))
    }
    let half = Column.most / 2
    let (left, right) = writer.split(ref, at: half)
    if index <= half {
      return (writer.set(writer.insert(left, at: index), index, cell), right)
    }
    return (left, writer.set(writer.insert(right, at: index - half), index - half, cell))
  }

  private func set(_ cell: Cell, at position: Int, _ old: NodeRef) -> NodeRef {
    let ref = open(old)
    guard level(ref) > 0 else { return writer.set(ref, position, cell) }
    let branch = ListBranch(space.node(ref))
    let (at, within) = branch.place(of: position)
    branch.set(at, child: set(cell, at: within, branch.child(at)), values: branch.values(at))
    return ref
  }

  private func remove(at position: Int, _ old: NodeRef) -> NodeRef? {
    let ref = open(old)
    guard level(ref) > 0 else {
      let left = writer.remove(ref, at: position)
      if Column(space.node(left)).count > 0 { return left }
      arena.discard(left)
      return nil
    }
    let branch = ListBranch(space.node(ref))
    let (at, within) = branch.place(of: position)
    if let child = remove(at: within, branch.child(at)) {
      branch.set(at, child: child, values: branch.values(at) - 1)
      merge(branch, at: at)
      return ref
    }
    drop(branch, at: at)
    if branch.count > 0 { return ref }
    arena.discard(ref)
    return nil
  }

  private func drop(_ branch: ListBranch, at index: Int) {
    for place in index..<(branch.count - 1) {
      branch.set(place, child: branch.child(place + 1), values: branch.values(place + 1))
    }
    branch.setCount(branch.count - 1)
  }

  /// Joins a child that has become small with a neighbour, if both fit well into one.
  private func merge(_ branch: ListBranch, at index: Int) {
    let isColumn = level(branch.child(index)) == 0
    let most = isColumn ? Column.most : ListBranch.most
    func entries(_ at: Int) -> Int { Int(space.header(branch.child(at)).count) }
    guard branch.count > 1, entries(index) < most / 4 else { return }
    let left = index > 0 ? index - 1 : index
    guard entries(left) + entries(left + 1) <= most * 3 / 4 else { return }
    let one = open(branch.child(left))
    let other = branch.child(left + 1)
    let values = branch.values(left) + branch.values(left + 1)
    if isColumn {
      branch.set(
        left, child: writer.append(other, count: entries(left + 1), to: one), values: values)
    } else {
      let (count, more) = (Int(space.header(one).count), entries(left + 1))
      (space.pendingPayload(one) + count * ListBranch.entryBytes).copyMemory(
        from: space.payload(other), byteCount: more * ListBranch.entryBytes)
      ListBranch(space.node(one)).setCount(count + more)
      arena.discard(other)
      branch.set(left, child: one, values: values)
    }
    drop(branch, at: left + 1)
  }
}
