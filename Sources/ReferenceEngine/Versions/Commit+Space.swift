import CShims

/// Step 1 of a commit: knowing what is free.
extension Coordinator {
  /// So many records stay when others have the file open, to bring their writers up to date.
  private static let recordsKeptForOthers = 64
  /// More than so many are not kept, whoever still observes from before: who comes late compares
  /// the versions, and finds in a summary what was deleted.
  private static let recordsKeptAtMost = 512
  /// So many are summed up together, because each summary tells anew what the one before it told.
  private static let recordsSummedUp = 256

  /// The heap, true for the version that the write is based on.
  func readyHeap(for base: Root) throws -> Heap {
    // A heap that was made while there were readers without a pin takes all that the file holds for
    // used. When they are gone another one is made, which knows what is free.
    if let heap = writer.heap, heap.isBlind, writer.group.isEmpty, !lock.hasOutsiders {
      writer.heap = nil
    }
    // One is made, too, when another process has given up a commit: its nodes are read there yet,
    // and this heap would have them for free.
    if let heap = writer.heap, heap.losses != lock.losses { writer.heap = nil }
    if let heap = writer.heap {
      if heap.free.version == (writer.group.last?.root.version ?? base.version) { return heap }
      if !writer.group.isEmpty { return heap }
      if try catchUp(heap, to: base) { return heap }
    }
    writer.heap = nil
    let heap = try rebuildHeap(for: base)
    writer.heap = heap
    return heap
  }

  /// The records that a commit lets go, and what it tells in their place.
  struct DroppedRecords {
    var count = 0
    var summary: DeletionSummary?
  }

  /// Looks at the waiting nodes, if there are enough of them to be worth it, and returns which
  /// records may go, the oldest.
  func collectSpace(_ heap: Heap, for base: Root) -> DroppedRecords {
    let pinCount = lock.pinCount
    if heap.free.unexamined.count >= max(64, pinCount)
      || heap.free.unexaminedBytes >= max(1 << 18, Int(heap.free.map.end >> 4))
    {
      heap.examineWaiting()
    }
    // Asked once in so many commits, because the answer takes a look at every pin. Soon, all the
    // same: a record that stays splits the free space of its page. Counted from the last time, as
    // a flush may bring several.
    let count = writer.records.count
    writer.recordsAskedFor = min(writer.recordsAskedFor, count)
    guard writer.group.isEmpty, count >= writer.recordsAskedFor + max(16, pinCount / 8) else {
      return DroppedRecords()
    }
    let dropped = recordsToDrop(of: count, for: base)
    writer.recordsAskedFor = count - dropped.count
    return dropped
  }

  private func recordsToDrop(of count: Int, for base: Root) -> DroppedRecords {
    let kept = lock.processCount > 1 ? Coordinator.recordsKeptForOthers : 0
    let oldest = pins.oldestObserved() ?? board.newest
    let unneeded = writer.records.prefix { $0.born <= oldest }.count
    let excess = count - Coordinator.recordsKeptAtMost
    if excess >= Coordinator.recordsSummedUp, unneeded < excess {
      return sumUp(excess, of: base, oldest: oldest)
    }
    return DroppedRecords(count: max(0, min(count - kept, unneeded)))
  }

  /// The tables in which a row may have the key of one that was deleted; nil if nobody knows.
  /// Inside the gate.
  ///
  /// Those of the newest version: a later one that is sealed need not be in the file yet, and of a
  /// table that only that one has nobody else knows a row.
  func tablesOfReusedKeys() -> Set<UInt32>? {
    configuration.tablesOfReusedKeys?(Top(space: space, ref: board.newestRoot.top))
  }

  /// Lets records go that somebody still needs, who finds what they told of deletions in what is
  /// told in their place.
  ///
  /// - Parameter oldest: The oldest version from which anybody observes.
  private func sumUp(_ count: Int, of base: Root, oldest: VersionID) -> DroppedRecords {
    invariant(
      base.version == board.newest,
      "records behind \(base.version) are summed up, and \(board.newest) is the newest")
    let last = writer.records[writer.records.startIndex + count - 1].born
    let logs = ChangeLog.those(from: base, downTo: VersionID(0), in: space).logs
    guard let tables = tablesOfReusedKeys() else { return DroppedRecords(count: count) }
    let top = Top(space: space, ref: base.top)
    let summary = DeletionSummary(
      of: logs.reversed().filter { $0.version <= last },
      after: logs.lazy.compactMap(\.summary).first, of: tables, oldest: oldest
    ) { top.table(Int($0))?.rows }
    return DroppedRecords(
      count: count, summary: summary.runs.count <= DeletionSummary.most ? summary : nil)
  }

