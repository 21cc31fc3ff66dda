import CShims

/// A row ahead of a walk: its key, and where it lies in the state of the session that the walk was
/// filled in.
@frozen @usableFromInline
struct WalkEntry {
  @usableFromInline var key: Int64
  @usableFromInline var place: UnsafeRawPointer
  @usableFromInline var row: UInt32

  @inlinable @inline(__always)
  init(key: Int64, place: UnsafeRawPointer, row: UInt32) {
    (self.key, self.place, self.row) = (key, place, row)
  }
}

/// The part of a walk that every step touches, in memory of its own: no reference is counted to
/// reach it.
@frozen @usableFromInline
struct WalkState {
  @usableFromInline var entries: UnsafeMutablePointer<WalkEntry>
  /// The cluster ahead, where its keys follow each other without a gap: its entries need not be
  /// written down. Its keys begin with `base`.
  @usableFromInline var cluster: UnsafeRawPointer?
  @usableFromInline var base: Int64 = 0
  @usableFromInline var next = 0
  @usableFromInline var filled = 0
  /// The state of the session in which the entries were found.
  @usableFromInline var generation: UInt32 = 0
  @usableFromInline var hot: UnsafeMutablePointer<HotLine>
  /// The object that is given out again and again while nobody else holds it; nil where that would
  /// be seen.
  @usableFromInline var object: Unmanaged<ObjectBase>?
  @usableFromInline var header: UnsafeMutablePointer<ObjectHeader>
  /// The object's reference count word while the walk alone holds it.
  @usableFromInline var soleCount: UInt = 0
  /// The same word while a loop's body holds it, too.
  @usableFromInline var pairCount: UInt = 0
  /// The walk that the state belongs to, which outlives it.
  @usableFromInline var walk: Unmanaged<RowWalk>?

  /// A row ahead.
  @inlinable @inline(__always)
  func entry(_ index: Int) -> WalkEntry {
    guard let cluster else { return entries[index] }
    return WalkEntry(
      key: base &+ Int64(truncatingIfNeeded: index), place: cluster,
      row: UInt32(truncatingIfNeeded: index))
  }

  /// The reference count word of the object.
  @inlinable @inline(__always)
  var count: UInt {
    rb_count_word(UnsafeRawPointer(header) - 16)
  }

  /// Counts one more reference to the object, which the walk alone holds: nobody else counts at the
  /// same time, so a plain store does what takes the runtime an atomic addition.
  @inlinable @inline(__always)
  func retainAlone() {
    rb_set_count_word(UnsafeMutableRawPointer(header) - 16, pairCount)
  }

  /// The object at the next row where it cannot just be moved there.
  @inlinable @inline(__always)
  func advance() -> Unmanaged<ObjectBase>? {
    walk.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.advance() }
  }

  /// Moves the object to the next row; false where it is held elsewhere, the row is gone or has to
  /// be looked for.
  @inlinable @inline(__always)
  mutating func moved() -> Bool {
    let index = next
    guard
      index != filled && object != nil && generation == hot.pointee.generation
        && count == soleCount
    else { return false }
    let entry = self.entry(index)
    if _slowPath(entry.row == .max) { return false }
    next = index &+ 1
    header.pointee.place = entry.place
    header.pointee.generation = generation
    header.pointee.row = UInt16(truncatingIfNeeded: entry.row)
    header.pointee.columns = UInt16(truncatingIfNeeded: rb_row_columns(entry.place))
    header.pointee.origin = entry.key &- Int64(entry.row)
    return true
  }
}

/// Walks the objects of a `Results` as they were when the walk began.
///
/// Keys come from the rows as they were: from the committed version, kept pinned, or inside a write
/// from a list made at the start. Objects show what is there now. One object is moved from row to
/// row as long as nobody keeps it, so a loop allocates nothing; whoever keeps it has it for good,
/// and the walk goes on with another.
@usableFromInline
final class RowWalk {
  private let session: Session
  private let table: BoundClass
  /// The clusters ahead; nil where the keys are listed.
  private var clusters: ClusterWalk?
  /// The keys of the rows, and how many of them were looked up.
  private var keys: [Int64] = []
  private var listed = 0
  /// Keeps the version that the clusters belong to.
  private let snapshot: Snapshot?
  /// The state of the session in which the clusters are those that are shown.
  private let startGeneration: UInt32
  /// The number of the session's write then.
  private let birth: UInt32
  /// The session's life that the walk belongs to.
  private let epoch: UInt32
  private let isPooled: Bool
  private var object: ObjectBase?
  /// The cluster in which the last row of a write was found, and the state of the table's rows
  /// then: as long as that is the same, rows are where they were.
  private var lastFound: (cluster: Cluster, write: UInt32, structure: UInt64)?
  @usableFromInline let state: UnsafeMutablePointer<WalkState>

