import CShims

/// How a write becomes a version, in eight steps: 1 to 6 in `becomeDurable`, 7 and 8 in `run`.
/// Between them stands what is left if the process dies there, or the power fails; what holds
/// behind 7 stands behind 6, too.
///
/// With a **single flush** step 3 waits for nothing: the slot carries a checksum of the nodes, and
/// counts only if they are intact. With `none` steps 3 and 5 are left out. Nothing below of a loss
/// of power is said of such a commit, nor of one behind it before step 3 is through: what its
/// version needs may be missing on the disk, and what the versions before needed may be written
/// over, so that the file is refused, or damaged, until a later commit has been flushed. (If a
/// flush fails in between, a later one does not make up for it.) In memory no commit writes a slot,
/// 3 to 5 do nothing, and all ends with the process, which has it alone.
///
/// A **group** is several sealed commits; after a crash all of them are there or none. There are
/// two kinds.
///
/// Asynchronous ones of one session may wait in the `Anteroom`. Those that wait at the same time
/// are placed as one: only nodes that the last of them reaches get a place. Mostly that is done
/// before they come here, because their realm reads them, else by step 1. Where two phases are
/// configured they have a single flush if nothing else is in their group and at most 256 KiB of
/// them are needed.
///
/// Synchronous ones of several threads may **share a flush** (`Coordinator.bring`; not with `none`,
/// nor in memory). They were placed one by one, and have a single flush if as little is still
/// needed of all of them: the slot names that, and its checksum is taken here. Whichever of the
/// threads brings them here, `run` is not called: 7 is left to who is inside the gate, and each of
/// them does 8 before it returns, which may be before 7. Who is killed in between is killed before
/// 7.
///
/// A single commit is a group of one. If it is synchronous it is flushed as is configured; if it is
/// asynchronous and small it has a single flush where two phases are configured, as such a group
/// has.
///
/// Whatever is configured (but `none`), there are two flushes where the caller asks for them; for
/// asynchronous ones that were not all placed at once, each by itself, or some before the others,
/// as where the last one did not wait; for a synchronous one that takes asynchronous ones to the
/// disk with it; for those that share a flush and need more than 256 KiB; behind a version that was
/// committed with `none`; and where the slot has no room for all that it would have to name.
///
/// A commit that does not wait in the anteroom, as most do not, was given its place where it was
/// sealed (`Coordinator.seal`): step 1 finds nothing to do, and what is said below of a crash in it
/// is true of one inside `seal`. A synchronous one was written there, too. An asynchronous one was
/// only composed (`ComposedRuns`), so that nobody at home waits for the disk; step 2 writes it, or
/// whoever reads it before.
///
/// A write that cannot be sealed fails alone, and the group before it goes to the disk; only if it
/// is synchronous it takes the asynchronous ones before it down with it. But if those that wait
/// cannot be placed, or what is composed cannot be written, the whole group is lost.
struct Commit {
  let file: Coordinator
  /// What the caller asks for; nil for what is configured.
  let requested: CommitProtocol?
  /// Takes hold of the version before anybody can have committed a later one.
  var pin: Pin?

  /// Commits all that is sealed. If it throws, the old version is shown, and all commits of the
  /// group are lost together: who shares a flush throws the same from each of its commits, and from
  /// a write that was begun on them; of asynchronous ones the completions are told.
  ///
  /// An error up to step 3 clears nothing and owes nothing: no slot was touched. If the slot could
  /// not be written or flushed, the version is **given up**; so it is with `none`. Its slot is
  /// cleared, and a flush is owed, which the lock file remembers. The next writer, or the first
  /// opener that may write, makes it before anything else; as long as it fails no write begins, and
  /// that opener throws, unless the disk is only full. Until then a loss of power may still bring
  /// the version back. On a disk that would not even take the cleared slot, the written one stands
  /// until then; whoever opens the file passes over it, because the lock file says whose it is
  /// (`LockFile.givenUp`). Without the lock file it would count: in a copy of the file alone, to a
  /// reader who has none, and to whoever opens the file when the lock file has been removed.
  ///
  /// The realm that sealed a lost version leaves it when it hears of the loss; other live realms of
  /// this process that were shown it, with the next version; frozen ones keep it. If others than
  /// the realm that wrote it may have been shown it, the lock file counts the loss, so that every
  /// writer finds out anew what is free, and spares what is pinned (`noteLoss`).
  ///
  /// Where the process is killed before 7 and another one has the file open, whoever comes next to
  /// write finds out that it has died, and is let through the gate. Wherever that was, even before
  /// 1, it writes both slots once more as they stand, and the nodes of the newer if they were to
  /// share its flush, and flushes them before its write begins; if this fails, so does the write,
  /// and the flush is owed. Who only reads goes on with the old version until a new one is
  /// published. If nobody has the file open, only a slot that was begun (4 to 6) is made up for, by
  /// the first opener. Where a version is just being given up it stays so if the lock file names it
  /// already, and is finished as after 4 if not.
  /// To a user whose process is killed in `commitWrite` the commit is there as a whole, or not at
  /// all; once that has returned, or the completion of an asynchronous one was told of no error, it
  /// stays. Where the power fails it is the same, except with `none`.
  func run() throws -> Root {
    let root: Root
    do {
      root = try becomeDurable()
    } catch {
      file.leaveGate()
      throw error
    }
    // 7  The gate is left: the next writer may enter.
    leaveGate()
    // 8  The listeners here are told, and other processes by the beacon; no lock is held.
    tell()
    return root
  }

