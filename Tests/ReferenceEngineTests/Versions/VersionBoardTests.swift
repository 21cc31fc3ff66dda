import CShims
import Dispatch
import Synchronization
import Testing

@testable import ReferenceEngine

/// The newest version and its root, in one line that readers look at while a writer writes there.
@Suite struct VersionBoardTests {
  private static let roots = UInt64(200_000)

  private func root(_ number: UInt64) -> Root {
    Root(
      version: VersionID(number), top: NodeRef(raw: number << 4), log: NodeRef(raw: number << 5),
      end: number << 6, when: number << 7, slot: Int(number & 1), commitProtocol: .twoPhase)
  }

  private func makeLock() throws -> LockFile {
    try LockFile(path: nil) { VersionBoard(base: $0.base).publish(root(1)) }
  }

  @Test func `READ-04: a root that is read while others are written is that of its version`() throws
  {
    let lock = try makeLock()
    let table = PinTable(lock: lock)
    let board = VersionBoard(base: lock.base)
    let wrong = Atomic(0)
    let isDone = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      if thread == 0 {
        for number in 2...Self.roots { board.publish(root(number)) }
        return isDone.store(true, ordering: .releasing)
      }
      guard let place = try? table.claim(.live) else { return }
      var last = VersionID(0)
      repeat {
        let seen = board.pinNewest(in: place)
        let isRight =
          seen == root(seen.version.number) && seen.version >= last
          && place.pinned?.version == seen.version && place.pinned?.top == seen.top
        if !isRight { wrong.add(1, ordering: .relaxed) }
        last = seen.version
      } while !isDone.load(ordering: .acquiring)
      if board.pinNewest(in: place) != root(Self.roots) { wrong.add(1, ordering: .relaxed) }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }

  @Test func `WRITE-24: who died while it wrote the newest root is waited for by nobody`() throws {
    let lock = try makeLock()
    let table = PinTable(lock: lock)
    let board = VersionBoard(base: lock.base)
    board.publish(root(7))
    // The first things that a writer of version 8 writes.
    rb_store_seq_cst(lock.word(LockFile.publishedOffset + 48), 8)
    rb_store_seq_cst(lock.word(LockFile.publishedOffset + 8), 8 << 4)
    let place = try table.claim(.live)
    #expect(board.pinNewest(in: place) == root(7))
    #expect(board.newestRoot == root(7))
    board.publish(root(8))
    #expect(board.pinNewest(in: place) == root(8))
  }

  /// The entries of the last 16 versions are used in turn. A writer whose commits had failed gave
  /// numbers that jump, and wrote over the newest root while it was the newest still.
  @Test func `READ-04: no number is given whose root would stand where the newest does`() throws {
    let folder = Folder()
    let one = try Coordinator(Toy.configuration(folder.file()))
    try one.set([0: [1]])
    let base = one.newestVersion
    for count in UInt64(1)...200 {
      // So many commits have failed; their numbers are not given again here.
      one.writer.lastVersion = VersionID(base.number + count)
      let next = try one.beginWrite()
      #expect((next.version.number - base.number) % 16 != 0, "\(next.version) behind \(base)")
      next.cancel()
    }
    one.writer.lastVersion = VersionID(base.number + 15)
    let last = try one.set([0: [3]])
    #expect(last.version.number == base.number + 17)
    #expect(try one.newestContent()[0] == [3])
  }

  @Test func `A version that is only proposed is no version to look through`() throws {
    let table = PinTable(lock: try makeLock())
    let place = try table.claim(.live)
    place.propose(root(1))
    #expect(table.pinnedVersions() == [VersionID(1)])
    #expect(table.pinnedTops()?.isEmpty == true)
    place.confirm(root(1))
    #expect(table.pinnedTops()?.map(\.version) == [VersionID(1)])
  }
}
