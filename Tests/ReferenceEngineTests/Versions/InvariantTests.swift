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
      case .placeOfNobody: "place -1 is given back"
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
          PinPlace(
            base: coordinator.lock.base + LockFile.pinsOffset - LockFile.stride))
      }
    }

    private func toy() throws -> Coordinator {
      try Coordinator(Toy.configuration(.memory(identifier: "broken")))
    }

    private var change: RowChange {
      RowChange(table: 0, kind: .modified, key: 1, count: 1, columns: 1)
    }

    private func root(_ version: UInt64, top: NodeRef = .none) -> Root {
      Root(
        version: VersionID(version), top: top, log: .none, end: 4096, when: 0, slot: 0,
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