  /// Steps 1 to 6. If it throws, the group is taken back.
  func becomeDurable() throws -> Root {
    let plan: Plan
    do {
      // 1  Places for the new nodes: free space that neither a pin nor a reader without a lock
      //    file may need, or the file's end, which is moved by writing zeros where this commit will
      //    not write itself. What lies behind the `end` of the newest slot means nothing to who
      //    opens the file; while it is open, lost versions may still be read there.
      // 2  The nodes are written there, side by side, in one write if the commit is small.
      try placeAndWriteNodes()
      // ── A crash loses the nodes alone: nothing refers to them but what this process reads of an
      //    unfinished group, and that ends with it. Nobody cleans up. What is free is stored
      //    nowhere, so the next writer finds their places free; a file that has become longer stays
      //    so until a commit finds that it does not need most of it (not with `none`).
      plan = try makePlan()

      // 3  The nodes are flushed, before the slot names them.
      try flushNodes(plan)
      // ── The old slot is whole, and the newest that counts, and its nodes are on the disk (not
      //    with `none`): the new ones are lost once more.

      // 4  The slot is written, the idle one of the two: version, top, record, end, time, protocol,
      //    and its own checksum; with a single flush also where the nodes lie, and theirs. Step 3
      //    has sent these on their way to the disk (`setOut`, which is a hint).
      try writeSlot(plan)
      // ── Power fails: a sector is old or new as a whole. With two phases the disk has the new
      //    slot, and the new version counts, though nobody was told of it; or it has not, and the
      //    old one does. With a single flush the new one counts only if the file reaches to its end
      //    and the checksum of its nodes is right; whoever opens the file passes over it if not, to
      //    the old one, which is whole then, and the next commit writes over it. With `none` the
      //    slot may be there without its nodes, too: the file is then refused, or, where it begins
      //    with whole nodes, damaged further down.
      //    Killed: the system has all that was written, so the new version is intact; only with
      //    `none`, where the slot is stored through a mapping, half of one may be there. It does
      //    not count; who opens the file first with `checksEverything`, and `verify`, take it for
      //    damage until the next commit writes over it.
      //    The process had said beforehand, in the lock file, that it is committing; where the lock
      //    file is gone it is assumed. Whoever enters the gate next looks into the slots. If there
      //    is a newer one that is intact it writes both slots once more, and the nodes of the newer
      //    if they were to share its flush; it flushes, and only then publishes the version. If
      //    that flush fails the version is given up, the flush stays owed, and the write that came
      //    to do this fails.
      //    If nobody is left, the first opener writes and flushes it before it shows anything, but
      //    gives nothing up if its flush fails: the file is not opened, and the next opener tries
      //    again. Who may only read, or finds the disk full, publishes the version and leaves the
      //    flush to the next writer: until then a loss of power may take a version that was read.
      //    If that writer's flush fails, so does its write; the version stays, as it is published,
      //    and the flush stays owed.

      // 5  The slot is flushed. From here on the version is durable (but with `none`).
      try flushSlot(plan)
      // ── Power fails: the version stays; with `none` it is as after 4.
      //    Killed: as after 4, for nobody else can know that the flush has succeeded. Even what is
      //    on the disk is given up if the next writer's flush for it fails; so the old one's nodes
      //    are kept until step 6. Until the next writer or first opener publishes the version
      //    nobody sees it but who opens the file without a lock file: such a reader may find the
      //    slot from step 4 on, and goes on with the version even if that is given up.

      // 6  The version is published in the shared memory: whoever begins a read from now on sees
      //    it. From here on only pins, and readers without a lock file, keep what it let go. If
      //    most of a large file is an end that nothing needs, it is cut off (with `none` only if
      //    the file is in memory): a version in the other slot that ends behind the cut can no
      //    longer be opened, and nobody needs it, as the new one is durable.
      publish(plan.root)
      // ── Power fails: as after 5.
      //    Killed before the version is published: as after 5. Killed after that: the version is
      //    there for all. The next writer flushes first; if that fails it throws, and the version
      //    stays. It tells others of it when it leaves the gate, whether or not it could write. If
      //    nobody is left the first opener finds the version in its slot; it flushes if the lock
      //    file still says that somebody is committing, which ends right behind the publishing.
      //    Killed between 7 and 8: others hear with the next commit; who begins a read sees it
      //    before.
    } catch {
      if file.writer.isGroupOpen { file.takeBack() }
      throw error
    }
    return plan.root
  }

