import CShims
import Synchronization

/// What a process remembers from one write to the next. Belongs to whoever is inside the gate.
final class Writer {
  let arena: NodeArena
  let changes = ChangeRecorder()

  /// Of the write that runs, or of the group that is open.
  var hold: GateHold?

  /// Nil before the first write, and when what is known is not to be trusted: it is then rebuilt.
  @exclusivity(unchecked) var heap: Heap?

  /// The records of past commits that are still there, oldest first.
  @exclusivity(unchecked) var records: ArraySlice<FreedNode> = []

  /// How many of them there were, without those that went, when it was last asked which may go.
  @exclusivity(unchecked) var recordsAskedFor = 0

  /// Commits that are written, but whose group is not durable yet.
  @exclusivity(unchecked) var group: [SealedCommit] = []

  /// Sealed after these, and not written yet.
  @exclusivity(unchecked) var waiting: WaitingCommits?

  /// Where they wait.
  let anteroom: Anteroom

  /// What of the group others in the process may see. Lock "sealed" of docs/CONCURRENCY.md: held
  /// for the time it takes to pin it.
  let sealed = Mutex<SealedVersion?>(nil)
  /// Whether there is something in it: spares other commits the lock.
  @exclusivity(unchecked) var hasRevealed = false

  /// What commits of several threads go to the disk with, and who waits for that outside the gate.
  /// While there is one, it, the group and the heap belong to who holds `sharing`, too.
  @exclusivity(unchecked) var shared: SharedFlush?
  /// Lock "shared flush" of docs/CONCURRENCY.md.
  let sharing = Mutex<Void>(())
  /// Whether somebody holds it; only a director reads that, while nobody runs.
  @exclusivity(unchecked) var isBringing = false
  /// How many others the last commit that was brought to the disk inside the gate shared it with.
  @exclusivity(unchecked) var company = 0

  /// The highest version number ever used here: a failed commit's is not used again by this
  /// process, where somebody may have seen it.
  @exclusivity(unchecked) var lastVersion = VersionID(0)

  /// When it was last looked whether the file's name still leads to it, as `rb_uptime` counts.
  @exclusivity(unchecked) var lastLook: UInt64 = 0

  /// Whether the writer before died inside the gate, and nobody has looked yet at what it left.
  @exclusivity(unchecked) var followsDead = false

  /// Whether it was looked at: of the version that the dead one published, or that was published
  /// for it, it may have told nobody.
  @exclusivity(unchecked) var hasNewsOfTheDead = false

  /// How much of the arena's memory the last commits really placed.
  @exclusivity(unchecked) var narrowing = 1.0

  init(space: NodeSpace, tree: NodeTree) {
    arena = NodeArena(space: space, version: VersionID(0))
    anteroom = Anteroom(space: space, tree: tree)
  }

  /// Whether others are to be told of what a dead writer published, by whoever leaves the gate now.
  func takeNewsOfTheDead() -> Bool {
    defer { hasNewsOfTheDead = false }
    return hasNewsOfTheDead || followsDead
  }

  /// Whether commits are sealed whose group is not durable yet.
  var isGroupOpen: Bool { waiting != nil || !group.isEmpty }

  /// The last of them.
  var lastSealed: Root? { waiting?.last ?? group.last?.root }

  /// What of the group is still to be written.
  var composed: [ComposedRuns] { group.compactMap(\.composed) }

  /// The anteroom, if a write of the group may refer to nodes in it.
  var anteroomInUse: Anteroom? { anteroom.isEmpty ? nil : anteroom }

  /// A version as the file has it: of a group's, the last that was placed, which was placed for
  /// whoever goes on from there.
  func placed(_ root: Root) -> Root {
    guard root.isWaiting else { return root }
    guard let last = group.last else { broken("what a write is based on has not been placed") }
    invariant(last.root.version == root.version, "\(root.version) was not placed by itself")
    return last.root
  }

