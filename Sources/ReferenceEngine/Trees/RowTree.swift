import CShims

/// The rows of a table by key, read at one version: descents, places, and a walk cluster by
/// cluster.
@frozen @usableFromInline
struct RowTree {
  @usableFromInline let space: NodeSpace
  @usableFromInline let root: NodeRef
  /// Branches above the clusters.
  @usableFromInline let height: Int
  @usableFromInline let count: Int
  /// The table's number, and its node, which says what the columns are; none in a write that makes
  /// the table.
  @usableFromInline let table: UInt32
  @usableFromInline let form: NodeRef

  @inlinable
  init(space: NodeSpace, root: NodeRef, height: Int, count: Int, table: UInt32, form: NodeRef) {
    (self.space, self.root, self.height, self.count) = (space, root, height, count)
    (self.table, self.form) = (table, form)
  }

  /// Whether they may be read no longer than the group is open that they wait in.
  var areWaiting: Bool { root.isWaiting || form.isWaiting }

  /// Whether they may be read no longer than that, or than the write runs that has made them.
  var areFleeting: Bool { areWaiting || root.isPending }

  /// A branch of the tree, to which another node of it refers; the root is known to be where it may
  /// be.
  @inlinable @inline(__always)
  func branch(_ ref: NodeRef, from node: UnsafeRawPointer) -> Branch {
    space.branch(ref, from: node)
  }

  @inlinable @inline(__always)
  func cluster(_ ref: NodeRef, from node: UnsafeRawPointer) -> Cluster {
    space.cluster(ref, from: node, of: table, form)
  }

  /// The row with a key; nil if there is none.
  @inlinable
  func find(_ key: Int64) -> RowPlace? {
    if root.isNone { return nil }
    var ref = root
    var node = space.knowledge
    for _ in 0..<height {
      let branch = branch(ref, from: node)
      node = branch.node
      ref = branch.child(branch.place(of: key))
      // A cluster's columns begin where its first line of memory ends.
      rb_prefetch(space.node(ref) + 64)
    }
    let cluster = cluster(ref, from: node)
    let (index, isFound) = cluster.place(of: key, in: space)
    return isFound ? RowPlace(cluster: cluster, index: index) : nil
  }

  /// The same, without a descent where signposts tell.
  ///
  /// - Parameter text: a column of texts that is read next, and how long they are: as
  ///   `Cluster.textLengths` says it, or 0.
  func find(
    _ key: Int64, by signposts: Signposts?, text: (column: Int, length: UInt64) = (0, 0)
  ) -> RowPlace? {
    guard let signposts else { return find(key) }
    let number = UInt64(bitPattern: key &- signposts.low)
    guard key >= signposts.low, let found = signposts.find(number) else {
      return find(key, noting: signposts)
    }
    let ref = found.post.leaf
    let node = space.node(ref)
    rb_prefetch(node)
    rb_prefetch(node + 64)
    let cluster = Cluster(node)
    if _slowPath(!found.post.isKnown) {
      _ = self.cluster(ref, from: space.knowledge)
      found.know(cluster.slot(text.column).word | UInt64(cluster.count) &<< 48)
    } else if text.length > 0 {
      // Where keys are consecutive, as most are, that is where the row stands.
      let row = signposts.distance(found.passed)
      let note = found.note
      rb_text_prefetch(
        note & RowTree.noteOfSlot, space.base, Int(truncatingIfNeeded: note &>> 48),
        Int(truncatingIfNeeded: row), Int(truncatingIfNeeded: text.length))
    }
    let (index, isFound) = cluster.place(of: key, in: space)
    if isFound { return RowPlace(cluster: cluster, index: index) }
    // Between two rows of it there is none; else it may be another cluster's.
    return index > 0 && index < cluster.count ? nil : find(key)
  }

  /// What is noted of a cluster is its reference to a column, with its form, below its rows: where
  /// a text lies is known by that before the cluster itself has come from memory.
  private static var noteOfSlot: UInt64 { 1 << 48 - 1 }

  /// The same as `find`, setting signposts on the way.
  @inline(never)
  private func find(_ key: Int64, noting signposts: Signposts) -> RowPlace? {
    if root.isNone { return nil }
    var ref = root
    var node = space.knowledge
    var end = UInt64.max
    func number(_ key: Int64) -> UInt64 {
      key < signposts.low ? 0 : UInt64(bitPattern: key &- signposts.low)
    }
    for level in 0..<height {
      let branch = branch(ref, from: node)
      node = branch.node
      // Behind the last of them there is none to be set.
      if level == height - 1, signposts.lacks(number(key)) {
        signposts.set(branch.count, first: { number(branch.key($0)) }, leaf: branch.child, end: end)
      }
      let index = branch.place(of: key)
      if index + 1 < branch.count { end = number(branch.key(index + 1)) }
      ref = branch.child(index)
    }
    let cluster = cluster(ref, from: node)
    let (index, isFound) = cluster.place(of: key, in: space)
    return isFound ? RowPlace(cluster: cluster, index: index) : nil
  }

