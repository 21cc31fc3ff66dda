import CShims

/// Changes the clusters of the running write: their rows, in all columns at once.
///
/// Every call takes clusters that are pending, but for `open`, which makes them so.
///
/// A class, though it changes with the columns alone: a copy of it would be made, and counted, for
/// every row that is inserted.
final class ClusterWriter {
  let arena: NodeArena
  @exclusivity(unchecked) private(set) var columns: [ColumnWriter]

  let keys: ColumnWriter
  let space: NodeSpace
  /// While rows leave a tree that is settled right after: what is left of the clusters that they
  /// leave. Nil at any other time.
  @exclusivity(unchecked) private var left: LeftRows?

  init(arena: NodeArena, specs: [ColumnSpec]) {
    self.arena = arena
    space = arena.space
    columns = specs.map { ColumnWriter(arena: arena, spec: $0) }
    keys = ColumnWriter(arena: arena, spec: .int)
  }

  func addColumn(_ spec: ColumnSpec) {
    columns.append(ColumnWriter(arena: arena, spec: spec))
  }

  // MARK: Making

  /// The cluster as a pending one, with a place for each column.
  func open(_ ref: NodeRef) -> NodeRef {
    let old = Cluster(space.node(ref))
    if ref.isPending && old.columnCount >= columns.count { return ref }
    let opened = make(count: old.count, base: old.base)
    let cluster = Cluster(space.node(opened))
    cluster.setKeySlot(old.keySlot)
    for column in 0..<min(columns.count, old.columnCount) {
      cluster.setSlot(column, old.slot(column))
    }
    arena.discard(ref)
    return opened
  }

  func make(count: Int, base: Int64) -> NodeRef {
    invariant(0...Cluster.most ~= count, "a cluster of \(count) rows is made")
    let payload = rb_cluster_columns - rb_node_payload + columns.count * 8
    let ref = arena.make(kind: NodeKind.cluster, count: count, payload: payload)
    space.pendingPayload(ref)
      .initializeMemory(as: UInt8.self, repeating: 0, count: arena.capacity(of: ref))
    Cluster(space.node(ref)).setBase(base)
    return ref
  }

  /// The keys of an opened cluster as a column of their own, even if they follow each other without
  /// a gap.
  private func openKeys(_ cluster: Cluster) -> NodeRef {
    if cluster.keys.isNone {
      let ref = keys.make(count: cluster.count, room: cluster.limit)
      for at in 0..<cluster.count { keys.setInt(ref, at, Int64(at)) }
      cluster.setKeys(ref, in: space)
    } else {
      cluster.setKeys(
        keys.open(cluster.keys, count: cluster.count, room: cluster.limit), in: space)
    }
    return cluster.keys
  }

  // MARK: Rows

  /// Inserts a row of nulls and zeros.
  func insert(_ key: Int64, into cluster: Cluster, at place: Int) {
    let count = cluster.count
    invariant(
      count < Cluster.most && 0...count ~= place, "a row comes at \(place) of \(count)")
    let followsDensely =
      cluster.keys.isNone && place == count && (count == 0 || key &- cluster.base == Int64(count))
    if followsDensely {
      if count == 0 { cluster.setBase(key) }
    } else {
      let ref = keys.insert(openKeys(cluster), at: place)
      keys.setInt(ref, place, key &- cluster.base)
      cluster.setKeys(ref, in: space)
    }
    for column in columns.indices {
      let ref = cluster.column(column)
      if ref.isNone { continue }
      let opened = columns[column].open(ref, count: count, room: cluster.limit)
      let grown = columns[column].insert(opened, at: place)
      if grown != ref { cluster.setColumn(column, grown, in: space) }
    }
    cluster.setCount(count + 1)
  }

  /// Removes a row. Small trees that it refers to must have been let go before.
  func remove(at place: Int, from cluster: Cluster) {
    let count = cluster.count
    invariant(0..<count ~= place, "row \(place) of \(count) goes")
    if !(cluster.keys.isNone && place == count - 1) {
      cluster.setKeys(keys.remove(openKeys(cluster), at: place), in: space)
    }
    for column in columns.indices {
      let ref = cluster.column(column)
      if ref.isNone { continue }
      let opened = columns[column].open(ref, count: count)
      let left = columns[column].remove(opened, at: place)
      cluster.setColumn(column, left, in: space)
    }
    cluster.setCount(count - 1)
    if count == 1 { discardColumns(cluster) }
  }