  /// What is decided when all nodes have their places, and before anything is made durable.
  struct Plan {
    /// The last commit of the group, in which all before it are.
    let last: SealedCommit
    /// As it will stand in the slot.
    let root: Root
    let isInMemory: Bool
    /// What the slot names where a single flush is all there is, and its checksum.
    var runs: [Run] = []
    var checksum: UInt64 = 0

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
    var how = commitProtocol(for: last, after: base)
    let runs = how == .singleFlush ? runsToName(by: last) : []
    if runs.count > CommitSlot.mostRuns || isShared && isLarge(runs) { how = .twoPhase }
    let root = last.root.committed(
      by: how, slot: 1 - base.slot, end: file.writer.heap?.end ?? last.root.end)
    var plan = Plan(last: last, root: root, isInMemory: file.disk.isMemory)
    if how == .singleFlush {
      (plan.runs, plan.checksum) = (runs, last.checksum ?? 0)
      if isShared { plan.checksum = checksum(of: runs) }
    }
    return plan
  }

  /// Whether commits of several threads go to the disk together.
  private var isShared: Bool { file.writer.shared != nil && file.writer.group.count > 1 }

  /// Whether whoever opens the file would have much to look at. The last of those that share may be
  /// of any size.
  private func isLarge(_ runs: [Run]) -> Bool {
    runs.reduce(0) { $0 + $1.bytes } > file.seams.sharing.bytes
  }

  /// All that is new and still needed. Of commits that were placed one by one, a later one has let
  /// go some of what was written for an earlier one: that is free as soon as the group is durable,
  /// and must not be asked for after a crash.
  private func runsToName(by last: SealedCommit) -> [Run] {
    guard isShared else { return last.runs }
    let group = file.writer.group
    let gone = group.dropFirst().flatMap(\.freed).filter { $0.born >= group[0].root.version }
    return Run.rest(
      of: group.flatMap(\.runs),
      without: gone.map { Run(offset: $0.ref.raw, bytes: $0.units << 4) })
  }

  private func checksum(of runs: [Run]) -> UInt64 {
    var sum = RunsChecksum()
    for run in runs {
      sum.add(
        UnsafeRawBufferPointer(
          start: file.space.node(NodeRef(raw: run.offset)), count: run.bytes))
    }
    return sum.value
  }

  /// A single flush stands on the old version being durable, on a checksum of all that is new and
  /// still needed, and on a slot that has room to name where it lies; without these there are two.
  private func commitProtocol(for last: SealedCommit, after base: Root) -> CommitProtocol {
    let wanted = requested ?? file.configuration.commitProtocol
    if file.disk.isMemory || wanted == .none { return .none }
    let hasChecksum =
      last.checksum != nil && file.writer.group.count == 1
      && last.runs.count <= CommitSlot.mostRuns
    let mayFlushOnce = (hasChecksum || isShared) && base.commitProtocol != .none
    return mayFlushOnce && requested != .twoPhase ? .singleFlush : .twoPhase
  }

  // MARK: 3, 4, 5

  func flushNodes(_ plan: Plan) throws {
    switch plan.how {
    case .twoPhase:
      try file.disk.sync()
      file.moments.reach(.dataSynced)
    case .singleFlush:
      // The slot need not wait for the nodes; but a flush that finds them on their way takes less
      // time than one that has to begin with them.
      for run in plan.runs { file.disk.setOut(run.bytes, at: run.offset) }
    case .none: break
    }
  }

  func writeSlot(_ plan: Plan) throws {
    if plan.isInMemory { return }
    // If we die from here on, whoever enters next looks into the slots.
    rb_store_seq_cst(file.lock.word(LockFile.committingOffset), plan.root.version.number)
    let slot =
      plan.how == .singleFlush
      ? CommitSlot(root: plan.root, runs: plan.runs, runsChecksum: plan.checksum)
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
    file.writer.shared?.adopt()
    file.moments.reach(.published)
    file.follow(to: root)
    file.writer.takeBackRevealed()
    file.handOver(to: root)
    let wasForLater = file.writer.group.contains { $0.composed != nil }
    file.writer.endGroup()
    // Nobody waits for this: the file is made longer for the commits to come. If that fails,
    // they make it longer themselves.
    if wasForLater { file.writer.heap?.growAhead() }
  }

  func leaveGate() {
    file.leaveGate()
    file.moments.reach(.gateLeft)
  }

  func tell() { file.tell() }
}
