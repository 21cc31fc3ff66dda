import CShims

/// How a write becomes a version. Read it from top to bottom:
///
///     1  choose places     for the new nodes: free space that no pin needs, else the end of the file
///     2  write the nodes   side by side, in one write if the commit is small
///        ── (2→3) nothing that can be read or recovered refers to them; a crash loses them and nothing else
///     3  flush             the nodes are on the medium before the slot that names them: a crash between the two
///                          then finds the old slot whole
///     4  write the slot    the idle one of the two: version, top, record, end, checksum
///        ── (4→5) the medium holds the old version, or both; the other slot is whole in either case
///     5  flush             durable here: no crash takes the version back
///        ── (5→6) the old version is no longer needed for recovery, its pins alone keep its nodes
///     6  publish           in the shared memory: whoever begins a read from now on sees it
///        hand over         the nodes let go wait until no pin needs them
///     7  leave the gate    the next writer may enter
///     8  tell              the listeners here, and other processes through the beacon; no lock is held
///
/// With a **single flush** step 3 is left out: the slot carries a checksum of the nodes, and counts only if they are
/// intact. With **none** steps 3 and 5 are.
///
/// A **group** does steps 1 and 2 for each of its commits and the others once, for the last: after a crash all of them are
/// there or none. A failure before step 6 leaves the old version, in the file and in memory, and throws.
extension Coordinator {
  func commit(
    _ write: WriteTransaction, _ commitProtocol: CommitProtocol?,
    settle: (any NodeSink) throws -> NodeRef
  ) throws -> Root {
    if !writer.group.isEmpty {
      _ = try seal(write, settle: settle)
      return try commitGroup(commitProtocol)
    }
    let root: Root
    do {
      let sealed = try placeAndWrite(write, settle)  // 1, 2
      root = try makeDurable([sealed], from: write.base, commitProtocol)  // 3, 4, 5
      publish([sealed], as: root)  // 6
    } catch {
      gate.leave()
      throw error
    }
    leaveAndTell()  // 7, 8
    return root
  }

  /// Steps 1 and 2 for one commit of a group.
  func seal(_ write: WriteTransaction, settle: (any NodeSink) throws -> NodeRef) throws -> Root {
    do {
      let sealed = try placeAndWrite(write, settle)
      writer.group.append(sealed)
      return sealed.root
    } catch {
      // The commits before it in the group are whole; without any there is nothing to stay inside for.
      if writer.group.isEmpty { gate.leave() }
      throw error
    }
  }

  /// Steps 3 to 8 for all sealed commits. If it throws, none of them has happened.
  func commitGroup(_ commitProtocol: CommitProtocol? = nil) throws -> Root {
    let group = writer.group
    writer.group = []
    invariant(!group.isEmpty, "there is no group to commit")
    let root: Root
    do {
      root = try makeDurable(group, from: pins.newestRoot, commitProtocol)
      publish(group, as: root)
    } catch {
      gate.leave()
      throw error
    }
    leaveAndTell()
    return root
  }

  // MARK: 1, 2

  private func placeAndWrite(
    _ write: WriteTransaction, _ settle: (any NodeSink) throws -> NodeRef
  ) throws -> SealedCommit {
    let moments = Seams.current.moments
    let heap = try readyHeap(for: write.base)
    let dropped = collectSpace(heap)
    let arena = write.arena
    let changes = ChangeSet.normalised(write.changes.changes)
    moments.reach(.placesChosen)

    let nodes = Int(Double(arena.pendingBytes) * writer.narrowing)
    let record = ChangeLog.bytes(
      runs: 4, freed: arena.freed.count + dropped + 4, changes: changes.count)
    let placement = Placement(
      disk: disk, heap: heap, memory: disk.isMemory ? mapping.base : nil, born: write.version,
      expected: nodes + nodes / 8 + record)
    do {
      let top = try settle(placement)
      // Asked now: settling lets nodes go, too.
      var freed = arena.freed
      freed.append(contentsOf: writer.records.prefix(dropped))
      let written = placement.runsSoFar.reduce(0) { $0 + $1.bytes }
      if arena.pendingBytes > 0 {
        writer.narrowing =
          0.75 * writer.narrowing + 0.25 * min(1, Double(written) / Double(arena.pendingBytes))
      }
      let log = placeRecord(write, placement, freed, changes, dropped)
      try placement.finish()
      moments.reach(.dataWritten)
      heap.free.trimIfMostlyFree()
      writer.lastVersion = write.version
      return SealedCommit(
        root: Root(
          version: write.version, top: top, log: log.ref, end: heap.free.end, when: rb_now(),
          slot: 1 - write.base.slot, commitProtocol: .twoPhase),
        runs: placement.runs, checksum: placement.checksum, freed: freed, record: log,
        droppedRecords: dropped)
    } catch {
      try? placement.finish()
      placement.runs.forEach(heap.free.give)
      throw error
    }
  }

