import CShims

/// Whether small trees and pairs are as they must be.
extension TreeCheck {
  /// The number of values below a node of a list; nil if that cannot be told.
  mutating func check(list ref: NodeRef, _ level: Int?, _ what: String) -> Int? {
    let columns = [NodeKind.ints, NodeKind.bytes, NodeKind.fixed, NodeKind.refs]
    let kinds =
      level == nil ? columns + [NodeKind.listBranch] : level == 0 ? columns : [NodeKind.listBranch]
    guard let node = open(ref, kinds, what) else { return nil }
    guard node.header.kind == NodeKind.listBranch else {
      return check(values: node, what) ? node.count : nil
    }
    let (count, height) = (node.count, Int(node.header.width))
    guard count >= 1, count * ListBranch.entryBytes <= node.payload,
      height >= 1, height < RowCursor.deepest, level ?? height == height
    else {
      say("\(what) has a branch at \(ref.raw) of \(count) children and height \(height)")
      return nil
    }
    var sum = 0
    for index in 0..<count {
      let entry = index * ListBranch.entryBytes
      guard let below = check(list: node.ref(rb_list_entry_child + entry), height - 1, what)
      else { return nil }
      let values = node.load(rb_list_entry_values + entry, as: UInt64.self) ?? 0
      if values != UInt64(below) {
        say("\(what) counts \(values) values for child \(index) of \(ref.raw), which has \(below)")
      }
      sum += below
    }
    return sum
  }

  /// The first and the last pair below a node; nil if that cannot be told.
  mutating func check(pairs ref: NodeRef, _ level: Int?, _ what: String) -> (Pair, Pair)? {
    let kinds =
      level == nil
      ? [NodeKind.pairs, NodeKind.pairBranch]
      : level == 0 ? [NodeKind.pairs] : [NodeKind.pairBranch]
    guard let node = open(ref, kinds, what) else { return nil }
    let count = node.count
    let isLeaf = node.header.kind == NodeKind.pairs
    let height = isLeaf ? 0 : Int(node.header.width)
    guard count >= 1, count * (isLeaf ? rb_pair_bytes : PairBranch.entryBytes) <= node.payload,
      isLeaf || (height >= 1 && height < RowCursor.deepest), level ?? height == height
    else {
      say("\(what) has a node at \(ref.raw) of \(count) entries and height \(height)")
      return nil
    }
    func pair(_ offset: Int) -> Pair {
      Pair(
        first: node.load(offset, as: UInt64.self) ?? 0,
        second: node.load(offset + rb_pair_second - rb_pair_first, as: UInt64.self) ?? 0)
    }
    var ends: (Pair, Pair)?
    for index in 0..<count {
      let below: (Pair, Pair)
      if isLeaf {
        let only = pair(rb_pair_first + index * rb_pair_bytes)
        below = (only, only)
      } else {
        let entry = index * PairBranch.entryBytes
        guard let found = check(pairs: node.ref(rb_pair_entry_child + entry), height - 1, what)
        else { return nil }
        below = found
        if pair(rb_pair_first + entry) != found.0 {
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
