import CShims

/// Brings the pending nodes of a write into their final, narrow form, children before parents.
///
/// A committed node is returned as it is, so the walk touches what was changed and nothing else.
struct Settler {
  let space: NodeSpace
  let sink: any NodeSink
  /// The table whose rows are settled.
  var table: UInt32 = 0
  /// Which rows are left of clusters whose other columns still have the values of all.
  var left = LeftRows()

  /// Writes a node and all pending ones below it; returns where it now lies.
  func settle(_ ref: NodeRef) -> NodeRef {
    guard ref.isPending else { return ref }
    let header = space.header(ref)
    switch header.kind {
    case NodeKind.ints: return ints(Column(space.node(ref))).0
    case NodeKind.bytes: return bytes(Column(space.node(ref))).0
    case NodeKind.fixed:
      let column = Column(space.node(ref))
      return copy(
        ref, header,
        payload: (column.hasNulls ? Column.bitmapBytes : 0) + column.count * Int(column.code))
    case NodeKind.refs: return refs(ref, header)
    case NodeKind.blob: return copy(ref, header, payload: header.bytes - NodeHeader.size)
    case NodeKind.branch: return branch(ref, header)
    case NodeKind.cluster: return cluster(ref)
    case NodeKind.pairs: return copy(ref, header, payload: Int(header.count) * rb_pair_bytes)
    case NodeKind.pairBranch: return pairBranch(ref, header)
    case NodeKind.listBranch: return listBranch(ref, header)
    default:
      invariant(false, "a node of kind \(header.kind) cannot be settled")
      return ref
    }
  }

  /// A place of so many bytes of payload, with the header written and the padding cleared.
  func place(_ header: NodeHeader, width: UInt8, payload: Int) -> (
    ref: NodeRef, payload: UnsafeMutableRawPointer
  ) {
    let bytes = NodeHeader.bytes(payload: payload)
    invariant(
      payload >= 0 && bytes >> 4 <= NodeHeader.largestUnits,
      "a node of \(payload) bytes is settled")
    let (ref, node) = sink.place(bytes: bytes)
    invariant(!ref.isPending, "a node is settled at \(ref.raw), which is no place")
    node.storeBytes(
      of: NodeHeader(
        kind: header.kind, width: width, count: header.count, units: bytes >> 4, born: header.born),
      as: NodeHeader.self)
    if bytes > NodeHeader.size {
      (node + bytes - 16).initializeMemory(as: UInt8.self, repeating: 0, count: 16)
    }
    return (ref, node + NodeHeader.size)
  }

  private func copy(_ ref: NodeRef, _ header: NodeHeader, payload: Int) -> NodeRef {
    let (placed, target) = place(header, width: header.width, payload: payload)
    target.copyMemory(from: space.payload(ref), byteCount: payload)
    return placed
  }

  // MARK: Inner nodes

  private func branch(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let old = Branch(space.node(ref))
    let count = old.count
    invariant(1...Branch.most ~= count, "a branch of \(count) children is settled")
    var pending = 0
    var last = 0
    for index in 0..<count where old.child(index).isPending {
      pending += 1
      last = index
    }
    if pending == 1 {
      // What nearly all small writes leave: one path.
      let child = settle(old.child(last))
      let (placed, payload) = place(
        header, width: UInt8(count), payload: count * Branch.entryBytes)
      let new = Branch(payload - NodeHeader.size)
      new.copy(from: old)
      new.setChild(last, child)
      return placed
    }
    let children = (0..<count).map { old.child($0) }
    let isLowest = space.header(children[0]).kind == NodeKind.cluster
    let settled = isLowest ? clusters(children) : children.map { settle($0) }
    let (placed, payload) = place(
      header, width: UInt8(count), payload: count * Branch.entryBytes)
    let new = Branch(payload - NodeHeader.size)
    new.copy(from: old)
    for index in 0..<count { new.setChild(index, settled[index]) }
    return placed
  }

