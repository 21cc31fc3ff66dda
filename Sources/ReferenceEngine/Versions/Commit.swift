import CShims

/// How a write becomes a version. Read it from top to bottom:
///
///     1  choose places    for the new nodes: free space that no pin needs, or the file's end
///     2  write the nodes  side by side, in one write if the commit is small
///        ── (2→3) nothing that can be read or recovered refers to them; a crash loses them alone
///     3  flush            the nodes are on the medium before the slot that names them: a crash
///                         between the two then finds the old slot whole
///     4  write the slot   the idle one of the two: version, top, record, end, checksum
///        ── (4→5) the medium holds the old version, or both; the other slot is whole anyhow
///     5  flush            durable here: no crash takes the version back
///        ── (5→6) the old version is not needed for recovery, its pins alone keep its nodes
///     6  publish          in the shared memory: whoever begins a read from now on sees it
///        hand over        the nodes let go wait until no pin needs them
///     7  leave the gate   the next writer may enter
///     8  tell             the listeners here, and other processes by the beacon; no lock is held
///
/// With a **single flush** step 3 is left out: the slot carries a checksum of the nodes, and counts
/// only if they are intact. With **none** steps 3 and 5 are.
///
/// A **group** of commits waits in the `Anteroom` for steps 1 and 2, which are then done once, for
/// what the last of them reaches; and so are all others, with a single flush unless the group is
/// large: after a crash all of its commits are there or none. A single commit is a group of one,
/// and has a single flush, too, if another thread brings it to the disk. A failure before step 6
/// leaves the old version, in the file and in memory, and throws. Where nobody shall wait for the
/// disk, step 2 only composes what is to be written (`ComposedRuns`), and whoever does step 3
/// writes it before.
extension Coordinator {
  func commit(
    _ write: WriteTransaction, _ requested: CommitProtocol?,
    settle: (any NodeSink) throws -> NodeRef
  ) throws -> Root {
    do {
      try seal(write, requested, settle: settle)  // 1, 2
    } catch {
      if writer.isGroupOpen { giveUpGroup() }
      throw error
    }
    return try commitGroup(requested)  // 3 to 8
  }

  /// Steps 1 and 2 for one commit, at once.
  @discardableResult
  func seal(
    _ write: WriteTransaction, _ requested: CommitProtocol? = nil,
    isForLater: Bool = false, settle: (any NodeSink) throws -> NodeRef
  ) throws -> SealedCommit {
    do {
      try placeGroup(isForLater: isForLater)
      let wanted =
        isForLater
        ? protocolOfGroup(of: write.arena.pendingBytes, requested)
        : requested ?? configuration.commitProtocol
      let sealed = try place(write, wanted, isForLater: isForLater, settle)
      append(sealed)
      return sealed
    } catch {
      // The commits before it in the group are whole; without any there is nothing to stay inside
      // for.
      if !writer.isGroupOpen { gate.leave() }
      throw error
    }
  }

  /// Adds a commit to the group, each on top of the one before.
  func append(_ sealed: SealedCommit) {
    if let last = writer.group.last {
      invariant(
        last.root.version < sealed.root.version,
        "version \(sealed.root.version) is sealed behind \(last.root.version)")
    }
    writer.group.append(sealed)
  }

  /// Steps 3 to 8 for all sealed commits, and 1 and 2 for those that wait. If it throws, none of
  /// them has happened.
  func commitGroup(_ requested: CommitProtocol? = nil) throws -> Root {
    let root: Root
    do {
      try placeGroup(requested)  // 1, 2
      root = try makeDurable(requested)  // 3, 4, 5
      publish(root)  // 6
    } catch {
      giveUpGroup()
      throw error
    }
    leaveAndTell()  // 7, 8
    return root
  }

  func leaveAndTell() {
    invariant(
      !writer.isGroupOpen, "the gate is left with \(writer.group.count) commits in the group")
    gate.leave()  // 7
    moments.reach(.gateLeft)
    beacon.ring()  // 8
    announce()
  }

  // MARK: 3, 4, 5

