/// Whether columns have as many values as their cluster has rows, and lie within their nodes.
extension TreeCheck {
  mutating func check(
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

  mutating func check(values node: Bytes, _ what: String) -> Bool {
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

  mutating func check(bytes node: Bytes, _ what: String) -> Bool {
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
}
