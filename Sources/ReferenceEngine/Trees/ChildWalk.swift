/// Calls `body` with each node that one refers to: how verifying, rebuilding the free space and discarding walk a tree.
///
/// Of a node whose bytes cannot be right, nothing is followed; `TreeCheck` says what is wrong with it.
func forEachChild(of ref: NodeRef, in space: NodeSpace, _ body: (NodeRef) -> Void) {
  let node = space.node(ref)
  func visit(_ child: NodeRef) { if !child.isNone { body(child) } }
  switch node.load(as: UInt8.self) {
  case NodeKind.top:
    let top = Top(space: space, ref: ref)
    visit(top.schemaRef)
    for index in 0..<top.tableCount { visit(top.tableRef(index)) }
  case NodeKind.table:
    let table = Table(space: space, node: ref)
    visit(table.rows.root)
    for tree in table.trees.values { visit(tree) }
  case NodeKind.branch:
    let branch = Branch(node)
    for index in 0..<branch.count { visit(branch.child(index)) }
  case NodeKind.cluster:
    let cluster = Cluster(node)
    visit(cluster.keys)
    for index in 0..<cluster.columnCount { visit(cluster.column(index)) }
  case NodeKind.bytes, NodeKind.refs: Column(node).forEachChild(visit)
  case NodeKind.pairBranch:
    let branch = PairBranch(node)
    for index in 0..<branch.count { visit(branch.child(index)) }
  case NodeKind.listBranch:
    let branch = ListBranch(node)
    for index in 0..<branch.count { visit(branch.child(index)) }
  default: break
  }
}

/// Lets a node and everything below it go.
func discardTree(_ ref: NodeRef, arena: NodeArena) {
  if ref.isNone { return }
  forEachChild(of: ref, in: arena.space) { discardTree($0, arena: arena) }
  arena.discard(ref)
}
