import CShims

/// Inserting rows.
extension TableWriter {
  /// Inserts a row of nulls and zeros; nil if there is one with this key already.
  @inline(__always)
  func insert(_ key: Int64) -> RowPlace? {
    // The key that follows the last one, into a cluster with room for it: the row is there as soon
    // as it is counted.
    if cursor.pointee.isLast, cursor.pointee.room > 0, let node = cursor.pointee.cluster {
      let cluster = Cluster(node)
      let index = cluster.count
      // Nothing follows the greatest key there is; counting on, the least one would.
      if index < cursor.pointee.room, cluster.keySlot.isNone, key == cluster.base &+ Int64(index),
        key != .min
      {
        for column in 0..<cluster.columnCount {
          let slot = cluster.slot(column)
          if !slot.isNone {
            UnsafeMutableRawPointer(mutating: slot.node(space.base)).storeBytes(
              of: UInt16(truncatingIfNeeded: index &+ 1), toByteOffset: rb_node_count,
              as: UInt16.self)
          }
        }
        cluster.setCount(index &+ 1)
        countInserted(key)
        return RowPlace(cluster: cluster, index: index)
      }
    }
    return insertAnywhere(key)
  }

  /// Counts a row inserted into the cursor's cluster in the branches above it and in the table.
  @inline(__always)
  private func countInserted(_ key: Int64) {
    for level in 0..<cursor.pointee.height {
      let step = cursor.pointee.steps[level]
      step.branch.count(1, in: step.index, key)
    }
    count &+= 1
    if key >= nextKey { nextKey = key == .max ? .max : key &+ 1 }
    uncountedRecorder?._withUnsafeGuaranteedRef {
      $0.inserted(table: UInt32(truncatingIfNeeded: index), key: key)
    }
  }

  @inline(never)
  private func insertAnywhere(_ key: Int64) -> RowPlace? {
    if let arrivals, arrivals.take(key) { return arrive(key, among: arrivals) }
    letLeave()
    if !root.isNone {
      if !cursor.pointee.covers(key) {
        cursor.pointee.seek(key, in: tree)
      }
      if let node = cursor.pointee.cluster {
        prefetchColumns(Cluster(node))
        let (at, isFound) = Cluster(node).place(
          of: key, from: cursor.pointee.low, through: cursor.pointee.high, in: space)
        if isFound { return nil }
        if at < Cluster(node).count || !cursor.pointee.isLast, beginArrivals(with: key),
          let arrivals
        {
          return arrive(key, among: arrivals)
        }
        if isFull(Cluster(node), at: at) { return insertGrowing(key) }
        prefetch(Cluster(node), at)
        openPath()
        if let node = cursor.pointee.cluster {
          let cluster = Cluster(node)
          if at < cluster.count { structureChanged() }
          clusters.insert(key, into: cluster, at: at)
          // The key that follows the last one may be among those that have arrived.
          cursor.pointee.room = arrivals == nil ? cluster.limit : 0
          countInserted(key)
          return RowPlace(cluster: cluster, index: at)
        }
      }
    }
    return insertGrowing(key)
  }

  /// Asks for the lines of memory that an insertion is about to write: in a large write most of
  /// them are far away, and one after the other they would cost a miss each.
  @inline(__always)
  private func prefetch(_ cluster: Cluster, _ place: Int) {
    for column in 0..<cluster.columnCount {
      rb_prefetch(cluster.slot(column).node(space.base) + (rb_column_values &+ place &<< 3))
    }
  }

  /// Asks for the beginnings of the columns, which arrive while the place among the keys is looked
  /// for.
  @inline(__always)
  private func prefetchColumns(_ cluster: Cluster) {
    for column in 0..<cluster.columnCount {
      rb_prefetch(cluster.slot(column).node(space.base))
    }
  }

  /// Whether a cluster must split before it takes a row at a place.
  ///
  /// One that is new in this write and takes rows between others splits at a quarter of its size:
  /// what an insertion has to move is what it costs. Committing packs such clusters.
  private func isFull(_ cluster: Cluster, at place: Int) -> Bool {
    let count = cluster.count
    return count >= cluster.limit || (cluster.isNew && place < count && count >= Cluster.small)
  }

  /// Inserts a row where clusters and branches may have to split.
  private func insertGrowing(_ key: Int64) -> RowPlace? {
    let isAppending = cursor.pointee.covers(key) && cursor.pointee.isLast
    cursor.pointee.drop()
    if root.isNone {
      root = clusters.make(count: 0, base: key)
      Cluster(space.node(root)).setNew(isSmall: false)
    }
    guard let inserted = insert(key, root, height, isAppending: isAppending) else { return nil }
    root = inserted.ref
    if let split = inserted.split {
      height += 1
      root = makeRoot(over: root, split, height: height)
    }
    count += 1
    if key >= nextKey { nextKey = key == .max ? .max : key + 1 }
    structureChanged()
    recorder?.inserted(table: UInt32(index), key: key)
    return inserted.place
  }

  private struct Inserted {
    var place: RowPlace
    var ref: NodeRef
    var split: NodeRef?
  }

  private func insert(_ key: Int64, _ ref: NodeRef, _ level: Int, isAppending: Bool) -> Inserted? {
    if level == 0 { return insert(key, cluster: ref, isAppending: isAppending) }
    let old = tree.branch(ref, from: space.knowledge)
    let at = old.place(of: key)
    guard
      let inserted = insert(key, old.child(at), level - 1, isAppending: isAppending)
    else { return nil }
    let opened = openBranch(ref, height: level)
    let branch = branch(opened)
    guard let split = inserted.split else {
      branch.set(
        at,
        Branch.Entry(
          key: min(key, branch.key(at)), child: inserted.ref, rows: branch.rows(at) + 1))
      return Inserted(place: inserted.place, ref: opened)
    }
    branch.set(at, entry(for: inserted.ref, height: level - 1))
    return Inserted(
      place: inserted.place, ref: opened,
      split: add(split, behind: at, to: opened, height: level))
  }

  private func insert(_ key: Int64, cluster ref: NodeRef, isAppending: Bool) -> Inserted? {
    let old = tree.cluster(ref, from: space.knowledge)
    let (at, isFound) = old.place(of: key, in: space)
    if isFound { return nil }
    let opened = clusters.open(ref)
    let cluster = Cluster(space.node(opened))
    guard isFull(cluster, at: at) else {
      clusters.insert(key, into: cluster, at: at)
      return Inserted(place: RowPlace(cluster: cluster, index: at), ref: opened)
    }
    if at == cluster.count {
      let next = clusters.make(count: 0, base: key)
      let other = Cluster(space.node(next))
      other.setNew(isSmall: cluster.limit == Cluster.small && !isAppending)
      clusters.insert(key, into: other, at: 0)
      return Inserted(place: RowPlace(cluster: other, index: 0), ref: opened, split: next)
    }
    if cluster.isNew { isScattered = true }
    let half = cluster.count / 2
    let right = clusters.split(cluster, at: half)
    let other = Cluster(space.node(right))
    let place =
      at <= half
      ? RowPlace(cluster: cluster, index: at) : RowPlace(cluster: other, index: at - half)
    clusters.insert(key, into: place.cluster, at: place.index)
    return Inserted(place: place, ref: opened, split: right)
  }
}