  /// Removes rows that are there, by ascending keys, but not all. Small trees that they refer to
  /// must have been let go before.
  func remove(_ gone: some Collection<Int64>, from cluster: Cluster) {
    let count = cluster.count
    let mayStay = self.left != nil
    let left = placesLeft(by: gone, in: cluster)
    invariant(
      left.count + gone.count == count && !left.isEmpty,
      "of \(count) rows \(gone.count) go, and \(left.count) are left")
    keepKeys(left, of: cluster)
    var stays = false
    for column in columns.indices {
      let slot = cluster.slot(column)
      if slot.isNone { continue }
      if mayStay, columns[column].canSettle(slot) {
        stays = true
      } else {
        keep(left, in: column, of: cluster, count)
      }
    }
    cluster.setCount(left.count)
    if stays { self.left?.note(left, of: space.ref(to: cluster.node)) }
  }

  /// Where the rows stand that are left when others go, by ascending keys.
  private func placesLeft(by gone: some Collection<Int64>, in cluster: Cluster) -> PlaceRuns {
    if cluster.keys.isNone { return placesLeft(by: gone, in: cluster, nil) }
    return withOffsets(of: cluster) { placesLeft(by: gone, in: cluster, $0) }
  }

  /// - Parameter offsets: The keys relative to the base; nil if they are the places.
  @inline(__always)
  private func placesLeft(
    by gone: some Collection<Int64>, in cluster: Cluster, _ offsets: UnsafePointer<Int64>?
  ) -> PlaceRuns {
    let (count, base) = (cluster.count, cluster.base)
    var left = PlaceRuns(roomFor: min(gone.count, count - gone.count) + 1)
    var next = 0
    for key in gone {
      let offset = key &- base
      var place = next
      if let offsets {
        while place < count, offsets[place] != offset { place &+= 1 }
      } else {
        place = offset >= Int64(next) && offset < Int64(count) ? Int(offset) : count
      }
      if place == count { continue }
      left.add(next..<place)
      next = place + 1
    }
    left.add(next..<count)
    return left
  }