  /// The record is placed last, because it tells all the others' places, and its own.
  private func placeRecord(
    _ write: WriteTransaction, _ placement: Placement, _ freed: [FreedNode],
    _ changes: [RowChange], _ dropped: Int
  ) -> FreedNode {
    let estimate = ChangeLog.bytes(
      runs: placement.runsSoFar.count + 1, freed: freed.count, changes: changes.count)
    let bytes = ChangeLog.bytes(
      runs: placement.runCount(placing: estimate), freed: freed.count, changes: changes.count)
    let (ref, node) = placement.place(bytes: bytes)
    // What the group's first commit let go is still in the list: it goes when the group is published.
    let gone = writer.group.reduce(dropped) { $0 + $1.droppedRecords }
    let oldest = writer.records.dropFirst(gone).first ?? writer.group.first?.record
    ChangeLog.write(
      to: node, bytes: bytes, version: write.version, base: write.base,
      floor: oldest?.born ?? write.version, runs: placement.runsSoFar, freed: freed,
      changes: changes, rowsAreKnown: !write.changes.isIncomplete)
    return FreedNode(ref: ref, units: bytes >> 4, born: write.version)
  }

  // MARK: 3, 4, 5

  /// Brings the last of the commits to the medium, and so all before it.
  private func makeDurable(
    _ commits: [SealedCommit], from base: Root, _ requested: CommitProtocol?
  ) throws -> Root {
    guard let last = commits.last else { broken("there is nothing to make durable") }
    let moments = Seams.current.moments
    let runs = commits.flatMap(\.runs)
    var chosen = disk.isMemory ? .none : requested ?? configuration.commitProtocol
    // A single flush stands on the old version being durable, and has room to name so many runs.
    if chosen == .singleFlush,
      base.commitProtocol == .none || runs.count > CommitSlot.mostRuns || commits.count > 1
    {
      chosen = .twoPhase
    }
    let root = Root(
      version: last.root.version, top: last.root.top, log: last.root.log, end: last.root.end,
      when: last.root.when, slot: 1 - base.slot, commitProtocol: chosen)
    if disk.isMemory { return root }
    var slotIsWritten = false
    do {
      if chosen == .twoPhase {
        try disk.sync()  // 3
        moments.reach(.dataSynced)
      }
      // If we die from here on, whoever enters next looks into the slots.
      rb_store_seq_cst(lock.word(LockFile.committingOffset), root.version.number)
      slotIsWritten = true
      try Opening.write(
        chosen == .singleFlush
          ? CommitSlot(root: root, runs: runs, runsChecksum: last.checksum)
          : CommitSlot(root: root), to: disk)  // 4
      moments.reach(.slotWritten)
      if chosen != .none {
        try disk.sync()  // 5
        moments.reach(.slotSynced)
      }
      return root
    } catch {
      undo(commits, slotIsWritten ? root.slot : nil)
      throw error
    }
  }

  /// Takes failed commits back. What they wrote is free again; but if the slot may have reached the medium, only after
  /// another commit has overwritten it.
  private func undo(_ commits: [SealedCommit], _ slot: Int?) {
    let written = commits.flatMap { commit in
      commit.runs.map {
        FreeSpace.Waiting(
          offset: $0.offset, units: UInt32($0.bytes >> 4), born: commit.root.version,
          freed: commit.root.version.next)
      }
    }
    if let slot {
      let nothing = [UInt8](repeating: 0, count: FileHeader.sector)
      try? nothing.withUnsafeBytes { try disk.write($0, at: FileHeader.slotOffset(slot)) }
      rb_store_seq_cst(lock.word(LockFile.committingOffset), 0)
      writer.doubtful.append(contentsOf: written)
    } else {
      for node in written { writer.heap?.free.wait(node) }
    }
  }

  // MARK: 6

  private func publish(_ commits: [SealedCommit], as root: Root) {
    pins.publish(root)
    rb_store_seq_cst(lock.word(LockFile.committingOffset), 0)
    Seams.current.moments.reach(.published)
    guard let heap = writer.heap else { return }
    for commit in commits {
      for node in commit.freed {
        heap.free.wait(
          FreeSpace.Waiting(
            offset: node.ref.raw, units: UInt32(node.units), born: node.born,
            freed: commit.root.version))
      }
      writer.records = writer.records.dropFirst(commit.droppedRecords)
      writer.records.append(commit.record)
    }
    heap.free.version = root.version
    if root.commitProtocol != .none || disk.isMemory {
      writer.doubtful.forEach(heap.free.wait)
      writer.doubtful = []
      // A file that cannot be made shorter now can be later.
      try? heap.shrink(to: root.end)
    }
  }

  // MARK: 7, 8

  private func leaveAndTell() {
    gate.leave()
    Seams.current.moments.reach(.gateLeft)
    beacon.ring()
    announce()
  }
}
