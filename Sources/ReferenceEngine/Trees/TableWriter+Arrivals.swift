import CShims

/// Rows that arrive in no order: kept as they come, and put in order at once when they are asked
/// for.
extension TableWriter {
  /// Whether the rows that come now are better kept in the order of their arrival: because many
  /// came in no order, and nothing of the table is older than the write. Moves what is there to
  /// where they are kept.
  ///
  /// A quarter of the table must have come in no order since it was put in order, so that a write
  /// which asks for the order again and again moves each row a few times and no more.
  func beginArrivals() -> Bool {
    scattered &+= 1
    guard scattered >= Arrivals.least, scattered << 2 >= count else { return false }
    scattered = 0
    guard root.isPending, let known = newClusters() else { return false }
    discardBranches(root, height)
    cursor.pointee.drop()
    (root, height) = (.none, 0)
    arrivals = Arrivals(known, in: space)
    structureChanged()
    // Not weak: then each of the table's references would be counted outside of it, at twice the
    // cost.
    recorder?.holdBack { [unowned self] in putInOrder() }
    return true
  }

  /// All clusters, if they are new in this write and have a place for each column.
  private func newClusters() -> [Cluster]? {
    var found: [Cluster] = []
    var isNew = true
    rows.forEachCluster { cluster, _ in
      isNew =
        cluster.isNew && cluster.columnCount >= specs.count
        && specs.indices.allSatisfy { cluster.slot($0).isNone || cluster.slot($0).isPending }
      found.append(cluster)
      return isNew
    }
    return isNew ? found : nil
  }

  private func discardBranches(_ ref: NodeRef, _ level: Int) {
    if level == 0 { return }
    let branch = branch(ref)
    for at in 0..<branch.count { discardBranches(branch.child(at), level - 1) }
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
  func putInOrder() {
    guard let arrivals else { return }
    self.arrivals = nil
    let order = arrivals.sorted()
    let leaves = order.withUnsafeBufferPointer { order in
      clusters.gathered(order, from: arrivals) { cluster, rows in
        Branch.Entry(
          key: cluster.key(0, in: space), child: space.ref(to: cluster.node), rows: rows)
      }
    }
    for cluster in arrivals.clusters { clusters.discard(cluster) }
    build(over: leaves)
    (isScattered, scattered) = (false, 0)
    structureChanged()
    // Those of the tree are known already.
    let first = UInt32(arrivals.brought << 8)
    for number in order where number >= first {
      recorder?.inserted(table: UInt32(index), key: arrivals.key(number))
    }
    rowsMoved?()
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
