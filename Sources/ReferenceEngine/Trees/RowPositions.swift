import CShims

/// Finds the positions of rows in one version, fast where they are asked by ascending keys: mostly
/// in the cluster of the one before, which takes no descent and no sum over the branches.
struct RowPositions {
  private let rows: RowTree
  /// The cluster that was looked at last, the keys that belong into it, and how many rows are
  /// before it.
  private var cluster: Cluster?
  private var low = Int64.min
  private var high = Int64.max
  private var before = 0
  /// Its keys relative to its base, once it was asked for a second one and has a column of them,
  /// and the place that was found last: from there the next one is a few steps away.
  private var offsets: [Int64] = []
  private var isWide = false
  private var last = (offset: Int64.min, place: 0)
  private var asked = 0

  init(_ rows: RowTree) { self.rows = rows }

  /// As `RowTree.position(of:)`.
  mutating func position(of key: Int64) -> (position: Int, isFound: Bool) {
    if cluster == nil || key < low || key > high { seek(key) }
    guard let cluster else { return (0, false) }
    asked &+= 1
    if asked > 1, !isWide, !cluster.keys.isNone { widen(cluster) }
    if !isWide {
      let (index, isFound) = cluster.place(of: key, in: rows.space)
      return (before + index, isFound)
    }
    // Those that lie further apart than numbers reach are looked for as ever.
    let (offset, isTooFar) = key.subtractingReportingOverflow(cluster.base)
    if isTooFar || offset < last.offset {
      let (index, isFound) = cluster.place(of: key, in: rows.space)
      return (before + index, isFound)
    }
    let count = cluster.count
    var place = last.place
    while place < count, offsets[place] < offset { place &+= 1 }
    last = (offset, place)
    return (before + place, place < count && offsets[place] == offset)
  }

  private mutating func widen(_ cluster: Cluster) {
    let column = Column(rows.space.node(cluster.keys))
    if offsets.isEmpty { offsets = [Int64](repeating: 0, count: Cluster.most) }
    offsets.withUnsafeMutableBufferPointer { offsets in
      guard let start = offsets.baseAddress else { return }
      rb_scan_widen(column.values, UInt32(column.code), cluster.count, start)
    }
    // Keys that are very far apart are kept wrapped around: they do not ascend then.
    isWide = zip(offsets[..<cluster.count], offsets[1..<max(cluster.count, 1)]).allSatisfy(<)
    last = (.min, 0)
    // Nor is it looked a second time.
    if !isWide { asked = .min }
  }

  private mutating func seek(_ key: Int64) {
    if rows.root.isNone { return }
    (low, high, before) = (.min, .max, 0)
    (isWide, asked) = (false, 0)
    var ref = rows.root
    var node = rows.space.knowledge
    for _ in 0..<rows.height {
      let branch = rows.branch(ref, from: node)
      node = branch.node
      let at = branch.place(of: key)
      for index in 0..<at { before += branch.rows(index) }
      if at > 0 { low = branch.key(at) }
      if at + 1 < branch.count { high = branch.key(at + 1) - 1 }
      ref = branch.child(at)
    }
    cluster = rows.cluster(ref, from: node)
  }
}