  /// The group is durable, or lost.
  func endGroup() {
    takeBackRevealed()
    group.removeAll(keepingCapacity: true)
    waiting = nil
    if !anteroom.isEmpty { anteroom.clear() }
    invariant(anteroom.isEmpty && !isGroupOpen, "a group has ended, and nodes of it wait")
  }

  /// How many bytes of nodes a commit will probably place.
  func expected(of arena: NodeArena) -> Int {
    let nodes = Int(Double(arena.pendingBytes) * narrowing)
    return nodes + nodes / 8
  }

  func learn(from arena: NodeArena, placed: Int) {
    if arena.pendingBytes == 0 { return }
    invariant(placed >= 0, "\(placed) bytes were placed")
    narrowing = 0.75 * narrowing + 0.25 * min(1, Double(placed) / Double(arena.pendingBytes))
  }
}

/// A commit after steps 1 and 2: its nodes are written, or composed to be, and nothing names it.
final class SealedCommit: Sendable {
  let root: Root
  let runs: [Run]
  /// Of all bytes of the runs, in order; nil if it was not asked for.
  let checksum: UInt64?
  let freed: [FreedNode]
  let record: FreedNode
  /// How many of the oldest records it let go.
  let droppedRecords: Int
  /// What is still to be written, if it is for later.
  let composed: ComposedRuns?
  /// Whether no row of the version before is missing.
  let keepsRows: Bool
  /// What it did to rows.
  let changes: [RowChange]

  init(
    root: Root, runs: [Run], composed: ComposedRuns?, checksum: UInt64?, freed: [FreedNode],
    record: FreedNode, droppedRecords: Int, keepsRows: Bool, changes: [RowChange]
  ) {
    self.root = root
    self.runs = runs
    self.composed = composed
    self.checksum = checksum
    self.freed = freed
    invariant(
      record.born == root.version && record.ref == root.log,
      "version \(root.version) has the record of \(record.born)")
    invariant(droppedRecords >= 0, "\(droppedRecords) records go with version \(root.version)")
    self.record = record
    self.droppedRecords = droppedRecords
    self.keepsRows = keepsRows
    self.changes = changes
  }
}

/// What a write has made, in memory, until its commit gives it its places.
protocol PendingTrees: AnyObject {
  /// Places the nodes, children first, and returns the top.
  func settle(into sink: any NodeSink) throws -> NodeRef
}

/// One write: exclusive over all threads and processes from its beginning to its commit or cancel.
///
/// Used by one thread at a time, not always the same one. Dropped without either, it is cancelled.
final class WriteTransaction {
  let coordinator: Coordinator
  /// The newest version, on which this write is based.
  let base: Root
  /// What it will become.
  let version: VersionID
  private(set) var isOpen = true
  /// What it makes of its base; until it ends, because that may know the write, too.
  @exclusivity(unchecked) var trees: (any PendingTrees)?
  /// Whether something that it wrote may be looked for elsewhere as soon as it is committed.
  var isReferredTo = false
  /// Whether its commit may go to the disk with those of others.
  var mayShare = false
  /// What it was begun on, if that was on its way to the disk.
  let flush: SharedFlush?
  /// What it sealed and is still to be written to the file.
  fileprivate(set) var composed: [ComposedRuns] = []

  /// The nodes of the write. `base`'s are read through the same space.
  var arena: NodeArena { coordinator.writer.arena }
  var changes: ChangeRecorder { coordinator.writer.changes }
  /// What it has noted. After its commit has failed, too, when the recorder may belong to the next
  /// write.
  var noted: [RowChange] { notedAtCommit ?? changes.changes }
  private var notedAtCommit: [RowChange]?
  var space: NodeSpace { coordinator.space }

  init(coordinator: Coordinator, base: Root, on flush: SharedFlush? = nil) {
    self.coordinator = coordinator
    self.base = base
    self.flush = flush
    let writer = coordinator.writer
    version = WriteTransaction.version(after: base, for: coordinator)
    invariant(version > base.version, "version \(version) is to follow \(base.version)")
    writer.arena.reset(for: version)
    writer.changes.reset()
  }

