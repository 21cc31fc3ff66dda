import CShims

/// Steps 1 and 2 of a commit: its nodes get their places, and are written there.
extension Coordinator {
  /// What is to be placed: one commit, or several that waited, as if they were one.
  struct Draft {
    let version: VersionID
    /// What it is based on: a version that has its place in the file.
    let base: Root
    let changes: [RowChange]
    let told: (changes: [RowChange], flags: UInt32)
    /// Whether no row of the base is missing, as far as is known.
    let keepsRows: Bool
    /// How many bytes of nodes it will probably place, and how many it lets go.
    let nodes: Int
    let freed: Int

    init(
      version: VersionID, base: Root, changes: [RowChange], rowsAreKnown: Bool, nodes: Int,
      freed: Int, tables: @autoclosure () -> Set<UInt32>?
    ) {
      (self.version, self.base, self.nodes, self.freed) = (version, base, nodes, freed)
      self.changes = changes
      told = ChangeLog.told(changes, areKnown: rowsAreKnown, tables: tables())
      keepsRows = rowsAreKnown && !changes.contains(where: \.deletes)
    }
  }

  /// Places the commit of a write.
  func place(
    _ write: WriteTransaction, _ wanted: CommitProtocol, isForLater: Bool
  ) throws -> SealedCommit {
    let arena = write.arena
    let draft = Draft(
      version: write.version, base: writer.placed(write.base),
      changes: ChangeSet.normalised(write.changes.changes),
      rowsAreKnown: !write.changes.isIncomplete, nodes: writer.expected(of: arena),
      freed: arena.freed.count, tables: tablesOfReusedKeys())
    return try place(draft, wanted, isForLater: isForLater) { placement in
      let top = try write.settle(into: placement)
      writer.learn(from: arena, placed: placement.bytes)
      // Taken now: settling lets nodes go, too.
      let freed = arena.takeFreed()
      guard let anteroom = writer.anteroomInUse else { return (top, freed) }
      // The write may have been based on nodes that waited, and have got their places since.
      return (anteroom.settle(top, into: placement), anteroom.known(freed))
    }
  }

  /// Places what `settle` makes, and behind it the record that tells of it.
  func place(
    _ draft: Draft, _ wanted: CommitProtocol, isForLater: Bool,
    _ settle: (Placement) throws -> (top: NodeRef, freed: [FreedNode])
  ) throws -> SealedCommit {
    invariant(
      draft.version > draft.base.version,
      "version \(draft.version) is placed on \(draft.base.version)")
    invariant(
      !draft.base.isWaiting,
      "\(draft.version) is placed on \(draft.base.version), which has no place")
    let heap = try readyHeap(for: draft.base)
    invariant(
      heap.free.version <= draft.base.version,
      "what is free at \(heap.free.version) is taken for what follows \(draft.base.version)")
    let dropped = collectSpace(heap, for: draft.base)
    invariant(
      0...writer.records.count ~= dropped.count,
      "\(dropped.count) of \(writer.records.count) records are to go")
    moments.reach(.placesChosen)

    let record = ChangeLog.bytes(
      runs: 4, freed: 4 + dropped.count, changes: draft.told.changes.count,
      summary: dropped.summary)
    let placement = Placement(
      disk: disk, heap: heap, memory: disk.isMemory ? mapping.base : nil, of: space.file,
      born: draft.version, expected: draft.nodes + record + draft.freed * 16, for: wanted,
      isForLater: isForLater, knowing: writer.anteroomInUse)
    do {
      let settled = try settle(placement)
      var freed = settled.freed
      freed.append(contentsOf: writer.records.prefix(dropped.count))
      let record = placeRecord(draft, placement, freed, dropped)
      invariant(
        !settled.top.isPending && !settled.top.isWaiting,
        "version \(draft.version) begins at \(settled.top.raw), which is no place in the file")
      let composed = try placement.finish()
      invariant(
        record.ref.raw < heap.free.map.end && settled.top.raw < heap.free.map.end,
        "version \(draft.version) begins at \(settled.top.raw), with its record at "
          + "\(record.ref.raw), in a heap that ends at \(heap.free.map.end)")
      invariant(
        placement.runs.count > 0, "version \(draft.version) lies nowhere, not even its record")
      if composed == nil { moments.reach(.dataWritten) }
      heap.free.map.trimIfMostlyFree()
      writer.lastVersion = draft.version
      return SealedCommit(
        root: Root(
          version: draft.version, top: settled.top, log: record.ref, end: heap.free.map.end,
          when: rb_now(),
          slot: 1 - draft.base.slot, commitProtocol: .twoPhase),
        runs: placement.runs, composed: composed, checksum: placement.checksum?.value, freed: freed,
        record: record,
        droppedRecords: dropped.count, keepsRows: draft.keepsRows, changes: draft.changes)
    } catch {
      placement.abandon()
      throw error
    }
  }

  /// The record is placed last, because it tells all the others' places, and its own.
  private func placeRecord(
    _ draft: Draft, _ placement: Placement, _ freed: [FreedNode], _ dropped: DroppedRecords
  ) -> FreedNode {
    // It may need a run of its own, which makes it longer.
    let changes = draft.told.changes.count
    let estimate = ChangeLog.bytes(
      runs: placement.runs.count + 1, freed: freed.count, changes: changes,
      summary: dropped.summary)
    let bytes = ChangeLog.bytes(
      runs: placement.runCount(placing: estimate), freed: freed.count, changes: changes,
      summary: dropped.summary)
    invariant(bytes >= ChangeLog.head, "a record has \(bytes) bytes")
    let (ref, node) = placement.place(bytes: bytes)
    // Records that the group's commits have let go are in the list until the group is published.
    let gone = writer.group.reduce(dropped.count) { $0 + $1.droppedRecords }
    let oldest = writer.records.dropFirst(gone).first ?? writer.group.first?.record
    ChangeLog.write(
      to: node, bytes: bytes, version: draft.version, base: draft.base,
      floor: oldest?.born ?? draft.version, runs: placement.runsSoFar(), freed: freed,
      told: draft.told, summary: dropped.summary)
    return FreedNode(ref: ref, units: bytes >> 4, born: draft.version)
  }
}
