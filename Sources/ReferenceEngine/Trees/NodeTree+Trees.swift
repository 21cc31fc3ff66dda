extension NodeTree {
  /// The trees of this engine.
  static let trees = NodeTree(
    forEachReference: references, mayRefer: { kind, width in mayRefer(kind, width) },
    flaw: NodeFlaw.of, checkTop: TreeCheck.topProblem, check: TreeCheck.firstProblem)

  private static func mayRefer(_ kind: UInt8, _ width: UInt8) -> Bool {
    switch kind {
    case NodeKind.ints, NodeKind.fixed, NodeKind.blob, NodeKind.pairs: false
    case NodeKind.bytes: width & 0x7F == 7
    default: true
    }
  }

  /// Where each reference stands in a node.
  private static func references(_ node: UnsafeRawPointer, _ body: (Int) -> Void) {
    let header = node.load(as: NodeHeader.self)
    let count = Int(header.count)
    func half(_ offset: Int) -> Int { Int(node.load(fromByteOffset: offset, as: UInt16.self)) }
    func word(_ offset: Int) -> Int { Int(node.load(fromByteOffset: offset, as: UInt32.self)) }
    switch header.kind {
    case NodeKind.top:
      body(16)
      for index in 0..<word(24) { body(32 + index * 8) }
    case NodeKind.table:
      body(32)
      let trees = 48 + (half(44) * 4 + 7) & ~7
      for index in 0..<half(46) { body(trees + index * 16 + 8) }
    case NodeKind.branch:
      let room = Int(header.width)
      for index in 0..<count { body(16 + (room + index) * 8) }
    case NodeKind.cluster:
      body(24)
      for index in 0..<Cluster(node).columnCount { body(32 + index * 8) }
    case NodeKind.refs:
      let values = header.width & Column.nullFlag != 0 ? 48 : 16
      for index in 0..<count { body(values + index * 8) }
    case NodeKind.bytes where header.width & 0x7F == 7:
      let values = header.width & Column.nullFlag != 0 ? 48 : 16
      let heap = values + 8 + word(values) * 8
      for index in 0..<count where UInt32(word(values + 12 + index * 8)) & Column.longFlag != 0 {
        body(heap + word(values + 8 + index * 8))
      }
    case NodeKind.pairBranch: for index in 0..<count { body(32 + index * 24) }
    case NodeKind.listBranch: for index in 0..<count { body(16 + index * 16) }
    default: break
    }
  }
}
