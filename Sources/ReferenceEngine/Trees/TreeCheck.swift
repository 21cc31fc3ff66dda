/// Whether the trees of a version are as they must be: every invariant, as a list of sentences.
///
/// For tests and `verify`. It may be asked about damaged bytes: nothing outside of the file or of a node is read, no
/// reference is followed twice, and what cannot be right is said and not followed.
///
/// The invariants: 1. every node lies in the file, is aligned, and is reached once. 2. Keys ascend, over all clusters of
/// a table. 3. A branch knows the first key and the rows of each child. 4. A column has as many values as its cluster
/// has rows, and the form that the cluster's reference says. 5. Ends and heaps lie within their node. 6. A list's
/// branches know how many values are below them. 7. Pairs ascend and none is there twice.
struct TreeCheck {
  /// What is wrong, up to a hundred sentences.
  private(set) var problems: [String] = []
  /// Nodes that were looked at.
  var nodes: Int { seen.count }

  private static let mostProblems = 100
  private let space: NodeSpace
  private let size: UInt64
  private var seen: Set<UInt64> = []

  /// - Parameter size: the bytes of the file that may be read.
  init(_ top: NodeRef, in space: NodeSpace, size: Int = Int(NodeRef.reservation)) {
    self.space = space
    self.size = UInt64(max(size, 0))
    if !top.isNone { check(top: top) }
  }

  /// The first thing that is wrong with a version; nil if nothing is.
  static func firstProblem(_ top: NodeRef, in space: NodeSpace) -> String? {
    TreeCheck(top, in: space).problems.first
  }

  private mutating func say(_ problem: String) {
    if problems.count < TreeCheck.mostProblems { problems.append(problem) }
  }

  // MARK: Nodes

  /// The bytes of one node; reading past them is reading nothing.
  private struct Bytes {
    let ref: NodeRef
    let node: UnsafeRawPointer
    let header: NodeHeader

    var count: Int { Int(header.count) }
    var payload: Int { header.bytes - NodeHeader.size }
    /// Where the values of a column begin.
    var values: Int { header.width & Column.nullFlag != 0 ? 48 : 16 }
    var code: Int { Int(header.width & 0x7F) }

    func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type = Value.self) -> Value? {
      guard offset >= 0, offset + MemoryLayout<Value>.size <= header.bytes else { return nil }
      return node.loadUnaligned(fromByteOffset: offset, as: type)
    }

