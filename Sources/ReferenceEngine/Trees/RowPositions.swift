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

  init(_ rows: RowTree) { self.rows = rows }

  /// As `RowTree.position(of:)`.
  mutating func position(of key: Int64) -> (position: Int, isFound: Bool) {
    if cluster == nil || key < low || key > high { seek(key) }
    guard let cluster else { return (0, false) }
    let (index, isFound) = cluster.place(of: key, in: rows.space)
    return (before + index, isFound)
  }

  private mutating func seek(_ key: Int64) {
    if rows.root.isNone { return }
    (low, high, before) = (.min, .max, 0)
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
