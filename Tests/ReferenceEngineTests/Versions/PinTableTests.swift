import CShims
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import ReferenceEngine

/// Who pins what, as a writer sees it that looks at the places one after the other.
@Suite struct PinTableTests {
  private func root(_ number: UInt64) -> Root {
    Root(
      version: VersionID(number), top: NodeRef(raw: number << 4), log: .none, end: 1 << 20, when: 1,
      slot: 0, commitProtocol: .twoPhase)
  }

  private func makeLock() throws -> LockFile {
    try LockFile(path: nil) { VersionBoard(base: $0.base).publish(root(1)) }
  }

  /// A version went from a later place to an earlier one between the looks at the two, and was
  /// found in neither: its space was used again while it was read.
  @Test func `READ-04: a version that goes from place to place is always pinned`() throws {
    let table = PinTable(lock: try makeLock())
    let places = try (0..<40).map { _ in try table.claim(.frozen) }
    let (low, high) = (places[0], places[39])
    table.adopt(root(7), in: high)
    let isDone = Atomic(false)
    let missed = Atomic(0)
    let looks = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 {
        for _ in 0..<100_000 {
          table.adopt(root(7), in: low)
          high.clear()
          table.adopt(root(7), in: high)
          low.clear()
        }
        return isDone.store(true, ordering: .releasing)
      }
      repeat {
        looks.add(1, ordering: .relaxed)
        // Where nobody can say it, nothing is used.
        if let pinned = table.certainlyPinned(), pinned != [VersionID(7)] {
          missed.add(1, ordering: .relaxed)
        }
        if let tops = table.pinnedTops(), tops.map(\.version) != [VersionID(7)] {
          missed.add(1, ordering: .relaxed)
        }
        if let oldest = table.oldestObserved(), oldest.number != 0 {
          missed.add(1, ordering: .relaxed)
        }
      } while !isDone.load(ordering: .acquiring)
    }
    #expect(missed.load(ordering: .relaxed) == 0, "of \(looks.load(ordering: .relaxed)) looks")
  }

  /// A realm was on its way to a newer version, and the records were let go that it was about to
  /// read: of what was deleted between the two it never heard.
  @Test func `REFRESH-20: a reader that is moving may still be on its old version`() throws {
    let table = PinTable(lock: try makeLock())
    let (one, other) = (try table.claim(.live), try table.claim(.live))
    one.store(root(7))
    other.store(root(5))
    #expect(table.oldestObserved() == VersionID(5))
    other.propose(root(9))
    #expect(table.oldestObserved() == VersionID(0))
    other.confirm(root(9))
    #expect(table.oldestObserved() == VersionID(7))
    one.clear()
    #expect(table.oldestObserved() == VersionID(9))
  }

  /// A reader has looked a second time, found its version the newest still, and has not noted its
  /// root yet. Who looked for free space for the first time just then left it out.
  @Test func `READ-04: a version that a reader is just arriving at is not used again`() throws {
    let folder = Folder()
    func bytes(_ value: Int) -> [UInt8] { [UInt8](repeating: UInt8(value & 255), count: 700) }
    let one = try Coordinator(Toy.configuration(folder.file()))
    for leaf in 0..<16 { try one.set([leaf: bytes(leaf)]) }
    let root = one.board.newestRoot
    let content = Toy.content(root, one.space)
    let place = try one.pins.claim(.live)
    place.propose(root)
    #expect(one.newestVersion == root.version)
    let two = try Coordinator(Toy.configuration(folder.file()))
    for leaf in 0..<16 { try two.set([leaf: bytes(leaf + 16)]) }
    let three = try Coordinator(Toy.configuration(folder.file()))
    for round in 0..<300 {
      // Whatever is small finds a place among what was let go.
      try three.set([round % 16: round % 3 == 0 ? bytes(round) : [UInt8(round & 255)]])
      three.writer.heap?.examineWaiting()
      #expect(Toy.content(root, one.space) == content, "round \(round)")
    }
    #expect(three.writer.heap?.isBlind == true)
    place.confirm(root)
    for round in 0..<40 {
      try three.set([round % 16: bytes(round)])
      #expect(Toy.content(root, one.space) == content, "round \(round), arrived")
    }
    #expect(three.writer.heap?.isBlind == false)
    one.pins.release(place)
    try three.checkEverything()
  }

  /// What tells how many pins there are may be of another time than the pins: a process died while
  /// it cleared them, or the machine lost its power.
  @Test func `LIFE-23: pins that an earlier session has left behind pin nothing`() throws {
    let folder = Folder()
    let path = folder.path + "/a.realm.lock"
    do {
      let lock = try LockFile(path: path) { VersionBoard(base: $0.base).publish(root(1)) }
      for index in 0..<20 {
        let place = PinPlace(base: lock.pin(index))
        place.store(root(2))
        rb_store32(place.half(0), 7)
      }
      #expect(lock.pinCount == 0)
    }
    let lock = try LockFile(path: path) { VersionBoard(base: $0.base).publish(root(3)) }
    let table = PinTable(lock: lock)
    for _ in 0..<30 { _ = try table.claim(.live) }
    #expect(table.pinnedVersions().isEmpty)
    #expect(lock.pinCount == 30)
  }

  /// How an earlier session ended whose pins lie in several pages.
  enum Ending: CaseIterable, Sendable {
    /// Its processes have died. One of them had taken a place, and not counted it yet.
    case death
    /// The machine has lost its power, or somebody has put a copy into the file's own place: its
    /// count is of another time than its pins.
    case lossOfPower
    /// The lock file is a copy that was made meanwhile.
    case copy
    /// It was a process of an earlier build, which had the first pins elsewhere.
    case formerBuild
  }

  @Test(arguments: Ending.allCases)
  func `LIFE-23: whatever became of an earlier session, its pins pin nothing`(_ ending: Ending)
    throws
  {
    let folder = Folder()
    let path = folder.path + "/a.realm.lock"
    let (first, most) = (LockFile.pinsOffset, 200)
    for _ in 0..<2 {
      let lock = try LockFile(path: path) { VersionBoard(base: $0.base).publish(root(1)) }
      let table = PinTable(lock: lock)
      for _ in 0..<most { table.adopt(root(2), in: try table.claim(.live)) }
      let uncounted = PinPlace(base: lock.pin(most))
      if ending == .death { rb_store32(uncounted.half(0), 7) }
      if ending == .lossOfPower || ending == .copy {
        rb_store32(lock.half(LockFile.pinCountOffset), 0)
      }
      rb_store32(lock.process(200), 1)
      if ending == .formerBuild {
        for place in 0..<40 {
          let pin = PinPlace(base: lock.base + first + place * LockFile.stride)
          pin.store(root(2))
          rb_store32(pin.half(0), 7)
        }
      }
    }
    if ending == .copy {
      try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
    }
    let lock = try LockFile(path: path) { VersionBoard(base: $0.base).publish(root(3)) }
    #expect(rb_load_acquire(lock.word(0)) == LockFile.magic)
    #expect(rb_load32(lock.process(200)) == 0)
    let table = PinTable(lock: lock)
    for _ in 0...most { _ = try table.claim(.live) }
    #expect(table.pinnedVersions().isEmpty)
    #expect(lock.pinCount == most + 1)
    #expect((0..<LockFile.pins).allSatisfy { lock.index(ofPin: lock.pin($0)) == $0 })
  }

  /// To touch a page of the lock file for the first time is most of what it costs to open one.
  @Test func `a single process with few readers stays in the first page`() throws {
    let lock = try makeLock()
    #expect(UnsafeMutableRawPointer(lock.process(7)) + LockFile.stride - lock.base <= 4096)
    #expect(lock.pin(31) + LockFile.stride - lock.base <= 4096)
    #expect(LockFile.rootsOffset + LockFile.roots * LockFile.rootStride <= lock.pin(0) - lock.base)
    let process = { (place: Int) in UnsafeMutableRawPointer(lock.process(place)) - lock.base }
    let pins = (0..<LockFile.pins).map { lock.pin($0) - lock.base }
    let places = (0..<LockFile.processes).map(process) + pins
    #expect(Set(places).count == places.count)
    #expect(places.allSatisfy { $0 >= 512 && $0 + LockFile.stride <= LockFile.length })
  }

  /// The beacon's thread kept the newest version while it read records, a commit came, and the next
  /// write was refused: two versions were alive, of which nobody had asked for one.
  @Test func `GROW-07: a version whose records are just read refuses no write`() throws {
    let folder = Folder()
    let file = try Coordinator(Toy.configuration(folder.file(), .none))
    try file.set([0: [1]])
    let followed = try file.newestSnapshot(kind: .follower)
    try file.set([0: [2]])
    #expect(file.activeVersionCount == 1)
    try file.requireVersions(atMost: 1)
    // It is kept all the same: nobody uses its space.
    #expect(file.pins.certainlyPinned() == [followed.version])
    let content = Toy.content(followed.root, file.space)
    for value in UInt8(3)..<60 { try file.set([0: [value]]) }
    #expect(Toy.content(followed.root, file.space) == content)
    let read = try file.newestSnapshot(kind: .live)
    try file.set([0: [60]])
    #expect(throws: StorageError.self) { try file.requireVersions(atMost: 1) }
    withExtendedLifetime((followed, read)) {}
  }

  /// A copy has holes where nothing was written, and so takes less space than lies before its last
  /// pins, which were left as they were: whoever claimed that many found them taken, and their
  /// versions were kept for good.
  @Test func `GROW-11: pins of a lock file that was copied with holes pin nothing`() throws {
    let folder = Folder()
    let (path, copy) = (folder.path + "/a.realm.lock", folder.path + "/b.realm.lock")
    do {
      let lock = try LockFile(path: path) { VersionBoard(base: $0.base).publish(root(1)) }
      let table = PinTable(lock: lock)
      for number in 2...64 { VersionBoard(base: lock.base).publish(root(UInt64(number))) }
      for _ in 0..<300 { try table.claim(.live).store(root(64)) }
      // As a copy of an open file, or of one whose users have died.
      let bytes = UnsafeRawBufferPointer(start: lock.base, count: LockFile.length)
      let file = rb_open(copy, 1, 1)
      defer { close(file) }
      try #require(ftruncate(file, off_t(LockFile.length)) == 0)
      for offset in stride(from: 0, to: LockFile.length, by: 4096) {
        let page = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 4096])
        if page.allSatisfy({ $0 == 0 }) { continue }
        try #require(pwrite(file, page.baseAddress, 4096, off_t(offset)) == 4096)
      }
    }
    let lock = try LockFile(path: copy) { VersionBoard(base: $0.base).publish(root(70)) }
    let table = PinTable(lock: lock)
    for _ in 0..<300 { _ = try table.claim(.live) }
    #expect(table.pinnedVersions().isEmpty)
    #expect(lock.pinCount == 300)
  }
}