  /// Follows what other processes committed since our last write. False if that is not possible.
  private func catchUp(_ heap: Heap, to base: Root) throws -> Bool {
    guard let logs = ChangeLog.chain(from: base, downTo: heap.free.version, in: space),
      logs.allSatisfy(\.knowsSpace)
    else { return false }
    // A reader without a pin may read yet what the other one has let go of since, and this heap
    // would give away.
    if lock.hasOutsiders { return false }
    try heap.measure()
    for (log, ref) in zip(logs, [base.log] + logs.map(\.before)).reversed() {
      for run in log.runs where !heap.free.map.markUsed(run, mayExtend: true) {
        // The other one knew earlier that a pin was gone: so shall we.
        guard let pinned = pins.certainlyPinned() else { return false }
        heap.free.examine(pins: pinned)
        guard heap.free.map.markUsed(run, mayExtend: true) else { return false }
      }
      heap.free.wait(log.freed, freed: log.version)
      writer.records = writer.records.drop { $0.born < log.floor }
      writer.records.append(
        FreedNode(ref: ref, units: space.header(ref).units, born: log.version))
      heap.free.version = log.version
    }
    return true
  }

  /// Finds out by a walk over all nodes: those of the newest version are used, those of pinned ones
  /// wait, all else is free, also what a crash left behind. While somebody reads who cannot pin, or
  /// nobody can say who pins what, all is used that there is.
  private func rebuildHeap(for base: Root) throws -> Heap {
    lock.clearTheDead()
    let size = try disk.size()
    // Before the walk, which takes long: a pin that comes later is of the newest version.
    let tops = lock.hasOutsiders ? nil : pins.certainTops(beside: base.version)
    let isBlind = tops == nil
    // What was lost and may be read lies behind the newest version's end, too.
    let map = FreeMap(end: isBlind ? max(base.end, min(lock.lostEnd, size & ~15)) : base.end)
    if !isBlind { map.markAllFree() }
    let free = FreeSpace(version: base.version, map: map)
    let heap = Heap(
      disk: disk, free: free, fileSize: size, moments: moments
    ) { [lock, pins] free in
      if lock.processCount > 1 { lock.clearTheDead() }
      if lock.hasOutsiders { return }
      if let pinned = pins.certainlyPinned() { free.examine(pins: pinned) }
    }
    heap.isBlind = isBlind
    heap.losses = lock.losses
    if isBlind {
      writer.records = records(of: base)
      return heap
    }
    let walk = NodeWalk(space: space, end: base.end, tree: configuration.tree)
    try walk.each(from: base.top, path: path) { ref, header in
      guard map.markUsed(Run(offset: ref.raw, bytes: header.bytes)) else {
        throw StorageError.damaged(
          path: path, reason: "the node at \(ref.raw) is reached twice, or overlaps another")
      }
      return true
    }
    writer.records = records(of: base)
    for record in writer.records {
      guard map.markUsed(Run(offset: record.ref.raw, bytes: record.units << 4)) else {
        throw StorageError.damaged(
          path: path, reason: "the record at \(record.ref.raw) overlaps another node")
      }
    }
    let held = (tops ?? []).filter { pin in
      pin.top != base.top && !pin.top.isNone && pin.version.number < Root.mostVersions
        && isNode(pin.top, of: pin.version)
    }
    // Versions that were lost may share what is not in the newest, and are higher.
    let behind = held.reduce(base.version) { max($0, $1.version.next) }
    for pin in held {
      do {
        try keep(pin, until: pin.version >= base.version ? behind : base.version, in: free, map)
      } catch {
        // Of a version that was lost not all need have been written; then nobody reads it.
        if heap.losses == 0 { throw error }
      }
    }
    var known: Set<NodeRef> = []
    for pin in (tops ?? []).sorted(by: { $0.version < $1.version })
    where pin.version.number < Root.mostVersions {
      keepRecords(of: pin, until: behind, in: free, map, &known)
    }
    return heap
  }