  /// Fetches the lines of memory in which the first values of a row lie: who asks for a row reads
  /// some of them next, and they come together and while the object is made, instead of one after
  /// the other.
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
    var node = space.knowledge
    var left = position
    for _ in 0..<height {
      let branch = branch(ref, from: node)
      node = branch.node
      ref = branch.child(step(to: &left, in: branch))
    }
    let cluster = cluster(ref, from: node)
    if _slowPath(left >= cluster.count) { miscounted(ref) }
    return RowPlace(cluster: cluster, index: left)
  }

  /// The child of a branch below which the row at a position lies, and its position there.
  @inline(__always)
  fileprivate func step(to position: inout Int, in branch: Branch) -> Int {
    var index = 0
    while position >= branch.rows(index) {
      position &-= branch.rows(index)
      index &+= 1
      if _slowPath(index == branch.count) { miscounted(space.ref(to: branch.node)) }
    }
    return index
  }

  @inline(never)
  fileprivate func miscounted(_ ref: NodeRef) -> Never {
    space.damaged(ref, "has fewer rows than are counted above it")
  }

  func key(at position: Int) -> Int64? {
    place(at: position).map { $0.cluster.key($0.index, in: space) }
  }

  /// How many rows have a smaller key, and whether there is a row with this one.
  func position(of key: Int64) -> (position: Int, isFound: Bool) {
    if root.isNone { return (0, false) }
    var ref = root
    var node = space.knowledge
    var before = 0
    for _ in 0..<height {
      let branch = branch(ref, from: node)
      node = branch.node
      let at = branch.place(of: key)
      for index in 0..<at { before += branch.rows(index) }
      ref = branch.child(at)
    }
    let (index, isFound) = cluster(ref, from: node).place(of: key, in: space)
    return (before + index, isFound)
  }

  /// Calls `body` with each cluster in key order and the position of its first row, until it
  /// returns false.
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
  /// The branches above the next cluster, and the child to take in each. They lie in the walk
  /// itself: most walks are short, and to ask for memory would be a good part of one.
  private var path: InlineArray<12, RowCursor.Step>
  /// How many of them there are.
  private var depth = 0
  private var upcoming: NodeRef = .none
  /// The node that refers to it, and how many rows that counts there.
  private var parent: UnsafeRawPointer
  private var counted: Int
  /// The position of the first row of the cluster that `next` returned.
  private(set) var first = 0
  private var following: Int

  /// Begins at the cluster that holds the row at a position.
  init(_ tree: RowTree, from position: Int = 0) {
    self.tree = tree
    following = 0
    parent = tree.space.knowledge
    counted = tree.count
    path = InlineArray(repeating: RowCursor.Step(branch: Branch(parent), index: 0))
    guard position < tree.count, !tree.root.isNone else { return }
    var ref = tree.root
    var left = position
    invariant(
      tree.height <= path.count, "a walk through a tree of \(tree.height) levels of branches")
    for _ in 0..<tree.height {
      let branch = tree.branch(ref, from: parent)
      let index = tree.step(to: &left, in: branch)
      descend(to: branch, index)
      ref = branch.child(index)
      parent = branch.node
      counted = branch.rows(index)
    }
    following = position - left
    upcoming = ref
  }

  mutating func next() -> Cluster? {
    if upcoming.isNone { return nil }
    let cluster = tree.cluster(upcoming, from: parent)
    // Who walks has made room for as many rows as are counted.
    if _slowPath(cluster.count != counted || following &+ counted > tree.count) {
      tree.space.damaged(upcoming, "has \(cluster.count) rows, counted are \(counted)")
    }
    first = following
    following += cluster.count
    advance()
    return cluster
  }

  private mutating func descend(to branch: Branch, _ index: Int) {
    path[depth] = RowCursor.Step(branch: branch, index: index)
    depth += 1
  }

  private mutating func advance() {
    upcoming = .none
    while depth > 0 {
      depth -= 1
      let step = path[depth]
      guard step.index + 1 < step.branch.count else { continue }
      var (lowest, at) = (step.branch, step.index + 1)
      descend(to: lowest, at)
      while depth < tree.height {
        lowest = tree.branch(lowest.child(at), from: lowest.node)
        at = 0
        descend(to: lowest, at)
      }
      upcoming = lowest.child(at)
      parent = lowest.node
      counted = lowest.rows(at)
      // What will be looked at when this cluster's rows have been gone through.
      rb_prefetch_cluster(tree.space.base, upcoming.raw)
      return
    }
  }
}
