import CShims

/// The commits of a group that wait for their place in the file.
///
/// Each is a version of its own, with a record of what it changed, to the session that seals them.
/// To all others, and in the file, they become one: nobody else can come to see one without the
/// last.
final class WaitingCommits {
  /// The version that the first is based on, which has its place.
  let base: Root
  fileprivate(set) var last: Root
  /// Let go by any of them, as far as the file knows it.
  fileprivate(set) var freed: [FreedNode] = []
  fileprivate(set) var changes: [RowChange] = []
  fileprivate(set) var rowsAreKnown = true
  /// Why they could not be placed: then they never can.
  fileprivate(set) var failure: (any Error)?

  fileprivate init(base: Root) {
    self.base = base
    last = base
  }
}

extension Coordinator {
  /// Larger commits are placed at once: there is little that the next one of the group would
  /// replace.
  private static let mostWaiting = 1 << 18
  /// Larger groups wait for two flushes: whoever opens the file looks at all that stands for one.
  private static let mostFlushedOnce = 1 << 18

  /// Seals a commit that waits for the others of its group before it gets a place. Only who seals
  /// them may read it, and must turn to the root that `place` returns before the group is
  /// committed.
  func sealWaiting(
    _ write: WriteTransaction, isForLater: Bool
  ) throws -> Root {
    let arena = write.arena
    guard arena.pendingBytes < Coordinator.mostWaiting,
      writer.waiting?.failure == nil, writer.anteroom.hasRoom(for: arena.pendingBytes)
    else { return try seal(write, isForLater: isForLater).root }
    let top = try write.settle(into: writer.anteroom)
    let root = Root(
      version: write.version, top: top, log: record(write), end: write.base.end, when: rb_now(),
      slot: 1 - write.base.slot, commitProtocol: .twoPhase)
    invariant(
      root.isWaiting && root.version > write.base.version,
      "version \(root.version) waits on top of \(write.base.version)")
    let waiting = writer.waiting ?? WaitingCommits(base: writer.placed(write.base))
    invariant(
      waiting.last.version < root.version,
      "version \(root.version) waits behind \(waiting.last.version)")
    waiting.last = root
    waiting.freed.append(contentsOf: writer.anteroom.known(arena.takeFreed()))
    waiting.changes.append(contentsOf: write.changes.changes)
    if write.changes.isIncomplete { waiting.rowsAreKnown = false }
    writer.waiting = waiting
    writer.lastVersion = root.version
    return root
  }

  /// The record of a commit that waits: for listeners of the session that seals it, and for whoever
  /// asks there what has gone. It tells nothing of space.
  private func record(_ write: WriteTransaction) -> NodeRef {
    let told = ChangeLog.told(
      ChangeSet.normalised(write.changes.changes), areKnown: !write.changes.isIncomplete,
      tables: tablesOfReusedKeys())
    let bytes = ChangeLog.bytes(runs: 0, freed: 0, changes: told.changes.count)
    let (ref, node) = writer.anteroom.placeAside(bytes: bytes)
    let before = ChangeLog(write.base.log, in: space, version: write.base.version)
    ChangeLog.write(
      to: node, bytes: bytes, version: write.version, base: write.base,
      floor: before?.floor ?? write.version, runs: [], freed: [], told: told)
    return ref
  }

  /// The version that was sealed last as the file has it from now on.
  func place(_ root: Root, isForLater: Bool = false) throws -> Root {
    try placeGroup(isForLater: isForLater)
    return writer.placed(root)
  }

  /// How a group of so many bytes becomes durable if it is placed as one; a commit that is brought
  /// to the disk elsewhere is a group of one.
  func protocolOfGroup(of bytes: Int, _ requested: CommitProtocol?) -> CommitProtocol {
    if let requested { return requested }
    let wanted = configuration.commitProtocol
    return wanted == .twoPhase && bytes <= Coordinator.mostFlushedOnce ? .singleFlush : wanted
  }

  /// Places the commits that wait, as one, and so that a single flush is enough for them where two
  /// phases are the rule: all that is placed is reached by the last of them, so that nothing of it
  /// is written over before another version is durable.
  func placeGroup(_ requested: CommitProtocol? = nil, isForLater: Bool = false) throws {
    guard let waiting = writer.waiting else { return }
    if let failure = waiting.failure { throw failure }
    let anteroom = writer.anteroom
    invariant(
      waiting.last.version > waiting.base.version,
      "a group waits behind \(waiting.base.version), up to \(waiting.last.version)")
    let draft = Draft(
      version: waiting.last.version, base: waiting.base,
      changes: ChangeSet.normalised(waiting.changes), rowsAreKnown: waiting.rowsAreKnown,
      nodes: anteroom.bytes, freed: waiting.freed.count,
      tables: tablesOfReusedKeys())
    do {
      let wanted = protocolOfGroup(of: anteroom.bytes, requested)
      let placed = try place(draft, wanted, isForLater: isForLater) { placement in
        (anteroom.settle(waiting.last.top, into: placement), waiting.freed)
      }
      anteroom.allPlaced()
      append(placed)
      writer.waiting = nil
    } catch {
      waiting.failure = error
      throw error
    }
  }
}
