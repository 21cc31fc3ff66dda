import Testing

@testable import ReferenceEngine

/// What the engine holds of itself is told when it is broken, with its numbers, before a file is
/// written by it. One of each kind is broken by hand, in a process that may die of it.
@Suite struct InvariantTests {
  enum Fault: String, Codable, CaseIterable, Sendable {
    case givenBackTwice, givenBackBehindTheEnd, takenNothing, pinsInNoOrder
    case nodeWithoutHeader, arenaLetsGoTwice, slotThatIsNone, slotWithTooManyRuns
    case slotOfAPendingTop, recordTooLong, recordOnItself, writeEndedTwice, gateLeftTwice
    case pairBehindAll, pairThatIsNone, entryThatIsNone, sumOfHalfANode, placeOfNobody
    case publishedTwice, publishedBehindItsEnd, slotThree, recordBelowItsFloor, waitingInTheHeader
    case rowsInNoOrder, pairsInNoOrder, clusterTooLarge, gateNotAskedFor, turnEndedTwice
    case moreOnTheDisk, lifeWithoutAName, halfAPlace

    /// What the sentence must tell.
    var told: String {
      switch self {
      case .givenBackTwice: "space at 4096 is freed twice"
      case .givenBackBehindTheEnd: "16 units at 1024, in a heap of 4 pages"
      case .takenNothing: "0 bytes are taken at the end of the heap"
      case .pinsInNoOrder: "the pinned versions [3, 2] are in no order"
      case .nodeWithoutHeader: "a node of 8 bytes has no header"
      case .arenaLetsGoTwice: "a pending node of 0 units has lost its size"
      case .slotThatIsNone: "there is no commit slot 2"
      case .slotWithTooManyRuns: "a slot has no room for 28 runs"
      case .slotOfAPendingTop: "version 7 has no place in the file"
      case .recordTooLong: "0 runs, 0 freed and 3 changes, not in 96 bytes"
      case .recordOnItself: "the record of 7 stands on 7"
      case .writeEndedTwice: "a write is ended twice"
      case .gateLeftTwice: "the gate is left by one who is not inside"
      case .pairBehindAll: "a pair comes at 2 of 1"
      case .pairThatIsNone: "pair 1 of 1 goes"
      case .entryThatIsNone: "entry 3 of 2 goes from a branch"
      case .sumOfHalfANode: "24 bytes are no nodes"
      case .placeOfNobody: "what is given back at 1984 is no place"
      case .publishedTwice: "version 9 is published behind 9"
      case .publishedBehindItsEnd: "version 9 begins at 8192, behind its end at 4096"
      case .slotThree: "version 9 stands in slot 3"
      case .recordBelowItsFloor: "the record of 8 says that the oldest is 9"
      case .waitingInTheHeader: "a node waits where none can lie"
      case .rowsInNoOrder: "2 rows of table 0 are deleted in no order"
      case .pairsInNoOrder: "2 pairs are removed in no order"
      case .clusterTooLarge: "a cluster of 257 rows is made"
      case .gateNotAskedFor: "the gate is given to one that is resting"
      case .turnEndedTwice: "a turn ends that is resting"
      case .moreOnTheDisk: "1 of 0 commits are on the disk"
      case .lifeWithoutAName: "life 2097152 of process 3 has no name"
      case .halfAPlace: "what is given back at 2056 is no place"
      }
    }

