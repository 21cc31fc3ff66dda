import CShims
import Foundation
import StandIns
import Synchronization
import Testing

@testable import ReferenceEngine

@Suite struct CommitTests {
  @Test(arguments: CommitProtocol.allCases)
  func `COMMIT-12: an opener follows the newest version, after any number of commits`(
    how: CommitProtocol
  ) throws {
    let folder = Folder()
    for round in 1...5 {
      let coordinator = try Coordinator(Toy.configuration(folder.file(), how))
      let before = coordinator.newestVersion.number
      try coordinator.set([round % 3: [UInt8(round)]])
      #expect(coordinator.newestVersion.number == before + 1)
      #expect(try coordinator.newestContent()[round % 3] == [UInt8(round)])
    }
    let again = try Coordinator(Toy.configuration(folder.file(), how))
    #expect(again.newestVersion == VersionID(6))
    #expect(try again.newestContent()[0...2] == [[3], [4], [5]])
  }

  @Test func `READ-03: a snapshot stays as it was while others commit`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "a")))
    try coordinator.set([0: [1], 1: [1]])
    let old = try coordinator.newestSnapshot(kind: .frozen)
    for value in 2...200 { try coordinator.set([0: [UInt8(value)]]) }
    #expect(Toy.content(old.root, old.space)[0...1] == [[1], [1]])
    #expect(try coordinator.newestContent()[0...1] == [[200], [1]])
  }

  @Test func `READ-15: space is reused only when no pinned version needs it`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
    var dice = Dice(seed: 7)
    var held: [(snapshot: Snapshot, content: [[UInt8]])] = []
    for step in 0..<3000 {
      try coordinator.set([Int.random(in: 0..<16, using: &dice): dice.bytes(upTo: 700)])
      if step % 10 == 0 {
        let snapshot = try coordinator.newestSnapshot(kind: .frozen)
        held.append((snapshot, Toy.content(snapshot.root, snapshot.space)))
      }
      if held.count > 20 { held.remove(at: Int.random(in: 0..<held.count, using: &dice)) }
      if step % 100 == 0 {
        for (snapshot, content) in held {
          #expect(Toy.content(snapshot.root, snapshot.space) == content)
        }
        try coordinator.checkEverything()
      }
    }
    // 16 leaves of up to 700 bytes, twenty times held, and the records.
    #expect(folder.size() < 2_000_000)
  }

  @Test func `COMMIT-11: the file stops growing when nobody holds old versions`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
    var dice = Dice(seed: 8)
    for _ in 0..<2000 { try coordinator.set([3: dice.bytes(upTo: 2000)]) }
    let plateau = folder.size()
    for _ in 0..<8000 { try coordinator.set([3: dice.bytes(upTo: 2000)]) }
    #expect(folder.size() <= plateau)
  }

  @Test func `GROW-04: one old version costs what it holds, not what is written since`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file(), .none))
    var dice = Dice(seed: 9)
    for index in 0..<16 { try coordinator.set([index: dice.bytes(upTo: 2000)]) }
    let old = try coordinator.newestSnapshot(kind: .frozen)
    let content = Toy.content(old.root, old.space)
    for step in 0..<2000 { try coordinator.set([step % 16: dice.bytes(upTo: 2000)]) }
    let plateau = folder.size()
    for step in 0..<8000 { try coordinator.set([step % 16: dice.bytes(upTo: 2000)]) }
    #expect(folder.size() <= plateau)
    #expect(Toy.content(old.root, old.space) == content)
  }

  @Test func `GROW-09: deleted space is used again, and a mostly free file becomes shorter`() throws
  {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file()))
    let big = [UInt8](repeating: 7, count: 1 << 20)
    for index in 0..<16 { try coordinator.set([index: big]) }
    let full = folder.size()
    var smallest = full
    for round in 0..<3 {
      for index in 0..<16 { try coordinator.set([index: [UInt8(round)]]) }
      for step in 0..<400 { try coordinator.set([step % 16: [1]], CommitProtocol.none) }
      try coordinator.set([0: [2]])
      smallest = min(smallest, folder.size())
      for index in 0..<16 { try coordinator.set([index: big]) }
      #expect(folder.size() < full + full / 3)
    }
    #expect(smallest < full / 4)
    try coordinator.checkEverything()
  }

  @Test func `WRITE-02: two processes' writers keep each other's map of free space true`() throws {
    let folder = Folder()
    let first = try Coordinator(Toy.configuration(folder.file(), .none))
    let second = try Coordinator(Toy.configuration(folder.file(), .none))
    var dice = Dice(seed: 11)
    var model = [[UInt8]](repeating: [], count: 16)
    for step in 0..<3000 {
      let writer = Bool.random(using: &dice) ? first : second
      let index = Int.random(in: 0..<16, using: &dice)
      model[index] = dice.bytes(upTo: 900)
      try writer.set([index: model[index]])
      if step % 50 == 0 {
        #expect(try first.newestContent() == model)
        #expect(try second.newestContent() == model)
      }
    }
    try first.checkEverything()
    #expect(folder.size() < 2_500_000)
  }

  @Test func `ASYNC-43: a group becomes visible and durable as one`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file()))
    try coordinator.set([0: [1]])
    let first = try coordinator.seal([0: [2]], in: try coordinator.beginWrite())
    #expect(Toy.content(first, coordinator.space)[0] == [2])
    #expect(try coordinator.newestContent()[0] == [1])
    let second = try coordinator.seal([1: [3]], in: coordinator.continueGroup())
    #expect(Toy.content(second, coordinator.space)[0...1] == [[2], [3]])
    #expect(try coordinator.newestContent()[0] == [1])
    let root = try coordinator.commitGroup()
    #expect(root.version == second.version)
    #expect(try coordinator.newestContent()[0...1] == [[2], [3]])
    #expect(
      coordinator.changes(after: VersionID(2), upTo: root)?.tables[1]?.map(\.key) == [0])
  }

  @Test func `ASYNC-48: a group writes once what its last commit reaches`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file()))
    let leaf = [UInt8](repeating: 7, count: 400)
    let base = try coordinator.set([0: leaf, 1: leaf])
    var roots: [Root] = []
    for number in UInt8(0)..<20 {
      let write = try number == 0 ? coordinator.beginWrite() : coordinator.continueGroup()
      roots.append(try coordinator.seal([Int(number % 4): leaf + [number]], in: write))
    }
    // Each of them can be read by whoever sealed it, with what it changed.
    for (number, root) in roots.enumerated() {
      #expect(Toy.content(root, coordinator.space)[number % 4] == leaf + [UInt8(number)])
      let before = number == 0 ? base : roots[number - 1]
      let changes = coordinator.changes(after: before.version, upTo: root)
      #expect(changes?.tables[1]?.map(\.key) == [Int64(number % 4)])
    }
    let root = try coordinator.commitGroup()
    let log = try #require(ChangeLog(root.log, in: coordinator.space, version: root.version))
    // Four leaves, the top and the record.
    let written = log.runs.reduce(0) { $0 + $1.bytes }
    #expect(written < 4 * 450 + 160 + 400)
    #expect(log.base == base.version)
    #expect(coordinator.changes(after: base.version, upTo: root)?.all.map(\.key) == [0])
    #expect(coordinator.changes(after: roots[4].version, upTo: root) == nil)
    #expect(try coordinator.newestContent()[3] == leaf + [19])
    try coordinator.checkEverything()
  }

  @Test func `ASYNC-48: a group is flushed once, unless it is large`() throws {
    let counting = CountingDisk(try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0)))
    let coordinator = try Coordinator(
      Toy.configuration(.memory(identifier: "counted")), disk: counting, lockPath: nil)
    func flushes(_ leaf: Int, _ how: CommitProtocol? = nil) throws -> Int {
      counting.reset()
      let bytes = [UInt8](repeating: 7, count: leaf)
      _ = try coordinator.seal([0: bytes], in: try coordinator.beginWrite())
      _ = try coordinator.seal([1: bytes], in: coordinator.continueGroup())
      _ = try coordinator.commitGroup(how)
      return counting.counts.syncs
    }
    #expect(try flushes(400) == 1)
    #expect(try flushes(400, .twoPhase) == 2)
    #expect(try flushes(140_000) == 2)
    #expect(try flushes(400, CommitProtocol.none) == 0)
    // What it is based on need not be there after a crash.
    #expect(try flushes(400) == 2)
    #expect(try flushes(400) == 1)
    try coordinator.checkEverything()
  }

  @Test func `WRITE-24: what a crash left half done is not taken for the commit of a dead writer`()
    throws
  {
    let image = try ImageDisk(UnsafeRawBufferPointer(start: nil, count: 0))
    func open() throws -> Coordinator {
      let disk = MortalDisk(image)
      return try Coordinator(
        Toy.configuration(.memory(identifier: "half")), disk: disk, lockPath: nil)
    }
    try open().set([0: [1]])
    let lost = try open().set([0: [2]], .singleFlush)
    try [UInt8](repeating: 9, count: 16).withUnsafeBytes {
      try image.write($0, at: lost.top.raw + 16)
    }
    let coordinator = try open()
    #expect(try coordinator.newestContent()[0] == [1])
    // A writer dies just before it writes its slot.
    rb_store_seq_cst(coordinator.lock.word(LockFile.committingOffset), lost.version.number)
    try coordinator.set([1: [3]])
    #expect(try coordinator.newestContent()[0...1] == [[1], [3]])
    try coordinator.checkEverything()
    image.close()
  }

  @Test func `A version that is published for a dead writer is told, whatever comes after it`()
    throws
  {
    let folder = Folder()
    let here = try Coordinator(Toy.configuration(folder.file()))
    try here.set([0: [1]])
    // A writer dies between its slot and the publishing: its version stands in the file alone.
    let base = here.board.newestRoot
    let toy = ToyWrite(try here.beginWrite())
    toy.set(0, [2])
    let sealed = try toy.write.seal(waits: true, settle: toy.settle)
    let commit = Commit(file: here, requested: .twoPhase)
    try commit.placeAndWriteNodes()
    let plan = try commit.makePlan()
    try commit.flushNodes(plan)
    try commit.writeSlot(plan)
    here.writer.endGroup()
    here.leaveGate()
    #expect(here.newestVersion == base.version)

    let heard = Mutex([VersionID]())
    let id = here.listen { version in heard.withLock { $0.append(version) } }
    try here.beginWrite().cancel()
    #expect(heard.withLock { $0 } == [sealed.version])
    #expect(try here.newestContent()[0] == [2])
    // Once, and not of what nobody has published.
    try here.beginWrite().cancel()
    #expect(heard.withLock { $0 } == [sealed.version])
    here.unlisten(id)
    try here.checkEverything()
  }

  /// The flush was tried again, and succeeded: the system tells once of what it could not write,
  /// and forgets it.
  @Test func `WRITE-24: a version of a dead writer that could not be flushed never counts`() throws
  {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: true))
    let here = try Coordinator(
      Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
    try here.set([0: [1]])
    let base = here.newestVersion
    let toy = ToyWrite(try here.beginWrite())
    toy.set(0, [2])
    _ = try toy.write.seal(waits: true, settle: toy.settle)
    let commit = Commit(file: here, requested: .twoPhase)
    try commit.placeAndWriteNodes()
    let plan = try commit.makePlan()
    try commit.flushNodes(plan)
    try commit.writeSlot(plan)
    here.writer.endGroup()
    here.leaveGate()

    // Behind both slots, which are written once more.
    disk.fail(at: 2, .refused, sticky: false)
    #expect(throws: StorageError.self) { try here.beginWrite() }
    #expect(disk.hasFailed && disk.calls == 4)
    disk.heal()
    try here.beginWrite().cancel()
    #expect(here.newestVersion == base)
    #expect(try here.newestContent()[0] == [1])
    try here.set([1: [5]])
    try here.checkEverything()
    let next = try Coordinator(Toy.configuration(folder.file()))
    #expect(try next.newestContent()[0] == [1])
  }

  @Test
  func `LIFE-25: a flush that a full disk has no room for stays owed, and shuts nobody out`()
    throws
  {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    func open(_ disk: any Disk) throws -> Coordinator {
      try Coordinator(Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
    }
    do {
      let file = try open(try PosixDisk(path: path, writable: true, create: true))
      try file.set([0: [1]])
      file.lock.oweFlush()
    }
    let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: false))
    disk.fail(at: 0, .noSpace, sticky: true)
    let file = try open(disk)
    #expect(disk.hasFailed)
    #expect(try file.newestContent()[0] == [1])
    #expect(throws: StorageError.self) { try file.beginWrite() }
    disk.heal()
    #expect(file.isCommitUnfinished)
    try file.set([0: [2]])
    #expect(!file.isCommitUnfinished)
    try file.checkEverything()
  }

  @Test func `ASYNC-44: a commit of a group has its place when somebody wants to keep it`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(Toy.configuration(folder.file()))
    try coordinator.set([0: [1], 1: [1]])
    let first = try coordinator.seal([0: [2]], in: try coordinator.beginWrite())
    // The next one is under way, on nodes that get their place meanwhile.
    let toy = ToyWrite(try coordinator.continueGroup())
    toy.set(2, [2])
    let placed = try coordinator.place(first)
    #expect(!placed.isWaiting && placed.version == first.version)
    let held = try coordinator.snapshot(of: placed, kind: .frozen)
    toy.set(0, [3])
    _ = try toy.write.seal(waits: true, settle: toy.settle)
    _ = try coordinator.seal([1: [4]], in: coordinator.continueGroup(), waits: false)
    let root = try coordinator.commitGroup()
    #expect(try coordinator.newestContent()[0...2] == [[3], [4], [2]])
    #expect(Toy.content(held.root, held.space)[0...2] == [[2], [1], []])
    #expect(coordinator.changes(after: held.version, upTo: root)?.all.map(\.key) == [0])
    for value in UInt8(0)..<100 { try coordinator.set([Int(value % 4): [value]]) }
    #expect(Toy.content(held.root, held.space)[0...2] == [[2], [1], []])
    try coordinator.checkEverything()
  }

  @Test func `A write without an end is cancelled when it is dropped`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "b")))
    try coordinator.set([0: [1]])
    do {
      let toy = ToyWrite(try coordinator.beginWrite())
      toy.set(0, [2])
    }
    try coordinator.set([1: [1]])
    #expect(try coordinator.newestContent()[0] == [1])
  }

  @Test func `The changes between two versions come from the records`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "c")))
    let pin = try Pin(coordinator: coordinator, kind: .live)
    pin.advance()
    let from = coordinator.newestVersion
    try coordinator.set([0: [1]])
    try coordinator.set([5: [1], 6: [1]])
    let root = try coordinator.set([0: [2]])
    let changes = try #require(coordinator.changes(after: from, upTo: root))
    #expect(changes.tables[1]?.map { "\($0.key)+\($0.count)" } == ["0+1", "5+2"])
  }

  @Test func `GROW-07: a limit is exceeded while more versions are alive`() throws {
    let coordinator = try Coordinator(Toy.configuration(.memory(identifier: "d")))
    var held: [Snapshot] = []
    for value in 0..<3 {
      try coordinator.set([0: [UInt8(value)]])
      held.append(try coordinator.newestSnapshot(kind: .frozen))
    }
    try coordinator.set([0: [9]])
    #expect(throws: StorageError.self) { try coordinator.requireVersions(atMost: 3) }
    held.removeLast()
    try coordinator.requireVersions(atMost: 3)
  }
}
