import CShims

extension NodeTree {
  /// The trees of this engine.
  static let trees = NodeTree(
    forEachReference: references, mayRefer: { kind, width in mayRefer(kind, width) },
    flaw: NodeFlaw.of, checkTop: TreeCheck.topProblem, check: TreeCheck.firstProblem)

  private static func mayRefer(_ kind: UInt8, _ width: UInt8) -> Bool {
    switch kind {
    case NodeKind.ints, NodeKind.fixed, NodeKind.blob, NodeKind.pairs: false
    case NodeKind.bytes: Column.code(width) == 7
    default: true
    }
  }

  /// Where each reference stands in a node.
  private static func references(_ node: UnsafeRawPointer, _ body: (Int) -> Void) {
    let header = node.load(as: NodeHeader.self)
    let count = Int(header.count)
    func word(_ offset: Int) -> Int { Int(node.load(fromByteOffset: offset, as: UInt32.self)) }
    switch header.kind {
    case NodeKind.top:
      body(rb_top_schema)
      for index in 0..<word(rb_top_tables) { body(rb_top_refs + index * 8) }
    case NodeKind.table:
      let form = TableForm(node)
      body(rb_table_rows)
      for index in 0..<form.trees { body(form.treeOffset(index) + rb_root_ref) }
    case NodeKind.branch:
      let branch = Branch(node)
      for index in 0..<count { body(branch.childOffset(index)) }
    case NodeKind.cluster:
      body(rb_cluster_keys)
      for index in 0..<Cluster(node).columnCount { body(rb_cluster_columns + index * 8) }
    case NodeKind.refs:
      let values = Column.valuesOffset(header.width)
      for index in 0..<count { body(values + index * 8) }
    case NodeKind.bytes where Column.code(header.width) == 7:
      let values = Column.valuesOffset(header.width)
      let cells = values + rb_cells_first
      let heap = cells + word(values) * rb_cell_bytes
      for index in 0..<count {
        let cell = cells + index * rb_cell_bytes
        if UInt32(word(cell + rb_cell_length)) & Column.longFlag != 0 { body(heap + word(cell)) }
      }
    case NodeKind.pairBranch:
      for index in 0..<count { body(rb_pair_entry_child + index * rb_pair_entry_bytes) }
    case NodeKind.listBranch:
      for index in 0..<count { body(rb_list_entry_child + index * rb_list_entry_bytes) }
    default: break
    }
  }
}
