/// Deleting rows, and packing what inserting left scattered.
extension TableWriter {
  /// Whether a row that is deleted next stays in the tree, and who keeps something of its values
  /// sees to that when it leaves (`rowsLeave`).
  func letsRowsLeaveLater() -> Bool {
    if arrivals != nil { putInOrder() }
    return height > 0
  }

  /// Deletes a row; false if there is none. Small trees that it refers to must have been let go
  /// before.
  ///
  /// Where there are more than one cluster, it stays in the tree until the rows are asked for in
  /// order (`LeavingRows`).
  @discardableResult
  func delete(_ key: Int64) -> Bool {
    if arrivals != nil { putInOrder() }
    if root.isNone { return false }
    if !isFound(key), !seek(key) { return false }
    if height > 0 {
      if uncountedLeaving == nil { leaving = LeavingRows() }
      if uncountedLeaving?._withUnsafeGuaranteedRef({ $0.add(key) }) != true { return false }
      // Whoever inserts lets them leave before, and is not to come by that.
      cursor.pointee.room = 0
    } else {
      takeOut(key)
    }
    count -= 1
    structureChanged()
    uncountedRecorder?._withUnsafeGuaranteedRef { $0.deleted(table: UInt32(index), key: key) }
    return true
  }

  /// Moves the cursor to a row; false if it is not in the tree.
  private func seek(_ key: Int64) -> Bool {
    if !cursor.pointee.covers(key) { cursor.pointee.seek(key, in: tree) }
    return cursor.pointee.cluster.map { Cluster($0).place(of: key, in: space).isFound } ?? false
  }

  /// Takes the rows out of the tree that are leaving it. Places are no longer true.
  func letLeave() {
    guard let leaving else { return }
    self.leaving = nil
    let keys = leaving.sorted()
    rowsLeave?(keys)
    if keys.count < 4 {
      for key in keys { takeOut(key) }
    } else {
      takeOut(keys)
    }
    structureChanged()
    rowsMoved?()
  }

  /// The same where the tree is settled next: what is left of the clusters that have not been
  /// changed otherwise, for the settler.
  func letLeaveAtLast() -> LeftRows {
    // Others come into the tree behind them, and may come into any cluster.
    if leaving == nil || arrivals != nil { return LeftRows() }
    return clusters.settlingNext { letLeave() }
  }

  /// Takes a row out of the tree that is there.
  private func takeOut(_ key: Int64) {
    if takeOutInPlace(key) { return }
    cursor.pointee.drop()
    (root, height) = delete(key, root, height).map { lowered($0, height: height) } ?? (.none, 0)
  }

  /// The same where nothing but its cluster, and what the branches above know of that, has to
  /// change; false if more has to.
  private func takeOutInPlace(_ key: Int64) -> Bool {
    if !cursor.pointee.covers(key) { cursor.pointee.seek(key, in: tree) }
    guard let node = cursor.pointee.cluster else { return false }
    let (at, isFound) = Cluster(node).place(of: key, in: space)
    // A small one is joined with a neighbour, or goes.
    if !isFound || Cluster(node).count <= Cluster.most / 4 { return false }
    openPath()
    guard let node = cursor.pointee.cluster else { return false }
    let cluster = Cluster(node)
    clusters.remove(at: at, from: cluster)
    let first = cluster.key(0, in: space)
    var isFirst = at == 0
    for level in stride(from: cursor.pointee.height - 1, through: 0, by: -1) {
      let step = cursor.pointee.steps[level]
      step.branch.count(-1, in: step.index, .max)
      if isFirst { step.branch.setKey(step.index, first) }
      isFirst = isFirst && step.index == 0
    }
    return true
  }

  private func delete(_ key: Int64, _ old: NodeRef, _ level: Int) -> NodeRef? {
    if level > 0 {
      let ref = openBranch(old, height: level)
      let branch = branch(ref)
      let at = branch.place(of: key)
      let child = delete(key, branch.child(at), level - 1)
      return putBack(child, at: at, in: ref, height: level)
    }
    if !old.isPending { look(at: old, height: 0) }
    let ref = clusters.open(old)
    let cluster = Cluster(space.node(ref))
    let (at, isFound) = cluster.place(of: key, in: space)
    if !isFound { space.damaged(old, "has no row \(key), which was found a moment ago") }
    clusters.remove(at: at, from: cluster)
    if cluster.count > 0 { return ref }
    arena.discard(ref)
    return nil
  }

  // MARK: Many at once

  /// Those of some rows that are there, by ascending keys and each once, and where they lie.
  func ascending(_ keys: [Int64]) -> [(key: Int64, place: RowPlace)] {
    putInOrder()
    var keys = keys
    if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { keys.sort() }
    return inTree(keys)
  }