  /// Calls the body with the keys of a cluster that has a column of them, relative to its base:
  /// to find out what form they have for each of them took longer than all else that is done with
  /// them.
  @inline(__always)
  private func withOffsets<Found>(
    of cluster: Cluster, _ body: (UnsafePointer<Int64>) -> Found
  ) -> Found {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: Cluster.most) { offsets in
      // Not empty, so that it lies somewhere.
      let start = offsets.baseAddress!
      let column = Column(space.node(cluster.keys))
      rb_scan_widen(column.values, UInt32(column.code), cluster.count, start)
      return body(start)
    }
  }

  /// Keeps the keys of the rows that are left.
  private func keepKeys(_ left: PlaceRuns, of cluster: Cluster) {
    let old = cluster.keys
    if old.isPending {
      keys.keep(left, in: old)
      return cluster.setKeys(old, in: space)
    }
    if old.isNone, left.runs.count == 1, let run = left.runs.first {
      return cluster.setBase(cluster.base + Int64(run.lowerBound))
    }
    let ref = keys.make(count: left.count, room: cluster.limit)
    let values = keys.values(ref)
    if old.isNone {
      var at = 0
      for run in left.runs {
        for place in run {
          values.storeBytes(of: Int64(place), toByteOffset: at, as: Int64.self)
          at &+= 8
        }
      }
    } else {
      withOffsets(of: cluster) { left.gather(from: $0, to: values, each: 8) }
      arena.discard(old)
    }
    cluster.setKeys(ref, in: space)
  }

  private func keep(_ left: PlaceRuns, in column: Int, of cluster: Cluster, _ count: Int) {
    let opened = columns[column].open(cluster.column(column), count: count)
    columns[column].keep(left, in: opened)
    cluster.setColumn(column, opened, in: space)
  }

  // MARK: Rows that leave at last

  /// Lets rows leave a tree that is settled right after: columns that the write has not changed
  /// stay as they are, and settling takes from them what is left. To make a wide copy of each, and
  /// narrow ones of those, was a quarter of a transaction that deletes a tenth of a table.
  ///
  /// - Parameter body: Removes the rows, from no cluster twice.
  /// - Returns: What is left of the clusters with such columns.
  func settlingNext(_ body: () -> Void) -> LeftRows {
    left = LeftRows(born: arena.version)
    body()
    let left = left ?? LeftRows()
    self.left = nil
    left.each { ref, _ in
      let cluster = Cluster(space.node(ref))
      for column in 0..<cluster.columnCount where !cluster.slot(column).isPending {
        arena.discard(cluster.column(column))
      }
    }
    return left
  }

  /// Takes out of a cluster's columns what has left it, where that is still to be done.
  private func complete(_ ref: NodeRef) {
    guard let kept = left?.take(ref) else { return }
    let cluster = Cluster(space.node(ref))
    for column in columns.indices {
      let slot = cluster.slot(column)
      if slot.isNone || slot.isPending { continue }
      keep(kept, in: column, of: cluster, Column(slot.node(space.base)).count)
    }
  }

  private func discardColumns(_ cluster: Cluster) {
    arena.discard(cluster.keys)
    cluster.setKeys(.none, in: space)
    for column in columns.indices {
      arena.discard(cluster.column(column))
      cluster.setSlot(column, ColumnSlot(word: 0))
    }
  }

  // MARK: Splitting and joining

  /// Moves the rows from `keep` on into a new cluster.
  func split(_ cluster: Cluster, at keep: Int) -> NodeRef {
    let count = cluster.count
    invariant(0..<count ~= keep, "a cluster of \(count) rows is split at \(keep)")
    let base = cluster.key(keep, in: space)
    let right = make(count: count - keep, base: base)
    let other = Cluster(space.node(right))
    let room = cluster.isNew ? Cluster.small : Cluster.most
    if cluster.isNew {
      other.setNew(isSmall: true)
    }
    if !cluster.keys.isNone {
      let (left, moved) = keys.split(openKeys(cluster), at: keep, room: room)
      let shift = base &- cluster.base
      let column = Column(space.node(moved))
      for at in 0..<(count - keep) { keys.setInt(moved, at, column.int(at) &- shift) }
      cluster.setKeys(left, in: space)
      other.setKeys(moved, in: space)
    }
    for column in columns.indices where !cluster.column(column).isNone {
      let opened = columns[column].open(cluster.column(column), count: count)
      let (left, moved) = columns[column].split(opened, at: keep, room: room)
      cluster.setColumn(column, left, in: space)
      other.setColumn(column, moved, in: space)
    }
    cluster.setCount(keep)
    return right
  }

  /// Moves the rows of the second cluster behind those of the first and lets the second go.
  func join(_ one: NodeRef, _ other: NodeRef) -> NodeRef {
    complete(one)
    complete(other)
    let opened = open(one)
    let cluster = Cluster(space.node(opened))
    let right = Cluster(space.node(other))
    let (count, more) = (cluster.count, right.count)
    invariant(
      count + more <= Cluster.most, "\(count) and \(more) rows are joined in one cluster")
    if !(cluster.keys.isNone && right.keys.isNone && right.base &- cluster.base == Int64(count)) {
      let ref = keys.append(.none, count: more, to: openKeys(cluster), room: Column.most)
      for at in 0..<more {
        keys.setInt(ref, count + at, right.key(at, in: space) &- cluster.base)
      }
      cluster.setKeys(ref, in: space)
    }
    for column in columns.indices {
      let (left, moved) = (cluster.column(column), right.column(column))
      if left.isNone && moved.isNone { continue }
      let opened = columns[column].open(left, count: count)
      cluster.setColumn(
        column, columns[column].append(moved, count: more, to: opened, room: Column.most), in: space
      )
    }
    if cluster.isNew { cluster.setNew(isSmall: false) }
    cluster.setCount(count + more)
    arena.discard(right.keys)
    arena.discard(other)
    return opened
  }
}
