/// One table at one version: its rows, what its columns are, and the roots of its indexes.
///
///     0   i64 next key      24  u32 height of the row tree
///     8   u64 rows          28  u16 columns, u16 trees
///     16  u64 row tree      32  columns: u8 type, u8 flags (1 nullable, 2 removed), u8 size, u8 0;
///                               then trees: u32 number, u32 0, u64 root
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
  /// - Parameter last: The same table at another version: what did not change is taken from there,
  ///   and not made anew.
  init(
    space: NodeSpace, node ref: NodeRef, number: Int, from top: UnsafeRawPointer,
    after last: Table? = nil
  ) {
    let isKnown = space.examine(ref, from: top, NodeKind.table, NodeSpace.Mark.table)
    let node = space.node(ref)
    let payload = space.payload(ref)
    nextKey = payload.load(as: Int64.self)
    let root = space.reference(
      NodeRef(raw: payload.load(fromByteOffset: 16, as: UInt64.self)), in: node)
    rows = RowTree(
      space: space, root: root,
      height: Int(payload.load(fromByteOffset: 24, as: UInt32.self)),
      count: Int(truncatingIfNeeded: payload.load(fromByteOffset: 8, as: UInt64.self)),
      table: UInt32(truncatingIfNeeded: number), form: ref)
    let form = TableForm(node)
    let columns = form.columns
    if let last, last.specs.count == columns,
      (0..<columns).allSatisfy({ last.specs[$0] == form.spec($0) })
    {
      specs = last.specs
    } else {
      specs = (0..<columns).map(form.spec)
    }
    var found = last?.trees ?? [:]
    let start = payload + 32 + (columns * 4 + 7) & ~7
    let count = Int(payload.load(fromByteOffset: 30, as: UInt16.self))
    if found.count != count { found = [:] }
    for tree in 0..<count {
      let number = start.load(fromByteOffset: tree * 16, as: UInt32.self)
      let root = space.reference(
        NodeRef(raw: start.load(fromByteOffset: tree * 16 + 8, as: UInt64.self)), in: node)
      if found[number] != root { found[number] = root }
    }
    // Others were there before.
    if found.count != count { found = Table.trees(start, count, in: space) }
    trees = found
    if !isKnown {
      rows.verifyCount()
      space.know(ref, NodeSpace.Mark.table)
    }
  }

  private static func trees(
    _ start: UnsafeRawPointer, _ count: Int, in space: NodeSpace
  ) -> [UInt32: NodeRef] {
    var found: [UInt32: NodeRef] = [:]
    for tree in 0..<count {
      let entry = start + tree * 16
      found[entry.load(as: UInt32.self)] = NodeRef(
        raw: entry.load(fromByteOffset: 8, as: UInt64.self))
    }
    return found
  }

  func write(into sink: any NodeSink, born: VersionID) -> NodeRef {
    let columnBytes = (specs.count * 4 + 7) & ~7
    let bytes = NodeHeader.bytes(payload: 32 + columnBytes + trees.count * 16)
    let (ref, node) = sink.place(bytes: bytes)
    node.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    node.storeBytes(
      of: NodeHeader(
        kind: NodeKind.table, width: 0, count: 0, units: bytes >> 4, born: born.number),
      as: NodeHeader.self)
    let payload = node + NodeHeader.size
    payload.storeBytes(of: nextKey, as: Int64.self)
    payload.storeBytes(of: UInt64(rows.count), toByteOffset: 8, as: UInt64.self)
    payload.storeBytes(of: rows.root.raw, toByteOffset: 16, as: UInt64.self)
    payload.storeBytes(of: UInt32(rows.height), toByteOffset: 24, as: UInt32.self)
    payload.storeBytes(of: UInt16(specs.count), toByteOffset: 28, as: UInt16.self)
    payload.storeBytes(of: UInt16(trees.count), toByteOffset: 30, as: UInt16.self)
    for (column, spec) in specs.enumerated() {
      let flags: UInt8 = (spec.isNullable ? 1 : 0) | (spec.isRemoved ? 2 : 0)
      payload.storeBytes(of: spec.type.rawValue, toByteOffset: 32 + column * 4, as: UInt8.self)
      payload.storeBytes(of: flags, toByteOffset: 33 + column * 4, as: UInt8.self)
      payload.storeBytes(of: spec.size, toByteOffset: 34 + column * 4, as: UInt8.self)
    }
    let start = 32 + columnBytes
    for (place, tree) in trees.sorted(by: { $0.key < $1.key }).enumerated() {
      payload.storeBytes(of: tree.key, toByteOffset: start + place * 16, as: UInt32.self)
      payload.storeBytes(of: tree.value.raw, toByteOffset: start + place * 16 + 8, as: UInt64.self)
    }
    return ref
  }
}

extension RowTree {
  /// Ends the program if the tree's root counts other rows than the table does: who reads them all
  /// makes room for so many.
  fileprivate func verifyCount() {
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