  /// Lets the records wait that lead from a pinned version to the ones before it, which no tree
  /// does, until it is left: who comes to it from an older one reads them.
  ///
  /// - Parameter known: What was found for older ones, behind which all was, too.
  private func keepRecords(
    of pin: PinnedVersion, until freed: VersionID,
    in free: FreeSpace, _ map: FreeMap, _ known: inout Set<NodeRef>
  ) {
    guard isNode(pin.record, of: pin.version) else { return }
    var ref = pin.record
    var next = ChangeLog(ref, in: space, version: pin.version)
    var floor: VersionID?
    while let log = next, known.insert(ref).inserted {
      let record = FreedNode(ref: ref, units: space.header(ref).units, born: log.version)
      if map.markUsed(Run(offset: ref.raw, bytes: record.units << 4), mayExtend: true) {
        free.wait([record], freed: freed)
      }
      floor = floor ?? log.floor
      guard let floor, log.base >= floor else { return }
      (ref, next) = (log.before, log.predecessor(in: space))
    }
  }

  /// Lets the nodes that a pinned version does not share wait until it is left. Those of one that
  /// was lost may lie behind the end of all that is known.
  ///
  /// - Parameter freed: before which no pinned version may be left that has them, too.
  private func keep(
    _ pin: PinnedVersion, until freed: VersionID,
    in free: FreeSpace, _ map: FreeMap
  ) throws {
    let walk = NodeWalk(space: space, end: try disk.size() & ~15, tree: configuration.tree)
    try walk.each(from: pin.top, path: path) { ref, header in
      // Shared with the newest version or another pinned one, and so are all nodes below it.
      guard map.markUsed(Run(offset: ref.raw, bytes: header.bytes), mayExtend: true)
      else { return false }
      let node = FreedNode(ref: ref, units: header.units, born: VersionID(header.born))
      free.wait([node], freed: freed)
      return true
    }
  }

  /// The records of past commits that are still there, oldest first.
  private func records(of base: Root) -> ArraySlice<FreedNode> {
    guard let logs = ChangeLog.chain(from: base, downTo: floor(of: base), in: space) else {
      return []
    }
    let refs = [base.log] + logs.map(\.before)
    return ArraySlice(
      zip(logs, refs).reversed().map { log, ref in
        FreedNode(ref: ref, units: space.header(ref).units, born: log.version)
      })
  }

  /// The version before the oldest record that is still there.
  private func floor(of base: Root) -> VersionID {
    guard let log = ChangeLog(base.log, in: space, version: base.version) else {
      return base.version
    }
    return VersionID(max(1, log.floor.number) - 1)
  }

  // MARK: after a death

  var isCommitUnfinished: Bool {
    rb_load_acquire(lock.word(LockFile.committingOffset)) != 0
  }

  /// A writer died inside the gate. If its slot was written, its version is whole (nodes are
  /// written before the slot) and lacks only the flush: we finish it. If not, nothing of it is ever
  /// seen.
  ///
  /// Or nobody died, and a flush is owed: by a commit that was given up because its flush failed,
  /// and whose slot we clear if that failed, too; or by whoever opened the file first, only to read
  /// it.
  func finishCommitOfTheDead() throws {
    lock.clearTheDead()
    writer.heap = nil
    var finished: Root?
    let wasGivenUp = rb_load_acquire(lock.word(LockFile.committingOffset)) == LockFile.owed
    let newest = board.newestRoot
    let size = try disk.size()
    let slots = try Opening.firstPage(of: disk).withUnsafeBytes(Opening.slots)
    for slot in slots where slot.root.version > newest.version {
      // What a crash of the machine once left half done may still stand there.
      if try !wasGivenUp && !slot.isOf(lock.givenUp)
        && Opening.isIntact(slot, on: disk, size: size)
      {
        finished = slot.root
      } else {
        try giveUp(slot)
      }
    }
    do {
      // The dead one may have tried, or who came before us: what the system could not write then it
      // has forgotten, be it a slot or that it was cleared.
      if !disk.isMemory { try Opening.renew(disk) }
      try disk.sync()
    } catch {
      // Of that version nobody was ever told.
      for slot in slots where slot.root.version > newest.version { try? giveUp(slot) }
      lock.oweFlush()
      throw error
    }
    if let finished { board.publish(finished) }
    lock.oweNothing()
    moments.reach(.ownerRecovered)
    writer.followsDead = false
    writer.hasNewsOfTheDead = true
  }

  /// Clears a slot that does not count; who reads the file without a lock file may have found it.
  private func giveUp(_ slot: CommitSlot) throws {
    lock.noteHiddenLoss(upTo: slot.root.end)
    lock.givenUp = GivenUp(slot.root)
    try Opening.clear(slot: slot.root.slot, of: disk)
  }
}
