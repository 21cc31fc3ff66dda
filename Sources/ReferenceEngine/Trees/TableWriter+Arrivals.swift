import CShims

/// Rows that arrive in no order: kept as they come, and put in order at once when they are asked
/// for.
extension TableWriter {
  /// Whether the rows that come now are better kept in the order of their arrival: because many
  /// came in no order behind all that is older than the write. Moves those of them that are there
  /// to where they are kept.
  ///
  /// A quarter of those rows must have come in no order since the table was put in order, so that a
  /// write which asks for the order again and again moves each row a few times and no more.
  func beginArrivals(with key: Int64) -> Bool {
    guard arrivals == nil, let least = firstOwn, key >= least else { return false }
    scattered &+= 1
    guard scattered >= Arrivals.least, scattered << 2 >= count &- older else { return false }
    scattered = 0
    guard arePending(from: least) else { return false }
    cursor.pointee.drop()
    var taken: [Cluster] = []
    (root, height) =
      cut(root, height, from: least, &taken).map { lowered($0, height: height) }
      ?? (.none, 0)
    arrivals = Arrivals(taken, from: least, in: space)
    structureChanged()
    // Not weak: then each of the table's references would be counted outside of it, at twice the
    // cost.
    recorder?.holdBack { [unowned self] in putInOrder() }
    return true
  }

  /// Whether all clusters that have only rows from a key on are pending with their columns.
  private func arePending(from least: Int64) -> Bool {
    var arePending = root.isPending
    if !arePending { return false }
    let position = tree.position(of: least).position
    // They may all have been deleted again.
    if position == count { return false }
    tree.forEachCluster(from: position) { cluster, first in
      // Of the one that has others, too, those from the key on move to another.
      if first < position { return true }
      arePending =
        space.ref(to: cluster.node).isPending
        && cluster.columnCount >= specs.count
        && specs.indices.allSatisfy { cluster.slot($0).isNone || cluster.slot($0).isPending }
      return arePending
    }
    return arePending
  }

  /// Takes the rows from a key on out of the tree, and the clusters in which they lie.
  ///
  /// - Returns: the node with what is left below it; nil if that is nothing.
  private func cut(
    _ ref: NodeRef, _ level: Int, from least: Int64, _ taken: inout [Cluster]
  ) -> NodeRef? {
    if level == 0 {
      let old = tree.cluster(ref, from: space.knowledge)
      let (at, _) = old.place(of: least, in: space)
      if at == old.count { return ref }
      if at == 0 {
        taken.append(old)
        return nil
      }
      let opened = clusters.open(ref)
      taken.append(Cluster(space.node(clusters.split(Cluster(space.node(opened)), at: at))))
      return opened
    }
    let opened = openBranch(ref, height: level)
    let branch = branch(opened)
    let at = branch.place(of: least)
    let left = cut(branch.child(at), level - 1, from: least, &taken)
    for index in (at + 1)..<max(branch.count, at + 1) {
      take(branch.child(index), level - 1, &taken)
    }
    if let left {
      branch.set(at, entry(for: left, height: level - 1))
      branch.setCount(at + 1)
      return opened
    }
    branch.setCount(at)
    if at > 0 { return opened }
    arena.discard(opened)
    return nil
  }

  /// Takes all clusters below a node.
  private func take(_ ref: NodeRef, _ level: Int, _ taken: inout [Cluster]) {
    if level == 0 { return taken.append(Cluster(space.node(ref))) }
    let branch = branch(ref)
    for at in 0..<branch.count { take(branch.child(at), level - 1, &taken) }
    arena.discard(ref)
  }

  @inline(__always)
  func arrive(_ key: Int64, among arrivals: Arrivals) -> RowPlace? {
    if arrivals.isFull { addCluster(to: arrivals) }
    guard let place = arrivals.insert(key) else { return nil }
    count &+= 1
    if key >= nextKey { nextKey = key == .max ? .max : key &+ 1 }
    return place
  }

  @inline(never)
  private func addCluster(to arrivals: Arrivals) {
    arrivals.add(clusters.makeNext(after: arrivals.clusters[arrivals.clusters.count - 1]))
  }

