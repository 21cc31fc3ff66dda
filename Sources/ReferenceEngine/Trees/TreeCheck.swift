import CShims

/// Whether the trees of a version are as they must be: every invariant, as a list of sentences.
///
/// For tests and `verify`. It may be asked about damaged bytes: nothing outside of the file or of a
/// node is read, no reference is followed twice, and what cannot be right is said and not followed.
///
/// The invariants: 1. every node lies in the file, is aligned, and is reached once. 2. Keys ascend,
/// over all clusters of a table. 3. A branch knows the first key and the rows of each child. 4. A
/// column has as many values as its cluster has rows, and the form that the cluster's reference
/// says. 5. Ends and heaps lie within their node. 6. A list's branches know how many values are
/// below them. 7. Pairs ascend and none is there twice.
struct TreeCheck {
  /// What is wrong, up to a hundred sentences.
  private(set) var problems: [String] = []
  /// Nodes that were looked at.
  var nodes: Int { seen.count }

  private static let mostProblems = 100
  let space: NodeSpace
  private let size: UInt64
  private var seen = SeenNodes()
  /// Whether only what is found at once is looked at, and by its checksum, too.
  private var isShallow = false
  /// How many lists lie in each other where the check is.
  var listDepth = 0

  /// - Parameter size: the bytes of the file that may be read.
  init(_ top: NodeRef, in space: NodeSpace, size: Int = Int(NodeRef.reservation)) {
    self.space = space
    self.size = UInt64(max(size, 0))
    if !top.isNone { check(top: top) }
  }

  /// The first thing that is wrong with a version that ends somewhere; nil if nothing is.
  static func firstProblem(_ top: NodeRef, in space: NodeSpace, end: UInt64) -> String? {
    TreeCheck(top, in: space, size: Int(end)).problems.first
  }

  /// The same of its top alone, its schema and its tables' own nodes, with their checksums.
  static func topProblem(_ top: NodeRef, in space: NodeSpace, end: UInt64) -> String? {
    var check = TreeCheck(.none, in: space, size: Int(end))
    check.isShallow = true
    check.check(top: top)
    return check.problems.first
  }

  mutating func say(_ problem: String) {
    if problems.count < TreeCheck.mostProblems { problems.append(problem) }
  }

  // MARK: Nodes

  /// The bytes of one node; reading past them is reading nothing.
  struct Bytes {
    let ref: NodeRef
    let node: UnsafeRawPointer
    let header: NodeHeader

    var count: Int { Int(header.count) }
    var payload: Int { header.bytes - NodeHeader.size }
    /// Where the values of a column begin.
    var values: Int { Column.valuesOffset(header.width) }
    var code: Int { Int(Column.code(header.width)) }

    func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type = Value.self) -> Value? {
      guard offset >= 0, offset + MemoryLayout<Value>.size <= header.bytes else { return nil }
      return node.loadUnaligned(fromByteOffset: offset, as: type)
    }

