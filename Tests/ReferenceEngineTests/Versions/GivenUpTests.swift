import CShims
import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// Commits that were given up: what failed has failed, and who reads it yet reads it whole.
@Suite struct GivenUpTests {
  enum Next: CaseIterable, Sendable {
    case writes, reads, compacts, findsDiskFull
  }

  private func bytes(_ value: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(value & 255), count: 700)
  }

  /// The call of a commit that is the flush of its slot: nodes, flush, slot, flush, or nodes, slot,
  /// flush.
  private func lastFlush(_ how: CommitProtocol) -> Int { how == .twoPhase ? 3 : 2 }

  // writer                               next
  // commits version 3
  // version 4: its flush fails, and so
  // does the clearing of its slot
  //                                      opens, when nobody has the file open any more
  /// What had been refused was there again.
  @Test(arguments: Next.allCases, [CommitProtocol.twoPhase, .singleFlush])
  func `COMMIT-18: what failed stays failed where not even its slot could be cleared`(
    next: Next, how: CommitProtocol
  ) throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    do {
      let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: true))
      let file = try Coordinator(
        Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
      try file.set([0: [1], 1: bytes(1)])
      try file.set([1: [1]])
      disk.fail(at: lastFlush(how), .refused, sticky: true)
      #expect(throws: StorageError.self) { try file.set([0: [2], 2: bytes(2)], how) }
      #expect(try file.newestContent()[0] == [1])
      // Nor does the next writer here come to anything.
      #expect(throws: StorageError.self) { try file.beginWrite() }
    }
    func requireOld(_ file: Coordinator) throws {
      #expect(file.newestVersion == VersionID(3))
      #expect(try file.newestContent()[0...2] == [[1], [1], []])
      try file.checkEverything()
    }
    var configuration = Toy.configuration(folder.file())
    switch next {
    case .writes: try requireOld(Coordinator(configuration))
    case .reads:
      configuration.isReadOnly = true
      let reader = try Coordinator(configuration)
      try requireOld(reader)
      configuration.isReadOnly = false
      let writer = try Coordinator(configuration)
      try requireOld(writer)
      try writer.beginWrite().cancel()
      try requireOld(reader)
    case .compacts:
      configuration.shouldCompact = { _, _ in true }
      try requireOld(Coordinator(configuration))
    case .findsDiskFull:
      let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: false))
      disk.fail(at: 0, .noSpace, sticky: true)
      let file = try Coordinator(configuration, disk: disk, lockPath: path + ".lock")
      try requireOld(file)
      #expect(throws: StorageError.self) { try file.beginWrite() }
    }
    // Whoever comes after that finds the same, and goes on.
    configuration = Toy.configuration(folder.file())
    let last = try Coordinator(configuration)
    try requireOld(last)
    try last.set([2: [3]])
    #expect(last.lock.givenUp == nil)
    #expect(try last.newestContent()[0...2] == [[1], [1], [3]])
    try last.checkEverything()
  }

  /// The lock file says of one commit that it does not count: not of another one of its number.
  @Test func `COMMIT-12: what a lock file says of a commit that failed is true of no other`() throws
  {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    do {
      let file = try Coordinator(Toy.configuration(folder.file()))
      let first = try file.set([0: [1]])
      try file.set([0: [2]])
      // As a loss of power may leave it of a time long gone.
      file.lock.givenUp = GivenUp(
        version: file.newestVersion, top: first.top.raw, when: first.when)
      file.lock.oweFlush()
    }
    let next = try Coordinator(Toy.configuration(folder.file()))
    #expect(try next.newestContent()[0] == [2])
    // Where no other slot is whole there is nothing to be had but what it says.
    next.lock.givenUp = GivenUp(next.board.newestRoot)
    next.lock.oweFlush()
    try Opening.clear(slot: 1 - next.board.newestRoot.slot, of: next.disk)
    let page = try Opening.firstPage(of: next.disk)
    #expect(page.withUnsafeBytes(Opening.slots).count == 1)
    let found = try Opening.recover(
      next.disk, mayCreate: false, now: 0, butFor: GivenUp(next.board.newestRoot))
    #expect(found.version == next.newestVersion)
    withExtendedLifetime(path) {}
  }

  /// Who may come to look into the file without a place in its lock file.
  private final class Outsider {
    private let file: Int32

    init(of path: String) {
      file = open(path, O_RDONLY)
      #expect(file >= 0 && rb_byte_share(file, LockFile.readerByte) == 0)
    }

    deinit { close(file) }
  }

  /// Why a writer cannot say what is pinned, and takes all for used.
  enum Doubt: CaseIterable, Sendable {
    case outsider, arrivingReader
  }

  // one                        another
  // seals version 40, which
  // is shown here
  // its flush fails
  //                            cannot know who reads what,
  //                            writes behind all that it knows
  /// There lay what was lost, and was read: it was written over, or the file ended before it.
  @Test(arguments: Doubt.allCases, [1, 60])
  func `WRITE-27: who takes all for used takes what was lost for used, too`(
    doubt: Doubt, leaves: Int
  ) throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: true))
    let one = try Coordinator(
      Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
    for leaf in 0..<16 { try one.set([leaf: bytes(leaf)]) }
    let early = one.board.newestRoot
    let other = try Coordinator(Toy.configuration(folder.file()))
    for leaf in 0..<16 { try other.set([leaf: bytes(leaf + 16)]) }

    // It does not fit into what is free.
    let long = [UInt8](repeating: 9, count: 50_000 * leaves)
    let write = try one.beginWrite()
    let lost = try one.seal([0: long, 5: bytes(91)], in: write, waits: false, isForLater: true)
    one.writer.reveal(lost)
    for runs in write.composed { try runs.write() }
    let pin = try Pin(coordinator: one, kind: .live)
    #expect(one.writer.pinSealed(lost.version, with: pin)?.root == lost)
    let content = Toy.content(lost, one.space)
    #expect(content[0] == long)
    disk.fail(at: 0, .refused, sticky: false)
    #expect(throws: StorageError.self) { _ = try one.commitGroup() }
    disk.heal()

    let outsider = doubt == .outsider ? Outsider(of: path) : nil
    let place = try one.pins.claim(.live)
    if doubt == .arrivingReader { place.propose(early) }
    for round in 0..<40 {
      try other.set([round % 16: bytes(round)])
      try #require(folder.size() >= Int(lost.end), "round \(round): the file was cut")
      try #require(Toy.content(lost, one.space) == content, "round \(round): it was written over")
    }
    withExtendedLifetime(outsider) {}
    #expect(other.writer.heap?.isBlind == true)
    one.pins.release(place)
    withExtendedLifetime(pin) {}
    try other.checkEverything()
  }

  /// Who writes next.
  enum Follower: CaseIterable, Sendable {
    case same, another, later
  }

  // writer                        reader without a place in the lock file
  // writes the slot of version 4
  //                               finds version 4
  // its flush fails
  // commits another version 4
  /// That one was put where the first one lay, which was read; or it was by another process, which
  /// had written the version before and took what it knew of free space for true.
  @Test(arguments: Follower.allCases)
  func `LIFE-10: a version that fails while it is looked at without a lock file stays whole`(
    follower: Follower
  ) throws {
    let folder = Folder()
    let path = folder.path + "/a.realm"
    var lost: Root?
    var content: [[UInt8]] = []
    var outsider: Outsider?
    let look = try PosixDisk(path: path, writable: true, create: true)
    var mapping: Mapping?
    do {
      let disk = FailingDisk(try PosixDisk(path: path, writable: true, create: true))
      let file = try Coordinator(
        Toy.configuration(folder.file()), disk: disk, lockPath: path + ".lock")
      for leaf in 0..<16 { try file.set([leaf: bytes(leaf)]) }
      let another = try Coordinator(Toy.configuration(folder.file()))
      // What goes makes room between what stays.
      for leaf in 0..<16 { try another.set([leaf: bytes(leaf + 1)]) }
      outsider = Outsider(of: path)
      let long = [UInt8](repeating: 9, count: 50_000)
      let toy = ToyWrite(try file.beginWrite())
      toy.set(0, long)
      _ = try toy.write.seal(settle: toy.settle)
      // Whoever looks now finds the slot.
      disk.fail(at: 2, .refused, sticky: false)
      let commit = Commit(file: file, requested: .twoPhase)
      let plan = try commit.makePlan()
      try commit.flushNodes(plan)
      try commit.writeSlot(plan)
      let found = try Opening.recover(look, mayCreate: false, now: 0)
      #expect(found.version == plan.root.version)
      lost = found
      mapping = try Mapping(descriptor: look.descriptor, path: path, writable: false)
      content = Toy.content(found, try #require(mapping).space)
      #expect(content[0] == long)
      #expect(throws: StorageError.self) { try commit.flushSlot(plan) }
      disk.heal()
      file.giveUpGroup()
      switch follower {
      case .same: for round in 0..<20 { try file.set([round % 16: bytes(round + 3)]) }
      case .another:
        // Nothing is owed any more, and no version has come.
        try file.beginWrite().cancel()
        for round in 0..<20 { try another.set([round % 16: bytes(round + 3)]) }
      case .later: break
      }
    }
    let next = try Coordinator(Toy.configuration(folder.file()))
    for round in 0..<20 { try next.set([round % 16: bytes(round + 30)]) }
    let root = try #require(lost)
    try #require(folder.size() >= Int(root.end), "the file was cut")
    #expect(Toy.content(root, try #require(mapping).space) == content)
    try next.checkEverything()
    withExtendedLifetime(outsider) {}
    look.close()
  }

  // here                      another process
  // seals versions, shows them, and loses them
  //                           seals versions, and is killed at a moment
  // writes
  @Test(arguments: ["dataWritten", "slotWritten", "published"])
  func `COMMIT-18: what a killed process leaves spares a lost version that is read`(moment: String)
    async throws
  {
    let folder = Folder()
    let path = folder.path
    let disk = FailingDisk(
      try PosixDisk(path: path + "/a.realm", writable: true, create: true))
    let file = try Coordinator(
      Toy.configuration(folder.file()), disk: disk, lockPath: path + "/a.realm.lock")
    for index in 0..<8 { try file.set([index: bytes(index)]) }
    var lost: [Snapshot] = []
    func seal(_ file: Coordinator, _ count: Int, from first: Int) throws -> [Root] {
      var roots: [Root] = []
      for number in 0..<count {
        let write = number == 0 ? try file.beginWrite() : try file.continueGroup()
        let toy = ToyWrite(write)
        toy.set(number, bytes(first + number))
        roots.append(try write.seal(settle: toy.settle))
      }
      return roots
    }
    for turn in 0..<3 {
      for root in try seal(file, 3, from: 100 + 10 * turn) {
        file.writer.reveal(root)
        lost.append(try file.snapshot(of: root, kind: .frozen))
      }
      let shown = lost.map { Toy.content($0.root, file.space) }
      disk.fail(at: 0, .refused, sticky: false)
      #expect(throws: StorageError.self) { try file.commitGroup() }
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, moment = moment as String] in
        Seams.given.moments = Death(at: Moment(moment), times: 3)
        let child = try Coordinator(Toy.configuration(.file(path: path + "/a.realm")))
        for value in 0..<8 { try child.set([value: [UInt8(value)]]) }
      }
      for index in 0..<40 { try file.set([index % 8: bytes(index)]) }
      #expect(lost.map { Toy.content($0.root, file.space) } == shown)
      #expect(Set(lost.map(\.version)).count == lost.count)
      #expect(!lost.contains { $0.version == file.newestVersion })
      try file.checkEverything()
    }
    lost = []
    try file.set([0: [1]])
    try file.checkEverything()
  }
}