  /// Builds the tree of all rows. The places of those that arrived are no longer true.
  /// Nor are any others, if some are leaving.
  func putInOrder() {
    letLeave()
    guard let arrivals else { return }
    self.arrivals = nil
    // It may lead to the cluster that was the last of the tree, and is taken for that of all keys
    // behind it.
    cursor.pointee.drop()
    let order = arrivals.sorted()
    let leaves = order.withUnsafeBufferPointer { order in
      clusters.gathered(order, from: arrivals) { cluster, rows in
        Branch.Entry(
          key: cluster.key(0, in: space), child: space.ref(to: cluster.node), rows: rows)
      }
    }
    for cluster in arrivals.clusters { clusters.discard(cluster) }
    if root.isNone {
      build(over: leaves)
      isScattered = false
    } else {
      for leaf in leaves { append(leaf) }
    }
    scattered = 0
    structureChanged()
    // Those of the tree are known already.
    let first = UInt32(arrivals.brought << 8)
    for number in order where number >= first {
      recorder?.inserted(table: UInt32(index), key: arrivals.key(number))
    }
    rowsMoved?()
  }

  /// Puts a cluster behind all others.
  private func append(_ leaf: Branch.Entry) {
    let (left, split) = append(leaf, root, height)
    root = left
    if let split {
      height += 1
      root = makeRoot(over: root, split, height: height)
    }
  }

  private func append(
    _ leaf: Branch.Entry, _ ref: NodeRef, _ level: Int
  ) -> (NodeRef, split: NodeRef?) {
    if level == 0 { return (ref, leaf.child) }
    let opened = openBranch(ref, height: level)
    let branch = branch(opened)
    let last = branch.count - 1
    let (child, split) = append(leaf, branch.child(last), level - 1)
    // A cluster that was the last stays what it was.
    if level > 1 { branch.set(last, entry(for: child, height: level - 1)) }
    return (opened, split.flatMap { add($0, behind: last, to: opened, height: level) })
  }

  /// Puts branches above clusters until there is one.
  private func build(over leaves: [Branch.Entry]) {
    var entries = leaves
    height = 0
    while entries.count > 1 {
      height += 1
      entries = stride(from: 0, to: entries.count, by: Branch.most).map { start in
        let below = entries[start..<min(start + Branch.most, entries.count)]
        let ref = makeBranch(height: height)
        let branch = branch(ref)
        for (at, entry) in below.enumerated() { branch.set(at, entry) }
        branch.setCount(below.count)
        return Branch.Entry(
          key: branch.key(0), child: ref, rows: below.reduce(0) { $0 + $1.rows })
      }
    }
    root = entries[0].child
  }
}

extension ClusterWriter {
  /// A cluster for the next 256 rows that arrive, with the columns that the one before has, and as
  /// much room in them.
  fileprivate func makeNext(after last: Cluster) -> Cluster {
    let cluster = Cluster(space.node(make(count: Cluster.most, base: 0)))
    cluster.setNew(isSmall: false)
    for column in columns.indices where !last.slot(column).isNone {
      let writer = columns[column]
      var heap = 0
      if writer.spec.type == .bytes {
        let used = writer.values(last.column(column)).load(
          fromByteOffset: rb_cells_used, as: UInt32.self)
        heap = Int(used) * Cluster.most / max(last.count, 1) * 9 / 8 + 64
      }
      cluster.setColumn(
        column, writer.make(count: Cluster.most, room: Cluster.most, heap: heap), in: space)
    }
    return cluster
  }

  /// New clusters of the rows that arrived, by their numbers in the order of their keys.
  fileprivate func gathered<Made>(
    _ order: UnsafeBufferPointer<UInt32>, from arrivals: Arrivals,
    _ made: (Cluster, Int) -> Made
  ) -> [Made] {
    let sources = columns.indices.map {
      ScatteredColumn($0, of: arrivals.clusters, columns[$0])
    }
    return stride(from: 0, to: order.count, by: Cluster.most).map { start in
      let rows = UnsafeBufferPointer(
        rebasing: order[start..<min(start + Cluster.most, order.count)])
      let first = arrivals.key(rows[0])
      let cluster = Cluster(space.node(make(count: rows.count, base: first)))
      cluster.setNew(isSmall: false)
      if arrivals.key(rows[rows.count - 1]) &- first != Int64(rows.count - 1) {
        let ref = keys.make(count: rows.count, room: Column.most)
        for at in 0..<rows.count { keys.setInt(ref, at, arrivals.key(rows[at]) &- first) }
        cluster.setKeys(ref, in: space)
      }
      for (column, source) in sources.enumerated() {
        if let source { cluster.setColumn(column, source.gathered(rows), in: space) }
      }
      return made(cluster, rows.count)
    }
  }

  /// Lets a pending cluster go whose rows are elsewhere now.
  fileprivate func discard(_ cluster: Cluster) {
    arena.discard(cluster.keys)
    for column in columns.indices { arena.discard(cluster.column(column)) }
    arena.discard(space.ref(to: cluster.node))
  }
}
