import CShims

/// Whether columns have as many values as their cluster has rows, and lie within their nodes.
extension TreeCheck {
  mutating func check(
    column slot: ColumnSlot, _ spec: ColumnSpec, _ count: Int, _ what: String
  ) -> Bool {
    guard let node = open(slot.ref, [spec.nodeKind], what) else { return false }
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

  mutating func check(values node: Bytes, _ what: String) -> Bool {
    if let flaw = NodeFlaw.ofColumn(node.node, node.header) {
      say("\(what) at \(node.ref.raw) \(flaw)")
      return false
    }
    switch node.header.kind {
    case NodeKind.refs:
      // A map is a list of two lists: no more lie in each other.
      guard listDepth < 2 else {
        say("\(what) at \(node.ref.raw) lies in too many others")
        return false
      }
      listDepth += 1
      defer { listDepth -= 1 }
      for index in 0..<node.count {
        let child = node.ref(node.values + index * 8)
        if !child.isNone { _ = check(list: child, nil, "a small tree in \(what)") }
      }
    case NodeKind.bytes where node.code == 7: return checkBlobs(of: node, what)
    default: break
    }
    return true
  }

  private mutating func checkBlobs(of node: Bytes, _ what: String) -> Bool {
    let cells = Int(node.load(node.values, as: UInt32.self) ?? 0)
    let heap = node.values + rb_cells_first + cells * rb_cell_bytes
    for index in 0..<node.count {
      let offset = Int(
        node.load(node.values + rb_cells_first + index * rb_cell_bytes, as: UInt32.self) ?? 0)
      let length =
        node.load(node.values + rb_cells_lengths + index * rb_cell_bytes, as: UInt32.self) ?? 0
      if length & Column.longFlag == 0 { continue }
      let blob = node.ref(heap + offset)
      let whole = node.load(heap + offset + rb_long_value_length, as: UInt64.self) ?? .max
      guard let bytes = open(blob, [NodeKind.blob], "a long value of \(what)") else {
        return false
      }
      if whole > UInt64(bytes.payload) {
        say("\(what) at \(node.ref.raw) says that the blob at \(blob.raw) has \(whole) bytes")
        return false
      }
    }
    return true
  }
}
