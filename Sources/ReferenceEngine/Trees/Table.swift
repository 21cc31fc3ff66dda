import CShims

/// One table at one version: its rows, what its columns are, and the roots of its indexes.
///
/// Its node is an `rb_table`; the flags of a column say that it is nullable (1) or removed (2).
struct Table {
  let rows: RowTree
  let nextKey: Int64
  let specs: [ColumnSpec]
  /// Roots of indexes and backlinks, by numbers that the schema gives.
  let trees: [UInt32: NodeRef]

  var space: NodeSpace { rows.space }

  init(rows: RowTree, nextKey: Int64, specs: [ColumnSpec], trees: [UInt32: NodeRef]) {
    (self.rows, self.nextKey, self.specs, self.trees) = (rows, nextKey, specs, trees)
  }

  /// Reads a committed table, to which a version's top refers.
  ///
  /// - Parameters:
  ///   - lastSpecs: the columns of the same table at another version, which are taken if they did
  ///     not change, and not made anew.
  ///   - lastTrees: likewise.
  init(
    space: NodeSpace, node ref: NodeRef, number: Int, from top: UnsafeRawPointer,
    _ lastSpecs: [ColumnSpec]?, _ lastTrees: [UInt32: NodeRef]?
  ) {
    rows = RowTree(space: space, ofTable: ref, number: number, from: top)
    let node = space.node(ref)
    let form = TableForm(node)
    nextKey = node.load(fromByteOffset: rb_table_next_key, as: Int64.self)
    let columns = form.columns
    if let lastSpecs, lastSpecs.count == columns,
      (0..<columns).allSatisfy({ lastSpecs[$0] == form.spec($0) })
    {
      specs = lastSpecs
    } else {
      specs = (0..<columns).map(form.spec)
    }
    var found = lastTrees ?? [:]
    let start = node + form.treeOffset(0)
    let count = form.trees
    if found.count != count { found = [:] }
    for tree in 0..<count {
      let entry = start + tree * rb_root_bytes
      let number = entry.load(as: UInt32.self)
      let root = space.reference(
        NodeRef(raw: entry.load(fromByteOffset: rb_root_ref, as: UInt64.self)), in: node)
      if found[number] != root { found[number] = root }
    }
    // Others were there before.
    if found.count != count { found = Table.trees(start, count, in: space) }
    trees = found
  }

  private static func trees(
    _ start: UnsafeRawPointer, _ count: Int, in space: NodeSpace
  ) -> [UInt32: NodeRef] {
    var found: [UInt32: NodeRef] = [:]
    for tree in 0..<count {
      let entry = start + tree * rb_root_bytes
      found[entry.load(as: UInt32.self)] = NodeRef(
        raw: entry.load(fromByteOffset: rb_root_ref, as: UInt64.self))
    }
    return found
  }

  func write(into sink: any NodeSink, born: VersionID) -> NodeRef {
    let bytes = (TableForm.bytes(specs.count, trees.count) + 15) & ~15
    let (ref, node) = sink.place(bytes: bytes)
    node.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    node.storeBytes(
      of: NodeHeader(
        kind: NodeKind.table, width: 0, count: 0, units: bytes >> 4, born: born.number),
      as: NodeHeader.self)
    node.storeBytes(of: nextKey, toByteOffset: rb_table_next_key, as: Int64.self)
    node.storeBytes(of: UInt64(rows.count), toByteOffset: rb_table_count, as: UInt64.self)
    node.storeBytes(of: rows.root.raw, toByteOffset: rb_table_rows, as: UInt64.self)
    node.storeBytes(of: UInt32(rows.height), toByteOffset: rb_table_height, as: UInt32.self)
    node.storeBytes(of: UInt16(specs.count), toByteOffset: rb_table_columns, as: UInt16.self)
    node.storeBytes(of: UInt16(trees.count), toByteOffset: rb_table_trees, as: UInt16.self)
    for (column, spec) in specs.enumerated() {
      let flags: UInt8 = (spec.isNullable ? 1 : 0) | (spec.isRemoved ? 2 : 0)
      let entry = node + rb_table_specs + column * rb_spec_bytes
      entry.storeBytes(of: spec.type.rawValue, as: UInt8.self)
      entry.storeBytes(of: flags, toByteOffset: rb_spec_flags, as: UInt8.self)
      entry.storeBytes(of: spec.size, toByteOffset: rb_spec_size, as: UInt8.self)
    }
    let start = node + TableForm.bytes(specs.count, 0)
    for (place, tree) in trees.sorted(by: { $0.key < $1.key }).enumerated() {
      let entry = start + place * rb_root_bytes
      entry.storeBytes(of: tree.key, as: UInt32.self)
      entry.storeBytes(of: tree.value.raw, toByteOffset: rb_root_ref, as: UInt64.self)
    }
    return ref
  }
}

extension RowTree {
  /// The rows of a committed table, without the rest of it.
  init(space: NodeSpace, ofTable ref: NodeRef, number: Int, from top: UnsafeRawPointer) {
    let isKnown = space.examine(ref, from: top, NodeKind.table, NodeSpace.Mark.table)
    let node = space.node(ref)
    let root = space.reference(
      NodeRef(raw: node.load(fromByteOffset: rb_table_rows, as: UInt64.self)), in: node)
    self.init(
      space: space, root: root, height: TableForm(node).height,
      count: Int(truncatingIfNeeded: node.load(fromByteOffset: rb_table_count, as: UInt64.self)),
      table: UInt32(truncatingIfNeeded: number), form: ref)
    if isKnown { return }
    verifyCount()
    space.know(ref, NodeSpace.Mark.table)
  }

  /// Ends the program if the tree's root counts other rows than the table does: who reads them all
  /// makes room for so many.
  private func verifyCount() {
    var found = 0
    if !root.isNone {
      if height == 0 {
        found = cluster(root, from: space.knowledge).count
      } else {
        let branch = branch(root, from: space.knowledge)
        for index in 0..<branch.count { found &+= branch.rows(index) }
      }
    }
    // A table that waits for its place in the file has rows that do, too.
    let isInFile = form.raw < NodeRef.largestFile
    if found != count || count < 0 || isInFile && !space.canHold(rows: count) {
      space.damaged(form, "counts \(count) rows, its root \(found)")
    }
  }
}