    func ref(_ offset: Int) -> NodeRef {
      NodeRef(raw: (load(offset, as: UInt64.self) ?? 0) & ~NodeTree.flags)
    }
  }

  mutating func open(_ ref: NodeRef, _ kinds: [UInt8], _ what: String) -> Bytes? {
    let raw = ref.raw
    guard raw >= NodeHeader.size, raw & NodeTree.flags == 0, raw < size,
      size - raw >= NodeHeader.size
    else {
      say("\(what) at \(raw) is not in the file")
      return nil
    }
    let header = space.header(ref)
    guard header.bytes >= NodeHeader.size, UInt64(header.bytes) <= size - raw else {
      say("\(what) at \(raw) has \(header.bytes) bytes, and the file ends before that")
      return nil
    }
    guard !isShallow || space.isIntact(ref, header) else {
      say("\(what) at \(raw) does not match its checksum")
      return nil
    }
    guard kinds.contains(header.kind) else {
      say("\(what) at \(raw) is a node of kind \(header.kind)")
      return nil
    }
    guard seen.insert(raw) else {
      say("\(what) at \(raw) is reached twice")
      return nil
    }
    return Bytes(ref: ref, node: space.node(ref), header: header)
  }

  // MARK: Top and tables

  private mutating func check(top ref: NodeRef) {
    guard let node = open(ref, [NodeKind.top], "the top") else { return }
    let tables = Int(node.load(rb_top_tables, as: UInt32.self) ?? 0)
    if let flaw = NodeFlaw.of(node.node) {
      say("the top \(flaw)")
      return
    }
    let schema = node.ref(rb_top_schema)
    if !schema.isNone, let blob = open(schema, [NodeKind.blob], "the schema") {
      let length = blob.load(rb_node_payload, as: UInt64.self) ?? .max
      if blob.payload < 8 || length > UInt64(blob.payload - 8) {
        say("the schema claims \(length) bytes")
      }
    }
    for index in 0..<tables {
      let table = node.ref(rb_top_refs + index * 8)
      if !table.isNone { check(table: table, index) }
    }
  }

  private mutating func check(table ref: NodeRef, _ index: Int) {
    guard let node = open(ref, [NodeKind.table], "table \(index)") else { return }
    if let flaw = NodeFlaw.of(node.node) {
      say("table \(index) at \(ref.raw) \(flaw)")
      return
    }
    if isShallow { return }
    // All that it says of its columns and trees lies within the node.
    let form = TableForm(node.node)
    let specs = (0..<form.columns).map(form.spec)
    let root = node.ref(rb_table_rows)
    let count = Int(truncatingIfNeeded: node.load(rb_table_count, as: UInt64.self) ?? 0)
    if root.isNone {
      if count != 0 { say("table \(index) counts \(count) rows and has none") }
    } else if let rows = check(rows: root, form.height, specs, "table \(index)") {
      if rows.count != count { say("table \(index) counts \(count) rows and has \(rows.count)") }
      let next = node.load(rb_table_next_key, as: Int64.self) ?? 0
      if rows.last >= next && rows.last != .max {
        say("table \(index) would give the key \(next), but has a row \(rows.last)")
      }
    }
    for tree in 0..<form.trees {
      let root = node.ref(form.treeOffset(tree) + rb_root_ref)
      if !root.isNone { _ = check(pairs: root, nil, "an index of table \(index)") }
    }
  }

  // MARK: Rows

  private struct Rows {
    var count: Int
    var first: Int64
    var last: Int64
  }

  private mutating func check(
    rows ref: NodeRef, _ level: Int, _ specs: [ColumnSpec], _ what: String
  ) -> Rows? {
    if level == 0 { return check(cluster: ref, specs, what) }
    guard let node = open(ref, [NodeKind.branch], "a branch of \(what)") else { return nil }
    let (count, branch) = (node.count, Branch(node.node))
    if let flaw = NodeFlaw.of(node.node) {
      say("a branch of \(what) at \(ref.raw) \(flaw)")
      return nil
    }
    var all: Rows?
    for index in 0..<count {
      guard let below = check(rows: node.ref(branch.childOffset(index)), level - 1, specs, what)
      else { return nil }
      let key = node.load(branch.keyOffset(index), as: Int64.self) ?? 0
      let rows = Int(node.load(branch.rowsOffset(index), as: UInt32.self) ?? 0)
      if key != below.first {
        say(
          "a branch of \(what) at \(ref.raw) says \(key) for child \(index), which begins "
            + "with \(below.first)"
        )
      }
      if rows != below.count {
        say(
          "a branch of \(what) at \(ref.raw) counts \(rows) rows for child \(index), which "
            + "has \(below.count)"
        )
      }
      if let before = all, before.last >= below.first {
        say("a branch of \(what) at \(ref.raw) has \(below.first) after \(before.last)")
      }
      all = Rows(
        count: (all?.count ?? 0) + below.count, first: all?.first ?? below.first, last: below.last)
    }
    return all
  }

  private mutating func check(cluster ref: NodeRef, _ specs: [ColumnSpec], _ what: String) -> Rows?
  {
    guard let node = open(ref, [NodeKind.cluster], "a cluster of \(what)") else { return nil }
    let count = node.count
    if let flaw = NodeFlaw.of(node.node) {
      say("a cluster of \(what) at \(ref.raw) \(flaw)")
      return nil
    }
    let base = node.load(rb_cluster_base, as: Int64.self) ?? 0
    var rows = Rows(count: count, first: base, last: base &+ Int64(count - 1))
    let keys = ColumnSlot(word: node.load(rb_cluster_keys, as: UInt64.self) ?? 0)
    if !keys.isNone {
      guard check(column: keys, .int, count, "the keys of \(what)") else { return nil }
      for index in 0..<count {
        let key = base &+ keys.int(index, in: space.base)
        if index == 0 {
          rows.first = key
        } else if key <= rows.last {
          say("a cluster of \(what) at \(ref.raw) has key \(key) after \(rows.last)")
        }
        rows.last = key
      }
    }
    let room = (node.header.bytes - Cluster.columnsOffset) / 8
    for column in 0..<room {
      let slot = ColumnSlot(
        word: node.load(Cluster.columnsOffset + column * 8, as: UInt64.self) ?? 0)
      if slot.isNone { continue }
      guard column < specs.count, !specs[column].isRemoved else {
        say("a cluster of \(what) at \(ref.raw) has a column \(column) that the table has not")
        continue
      }
      _ = check(column: slot, specs[column], count, "column \(column) of \(what)")
    }
    return rows
  }
}
