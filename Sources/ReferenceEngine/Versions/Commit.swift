import CShims

/// How a write becomes a version. `run` is to be read from top to bottom: eight steps, and between
/// them what is left if the process dies there, or the power fails.
///
/// With a **single flush** step 3 waits for nothing: the slot carries a checksum of the nodes, and
/// counts only if they are intact. With **none** steps 3 and 5 are left out, and a loss of power
/// may take the file. In memory there is no slot, and 3 to 5 do nothing.
///
/// A **group** is several sealed commits. Those that still wait in the `Anteroom` are placed here
/// as one, by what the last of them reaches, and have a single flush unless they are large; several
/// that were placed one by one need two. After a crash all of a group's commits are there or none.
/// A single commit is a group of one, and has a single flush, too, if another thread brings it to
/// the disk and it is small. A commit that does not wait, as most do not, was placed where it was
/// sealed (`Coordinator.seal`): steps 1 and 2 find nothing to do. Where nobody shall wait for the
/// disk, step 2 only composes what is to be written (`ComposedRuns`), and it is written here.
struct Commit {
  let file: Coordinator
  let requested: CommitProtocol?
  /// Takes hold of the version before anybody can have committed a later one.
  var pin: Pin?

  /// Commits all that is sealed. If it throws, the old version is shown. If it was the slot that
  /// could not be written or flushed, it is cleared and a flush is owed, to be made by the next
  /// writer: until then a loss of power may still bring the version back. On a disk that would not
  /// even take the cleared slot that stands in the file until then; whoever opens it passes over
  /// it, because the lock file says whose it is (`LockFile.givenUp`).
  ///
  /// Where the process is killed before 7, whoever comes next finds out that it has died, and is
  /// let through the gate.
  func run() throws -> Root {
    let plan: Plan
    do {
      // 1  Places for the new nodes: free space that no pin needs, or the file's end, which is
      //    moved by writing zeros where this commit will not write itself. What lies behind the
      //    `end` of the newest slot means nothing.
      // 2  The nodes are written there, side by side, in one write if the commit is small.
      try placeAndWriteNodes()
      // ── A crash loses the nodes alone: nothing that can be read or recovered refers to them.
      //    Nobody cleans up. What is free is stored nowhere, so the next writer finds their places
      //    free; a file that has become longer stays so until a later commit cuts its end off.
      plan = try makePlan()

      // 3  The nodes are flushed, before the slot names them.
      try flushNodes(plan)
      // ── The old slot is whole, and the newest that there is: the nodes are lost once more.

      // 4  The slot is written, the idle one of the two: version, top, record, end, checksum. With
      //    a single flush the nodes are on their way meanwhile (`setOut`, which is a hint).
      try writeSlot(plan)
      // ── Power fails: with two phases the disk holds the old version, or both. With a single
      //    flush the new one counts only if the file reaches to its end and the checksum of its
      //    nodes is right; whoever opens the file first passes over it if not.
      //    Killed: the system has all that was written, so the new version is intact. The process
      //    had said beforehand that it is committing. Whoever enters the gate next writes what the
      //    version consists of once more, flushes it and publishes it; if that flush fails, it
      //    clears the slot. If nobody is left, the first opener does; one that may not write
      //    publishes it and leaves the flush to the next writer.

      // 5  The slot is flushed. From here on the version is durable, if anything was to be flushed.
      try flushSlot(plan)
      // ── Power fails: the version stays. The old one is not needed for recovery any more: its
      //    pins alone keep its nodes.
      //    Killed: as after 4, for nobody else can know that the flush has succeeded. Until the
      //    next writer or first opener publishes the version nobody sees it.

      // 6  The version is published in the shared memory: whoever begins a read from now on sees
      //    it. What it let go waits until no pin needs it, and an end of the file that nothing
      //    needs is cut off: then the other slot, whose version ends behind it, no longer counts.
      publish(plan.root)
      // ── Killed here, or while it publishes: the gate passes to whoever comes next, who tells
      //    others of the version when it leaves, whether or not it could write. Killed between 7
      //    and 8: others hear with the next commit.
    } catch {
      file.giveUpGroup()
      throw error
    }
    // 7  The gate is left: the next writer may enter.
    leaveGate()
    // 8  The listeners here are told, and other processes by the beacon; no lock is held.
    tell()
    return plan.root
  }