  deinit { if isOpen { cancel() } }

  /// Higher than that of any version that may be read anywhere, also of a lost one.
  private static func version(after base: Root, for coordinator: Coordinator) -> VersionID {
    let lost = coordinator.highestLost(after: base.version)
    let next = max(base.version, coordinator.writer.lastVersion, lost).next
    // It would stand on the board where the newest version does, which somebody may just read.
    return VersionBoard.shareEntry(next, coordinator.newestVersion) ? next.next : next
  }

  /// Commits, and returns when the version is durable and everybody can see it.
  ///
  /// - Parameters:
  ///   - pin: Takes hold of the version while it is certainly the newest.
  /// - Throws: what the disk said. The file is at `base`, and the next write may succeed.
  func commit(_ commitProtocol: CommitProtocol? = nil, pinning pin: Pin? = nil) throws -> Root {
    close()
    defer { trees = nil }
    notedAtCommit = changes.changes
    let root = try coordinator.commit(self, commitProtocol, pinning: pin)
    notedAtCommit = nil
    invariant(root.version == version, "what was to be \(version) became \(root.version)")
    return root
  }

  /// Commits as a member of a group: readable by whoever is given the root, but neither durable nor
  /// visible to others. The gate stays closed until `Coordinator.commitGroup`.
  ///
  /// - Parameters:
  ///   - waits: Whether it need not be in the file before the others of the group are.
  ///   - isForLater: Whether even the writing is left to `commitGroup`. Whoever wants to read the
  ///     version before has to write what is `composed` first.
  func seal(waits: Bool = false, isForLater: Bool = false) throws -> Root {
    close()
    defer { trees = nil }
    notedAtCommit = changes.changes
    settleBase()
    if let flush, let failure = flush.failure {
      coordinator.leaveGate()
      throw failure
    }
    let root =
      waits
      ? try coordinator.sealWaiting(self, isForLater: isForLater)
      : try coordinator.seal(self, isForLater: isForLater).root
    invariant(root.version == version, "what was to be \(version) was sealed as \(root.version)")
    composed = root.isWaiting ? [] : coordinator.writer.composed
    return root
  }

  /// Places what it has made, and returns the new top.
  func settle(into sink: any NodeSink) throws -> NodeRef {
    guard let trees else { broken("version \(version) is committed, and nobody has made it") }
    return try trees.settle(into: sink)
  }

  /// So small a file is looked through within a millisecond.
  private static let little = UInt64(1 << 19)

  /// Whether the commit will know soon what space is free; if not, it has to look at commits of
  /// others, or at all nodes.
  var knowsSpace: Bool {
    if base.end < WriteTransaction.little { return true }
    guard let heap = coordinator.writer.heap else { return false }
    return heap.free.version == base.version && heap.losses == coordinator.lock.losses
  }

  /// Finds out what space is free before the commit has to: for a thread that nobody waits for.
  /// What fails here fails again in the commit, which tells it.
  func learnSpace() {
    if knowsSpace { return }
    _ = try? coordinator.readyHeap(for: base)
    coordinator.moments.reach(.spaceLearned)
  }

  /// Forgets the write. What it was begun on is durable then, or lost.
  func cancel() {
    close()
    trees = nil
    changes.reset()
    if let flush {
      coordinator.leaveBehind(flush)
    } else if !coordinator.writer.isGroupOpen {
      coordinator.leaveGate()
    }
    coordinator.moments.reach(.writeCancelled)
  }

  /// Returns when what it was begun on is durable and published, or lost: before anything of that
  /// can be found elsewhere.
  func settleBase() {
    if let flush { coordinator.settle(flush) }
  }

  /// Whether what it was begun on has come to nothing.
  var isBaseLost: Bool { flush?.isLost ?? false }

  func close() {
    invariant(isOpen, "a write is ended twice")
    isOpen = false
  }
}

