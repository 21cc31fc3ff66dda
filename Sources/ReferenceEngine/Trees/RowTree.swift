import CShims

/// The rows of a table by key, read at one version: descents, places, and a walk cluster by cluster.
@frozen @usableFromInline
struct RowTree {
  @usableFromInline let space: NodeSpace
  @usableFromInline let root: NodeRef
  /// Branches above the clusters.
  @usableFromInline let height: Int
  @usableFromInline let count: Int

  @inlinable
  init(space: NodeSpace, root: NodeRef, height: Int, count: Int) {
    (self.space, self.root, self.height, self.count) = (space, root, height, count)
  }

  /// The row with a key; nil if there is none.
  @inlinable
  func find(_ key: Int64) -> RowPlace? {
    if root.isNone { return nil }
    var ref = root
    // Below which key the rows lie, where a parent tells.
    var limit = Int64.max
    for _ in 0..<height {
      let branch = Branch(space.node(ref))
      let index = branch.place(of: key, below: limit)
      if index &+ 1 < branch.count { limit = branch.key(index &+ 1) }
      ref = branch.child(index)
      // A cluster's columns begin where its first line of memory ends.
      rb_prefetch(space.node(ref) + 64)
    }
    let cluster = Cluster(space.node(ref))
    let (index, isFound) = cluster.place(of: key, in: space)
    return isFound ? RowPlace(cluster: cluster, index: index) : nil
  }

  /// Fetches the lines of memory in which the first values of a row lie: who asks for a row reads some of them next, and
  /// they come together and while the object is made, instead of one after the other.
  ///
  /// - Parameter lengths: what `Cluster.textLengths` said of a cluster of the table, or 0.
  @inline(__always)
  func prefetchValues(of place: RowPlace, textLengths lengths: UInt64) {
    rb_row_prefetch(place.cluster.node, space.base, place.index, lengths)
  }

  /// Whether the table is larger than a cache: else it is work for nothing to fetch ahead.
  @inline(__always)
  var isLarge: Bool { _slowPath(count >= 1 << 16) }

  /// The row at a position in key order.
  func place(at position: Int) -> RowPlace? {
    guard position >= 0, position < count else { return nil }
    var ref = root
    var left = position
    for _ in 0..<height {
      let branch = Branch(space.node(ref))
      var index = 0
      while left >= branch.rows(index) {
        left -= branch.rows(index)
        index += 1
      }
      ref = branch.child(index)
    }
    return RowPlace(cluster: Cluster(space.node(ref)), index: left)
  }

  func key(at position: Int) -> Int64? {
    place(at: position).map { $0.cluster.key($0.index, in: space) }
  }

  /// How many rows have a smaller key, and whether there is a row with this one.
  func position(of key: Int64) -> (position: Int, isFound: Bool) {
    if root.isNone { return (0, false) }
    var ref = root
    var before = 0
    for _ in 0..<height {
      let branch = Branch(space.node(ref))
      let at = branch.place(of: key)
      for index in 0..<at { before += branch.rows(index) }
      ref = branch.child(at)
    }
    let (index, isFound) = Cluster(space.node(ref)).place(of: key, in: space)
    return (before + index, isFound)
  }

  /// Calls `body` with each cluster in key order and the position of its first row, until it returns false.
  func forEachCluster(from position: Int = 0, _ body: (Cluster, _ first: Int) -> Bool) {
    var walk = ClusterWalk(self, from: position)
    while let cluster = walk.next() {
      if !body(cluster, walk.first) { return }
    }
  }
}

/// Visits clusters in key order, with one step up and down the tree for each.
@usableFromInline
struct ClusterWalk {
  private let tree: RowTree
  /// The branches above the next cluster, and the child to take in each.
  private var path: [(branch: Branch, index: Int)] = []
  private var upcoming: NodeRef = .none
  /// The position of the first row of the cluster that `next` returned.
  private(set) var first = 0
  private var following: Int

  /// Begins at the cluster that holds the row at a position.
  init(_ tree: RowTree, from position: Int = 0) {
    self.tree = tree
    following = 0
    guard position < tree.count, !tree.root.isNone else { return }
    var ref = tree.root
    for _ in 0..<tree.height {
      let branch = Branch(tree.space.node(ref))
      var index = 0
      while position - following >= branch.rows(index) {
        following += branch.rows(index)
        index += 1
      }
      path.append((branch, index))
      ref = branch.child(index)
    }
    upcoming = ref
  }

  mutating func next() -> Cluster? {
    if upcoming.isNone { return nil }
    let cluster = Cluster(tree.space.node(upcoming))
    first = following
    following += cluster.count
    advance()
    return cluster
  }

  private mutating func advance() {
    upcoming = .none
    while let (branch, index) = path.popLast() {
      guard index + 1 < branch.count else { continue }
      path.append((branch, index + 1))
      var ref = branch.child(index + 1)
      while path.count < tree.height {
        let below = Branch(tree.space.node(ref))
        path.append((below, 0))
        ref = below.child(0)
      }
      upcoming = ref
      return
    }
  }
}
