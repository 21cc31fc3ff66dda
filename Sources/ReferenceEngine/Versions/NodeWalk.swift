/// Visits every node below a reference, without trusting any of them: a damaged file gives an
/// error, not a crash. So a node's references are followed only if its checksum is right and it has
/// no flaw.
struct NodeWalk {
  let space: NodeSpace
  let end: UInt64
  let tree: NodeTree

  /// - Parameter visit: says whether to go on below the node.
  func each(
    from top: NodeRef, path: String, visit: (NodeRef, NodeHeader) throws -> Bool
  ) throws {
    if top.isNone { return }
    var stack = [top]
    while let ref = stack.popLast() {
      let header = try header(of: ref, path: path)
      guard try visit(ref, header), tree.mayRefer(header.kind, header.width) else { continue }
      _ = try wholeNode(ref, path: path)
      tree.forEachChild(ref, space) { stack.append($0) }
    }
  }

  /// The header of a node that lies within the heap.
  func header(of ref: NodeRef, path: String) throws -> NodeHeader {
    guard ref.raw >= FileHeader.heapStart, ref.raw & 15 == 0, ref.raw < end, end - ref.raw >= 16
    else {
      throw StorageError.damaged(path: path, reason: "a reference leads to \(ref.raw)")
    }
    let header = space.header(ref)
    guard header.units > 0, UInt64(header.bytes) <= end - ref.raw else {
      throw StorageError.damaged(
        path: path, reason: "the node at \(ref.raw) claims \(header.bytes) bytes")
    }
    return header
  }

  /// The same of a node that is as it was written, and that can be believed what it says of its
  /// parts.
  func wholeNode(_ ref: NodeRef, path: String) throws -> NodeHeader {
    let header = try header(of: ref, path: path)
    guard space.isIntact(ref, header) else {
      throw StorageError.damaged(
        path: path, reason: "the node at \(ref.raw) does not match its checksum")
    }
    if let flaw = tree.flaw(space.node(ref)) {
      throw StorageError.damaged(path: path, reason: "the node at \(ref.raw) \(flaw)")
    }
    return header
  }
}