  static let batch = 256

  /// - Parameter positions: of the members to walk, if not all.
  init(_ results: ResultsState, of table: BoundClass, at positions: [Int]? = nil) {
    session = results.session
    self.table = table
    let isLong =
      positions == nil && results.isWhole && !session.isInWrite && results.count > RowWalk.batch
    snapshot = isLong && !session.isFrozen ? session.committedSnapshot : nil
    // Asked for behind that: what waited for its place in the file has just come there.
    switch results.answer() {
    case .whole(let rows) where isLong && !rows.areWaiting: clusters = ClusterWalk(rows)
    case .whole(let rows): keys = ResultsState.allKeys(rows)
    case .keys(let found): keys = found
    case .values: break
    }
    if let positions { keys = positions.map { [keys] in keys[$0] } }
    startGeneration = session.generation
    birth = session.writes.number
    epoch = session.epoch
    isPooled = CountWord.step != 0 && ModelStorage.isPersistedOnly(table.layout.type)
    let entries = UnsafeMutablePointer<WalkEntry>.allocate(capacity: RowWalk.batch)
    state = .allocate(capacity: 1)
    state.initialize(
      to: WalkState(
        entries: entries, hot: session.hot,
        header: UnsafeMutableRawPointer(entries).assumingMemoryBound(to: ObjectHeader.self)))
    state.pointee.walk = .passUnretained(self)
  }

  deinit {
    state.pointee.entries.deallocate()
    state.deallocate()
  }

  /// The object at the next row where it cannot just be moved there: at the end of a batch, or if
  /// somebody kept it.
  @usableFromInline @inline(never)
  func advance() -> Unmanaged<ObjectBase>? {
    if state.pointee.next == state.pointee.filled {
      guard refill() else { return nil }
      if state.pointee.moved() { return state.pointee.object }
    }
    state.pointee.next += 1
    if let moved = movedAnew() { return moved }
    let made = make()
    noteCounts()
    return made
  }

  /// Moves the object to the row before `next` although something was changed since the rows were
  /// looked up, as each value is that the loop's body sets; nil where the object is held elsewhere
  /// or of another write, or the row is gone.
  private func movedAnew() -> Unmanaged<ObjectBase>? {
    guard session.isInWrite, state.pointee.object != nil,
      state.pointee.count == state.pointee.soleCount
    else { return nil }
    let header = state.pointee.header
    guard header.pointee.birth == session.writes.number, header.pointee.epoch == session.epoch
    else { return nil }
    let key = state.pointee.entry(state.pointee.next - 1).key
    guard !hasGone(key), let place = placeInWrite(key) else { return nil }
    ObjectHeader.notePlace(header, key, place)
    return state.pointee.object
  }

  /// Whether a row has gone since the walk began, as all have with the session's life, or never
  /// was, as its write came to nothing: who has its key by now was no member then.
  func hasGone(_ key: Int64) -> Bool {
    epoch != session.epoch || session.departures.have(key, of: table, after: startGeneration)
      || session.writes.haveTakenBack(key, of: table, since: birth)
  }

  /// Where a row lies in the write: mostly in the cluster of the one before.
  private func placeInWrite(_ key: Int64) -> RowPlace? {
    guard let number = table.number, let writer = session.uncountedWriter(number) else {
      return nil
    }
    return writer._withUnsafeGuaranteedRef { place(of: key, in: $0) }
  }

  @inline(__always)
  private func place(of key: Int64, in writer: TableWriter) -> RowPlace? {
    // Rows that came in no order are in no order there.
    if writer.arrivals != nil { return writer.locate(key) }
    // One that was deleted may lie beside the last one yet.
    if writer.isLeaving(key) { return nil }
    if let last = lastFound, last.structure == writer.structure,
      last.write == session.writes.number
    {
      let (row, isFound) = last.cluster.place(of: key, in: writer.space)
      if isFound { return RowPlace(cluster: last.cluster, index: row) }
    }
    let place = writer.locate(key)
    lastFound = place.map { ($0.cluster, session.writes.number, writer.structure) }
    return place
  }

