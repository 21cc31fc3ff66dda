import CShims

/// What is wrong with a node by itself: whether all that it says of its parts lies within it. What
/// its references lead to is for whoever follows them.
enum NodeFlaw {
  /// The first thing that is wrong; nil if nothing is.
  static func of(_ node: UnsafeRawPointer) -> String? {
    let header = node.load(as: NodeHeader.self)
    let count = Int(header.count)
    switch header.kind {
    case NodeKind.top: return ofTop(node, header)
    case NodeKind.table: return ofTable(node, header)
    case NodeKind.branch:
      let room = Int(header.width)
      return count >= 1 && count <= room && room <= Branch.most
        && header.bytes >= rb_node_payload + room * Branch.entryBytes
        ? nil : "is a branch of \(count) children with room for \(room)"
    case NodeKind.cluster:
      return (1...Cluster.most).contains(count) && header.bytes >= Cluster.columnsOffset
        && header.width == 0
        ? nil : "is a cluster of \(count) rows in \(header.bytes) bytes"
    case NodeKind.ints, NodeKind.bytes, NodeKind.fixed, NodeKind.refs:
      return ofColumn(node, header)
    case NodeKind.blob: return nil
    case NodeKind.pairs:
      return (1...PairLeaf.most).contains(count)
        && header.bytes >= rb_node_payload + count * rb_pair_bytes
        ? nil : "is a leaf of \(count) pairs in \(header.bytes) bytes"
    case NodeKind.pairBranch:
      return isHeight(header.width) && (1...PairBranch.most).contains(count)
        && header.bytes >= rb_node_payload + count * PairBranch.entryBytes
        ? nil : "is a branch of \(count) children and height \(header.width)"
    case NodeKind.listBranch:
      return isHeight(header.width) && (1...ListBranch.most).contains(count)
        && header.bytes >= rb_node_payload + count * ListBranch.entryBytes
        ? nil : "is a branch of \(count) children and height \(header.width)"
    // The kernel's own.
    case UInt8(rb_kind_record): return nil
    default: return "is of the unknown kind \(header.kind)"
    }
  }

  private static func isHeight(_ width: UInt8) -> Bool { width >= 1 && width < RowCursor.deepest }

  /// More tables are none's: a cluster is noted as known with 15 bits for its table.
  static let mostTables = 32_000
  /// With all their trees these can be counted in 16 bits.
  static let mostColumns = 16_000

  private static func ofTop(_ node: UnsafeRawPointer, _ header: NodeHeader) -> String? {
    guard header.bytes >= rb_top_refs else { return "has no room for a top" }
    let tables = Int(node.load(fromByteOffset: rb_top_tables, as: UInt32.self))
    return tables <= mostTables && rb_top_refs + tables * 8 <= header.bytes
      ? nil : "has no room for \(tables) tables"
  }

  private static func ofTable(_ node: UnsafeRawPointer, _ header: NodeHeader) -> String? {
    guard header.bytes >= rb_table_specs else { return "has no room for a table" }
    let form = TableForm(node)
    let (columns, trees, height) = (form.columns, form.trees, form.height)
    guard TableForm.bytes(columns, trees) <= header.bytes, height < RowCursor.deepest
    else { return "has no room for \(columns) columns and \(trees) trees, or \(height) levels" }
    for column in 0..<columns {
      guard
        let type = form.type(column)
      else { return "has a column \(column) of no known type" }
      let size = form.size(column)
      guard type == .fixed ? (1...127).contains(size) : size == 0 else {
        return "has a column \(column) of values of \(size) bytes"
      }
    }
    return nil
  }

  // MARK: Columns

  /// The same of a column, but for where the values of one of bytes end: what does not depend on
  /// how many there are.
  static func ofHead(_ node: UnsafeRawPointer, _ header: NodeHeader) -> String? {
    let count = Int(header.count)
    let code = Int(Column.code(header.width))
    let values = Column.valuesOffset(header.width)
    let needed: Int
    switch header.kind {
    case NodeKind.ints:
      needed = code > 7 ? .max : code == 0 ? 0 : (count << (code - 1) + 7) / 8
    case NodeKind.fixed: needed = code == 0 ? .max : count * code
    case NodeKind.refs: needed = code == 7 ? count * 8 : .max
    case NodeKind.bytes:
      switch code {
      case 5: needed = count * 2
      case 6: needed = count * 4
      case 7:
        guard values + rb_cells_first <= header.bytes else { return "has no room for its cells" }
        let cells = Int(node.load(fromByteOffset: values, as: UInt32.self))
        needed =
          cells >= count && cells <= Column.most ? rb_cells_first + cells * rb_cell_bytes : .max
      default: needed = .max
      }
    default: return "is of kind \(header.kind) and no column"
    }
    return count <= Column.most && needed <= header.bytes - values
      ? nil : "has no room for \(count) values of width \(header.width)"
  }

  static func ofColumn(_ node: UnsafeRawPointer, _ header: NodeHeader) -> String? {
    if let flaw = ofHead(node, header) { return flaw }
    guard header.kind == NodeKind.bytes else { return nil }
    let column = Column(node)
    let (count, values) = (column.count, column.values)
    let room = header.bytes - (values - node)
    switch column.code {
    case 5:
      var last: UInt16 = 0
      for index in 0..<count {
        let end = values.load(fromByteOffset: index &<< 1, as: UInt16.self)
        if end < last { return "has a value \(index) that ends before it begins" }
        last = end
      }
      return count &<< 1 &+ Int(last) <= room ? nil : "has values that end behind it"
    case 6:
      var last: UInt32 = 0
      for index in 0..<count {
        let end = values.load(fromByteOffset: index &<< 2, as: UInt32.self)
        if end < last { return "has a value \(index) that ends before it begins" }
        last = end
      }
      return count &<< 2 &+ Int(last) <= room ? nil : "has values that end behind it"
    default:
      let heap = rb_cells_first + Int(values.load(as: UInt32.self)) * rb_cell_bytes
      for index in 0..<count {
        let cell = values + rb_cells_first + index * rb_cell_bytes
        let offset = Int(cell.load(as: UInt32.self))
        let length = cell.load(fromByteOffset: rb_cell_length, as: UInt32.self)
        let bytes = length & Column.longFlag != 0 ? rb_long_value_bytes : Int(length)
        if heap + offset + bytes > room { return "has a value \(index) outside of its heap" }
      }
      return nil
    }
  }
}