extension Coordinator {
  /// Waits until nobody else writes, and begins a write on the newest version.
  func beginWrite() throws -> WriteTransaction {
    try requireWritable()
    return try begin(GateHold(entering: gate))
  }

  /// Waits until nobody else writes, and begins a write for whoever asked for one first; if that
  /// one is still to come, once more when it has come.
  func beginRequestedWrite(on errands: any Errands) {
    requests.grant(Result { try beginWrite() }, again: sending(errands))
  }

  /// What sends a thread to the gate. Who asks keeps the file open, and not what is due there.
  func sending(_ errands: any Errands) -> WriteRequests.Send {
    { [weak self] in errands.run { [weak self] in self?.beginRequestedWrite(on: errands) } }
  }

  /// Begins a write if nobody else writes, and nobody has asked to before.
  func tryBeginWrite(for ticket: WriteRequests.Ticket) throws -> WriteTransaction? {
    try requireWritable()
    guard requests.isFirst(ticket), let hold = GateHold(trying: gate) else { return nil }
    return try begin(hold)
  }

  /// Begins the next write of a group, on what the last one sealed.
  func continueGroup() throws -> WriteTransaction {
    guard let last = writer.lastSealed else { broken("there is no group to go on with") }
    invariant(
      last.version > board.newest,
      "a group goes on from \(last.version), and \(board.newest) is published already")
    if let failure = writer.waiting?.failure { throw failure }
    if !last.isWaiting { for runs in writer.composed { try runs.write() } }
    return WriteTransaction(coordinator: self, base: last)
  }

  /// Whether somebody writes, here or in another process.
  var hasWriter: Bool { rb_load32(lock.half(LockFile.gateOffset)) != 0 }

  func requireWritable() throws {
    try requireSameProcess()
    if configuration.isReadOnly { throw StorageError.readOnly(path: path) }
    if isAlone { throw StorageError.noRoomForLock(path: path) }
  }

  /// Looks whether what is written will be found. Beside a flush that is nothing; a commit without
  /// one takes little longer than the look itself, so there one in a millisecond has to do.
  func lookAtItsName() throws {
    if configuration.commitProtocol == .none {
      let now = rb_uptime()
      if now < writer.lastLook + 1_000_000 { return }
      writer.lastLook = now
    }
    try requireItsName()
  }

  /// The version that a write goes out from; throws if none can begin.
  func baseOfNextWrite() throws -> Root {
    try lookAtItsName()
    if writer.followsDead || isCommitUnfinished { try finishCommitOfTheDead() }
    let base = board.newestRoot
    try requireBase(base)
    return base
  }

  /// Throws if more versions than these are alive. Who begins a write asks for its own limit.
  ///
  /// - Parameter inGroup: Whether it goes on with a group: then what that sealed last stands for
  ///   the newest version.
  func requireVersions(atMost limit: UInt, inGroup: Bool = false) throws {
    lock.clearTheDead()
    let count =
      inGroup ? Set(pins.readVersions() + [lastSealedVersion]).count : activeVersionCount
    if count > limit {
      throw StorageError.tooManyVersions(path: path, count: count, limit: limit)
    }
  }

  /// The last version of the group that is open. Inside the gate.
  private var lastSealedVersion: VersionID { writer.lastSealed?.version ?? newestVersion }

  /// Begins a write inside the gate; if it throws, it has left.
  func begin(_ hold: consuming GateHold) throws -> WriteTransaction {
    moments.reach(.gateEntered)
    invariant(
      !writer.isGroupOpen, "a write begins beside a group of \(writer.group.count) commits")
    // Remembered before anything can fail: nobody is told of a death twice.
    if hold.otherDied { writer.followsDead = true }
    let base: Root
    do {
      base = try baseOfNextWrite()
    } catch {
      let hasNews = writer.takeNewsOfTheDead()
      _ = consume hold
      if hasNews { tell() }
      throw error
    }
    writer.hold = consume hold
    return WriteTransaction(coordinator: self, base: base)
  }
}