  /// What is decided when all nodes have their places, and before anything is made durable.
  struct Plan {
    /// The last commit of the group, in which all before it are.
    let last: SealedCommit
    /// As it will stand in the slot.
    let root: Root
    let isInMemory: Bool

    var how: CommitProtocol { root.commitProtocol }
  }

  // MARK: 1, 2

  func placeAndWriteNodes() throws {
    try file.placeGroup(requested)
    invariant(file.writer.waiting == nil, "a group is committed of which some have no place")
    for commit in file.writer.group { try commit.composed?.write() }
  }

  func makePlan() throws -> Plan {
    guard let last = file.writer.group.last else { broken("there is no group to commit") }
    let base = file.board.newestRoot
    invariant(
      last.root.version > base.version,
      "\(last.root.version) is to be durable behind \(base.version)")
    let root = last.root.committed(
      by: commitProtocol(for: last, after: base), slot: 1 - base.slot,
      end: file.writer.heap?.end ?? last.root.end)
    return Plan(last: last, root: root, isInMemory: file.disk.isMemory)
  }

  /// A single flush stands on the old version being durable, on a checksum of all that is new and
  /// still needed, and on a slot that has room to name where it lies; without these there are two.
  private func commitProtocol(for last: SealedCommit, after base: Root) -> CommitProtocol {
    let wanted = requested ?? file.configuration.commitProtocol
    if file.disk.isMemory || wanted == .none { return .none }
    let mayFlushOnce =
      last.checksum != nil && file.writer.group.count == 1 && base.commitProtocol != .none
      && last.runs.count <= CommitSlot.mostRuns
    return mayFlushOnce && requested != .twoPhase ? .singleFlush : .twoPhase
  }

  // MARK: 3, 4, 5

  func flushNodes(_ plan: Plan) throws {
    switch plan.how {
    case .twoPhase:
      try file.disk.sync()
      file.moments.reach(.dataSynced)
    case .singleFlush:
      // The slot need not wait for the nodes, and together they take longer than one behind the
      // other.
      for run in plan.last.runs { file.disk.setOut(run.bytes, at: run.offset) }
    case .none: break
    }
  }

  func writeSlot(_ plan: Plan) throws {
    if plan.isInMemory { return }
    // If we die from here on, whoever enters next looks into the slots.
    rb_store_seq_cst(file.lock.word(LockFile.committingOffset), plan.root.version.number)
    let slot =
      plan.how == .singleFlush
      ? CommitSlot(root: plan.root, runs: plan.last.runs, runsChecksum: plan.last.checksum ?? 0)
      : CommitSlot(root: plan.root)
    do {
      try Opening.write(slot, to: file.disk)
    } catch {
      file.takeBack(plan.root)
      throw error
    }
    file.moments.reach(.slotWritten)
  }

  func flushSlot(_ plan: Plan) throws {
    if plan.how == .none { return }
    do {
      try file.disk.sync()
    } catch {
      file.takeBack(plan.root)
      throw error
    }
    file.moments.reach(.slotSynced)
  }

  // MARK: 6, 7, 8

  func publish(_ root: Root) {
    invariant(
      file.writer.group.last.map { $0.root.version == root.version } ?? false,
      "\(root.version) is published, and was not sealed last")
    file.board.publish(root, keepsRows: file.writer.group.allSatisfy(\.keepsRows))
    rb_store_seq_cst(file.lock.word(LockFile.committingOffset), 0)
    pin?.adopt(root)
    file.moments.reach(.published)
    file.follow(to: root)
    file.writer.takeBackRevealed()
    file.handOver(to: root)
    let wasForLater = file.writer.group.contains { $0.composed != nil }
    file.writer.endGroup()
    // Nobody waits for this: the file is made longer for the commits to come.
    if wasForLater { file.writer.heap?.growAhead() }
  }

  func leaveGate() {
    file.leaveGate()
    file.moments.reach(.gateLeft)
  }

  func tell() { file.tell() }
}