    func make() throws {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      guard let memory = bytes.baseAddress else { return }
      let map = FreeMap(end: 16_384)
      switch self {
      case .givenBackTwice:
        for _ in 0..<2 { map.give(Run(offset: 4096, bytes: 64)) }
      case .givenBackBehindTheEnd: map.give(Run(offset: 16_384, bytes: 256))
      case .takenNothing: _ = map.takeAtEnd(bytes: 0)
      case .pinsInNoOrder:
        FreeSpace(version: VersionID(1), map: map).examine(pins: [VersionID(3), VersionID(2)])
      case .nodeWithoutHeader:
        let coordinator = try toy()
        let write = try coordinator.beginWrite()
        _ = try write.commit { $0.place(bytes: 8).ref }
      case .arenaLetsGoTwice:
        let coordinator = try toy()
        let arena = try coordinator.beginWrite().arena
        let ref = arena.make(kind: 1, payload: 32)
        for _ in 0..<2 { arena.discard(ref) }
      case .slotThatIsNone: _ = FileHeader.slotOffset(2)
      case .slotWithTooManyRuns:
        CommitSlot(
          root: root(7), runs: Array(repeating: Run(offset: 4096, bytes: 16), count: 28)
        ).encode(into: bytes)
      case .slotOfAPendingTop:
        CommitSlot(root: root(7, top: NodeRef(raw: NodeRef.reservation + 64))).encode(into: bytes)
      case .recordTooLong:
        ChangeLog.write(
          to: memory, bytes: 96, version: VersionID(8), base: root(7), floor: VersionID(8),
          runs: [], freed: [], told: (changes: Array(repeating: change, count: 3), flags: 0))
      case .recordOnItself:
        ChangeLog.write(
          to: memory, bytes: 64, version: VersionID(7), base: root(7), floor: VersionID(7),
          runs: [], freed: [], told: (changes: [], flags: 0))
      case .writeEndedTwice:
        let write = try toy().beginWrite()
        for _ in 0..<2 { write.cancel() }
      case .gateLeftTwice:
        let coordinator = try toy()
        _ = coordinator.gate.enter()
        for _ in 0..<2 { coordinator.gate.leave() }
      case .pairBehindAll:
        let leaf = PairLeaf(memory)
        leaf.insert(Pair(first: 1, second: 1), at: 0)
        leaf.insert(Pair(first: 2, second: 2), at: 2)
      case .pairThatIsNone:
        let leaf = PairLeaf(memory)
        leaf.insert(Pair(first: 1, second: 1), at: 0)
        leaf.remove(at: 1)
      case .entryThatIsNone:
        let branch = ListBranch(memory)
        for index in 0..<2 {
          branch.insert(ListBranch.Entry(child: NodeRef(raw: 4096), values: 1), at: index)
        }
        branch.remove(at: 3)
      case .sumOfHalfANode:
        var sum = RunsChecksum()
        sum.add(UnsafeRawBufferPointer(rebasing: bytes[0..<24]))
      case .placeOfNobody:
        let coordinator = try toy()
        coordinator.pins.release(
          PinPlace(base: coordinator.lock.pin(0) - LockFile.stride))
      case .publishedTwice:
        let coordinator = try toy()
        for _ in 0..<2 { coordinator.board.publish(root(9)) }
      case .publishedBehindItsEnd:
        let coordinator = try toy()
        coordinator.board.publish(root(9, top: NodeRef(raw: 8192)))
        withExtendedLifetime(coordinator) {}
      case .slotThree:
        let coordinator = try toy()
        coordinator.board.publish(root(9, slot: 3))
        withExtendedLifetime(coordinator) {}
      case .recordBelowItsFloor:
        ChangeLog.write(
          to: memory, bytes: 64, version: VersionID(8), base: root(7), floor: VersionID(9),
          runs: [], freed: [], told: (changes: [], flags: 0))
      case .waitingInTheHeader:
        FreeSpace(version: VersionID(1), map: map).wait(
          [FreedNode(ref: NodeRef(raw: 64), units: 1, born: VersionID(1))], freed: VersionID(2))
      case .rowsInNoOrder:
        let write = try toy().beginWrite()
        let table = TableWriter(arena: write.arena, index: 0, specs: [.int])
        for key in 1...3 as ClosedRange<Int64> { _ = table.insert(key) }
        table.delete([3, 1])
        write.cancel()
      case .pairsInNoOrder:
        let write = try toy().beginWrite()
        var pairs = PairWriter(arena: write.arena, root: .none)
        for key in 1...3 as ClosedRange<UInt64> { _ = pairs.insert(Pair(first: key, second: 1)) }
        pairs.remove([Pair(first: 3, second: 1), Pair(first: 1, second: 1)])
        write.cancel()
      case .clusterTooLarge:
        let coordinator = try toy()
        let write = try coordinator.beginWrite()
        _ = ClusterWriter(arena: write.arena, specs: []).make(count: Cluster.most + 1, base: 0)
      case .gateNotAskedFor:
        var queue = AsyncWriteQueue<Void, Void>()
        queue.granted()
      case .turnEndedTwice:
        var queue = AsyncWriteQueue<Void, Void>()
        _ = queue.endTurn()
      case .moreOnTheDisk:
        var queue = AsyncWriteQueue<Void, Void>()
        _ = queue.synced(1)
      case .lifeWithoutAName: _ = GateName(place: 3, life: GateName.lives).word
      case .halfAPlace:
        let coordinator = try toy()
        coordinator.pins.release(
          PinPlace(base: coordinator.lock.pin(0) + 8))
      }
    }

    private func toy() throws -> Coordinator {
      try Coordinator(Toy.configuration(.memory(identifier: "broken")))
    }

    private var change: RowChange {
      RowChange(table: 0, kind: .modified, key: 1, count: 1, columns: 1)
    }

    private func root(_ version: UInt64, top: NodeRef = .none, slot: Int = 0) -> Root {
      Root(
        version: VersionID(version), top: top, log: .none, end: 4096, when: 0, slot: slot,
        commitProtocol: .singleFlush)
    }
  }

  @Test(arguments: Fault.allCases)
  func `what is broken is told`(fault: Fault) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [fault = fault as Fault] in
      try fault.make()
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("the engine is wrong: "), "\(fault): \(said.prefix(300))")
    #expect(said.contains(fault.told), "\(fault): \(said.prefix(300))")
  }
}