  /// Looks ahead for the next rows; false at the end.
  private func refill() -> Bool {
    session.verify(at: .readCollection)
    state.pointee.next = 0
    state.pointee.filled = 0
    state.pointee.cluster = nil
    state.pointee.generation = session.generation
    if clusters != nil {
      // Where it is: a copy would have to be made of the path, a cluster each.
      guard let cluster = clusters?.next() else { return false }
      fill(from: cluster)
      return true
    }
    let end = min(listed + RowWalk.batch, keys.count)
    guard listed < end else { return false }
    fill(from: keys[listed..<end])
    listed = end
    return true
  }

  private func fill(from cluster: Cluster) {
    let count = cluster.count
    if cluster.keys.isNone {
      state.pointee.cluster = cluster.node
      state.pointee.base = cluster.base
    } else {
      let entries = state.pointee.entries
      let space = NodeSpace(base: state.pointee.hot.pointee.base)
      for row in 0..<count {
        entries[row] = WalkEntry(
          key: cluster.key(row, in: space), place: cluster.node,
          row: UInt32(truncatingIfNeeded: row))
      }
    }
    state.pointee.filled = count
    // The rows are as they were, but the places may be elsewhere by now.
    if state.pointee.generation != startGeneration { state.pointee.generation = 0 }
  }

  private func fill(from keys: ArraySlice<Int64>) {
    let entries = state.pointee.entries
    var filled = 0
    let rows = session.rows(of: table)
    var last: Cluster?
    for key in keys {
      var place: RowPlace?
      if let cluster = last, let rows {
        let (row, isFound) = cluster.place(of: key, in: rows.space)
        if isFound { place = RowPlace(cluster: cluster, index: row) }
      }
      if place == nil { place = rows?.find(key) }
      if place != nil, hasGone(key) { place = nil }
      // The version that is shown lists it, so it must be there.
      if place == nil, state.pointee.generation == startGeneration, !session.isInWrite {
        session.refuseLost(key)
      }
      last = place?.cluster
      entries[filled] = WalkEntry(
        key: key, place: place?.cluster.node ?? UnsafeRawPointer(entries),
        row: place.map { UInt32(truncatingIfNeeded: $0.index) } ?? .max)
      filled += 1
    }
    state.pointee.filled = filled
  }

  /// The object of the entry before `next`, where it cannot be had by moving the last one.
  @inline(never)
  private func make() -> Unmanaged<ObjectBase> {
    let entry = state.pointee.entry(state.pointee.next - 1)
    let isCurrent = state.pointee.generation == session.generation
    let place: RowPlace?
    if isCurrent {
      place =
        entry.row == .max ? nil : RowPlace(cluster: Cluster(entry.place), index: Int(entry.row))
    } else if hasGone(entry.key) {
      place = nil
    } else {
      place =
        session.isInWrite
        ? placeInWrite(entry.key) : session.rows(of: table)?.find(entry.key)
    }
    let made = table.layout.type.init()
    if let place {
      session.attach(made, to: table, entry.key, place)
    } else {
      // The row is gone: the object is one that was deleted.
      session.attach(
        made, to: table, entry.key,
        RowPlace(cluster: Cluster(UnsafeRawPointer(state.pointee.entries)), index: 0))
      made._header.pointee.generation = 0
      made._header.pointee.instant = 0
      made._header.pointee.birth = birth
      made._header.pointee.epoch = epoch
    }
    object = made
    let kept = Unmanaged.passUnretained(made)
    guard isPooled, place != nil else {
      state.pointee.object = nil
      return kept
    }
    state.pointee.object = kept
    state.pointee.header = made._header
    return kept
  }

  /// Notes the count word of the object while the walk alone holds it, and while somebody else
  /// does, too.
  private func noteCounts() {
    if state.pointee.object == nil { return }
    state.pointee.soleCount = state.pointee.count
    state.pointee.pairCount = state.pointee.count &+ CountWord.step
  }
}

/// The word in which an object's references are counted: the runtime's own affair, so what is
/// relied on is measured.
enum CountWord {
  /// What one more reference adds; 0 if it is not that simple.
  static let step = measured()

  private final class Probe {}

  // Not optimised, because the optimiser knows that the two references come to nothing.
  @inline(never) @_optimize(none)
  private static func measured() -> UInt {
    let probe = Unmanaged.passRetained(Probe())
    let one = rb_count_word(probe.toOpaque())
    _ = probe.retain()
    let two = rb_count_word(probe.toOpaque())
    _ = probe.retain()
    let three = rb_count_word(probe.toOpaque())
    for _ in 0..<3 { probe.release() }
    return three &- two == two &- one ? two &- one : 0
  }
}
