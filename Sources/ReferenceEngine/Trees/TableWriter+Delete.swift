/// Deleting rows, and packing what inserting left scattered.
extension TableWriter {
  /// Deletes a row; false if there is none. Small trees that it refers to must have been let go
  /// before.
  @discardableResult
  func delete(_ key: Int64) -> Bool {
    putInOrder()
    guard !root.isNone, rows.find(key) != nil else { return false }
    cursor.pointee.drop()
    (root, height) = delete(key, root, height).map { lowered($0, height: height) } ?? (.none, 0)
    count -= 1
    structureChanged()
    recorder?.deleted(table: UInt32(index), key: key)
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
