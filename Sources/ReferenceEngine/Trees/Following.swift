import CShims

/// How references between nodes are followed: the one way for all who read.
///
/// What a node says of itself is looked at where a reference to it is followed: whether it lies in
/// the file, is of the kind that is wanted and has room for what it says it has. For branches and
/// pairs that is a comparison of the words that are read next anyway; a cluster is looked at as a
/// whole, with its columns, when it is reached for the first time, and is known then (`Mapping`).
/// So whoever has a row's place reads its values as they lie. Nodes that a write has not placed yet
/// are its own, and believed.
///
/// Who meets damage ends the program with a sentence that names the file and the node: what is read
/// has no way to fail.
extension NodeSpace {
  // MARK: Rows

  @inlinable @inline(__always)
  func branch(_ ref: NodeRef, from node: UnsafeRawPointer) -> Branch {
    let found = self.node(ref)
    if _slowPath(!rb_may_follow(base, node, ref.raw) || !rb_is_branch(found)) {
      examine(ref, from: node, NodeKind.branch)
    }
    return Branch(found)
  }

  /// - Parameters:
  ///   - table: the table's number.
  ///   - form: the table's own node, which says what its columns are; none in a write that makes
  ///     it.
  @inlinable @inline(__always)
  func cluster(
    _ ref: NodeRef, from node: UnsafeRawPointer, of table: UInt32, _ form: NodeRef
  ) -> Cluster {
    if _slowPath(!rb_may_follow_cluster(base, node, ref.raw, table)) {
      examine(ref, from: node, of: table, form)
    }
    return Cluster(self.node(ref))
  }

  /// The header of a node that lies where it may. Where checksums are compared it has the right
  /// one.
  func head(_ ref: NodeRef, from node: UnsafeRawPointer) -> NodeHeader {
    if rb_may_follow(base, node, ref.raw)
      || rb_may_be_sealed(base, ref.raw) && rb_is_seal_known(base, ref.raw)
    {
      let header = header(ref)
      // Larger ones may end behind what is known of the file.
      if header.units > 0, header.bytes <= NodeSpace.small { return header }
    }
    return admit(ref, from: node)
  }

  private static var small: Int { 4096 }

  @usableFromInline @inline(never)
  func examine(_ ref: NodeRef, from node: UnsafeRawPointer, _ kind: UInt8) {
    let header = head(ref, from: node)
    guard header.kind == kind else { unfit(ref, kind, header) }
    if let flaw = NodeFlaw.of(self.node(ref)) { damaged(ref, flaw) }
  }

  // MARK: Tops and tables

  /// What is noted of a place where a top, or a table's own node, is known to be: numbers that no
  /// table has.
  enum Mark {
    static let top: UInt32 = 32_766
    static let table: UInt32 = 32_765
  }

  /// Looks at a top or a table's own node, unless it is known.
  ///
  /// - Returns: whether it was.
  @inline(__always)
  func examine(_ ref: NodeRef, from node: UnsafeRawPointer, _ kind: UInt8, _ mark: UInt32) -> Bool {
    if rb_may_follow_cluster(base, node, ref.raw, mark) { return true }
    examine(ref, from: node, kind)
    return false
  }

  @inline(never)
  func unfit(_ ref: NodeRef, _ kind: UInt8, _ header: NodeHeader) -> Never {
    damaged(ref, "is of kind \(header.kind), where one of kind \(kind) should be")
  }

  @usableFromInline @inline(never)
  func examine(_ ref: NodeRef, from node: UnsafeRawPointer, of table: UInt32, _ form: NodeRef) {
    let header = head(ref, from: node)
    // What is known of others is kept nowhere.
    if ref.raw >= NodeRef.largestFile || rb_is_known_cluster(base, ref.raw, table) { return }
    guard header.kind == NodeKind.cluster else { unfit(ref, NodeKind.cluster, header) }
    if let flaw = NodeFlaw.of(self.node(ref)) { damaged(ref, flaw) }
    if form.isNone { damaged(ref, "belongs to a table that has no rows") }
    let cluster = Cluster(self.node(ref))
    let keys = cluster.keySlot
    if !keys.isNone { examine(keys, of: cluster, .int) }
    let specs = TableForm(self.node(form))
    for index in 0..<cluster.columnCount {
      let slot = cluster.slot(index)
      if slot.isNone { continue }
      guard index < specs.columns else {
        damaged(ref, "has a column \(index), and its table has \(specs.columns)")
      }
      examine(slot, of: cluster, specs.spec(index))
    }
    rb_know_cluster(base, ref.raw, table)
  }

  /// Looks at a column of a cluster, all of it.
  private func examine(_ slot: ColumnSlot, of cluster: Cluster, _ spec: ColumnSpec) {
    let ref = slot.ref
    let header = head(ref, from: cluster.node)
    guard header.kind == spec.nodeKind else { unfit(ref, spec.nodeKind, header) }
    guard ColumnSlot(ref, header) == slot else {
      damaged(ref, "has width \(header.width), the reference to it says otherwise")
    }
    guard Int(header.count) == cluster.count else {
      damaged(ref, "has \(header.count) values for \(cluster.count) rows")
    }
    if spec.type == .fixed, Column.code(header.width) != spec.size {
      damaged(ref, "has values of \(Column.code(header.width)) bytes for \(spec.size)")
    }
    if let flaw = NodeFlaw.ofColumn(node(ref), header) { damaged(ref, flaw) }
    examineReferences(of: ref, header)
  }

