/// Calls `body` with each node that one refers to: how discarding walks a tree. The node must have
/// no flaw.
func forEachChild(of ref: NodeRef, in space: NodeSpace, _ body: (NodeRef) -> Void) {
  NodeTree.trees.forEachChild(ref, space, body)
}

/// Lets a node and everything below it go.
func discardTree(_ ref: NodeRef, arena: NodeArena) {
  discardTree(ref, from: arena.space.knowledge, arena: arena, depth: 0)
}

/// No version has more nodes below each other: a list in a map, below a row of the highest tree.
private let deepest = 64

private func discardTree(
  _ ref: NodeRef, from node: UnsafeRawPointer, arena: NodeArena, depth: Int
) {
  if ref.isNone { return }
  let space = arena.space
  let header = space.head(ref, from: node)
  if !ref.isPending, let flaw = NodeFlaw.of(space.node(ref)) { space.damaged(ref, flaw) }
  if depth == deepest { space.damaged(ref, "lies too deep") }
  if NodeTree.trees.mayRefer(header.kind, header.width) {
    forEachChild(of: ref, in: space) {
      discardTree($0, from: space.node(ref), arena: arena, depth: depth + 1)
    }
  }
  arena.discard(ref)
}
