import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// A failure of the disk at any call surfaces as an error, and takes nothing away.
@Suite struct FaultTests {
  private func open(_ disk: any Disk) throws -> Coordinator {
    try Coordinator(Toy.configuration(.memory(identifier: "faulty")), disk: disk, lockPath: nil)
  }

  /// What a next session would find on the same disk.
  private func reopened(_ disk: any Disk) throws -> [[UInt8]] {
    var bytes = [UInt8](repeating: 0, count: Int(try disk.size()))
    _ = try bytes.withUnsafeMutableBytes { try disk.read(into: $0, at: 0) }
    let image = try bytes.withUnsafeBytes { try ImageDisk($0) }
    let coordinator = try open(image)
    try coordinator.checkEverything()
    return try coordinator.newestContent()
  }

  enum Act: CaseIterable, Sendable {
    case twoPhase, singleFlush, none, group, groupFlushedOnce, placedGroup, shared, bigCommit
  }

  @Test(arguments: Act.allCases, FailingDisk.Failure.allCases)
  func `WRITE-27: a failure at any call surfaces, and the next write works`(
    act: Act, failure: FailingDisk.Failure
  ) throws {
    var surfaced = 0
    for sticky in [false, true] {
      for call in 0..<40 {
        let disk = FailingDisk(try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0)))
        let coordinator = try open(disk)
        try coordinator.set([0: [1], 1: [1]])
        try coordinator.set([1: [2]])
        let held = try coordinator.newestSnapshot(kind: .frozen)
        disk.fail(at: call, failure, sticky: sticky)
        var error: (any Error)?
        do {
          switch act {
          case .twoPhase: try coordinator.set([0: [3]], .twoPhase)
          case .singleFlush: try coordinator.set([0: [3]], .singleFlush)
          case .none: try coordinator.set([0: [3]], CommitProtocol.none)
          case .bigCommit:
            try coordinator.set([0: [3], 9: [UInt8](repeating: 9, count: 300_000)], .twoPhase)
          case .shared: try coordinator.setTogether([[0: [3]], [2: [3]]])
          case .group, .groupFlushedOnce, .placedGroup:
            let waits = act != .placedGroup
            let how: CommitProtocol? = act == .groupFlushedOnce ? nil : .twoPhase
            _ = try coordinator.seal([0: [3]], in: try coordinator.beginWrite(), waits: waits)
            do {
              _ = try coordinator.seal([2: [3]], in: coordinator.continueGroup(), waits: waits)
            } catch {
              // The first of them is whole: it is committed, and the failure reported all the same.
              _ = try? coordinator.commitGroup(how)
              throw error
            }
            _ = try coordinator.commitGroup(how)
          }
        } catch let caught {
          error = caught
        }
        guard disk.hasFailed else {
          #expect(error == nil)
          break
        }
        // Old data is there, whatever happened.
        #expect(Toy.content(held.root, held.space)[0...1] == [[1], [2]])
        if let error {
          surfaced += 1
          #expect(!"\(error)".isEmpty)
          let now = try coordinator.newestContent()[0]
          let mayBeHalf = act == .placedGroup || act == .shared
          #expect(mayBeHalf ? [[1], [3]].contains(now) : now == [1])
        }
        if !sticky || [.group, .groupFlushedOnce, .placedGroup].contains(act) {
          #expect(error != nil)
        }
        disk.heal()
        try coordinator.set([0: [4]])
        #expect(try coordinator.newestContent()[0] == [4])
        try coordinator.checkEverything()
        for value in UInt8(5)..<15 { try coordinator.set([0: [value], 1: [value]]) }
        try coordinator.checkEverything()
        #expect(try reopened(disk)[0] == [14])
      }
    }
    #expect(surfaced > 3)
  }

  /// What broke: after a failure, nodes were composed at place 0, which a column took for "no long
  /// value here" and copied the value itself into room for a reference: a crash instead of the
  /// error.
  @Test(arguments: [FailingDisk.Failure.noSpace, .torn])
  func `WRITE-27: a write of many long values that outgrows a full disk only throws`(
    failure: FailingDisk.Failure
  ) throws {
    let long = [UInt8](repeating: 7, count: 50_000)
    func blobs(_ coordinator: Coordinator, _ keys: Range<Int64>) throws {
      let write = try coordinator.beginWrite()
      let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
      let table = trees.table(0) ?? trees.addTable([.int, .bytes])
      for key in keys {
        let place = try #require(table.insert(key))
        table.setInt(place, 0, key)
        long.withUnsafeBytes { table.setBytes(place, 1, $0) }
      }
      _ = try write.commit(settle: trees.settle(into:))
    }
    func rows(_ coordinator: Coordinator) -> Int? {
      Top(space: coordinator.space, ref: coordinator.board.newestRoot.top).table(0)?.rows.count
    }
    for call in 0..<12 {
      let disk = FailingDisk(try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0)))
      let coordinator = try Coordinator(
        StorageConfiguration(location: .memory(identifier: "full")), disk: disk, lockPath: nil)
      try blobs(coordinator, 0..<2)
      disk.fail(at: call, failure, sticky: true)
      #expect(throws: StorageError.self) { try blobs(coordinator, 2..<400) }
      #expect(disk.hasFailed)
      #expect(rows(coordinator) == 2)
      try coordinator.checkEverything()
      disk.heal()
      try blobs(coordinator, 2..<4)
      #expect(rows(coordinator) == 4)
      try coordinator.checkEverything()
    }
  }

  @Test(arguments: CommitProtocol.allCases)
  func `COMMIT-08: a system that interrupts every call and does a third of each loses nothing`(
    how: CommitProtocol
  ) throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let system = Interruptions()
    func coordinator() throws -> Coordinator {
      let disk = try PosixDisk(path: path, writable: true, create: true, calls: system.fileCalls)
      return try Coordinator(
        Toy.configuration(folder.file(), how), disk: disk, lockPath: path + ".lock")
    }
    var dice = Dice(seed: 6)
    var model = [[UInt8]](repeating: [], count: 16)
    for _ in 0..<3 {
      let writer = try coordinator()
      for step in 0..<20 {
        let index = Int.random(in: 0..<16, using: &dice)
        model[index] = dice.bytes(upTo: step == 7 ? 300_000 : 2_000)
        try writer.set([index: model[index]])
      }
      #expect(try writer.newestContent() == model)
      try writer.checkEverything()
    }
    let snapshot = try coordinator().newestSnapshot(kind: .frozen)
    #expect(Toy.content(snapshot.root, snapshot.space) == model)
    #expect(system.calls > 200)
  }

  /// A commit that was sealed is read here at once; if it cannot be made durable others, who have
  /// never heard of it, use its place, and let go what it shares with the version before it.
  @Test(arguments: [false, true])
  func `WRITE-27: what was sealed and lost stays whole for who reads it`(afterSlot: Bool) throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: true))
    let one = try Coordinator(
      Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
    func bytes(_ value: Int) -> [UInt8] { [UInt8](repeating: UInt8(value & 255), count: 700) }
    for leaf in 0..<16 { try one.set([leaf: bytes(leaf)]) }
    let other = try Coordinator(Toy.configuration(folder.file()))
    for leaf in 0..<16 { try other.set([leaf: bytes(leaf + 16)]) }

    let write = try one.beginWrite()
    let lost = try one.seal(
      [0: bytes(90), 5: bytes(91)], in: write, waits: false, isForLater: true)
    one.writer.reveal(lost)
    for runs in write.composed { try runs.write() }
    let pin = try Pin(coordinator: one, kind: .live)
    #expect(one.writer.pinSealed(lost.version, with: pin)?.root == lost)
    let content = Toy.content(lost, one.space)
    // The first flush is that of the slot, or of the nodes before it.
    disk.fail(at: afterSlot ? 1 : 0, .refused, sticky: false)
    #expect(throws: StorageError.self) { _ = try one.commitGroup() }
    #expect(disk.hasFailed)
    disk.heal()

    let next = try other.set([3: bytes(7)])
    #expect(next.version > lost.version && next.top != lost.top)
    let frozen = try one.snapshot(of: lost, kind: .frozen)
    #expect(try one.snapshot(of: next, kind: .frozen).top == next.top)
    // Another one, who has come since, and one who has not looked since before.
    let third = try Coordinator(Toy.configuration(folder.file()))
    for round in 0..<60 {
      try [other, third, one][round % 3].set(
        [round % 16: bytes(round), (round + 1) % 16: bytes(round + 1)])
      #expect(Toy.content(lost, one.space) == content, "round \(round)")
    }
    try other.checkEverything()
    // Whatever is small finds a place among what was let go.
    for round in 0..<200 {
      try [other, third][round % 2].set([round % 16: [UInt8(round & 255)]])
      other.writer.heap?.examineWaiting()
      third.writer.heap?.examineWaiting()
      #expect(Toy.content(lost, one.space) == content, "small round \(round)")
    }
    withExtendedLifetime(frozen) {}
    pin.release()
    for round in 0..<60 { try [third, one, other][round % 3].set([round % 16: bytes(round)]) }
    try one.checkEverything()
    #expect(try one.newestContent() == other.newestContent())
  }

  /// Of two commits that were lost together the first one's nodes were used again, which the second
  /// one's readers read, too: at once by who had lost them, by others when nobody read the first.
  @Test(arguments: [false, true])
  func `WRITE-27: what the commits of a lost group share stays for who reads the last`(
    elsewhere: Bool
  ) throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: true))
    let one = try Coordinator(
      Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
    func bytes(_ value: Int) -> [UInt8] { [UInt8](repeating: UInt8(value & 255), count: 700) }
    for leaf in 0..<16 { try one.set([leaf: bytes(leaf)]) }
    let other = try Coordinator(Toy.configuration(folder.file()))
    for leaf in 0..<16 { try other.set([leaf: bytes(leaf + 16)]) }

    func sealAndShow(_ values: [Int: [UInt8]], in write: WriteTransaction) throws -> (Root, Pin) {
      let sealed = try one.seal(values, in: write, waits: false, isForLater: true)
      one.writer.reveal(sealed)
      for runs in write.composed { try runs.write() }
      let pin = try Pin(coordinator: one, kind: .live)
      #expect(one.writer.pinSealed(sealed.version, with: pin)?.root == sealed)
      return (sealed, pin)
    }
    let (first, early) = try sealAndShow([0: bytes(90)], in: try one.beginWrite())
    let (last, late) = try sealAndShow([5: bytes(91)], in: one.continueGroup())
    #expect(first.version < last.version)
    let content = Toy.content(last, one.space)
    #expect(content[0] == bytes(90) && content[5] == bytes(91))
    disk.fail(at: 0, .refused, sticky: false)
    #expect(throws: StorageError.self) { _ = try one.commitGroup() }
    #expect(disk.hasFailed)
    disk.heal()

    let writer = elsewhere ? other : one
    if elsewhere { try other.set([3: bytes(7)]) }
    early.release()
    for round in 0..<200 {
      try writer.set([round % 16: round % 3 == 0 ? bytes(round) : [UInt8(round & 255)]])
      writer.writer.heap?.examineWaiting()
      #expect(Toy.content(last, one.space) == content, "round \(round)")
    }
    late.release()
    for round in 0..<60 { try [other, one][round % 2].set([round % 16: bytes(round)]) }
    try one.checkEverything()
  }

  @Test(arguments: FailingDisk.Failure.allCases)
  func `A failure while a file is made leaves nothing`(failure: FailingDisk.Failure) async throws {
    let folder = Folder()
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String, failure = "\(failure)"] in
      let failure = FailingDisk.Failure.allCases.first { "\($0)" == failure } ?? .refused
      let honest = Seams.given.disk
      for call in 0..<20 {
        let made = Made()
        Seams.given.disk = { path, writable, create in
          let disk = FailingDisk(try honest(path, writable, create))
          if create {
            disk.fail(at: call, failure, sticky: false)
            made.disk = disk
          }
          return disk
        }
        let name = path + "/\(call).realm"
        let coordinator = try? Coordinator(Toy.configuration(.file(path: name)))
        if made.disk?.hasFailed != true {
          if call < 3 { stop("nothing failed") }
          return
        }
        if coordinator != nil { stop("call \(call): it was opened all the same") }
        let left = try FileManager.default.contentsOfDirectory(atPath: path)
        if left.contains("\(call).realm") || left.contains(where: { $0.hasPrefix(".") }) {
          stop("call \(call) left \(left)")
        }
        made.disk?.heal()
        Seams.given.disk = honest
        let again = try Coordinator(Toy.configuration(.file(path: name)))
        try again.set([0: [1]])
        if try again.newestContent()[0] != [1] { stop("call \(call): another content") }
      }
    }
  }

  private final class Made: @unchecked Sendable {
    // Sendable because a child uses it on one thread.
    var disk: FailingDisk?
  }
}