  /// Looks whether a node's references lead to where nodes may be. So a write may copy them, and
  /// believe in its own copy.
  func examineReferences(of ref: NodeRef, _ header: NodeHeader) {
    let node = self.node(ref)
    // Where they stand one behind the other, which is in all but few, they are looked at together;
    // only what is found wrong there is told one by one.
    let (first, stride): (Int, Int) =
      switch header.kind {
      case NodeKind.branch: (Branch(node).childOffset(0), 8)
      case NodeKind.pairBranch: (rb_pair_entry_child, rb_pair_entry_bytes)
      case NodeKind.listBranch: (rb_list_entry_child, rb_list_entry_bytes)
      case NodeKind.refs: (Column.valuesOffset(header.width), 8)
      default: (0, 0)
      }
    if stride > 0, rb_all_may_follow(base, node, first, Int(header.count), stride) { return }
    guard NodeTree.trees.mayRefer(header.kind, header.width) else { return }
    NodeTree.trees.forEachReference(node) { place in
      let word = node.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      _ = reference(NodeRef(raw: word & ~NodeTree.flags), in: node)
    }
  }

  /// Whether so many rows fit into the file, were it empty otherwise.
  func canHold(rows count: Int) -> Bool {
    count <= 1 << 20 || hasBytes(through: UInt64(count / 8))
  }

  // MARK: Pairs

  @inline(__always)
  func pairLeaf(_ ref: NodeRef, from node: UnsafeRawPointer) -> PairLeaf {
    let found = self.node(ref)
    if _slowPath(!rb_may_follow(base, node, ref.raw) || !rb_is_pair_leaf(found)) {
      examine(ref, from: node, NodeKind.pairs)
    }
    return PairLeaf(found)
  }

  /// - Parameter height: how many branches lie between it and the leaves, itself included.
  @inline(__always)
  func pairBranch(_ ref: NodeRef, from node: UnsafeRawPointer, height: Int) -> PairBranch {
    let found = self.node(ref)
    if _slowPath(!rb_may_follow(base, node, ref.raw) || !rb_is_pair_branch(found, height)) {
      examine(pairs: ref, from: node, height: height)
    }
    return PairBranch(found)
  }

  @inline(never)
  private func examine(pairs ref: NodeRef, from node: UnsafeRawPointer, height: Int) {
    examine(ref, from: node, NodeKind.pairBranch)
    let found = header(ref).width
    if Int(found) != height { damaged(ref, "has height \(found), where \(height) is left") }
  }

  /// How many branches lie above the leaves of a tree of pairs.
  @inline(__always)
  func pairHeight(_ root: NodeRef) -> Int {
    let header = head(root, from: knowledge)
    if header.kind == NodeKind.pairs { return 0 }
    if header.kind == NodeKind.pairBranch, header.width >= 1, header.width < RowCursor.deepest {
      return Int(header.width)
    }
    unfit(root, NodeKind.pairBranch, header)
  }

  // MARK: Lists

  /// A node of a list, and what is said about it: a column of its elements, or a branch with at
  /// least one child.
  ///
  /// - Parameter height: as of pairs; nil for the root, which says it itself.
  func listNode(
    _ ref: NodeRef, from node: UnsafeRawPointer, of element: ColumnSpec, height: Int? = nil
  ) -> NodeHeader {
    let header = head(ref, from: node)
    let isBranch = height.map { $0 > 0 } ?? (header.kind == NodeKind.listBranch)
    if isBranch {
      guard header.kind == NodeKind.listBranch else { unfit(ref, NodeKind.listBranch, header) }
      // A branch of a write may have more room than children.
      if let flaw = NodeFlaw.of(self.node(ref)) { damaged(ref, flaw) }
      if let height, height != Int(header.width) {
        damaged(ref, "has height \(header.width), where \(height) is left")
      }
    } else {
      guard header.kind == element.nodeKind else { unfit(ref, element.nodeKind, header) }
      if element.type == .fixed, Column.code(header.width) != element.size {
        damaged(ref, "has values of \(Column.code(header.width)) bytes for \(element.size)")
      }
      if let flaw = NodeFlaw.ofHead(self.node(ref), header) { damaged(ref, flaw) }
    }
    return header
  }

  /// Looks at a column of a list, all of it.
  func examineColumn(_ ref: NodeRef) {
    if ref.raw >= NodeRef.largestFile { return }
    let header = header(ref)
    if let flaw = NodeFlaw.ofColumn(node(ref), header) { damaged(ref, flaw) }
    examineReferences(of: ref, header)
  }

  // MARK: Others

  /// A reference that stands in a node, and leads nowhere or to where a node may be.
  @inlinable @inline(__always)
  func reference(_ ref: NodeRef, in node: UnsafeRawPointer) -> NodeRef {
    if _slowPath(!ref.isNone && !rb_may_follow(base, node, ref.raw)) { ensure(ref, from: node) }
    return ref
  }

  @usableFromInline @inline(never)
  func ensure(_ ref: NodeRef, from node: UnsafeRawPointer) { _ = admit(ref, from: node) }

  /// The bytes of a blob.
  func blob(_ ref: NodeRef, from node: UnsafeRawPointer, count: UInt64) -> UnsafeRawBufferPointer {
    let header = head(ref, from: node)
    guard header.kind == NodeKind.blob else { unfit(ref, NodeKind.blob, header) }
    guard count <= UInt64(header.bytes - NodeHeader.size) else {
      damaged(ref, "has \(header.bytes) bytes, \(count) are asked of it")
    }
    return UnsafeRawBufferPointer(start: payload(ref), count: Int(count))
  }
}

extension ColumnSpec {
  /// The kind of node that keeps such values.
  var nodeKind: UInt8 {
    switch type {
    case .int: NodeKind.ints
    case .bytes: NodeKind.bytes
    case .fixed: NodeKind.fixed
    case .refs: NodeKind.refs
    }
  }
}