  /// The same of keys that ascend, whether or not their rows are leaving.
  func inTree(_ keys: [Int64]) -> [(key: Int64, place: RowPlace)] {
    var rows: [(key: Int64, place: RowPlace)] = []
    rows.reserveCapacity(keys.count)
    var last: Cluster?
    for key in keys where rows.last?.key != key {
      if let last {
        let (index, isFound) = last.place(of: key, in: space)
        if isFound {
          rows.append((key, RowPlace(cluster: last, index: index)))
          continue
        }
      }
      guard let place = tree.find(key) else { continue }
      last = place.cluster
      rows.append((key, place))
    }
    return rows
  }

  /// Deletes rows that are there, by ascending keys: each node above them is changed once. Small
  /// trees that they refer to must have been let go before.
  func delete(_ keys: [Int64]) {
    putInOrder()
    if keys.isEmpty { return }
    invariant(
      zip(keys, keys.dropFirst()).allSatisfy(<),
      "\(keys.count) rows of table \(index) are deleted in no order")
    takeOut(keys)
    count -= keys.count
    structureChanged()
    for key in keys { recorder?.deleted(table: UInt32(index), key: key) }
  }

  /// Takes rows out of the tree that are there, by ascending keys.
  private func takeOut(_ keys: [Int64]) {
    cursor.pointee.drop()
    let left = keys.withUnsafeBufferPointer {
      delete(Slice(base: $0, bounds: 0..<$0.count), root, height)
    }
    (root, height) = left.map { lowered($0, height: height) } ?? (.none, 0)
  }

  private typealias Keys = Slice<UnsafeBufferPointer<Int64>>

  private func delete(_ keys: Keys, _ old: NodeRef, _ level: Int) -> NodeRef? {
    if level == 0 { return delete(keys, cluster: old) }
    let ref = openBranch(old, height: level)
    let branch = branch(ref)
    var keys = keys
    var kept = 0
    for at in 0..<branch.count {
      var entry = branch.entry(at)
      let end =
        at + 1 < branch.count
        ? keys.firstIndex { $0 >= branch.key(at + 1) } ?? keys.endIndex : keys.endIndex
      if end > keys.startIndex {
        guard let child = delete(keys[..<end], entry.child, level - 1) else {
          keys = keys[end...]
          continue
        }
        entry = self.entry(for: child, height: level - 1)
        keys = keys[end...]
      }
      branch.set(kept, entry)
      kept += 1
    }
    branch.setCount(kept)
    if kept == 0 {
      arena.discard(ref)
      return nil
    }
    joinSmall(in: branch, height: level)
    return ref
  }

  private func delete(_ keys: Keys, cluster old: NodeRef) -> NodeRef? {
    let before = tree.cluster(old, from: space.knowledge)
    if keys.count == before.count {
      discardTree(old, arena: arena)
      return nil
    }
    let ref = clusters.open(old)
    clusters.remove(keys, from: Cluster(space.node(ref)))
    return ref
  }

  /// Deletes all rows. Everything that they refer to goes with them.
  func deleteAll() {
    rows.forEachCluster { cluster, _ in
      for at in 0..<cluster.count {
        recorder?.deleted(table: UInt32(index), key: cluster.key(at, in: space))
      }
      return true
    }
    cursor.pointee.drop()
    discardTree(root, arena: arena)
    (root, height, count) = (.none, 0, 0)
    structureChanged()
  }

  // MARK: Packing

  /// Joins the small clusters that rows inserted in no order have left behind.
  func pack() {
    guard isScattered else { return }
    isScattered = false
    structureChanged()
    pack(root, height)
    (root, height) = lowered(root, height: height)
  }

  private func pack(_ ref: NodeRef, _ level: Int) {
    guard ref.isPending, level > 0 else { return }
    let branch = branch(ref)
    for at in 0..<branch.count { pack(branch.child(at), level - 1) }
    let most = level == 1 ? Cluster.most : Branch.most
    var last = 0
    for at in 1..<max(branch.count, 1) {
      let (one, other) = (branch.child(last), branch.child(at))
      if isLoose(one, level - 1) && isLoose(other, level - 1),
        count(of: one) + count(of: other) <= most
      {
        let joined = join(one, other, height: level - 1)
        branch.set(
          last,
          Branch.Entry(
            key: branch.key(last), child: joined, rows: branch.rows(last) + branch.rows(at)))
      } else {
        last += 1
        branch.set(last, branch.entry(at))
      }
    }
    branch.setCount(last + 1)
  }

  private func isLoose(_ ref: NodeRef, _ level: Int) -> Bool {
    ref.isPending && (level > 0 || Cluster(space.node(ref)).isNew)
  }
}
