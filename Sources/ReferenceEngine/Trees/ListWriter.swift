/// Changes the values of a list. Whoever owns the root puts `root` back when it is done.
struct ListWriter: BranchWriter {
  typealias Inner = ListBranch
  static let mostInLeaf = Column.most

  let arena: NodeArena
  private(set) var root: NodeRef
  private let writer: ColumnWriter

  init(arena: NodeArena, root: NodeRef, spec: ColumnSpec) {
    self.arena = arena
    self.root = root
    writer = ColumnWriter(arena: arena, spec: spec)
  }

  private var space: NodeSpace { arena.space }
  var tree: ListTree { ListTree(space: space, root: root, element: writer.spec) }
  var count: Int { tree.count }

  mutating func insert(_ cell: Cell, at position: Int) {
    if root.isNone { root = writer.make(count: 0, room: 8) }
    let height = height(of: root)
    let (ref, split) = insert(cell, at: position, root, height)
    root = split.map { makeRoot(over: ref, $0, height: height + 1) } ?? ref
  }

  mutating func append(_ cell: Cell) { insert(cell, at: count) }

  mutating func set(_ cell: Cell, at position: Int) {
    root = set(cell, at: position, root, height(of: root))
  }

  mutating func remove(at position: Int) {
    let height = height(of: root)
    root = remove(at: position, root, height).map { lowered($0, height: height).root } ?? .none
  }

  mutating func removeAll() {
    discardTree(root, arena: arena)
    root = .none
  }

  // MARK: Nodes

  private func height(of ref: NodeRef) -> Int {
    let header = space.listNode(ref, from: space.knowledge, of: writer.spec)
    return header.kind == NodeKind.listBranch ? Int(header.width) : 0
  }

  func look(at ref: NodeRef, height: Int) {
    _ = space.listNode(ref, from: space.knowledge, of: writer.spec, height: height)
    if height == 0 { space.examineColumn(ref) }
  }

  /// Stops where a branch counts more values than its child has.
  private func verify(_ position: Int, in column: NodeRef, orBehind isEndIncluded: Bool = false) {
    if position >= count(of: column) + (isEndIncluded ? 1 : 0) {
      space.damaged(column, "has fewer values than are counted above it")
    }
  }

  func makeBranch(height: Int) -> NodeRef {
    arena.make(
      kind: NodeKind.listBranch, width: UInt8(height),
      payload: ListBranch.most * ListBranch.entryBytes)
  }

  func entry(for child: NodeRef, height: Int) -> ListBranch.Entry {
    ListBranch.Entry(
      child: child, values: ListTree(space: space, root: child, element: writer.spec).count)
  }

  private func openColumn(_ ref: NodeRef) -> NodeRef {
    if !ref.isPending { look(at: ref, height: 0) }
    return writer.open(ref, count: count(of: ref), room: count(of: ref) + 8)
  }

  func joinLeaves(_ one: NodeRef, _ other: NodeRef) -> NodeRef {
    look(at: other, height: 0)
    return writer.append(other, count: count(of: other), to: openColumn(one))
  }

  // MARK: The way down

  private func insert(_ cell: Cell, at position: Int, _ old: NodeRef, _ height: Int)
    -> (NodeRef, split: NodeRef?)
  {
    if height == 0 {
      verify(position, in: old, orBehind: true)
      return insert(cell, at: position, column: openColumn(old))
    }
    let ref = openBranch(old, height: height)
    let branch = branch(ref)
    let (at, within) = branch.place(of: position)
    let (child, split) = insert(cell, at: within, branch.child(at), height - 1)
    branch.set(at, entry(for: child, height: height - 1))
    return (ref, split.flatMap { add($0, behind: at, to: ref, height: height) })
  }

  private func insert(_ cell: Cell, at index: Int, column ref: NodeRef) -> (
    NodeRef, split: NodeRef?
  ) {
    let count = count(of: ref)
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

  private func set(_ cell: Cell, at position: Int, _ old: NodeRef, _ height: Int) -> NodeRef {
    if height == 0 {
      verify(position, in: old)
      return writer.set(openColumn(old), position, cell)
    }
    let ref = openBranch(old, height: height)
    let branch = branch(ref)
    let (at, within) = branch.place(of: position)
    let child = set(cell, at: within, branch.child(at), height - 1)
    branch.set(at, ListBranch.Entry(child: child, values: branch.values(at)))
    return ref
  }

  private func remove(at position: Int, _ old: NodeRef, _ height: Int) -> NodeRef? {
    if height > 0 {
      let ref = openBranch(old, height: height)
      let branch = branch(ref)
      let (at, within) = branch.place(of: position)
      let child = remove(at: within, branch.child(at), height - 1)
      return putBack(child, at: at, in: ref, height: height)
    }
    verify(position, in: old)
    let left = writer.remove(openColumn(old), at: position)
    if count(of: left) > 0 { return left }
    arena.discard(left)
    return nil
  }
}