    func ref(_ offset: Int) -> NodeRef {
      NodeRef(raw: (load(offset, as: UInt64.self) ?? 0) & ~NodeTree.flags)
    }
  }

  private mutating func open(_ ref: NodeRef, _ kinds: [UInt8], _ what: String) -> Bytes? {
    let raw = ref.raw
    guard raw >= 16, raw & 15 == 0, raw < size, size - raw >= 16 else {
      say("\(what) at \(raw) is not in the file")
      return nil
    }
    let header = space.header(ref)
    guard header.bytes >= NodeHeader.size, UInt64(header.bytes) <= size - raw else {
      say("\(what) at \(raw) has \(header.bytes) bytes, and the file ends before that")
      return nil
    }
    guard kinds.contains(header.kind) else {
      say("\(what) at \(raw) is a node of kind \(header.kind)")
      return nil
    }
    guard seen.insert(raw).inserted else {
      say("\(what) at \(raw) is reached twice")
      return nil
    }
    return Bytes(ref: ref, node: space.node(ref), header: header)
  }

  // MARK: Top and tables

  private mutating func check(top ref: NodeRef) {
    guard let node = open(ref, [NodeKind.top], "the top") else { return }
    let tables = Int(node.load(24, as: UInt32.self) ?? 0)
    guard 32 + tables * 8 <= node.header.bytes else {
      say("the top has no room for \(tables) tables")
      return
    }
    let schema = node.ref(16)
    if !schema.isNone, let blob = open(schema, [NodeKind.blob], "the schema") {
      let length = blob.load(16, as: UInt64.self) ?? .max
      if length > UInt64(max(blob.payload - 8, 0)) { say("the schema claims \(length) bytes") }
    }
    for index in 0..<tables {
      let table = node.ref(32 + index * 8)
      if !table.isNone { check(table: table, index) }
    }
  }

  private mutating func check(table ref: NodeRef, _ index: Int) {
    guard let node = open(ref, [NodeKind.table], "table \(index)") else { return }
    let columns = Int(node.load(44, as: UInt16.self) ?? 0)
    let trees = Int(node.load(46, as: UInt16.self) ?? 0)
    let height = Int(node.load(40, as: UInt32.self) ?? 0)
    let start = 48 + (columns * 4 + 7) & ~7
    guard start + trees * 16 <= node.header.bytes, height < RowCursor.deepest else {
      say(
        "table \(index) has no room for \(columns) columns and \(trees) trees, or \(height) levels")
      return
    }
    var specs: [ColumnSpec] = []
    for column in 0..<columns {
      let flags = node.load(49 + column * 4, as: UInt8.self) ?? 0
      guard let type = ColumnType(rawValue: node.load(48 + column * 4, as: UInt8.self) ?? 0) else {
        say("column \(column) of table \(index) is of no known type")
        return
      }
      specs.append(
        ColumnSpec(
          type: type, isNullable: flags & 1 != 0,
          size: node.load(50 + column * 4, as: UInt8.self) ?? 0, isRemoved: flags & 2 != 0))
    }
    let root = node.ref(32)
    let count = Int(truncatingIfNeeded: node.load(24, as: UInt64.self) ?? 0)
    if root.isNone {
      if count != 0 { say("table \(index) counts \(count) rows and has none") }
    } else if let rows = check(rows: root, height, specs, "table \(index)") {
      if rows.count != count { say("table \(index) counts \(count) rows and has \(rows.count)") }
      let next = node.load(16, as: Int64.self) ?? 0
      if rows.last >= next && rows.last != .max {
        say("table \(index) would give the key \(next), but has a row \(rows.last)")
      }
    }
    for tree in 0..<trees {
      let root = node.ref(start + tree * 16 + 8)
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
    let (count, room) = (node.count, Int(node.header.width))
    guard count >= 1, count <= room, 16 + room * Branch.entryBytes <= node.header.bytes else {
      say("a branch of \(what) at \(ref.raw) has \(count) children and room for \(room)")
      return nil
    }
    var all: Rows?
    for index in 0..<count {
      guard let below = check(rows: node.ref(16 + (room + index) * 8), level - 1, specs, what)
      else { return nil }
      let key = node.load(16 + index * 8, as: Int64.self) ?? 0
      let rows = Int(node.load(16 + room * 16 + index * 4, as: UInt32.self) ?? 0)
      if key != below.first {
        say(
          "a branch of \(what) at \(ref.raw) says \(key) for child \(index), which begins with \(below.first)"
        )
      }
      if rows != below.count {
        say(
          "a branch of \(what) at \(ref.raw) counts \(rows) rows for child \(index), which has \(below.count)"
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
    guard count >= 1, count <= Cluster.most, node.header.bytes >= Cluster.columnsOffset else {
      say("a cluster of \(what) at \(ref.raw) has \(count) rows")
      return nil
    }
    let base = node.load(16, as: Int64.self) ?? 0
    var rows = Rows(count: count, first: base, last: base &+ Int64(count - 1))
    let keys = ColumnSlot(word: node.load(24, as: UInt64.self) ?? 0)
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

  // MARK: Columns

  private mutating func check(
    column slot: ColumnSlot, _ spec: ColumnSpec, _ count: Int, _ what: String
  ) -> Bool {
    let kind: UInt8 =
      switch spec.type {
      case .int: NodeKind.ints
      case .bytes: NodeKind.bytes
      case .fixed: NodeKind.fixed
      case .refs: NodeKind.refs
      }
    guard let node = open(slot.ref, [kind], what) else { return false }
    guard ColumnSlot(slot.ref, node.header) == slot else {
      say("\(what) at \(slot.ref.raw) has width \(node.header.width), its reference says otherwise")
      return false
    }
    guard node.count == count else {
      say("\(what) at \(slot.ref.raw) has \(node.count) values for \(count) rows")
      return false
    }
    if spec.type == .fixed && node.code != Int(spec.size) {
      say("\(what) at \(slot.ref.raw) has values of \(node.code) bytes for \(spec.size)")
      return false
    }
    return check(values: node, what)
  }

  private mutating func check(values node: Bytes, _ what: String) -> Bool {
    let count = node.count
    let needed: Int
    switch node.header.kind {
    case NodeKind.ints:
      needed = node.code > 7 ? .max : node.code == 0 ? 0 : (count << (node.code - 1) + 7) / 8
    case NodeKind.fixed: needed = count * node.code
    case NodeKind.refs: needed = count * 8
    default: return check(bytes: node, what)
    }
    guard count <= Column.most, needed <= node.header.bytes - node.values else {
      say("\(what) at \(node.ref.raw) has no room for \(count) values")
      return false
    }
    if node.header.kind == NodeKind.refs {
      for index in 0..<count {
        let child = node.ref(node.values + index * 8)
        if !child.isNone { _ = check(list: child, nil, "a small tree in \(what)") }
      }
    }
    return true
  }

  private mutating func check(bytes node: Bytes, _ what: String) -> Bool {
    let (count, values) = (node.count, node.values)
    func unfit(_ why: String) -> String { "\(what) at \(node.ref.raw) \(why)" }
    guard count <= Column.most else {
      say(unfit("has \(count) values"))
      return false
    }
    switch node.code {
    case 5, 6:
      let width = node.code == 5 ? 2 : 4
      var last = 0
      for index in 0..<count {
        let at = values + index * width
        let end =
          width == 2
          ? node.load(at, as: UInt16.self).map(Int.init)
          : node.load(at, as: UInt32.self).map(Int.init)
        guard let end, end >= last, values + count * width + end <= node.header.bytes else {
          say(unfit("has a value \(index) that ends nowhere"))
          return false
        }
        last = end
      }
      return true
    case 7:
      let cells = Int(node.load(values, as: UInt32.self) ?? .max)
      let heap = values + 8 + cells * 8
      guard cells >= count, cells <= Column.most, heap <= node.header.bytes else {
        say(unfit("has \(cells) cells for \(count) values"))
        return false
      }
      for index in 0..<count {
        let offset = Int(node.load(values + 8 + index * 8, as: UInt32.self) ?? .max)
        let length = node.load(values + 12 + index * 8, as: UInt32.self) ?? .max
        let isLong = length & Column.longFlag != 0
        guard heap + offset + (isLong ? 16 : Int(length)) <= node.header.bytes else {
          say(unfit("has a value \(index) outside of its heap"))
          return false
        }
        if isLong {
          let blob = node.ref(heap + offset)
          let whole = node.load(heap + offset + 8, as: UInt64.self) ?? .max
          guard let bytes = open(blob, [NodeKind.blob], "a long value of \(what)") else {
            return false
          }
          if whole > UInt64(bytes.payload) {
            say(unfit("says that the blob at \(blob.raw) has \(whole) bytes"))
            return false
          }
        }
      }
      return true
    default:
      say(unfit("has the unknown width \(node.code)"))
      return false
    }
  }

  // MARK: Small trees and pairs

  /// The number of values below a node of a list; nil if that cannot be told.
  private mutating func check(list ref: NodeRef, _ level: Int?, _ what: String) -> Int? {
    let columns = [NodeKind.ints, NodeKind.bytes, NodeKind.fixed, NodeKind.refs]
    let kinds =
      level == nil ? columns + [NodeKind.listBranch] : level == 0 ? columns : [NodeKind.listBranch]
    guard let node = open(ref, kinds, what) else { return nil }
    guard node.header.kind == NodeKind.listBranch else {
      return check(values: node, what) ? node.count : nil
    }
    let (count, height) = (node.count, Int(node.header.width))
    guard count >= 1, 16 + count * ListBranch.entryBytes <= node.header.bytes,
      height >= 1, height < RowCursor.deepest, level ?? height == height
    else {
      say("\(what) has a branch at \(ref.raw) of \(count) children and height \(height)")
      return nil
    }
    var sum = 0
    for index in 0..<count {
      guard let below = check(list: node.ref(16 + index * 16), height - 1, what) else { return nil }
      let values = node.load(24 + index * 16, as: UInt64.self) ?? 0
      if values != UInt64(below) {
        say("\(what) counts \(values) values for child \(index) of \(ref.raw), which has \(below)")
      }
      sum += below
    }
    return sum
  }

  /// The first and the last pair below a node; nil if that cannot be told.
  private mutating func check(pairs ref: NodeRef, _ level: Int?, _ what: String) -> (Pair, Pair)? {
    let kinds =
      level == nil
      ? [NodeKind.pairs, NodeKind.pairBranch]
      : level == 0 ? [NodeKind.pairs] : [NodeKind.pairBranch]
    guard let node = open(ref, kinds, what) else { return nil }
    let count = node.count
    let isLeaf = node.header.kind == NodeKind.pairs
    let height = isLeaf ? 0 : Int(node.header.width)
    guard count >= 1, count * (isLeaf ? 16 : PairBranch.entryBytes) <= node.payload,
      isLeaf || (height >= 1 && height < RowCursor.deepest), level ?? height == height
    else {
      say("\(what) has a node at \(ref.raw) of \(count) entries and height \(height)")
      return nil
    }
    func pair(_ offset: Int) -> Pair {
      Pair(
        first: node.load(offset, as: UInt64.self) ?? 0,
        second: node.load(offset + 8, as: UInt64.self) ?? 0)
    }
    var ends: (Pair, Pair)?
    for index in 0..<count {
      let below: (Pair, Pair)
      if isLeaf {
        below = (pair(16 + index * 16), pair(16 + index * 16))
      } else {
        guard let found = check(pairs: node.ref(32 + index * 24), height - 1, what) else {
          return nil
        }
        below = found
        if pair(16 + index * 24) != found.0 {
          say("\(what) does not know with what child \(index) of \(ref.raw) begins")
        }
      }
      if let before = ends, !(before.1 < below.0) {
        say("\(what) has its pairs out of order at \(ref.raw)")
      }
      ends = (ends?.0 ?? below.0, below.1)
    }
    return ends
  }
}