  private func cluster(_ ref: NodeRef) -> NodeRef {
    let cluster = Cluster(space.node(ref))
    let columns = cluster.columnCount
    let first = cluster.key(0, in: space)
    let left = left.places(in: ref)
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: columns + 1) { slots in
      slots[0] = settledKeys(cluster, first: first).word
      for place in 0..<columns { slots[place + 1] = column(cluster.slot(place), left).word }
      let (placed, payload) = place(
        space.header(ref), width: 0,
        payload: Cluster.columnsOffset - NodeHeader.size + columns * 8)
      payload.storeBytes(of: first, as: Int64.self)
      (payload + 8).copyMemory(
        from: UnsafeRawPointer(slots.baseAddress!), byteCount: columns * 8 + 8)
      space.know(placed, table)
      return placed
    }
  }

  /// Settles the clusters of a branch column by column, so that the values of one property lie side
  /// by side for 8,192 rows: a scan then reads memory in order.
  private func clusters(_ refs: [NodeRef]) -> [NodeRef] {
    let pendingRefs = refs.filter(\.isPending)
    let pending = pendingRefs.map { Cluster(space.node($0)) }
    let left = pendingRefs.map { self.left.places(in: $0) }
    guard let widest = pending.map(\.columnCount).max() else { return refs }
    let width = widest + 1
    var slots = [ColumnSlot](repeating: ColumnSlot(word: 0), count: pending.count * width)
    var bases = [Int64](repeating: 0, count: pending.count)
    for (index, cluster) in pending.enumerated() {
      invariant(cluster.count > 0, "cluster \(index) of \(pending.count) in a branch has no row")
      bases[index] = cluster.key(0, in: space)
      slots[index * width] = settledKeys(cluster, first: bases[index])
    }
    for place in 0..<widest {
      for (index, cluster) in pending.enumerated() {
        slots[index * width + 1 + place] = column(cluster.slot(place), left[index])
      }
    }
    var settled = refs
    var next = 0
    for index in refs.indices where refs[index].isPending {
      let columns = pending[next].columnCount
      let (placed, payload) = place(
        space.header(refs[index]), width: 0,
        payload: Cluster.columnsOffset - NodeHeader.size + columns * 8)
      let node = payload - NodeHeader.size
      node.storeBytes(of: bases[next], toByteOffset: rb_cluster_base, as: Int64.self)
      for place in 0...columns {
        // The keys stand before the columns, as one of them.
        node.storeBytes(
          of: slots[next * width + place].word, toByteOffset: rb_cluster_keys + place * 8,
          as: UInt64.self)
      }
      space.know(placed, table)
      settled[index] = placed
      next += 1
    }
    return settled
  }

  /// Keys relative to the first; none where they follow each other without a gap.
  private func settledKeys(_ cluster: Cluster, first: Int64) -> ColumnSlot {
    let count = cluster.count
    if cluster.keys.isNone || cluster.key(count - 1, in: space) &- first == Int64(count - 1) {
      return ColumnSlot(word: 0)
    }
    guard cluster.keys.isPending else { return cluster.keySlot }
    invariant(
      cluster.key(count - 1, in: space) > first && count <= Cluster.most,
      "the last of \(count) keys, \(cluster.key(count - 1, in: space)), is not behind \(first)")
    let shift = first &- cluster.base
    if shift != 0 {
      let values = space.pendingPayload(cluster.keys)
      for index in 0..<count {
        let key = values.load(fromByteOffset: index * 8, as: Int64.self)
        values.storeBytes(of: key &- shift, toByteOffset: index * 8, as: Int64.self)
      }
      cluster.setBase(first)
    }
    return column(cluster.keySlot)
  }

  /// Settles a tree of pairs level by level: its branches lie side by side, so that those above the
  /// leaves, of which a lookup needs one like any other, share pages of memory instead of having
  /// one each.
  private func pairBranch(_ root: NodeRef, _ header: NodeHeader) -> NodeRef {
    func pendingChildren(_ refs: [NodeRef]) -> [NodeRef] {
      refs.flatMap { ref in
        let branch = PairBranch(space.node(ref))
        return (0..<branch.count).lazy.map { branch.child($0) }.filter(\.isPending)
      }
    }
    var levels = [[root]]
    for _ in 1..<Int(header.width) { levels.append(pendingChildren(levels[levels.count - 1])) }
    var settled = pendingChildren(levels[levels.count - 1]).map { settle($0) }
    while let level = levels.popLast() {
      var next = 0
      let children = settled.count
      settled = level.map { pairBranch($0, children: settled, from: &next) }
      invariant(next == children, "\(next) of \(children) nodes below a level of pairs are in it")
    }
    return settled[0]
  }

  /// Settles a branch of pairs whose pending children, all settled, stand in a list from an index
  /// on.
  private func pairBranch(_ ref: NodeRef, children: [NodeRef], from next: inout Int) -> NodeRef {
    let old = PairBranch(space.node(ref))
    let header = space.header(ref)
    let (placed, payload) = place(
      header, width: header.width, payload: old.count * PairBranch.entryBytes)
    let new = PairBranch(payload - NodeHeader.size)
    for index in 0..<old.count {
      var child = old.child(index)
      if child.isPending {
        child = children[next]
        next += 1
      }
      new.set(index, PairBranch.Entry(first: old.first(index), child: child))
    }
    return placed
  }

  private func listBranch(_ ref: NodeRef, _ header: NodeHeader) -> NodeRef {
    let old = ListBranch(space.node(ref))
    invariant(1...ListBranch.most ~= old.count, "a list's branch of \(old.count) is settled")
    let settled = (0..<old.count).map { settle(old.child($0)) }
    let (placed, payload) = place(
      header, width: header.width, payload: settled.count * ListBranch.entryBytes)
    let new = ListBranch(payload - NodeHeader.size)
    for (index, child) in settled.enumerated() {
      new.set(index, ListBranch.Entry(child: child, values: old.values(index)))
    }
    return placed
  }
}
