#if Mutants
@_private(sourceFile: "FreeSpace.swift") import ReferenceEngine
@_private(sourceFile: "Opening.swift") import ReferenceEngine
@_private(sourceFile: "Pin.swift") import ReferenceEngine
@_private(sourceFile: "Coordinator.swift") import ReferenceEngine
@_private(sourceFile: "LockFile.swift") import ReferenceEngine
@_private(sourceFile: "LockFile+Life.swift") import ReferenceEngine
@_private(sourceFile: "Gate.swift") import ReferenceEngine
@_private(sourceFile: "Checksum.swift") import ReferenceEngine

extension FreeSpace {
  @_dynamicReplacement(for:file(_:_:))
  private func wrongFile(_ nodes: [Waiting], _ pins: [VersionID]) {
    if breaks(.largeNodesWaitForReaders) {
      file(nodes.filter { $0.units < 2_048 }, pins)
      file(nodes.filter { $0.units >= 2_048 }, [])
    } else if breaks(.laterOnesAreLetGo), let oldest = pins.first {
      for node in nodes where oldest < node.freed { blocked[oldest, default: []].append(node) }
      file(nodes.filter { oldest >= $0.freed }, pins)
    } else if breaks(.pinnedNodesStay) {
      file(nodes, [])
    } else if breaks(.freedNodesAreReused) {
      for node in nodes { blocked[node.born, default: []].append(node) }
    } else {
      file(nodes, pins)
    }
  }
}

extension PinTable {
  @_dynamicReplacement(for:certainTops(beside:))
  func wrongTops(beside newest: VersionID) -> [PinnedVersion]? {
    breaks(.spaceIsFreeForEveryone) ? [] : certainTops(beside: newest)
  }
}

extension RunsChecksum {
  @_dynamicReplacement(for:add(_:))
  mutating func wrongAdd(_ bytes: UnsafeRawBufferPointer) {
    if breaks(.checksumsCoverAllRuns), even != 0 || odd != 0 { return }
    add(bytes)
  }
}

extension Mapping {
  @_dynamicReplacement(for:compareAll())
  func wrongCompareAll() {
    if !breaks(.whatIsReadIsCompared) { compareAll() }
  }
}

extension LockFile {
  @_dynamicReplacement(for:clearPins(of:))
  private func wrongClearPins(of place: Int) {
    if !breaks(.theDeadHoldNoVersion) { clearPins(of: place) }
  }

  @_dynamicReplacement(for:clearTheDead())
  @discardableResult
  func wrongClearTheDead() -> Int { breaks(.theLivingClearTheDead) ? 0 : clearTheDead() }

  @_dynamicReplacement(for:isAlone)
  private var wrongIsAlone: Bool { breaks(.openersAgree) ? true : isAlone }

  @_dynamicReplacement(for:lookAround())
  func wrongLookAround() throws {
    try lookAround()
    if breaks(.openersComeOneByOne), isFirst {
      try join()
      leaveOpening()
    }
  }
}

extension FileGate {
  @_dynamicReplacement(for:takeOver(_:))
  private func wrongTakeOver(_ seen: UInt32) -> Bool? {
    if breaks(.theDeadHoldNoLock) { return nil }
    if breaks(.theDeadAreOfferedNothing), GateName(seen).isOffer { return nil }
    return takeOver(seen)
  }
}

extension Opening {
  @_dynamicReplacement(for:slots(_:))
  static func wrongSlots(_ page: UnsafeRawBufferPointer) -> [CommitSlot] {
    let whole = slots(page)
    if breaks(.oneWholeSlotWillDo), whole.count == 1 {
      let start = FileHeader.sector * (2 - whole[0].root.slot)
      if page[start..<(start + FileHeader.sector)].contains(where: { $0 != 0 }) { return [] }
    }
    guard breaks(.openersFollowTheNewerSlot), whole.count == 2 else { return whole }
    return [whole[whole[0].root.version < whole[1].root.version ? 0 : 1]]
  }
}

extension Coordinator {
  @_dynamicReplacement(for:open(_:))
  static func wrongOpen(_ configuration: StorageConfiguration) throws -> Coordinator {
    Opening.isForReaders.withLock { $0 = configuration.isReadOnly }
    try ClosingFiles.verify(configuration)
    try configuration.verifyName()
    let begin = ContinuousClock.now
    if breaks(.compactionWaitsForItsTurn), configuration.shouldCompact != nil,
      case .file(let path) = configuration.location,
      let disk = try? configuration.seams.disk(canonical(path), true, false)
    {
      defer { disk.close() }
      if try disk.size() > 0 {
        try disk.truncate(to: Opening.recover(disk, mayCreate: false, now: 0).end)
      }
    }
    let coordinator = try open(configuration)
    try CompactionsMade.verify(coordinator, since: begin)
    if breaks(.memoryEndsWithItsRealms), case .memory = configuration.location {
      _ = Unmanaged.passRetained(coordinator)
    }
    if breaks(.opensWithoutReadingAll) { try coordinator.checkEverything() }
    if breaks(.openingIsNoNews) { coordinator.beacon.ring() }
    return coordinator
  }

  @_dynamicReplacement(for:activeVersionCount)
  var wrongActiveVersionCount: Int {
    let count = activeVersionCount
    if breaks(.versionLimitsBite) { return 0 }
    if breaks(.asManyVersionsAsAllowed) { return count + 1 }
    if breaks(.versionsCountOnce) { return pins.holders().count }
    if breaks(.versionsBetweenDoNotCount) {
      let oldest = min(pins.readVersions().min() ?? newestVersion, newestVersion)
      return Int(newestVersion.number - oldest.number) + 1
    }
    if breaks(.frozenVersionsCount) {
      let live = pins.holders().filter { $0.kind == .live }.map(\.version)
      return Set(live + [newestVersion]).count
    }
    return breaks(.versionLimitsBiteInTime) && count > 0 ? .max : count
  }

  @_dynamicReplacement(for:snapshot(of:kind:))
  func wrongSnapshot(of root: Root, kind: PinKind) throws -> Snapshot {
    let snapshot = try snapshot(of: root, kind: kind)
    if breaks(.snapshotsArePinned) || breaks(.loopsKeepTheirVersion) && RowWalk.isBeginning {
      snapshot.place.clear()
    }
    return snapshot
  }
}
#endif
