import CShims

/// What a commit settles with those that come after it: the space that it let go if it succeeded,
/// the space that it took if it did not.
extension Coordinator {
  /// The nodes that the group let go begin to wait, and its records join the others.
  func handOver(to root: Root) {
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

  /// Takes the group's commits back, and leaves.
  func giveUpGroup() {
    if writer.isGroupOpen { takeBack() }
    leaveGate()
  }

  /// Takes the group's commits back: what they wrote is free again.
  func takeBack() {
    // Whoever was shown the last of them reads what those before it wrote, too.
    let behind = (writer.lastSealed?.version ?? writer.lastVersion).next
    let written = writer.group.flatMap { commit in
      commit.runs.map {
        FreeSpace.Waiting(
          offset: $0.offset, units: UInt32($0.bytes >> 4), born: commit.root.version,
          freed: behind)
      }
    }
    noteLoss()
    writer.endGroup()
    writer.heap?.free.wait(written)
  }

  /// Lets other processes know that what they take for free space may be read here, until nobody is
  /// on the version any more: they have never heard of it.
  private func noteLoss() {
    let last = writer.lastSealed?.version ?? writer.lastVersion
    guard writer.hasRevealed || writer.shared != nil else {
      // A realm may stand on what it has sealed until it hears of the loss.
      let isShown = writer.waiting != nil || writer.group.contains { $0.composed != nil }
      return isShown ? lock.noteUnseenLoss(of: last.number) : ()
    }
    if let heap = writer.heap { lock.noteLoss(upTo: heap.end) }
    lock.noteLoss(of: last.number)
    writer.heap?.losses = lock.losses
    let lost = lostVersions.note(
      writer.group, behind: board.newest, pinned: pins.pinnedVersions())
    rememberedRows.lose(lost)
  }

  /// Takes the group's commits back where their slot may have reached the medium. What they wrote
  /// is free only when the cleared slot has been flushed, which is for whoever enters next to do.
  func takeBack(_ root: Root) {
    noteLoss()
    // Who reads the file without a lock file may have found the slot, and no process knows better
    // what is free than by looking.
    if let heap = writer.heap { lock.noteHiddenLoss(upTo: heap.end) }
    writer.endGroup()
    writer.heap = nil
    lock.givenUp = GivenUp(root)
    try? Opening.clear(slot: root.slot, of: disk)
    lock.oweFlush()
  }
}