  /// Brings the last commit of the group to the medium, and so all before it.
  private func makeDurable(_ requested: CommitProtocol?) throws -> Root {
    guard let last = writer.group.last else { broken("there is no group to commit") }
    invariant(writer.waiting == nil, "a group is committed of which some have no place")
    for commit in writer.group { try commit.composed?.write() }
    let base = board.newestRoot
    invariant(
      last.root.version > base.version,
      "\(last.root.version) is to be durable behind \(base.version)")
    let how = commitProtocol(for: last, after: base, requested)
    let root = last.root.committed(
      by: how, slot: 1 - base.slot, end: writer.heap?.end ?? last.root.end)
    if disk.isMemory { return root }
    if how == .twoPhase {
      try disk.sync()  // 3
      moments.reach(.dataSynced)
    } else if how == .singleFlush {
      // The slot need not wait for the nodes, and together they take longer than one behind the
      // other.
      for run in last.runs { disk.setOut(run.bytes, at: run.offset) }
    }
    // If we die from here on, whoever enters next looks into the slots.
    rb_store_seq_cst(lock.word(LockFile.committingOffset), root.version.number)
    do {
      try Opening.write(
        how == .singleFlush
          ? CommitSlot(root: root, runs: last.runs, runsChecksum: last.checksum ?? 0)
          : CommitSlot(root: root), to: disk)  // 4
      moments.reach(.slotWritten)
      if how != .none {
        try disk.sync()  // 5
        moments.reach(.slotSynced)
      }
    } catch {
      undo(slot: root.slot)
      throw error
    }
    return root
  }

  /// A single flush stands on the old version being durable, on a checksum of all that is new and
  /// still needed, and on a slot that has room to name where it lies; without these there are two.
  private func commitProtocol(
    for last: SealedCommit, after base: Root, _ requested: CommitProtocol?
  ) -> CommitProtocol {
    let wanted = requested ?? configuration.commitProtocol
    if disk.isMemory || wanted == .none { return .none }
    let mayFlushOnce =
      last.checksum != nil && writer.group.count == 1 && base.commitProtocol != .none
      && last.runs.count <= CommitSlot.mostRuns
    return mayFlushOnce && requested != .twoPhase ? .singleFlush : .twoPhase
  }

  /// Takes the group's commits back, and leaves.
  func giveUpGroup() {
    if writer.isGroupOpen { undo() }
    invariant(!writer.isGroupOpen, "a group is given up, and stays")
    gate.leave()
  }

  /// Takes the group's commits back. What they wrote is free again; but if the slot may have
  /// reached the medium, only after a flush of the cleared one, for which whoever enters next has
  /// to see.
  private func undo(slot: Int? = nil) {
    if let slot {
      writer.endGroup()
      writer.heap = nil
      try? Opening.clear(slot: slot, of: disk)
      lock.oweFlush()
      return
    }
    let written = writer.group.flatMap { commit in
      commit.runs.map {
        FreeSpace.Waiting(
          offset: $0.offset, units: UInt32($0.bytes >> 4), born: commit.root.version,
          freed: commit.root.version.next)
      }
    }
    writer.endGroup()
    writer.heap?.free.wait(written)
  }

  // MARK: 6

  func publish(_ root: Root) {
    invariant(
      writer.group.last.map { $0.root.version == root.version } ?? false,
      "\(root.version) is published, and was not sealed last")
    board.publish(root, keepsRows: writer.group.allSatisfy(\.keepsRows))
    rb_store_seq_cst(lock.word(LockFile.committingOffset), 0)
    moments.reach(.published)
    follow(to: root)
    writer.takeBackAnnounced()
    handOver(to: root)
    let wasForLater = writer.group.contains { $0.composed != nil }
    writer.endGroup()
    // Nobody waits for this: the file is made longer for the commits to come.
    if wasForLater { writer.heap?.growAhead() }
  }

  /// Reads what became of the rows that somebody here will ask for again, up to a version that the
  /// caller keeps, or that is the newest if the caller is inside the gate.
  func follow(to root: Root) {
    let last = board.lastDeletion
    rememberedRows.follow(to: root, lastDeletion: last, in: space)
    deletedRows.follow(to: root, lastDeletion: last, in: space)
  }

  /// The nodes that the group let go begin to wait, and its records join the others.
  private func handOver(to root: Root) {
    guard let heap = writer.heap else { return }
    for commit in writer.group {
      invariant(
        commit.freed.allSatisfy { !$0.ref.isWaiting && !$0.ref.isPending },
        "version \(commit.root.version) lets go what has never been in the file")
      heap.free.wait(commit.freed, freed: commit.root.version)
      if commit.droppedRecords > 0 {
        invariant(
          commit.droppedRecords <= writer.records.count,
          "\(commit.droppedRecords) of \(writer.records.count) records go")
        writer.records = writer.records.dropFirst(commit.droppedRecords)
      }
      invariant(
        writer.records.last.map { $0.born < commit.record.born } ?? true,
        "the record of \(commit.record.born) comes behind a later one")
      writer.records.append(commit.record)
    }
    invariant(
      heap.free.version <= root.version,
      "what is free at \(heap.free.version) is handed over to \(root.version)")
    heap.free.version = root.version
    guard root.commitProtocol != .none || disk.isMemory else { return }
    let size = heap.fileSize
    // A file that cannot be made shorter now can be later.
    try? heap.shrink(to: root.end)
    if heap.fileSize < size { mapping.measure() }
  }
}
