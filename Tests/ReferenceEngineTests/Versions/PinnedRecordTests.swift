import Foundation
import Testing

@testable import ReferenceEngine

/// What a record tells a version that is kept needs, whatever becomes of the map of free space.
@Suite struct PinnedRecordTests {
  /// The records that a kept version's own leads to were taken for free space by whoever had to
  /// find out anew what is free: they hang on no tree.
  @Test func `REFRESH-20: the records of a version that is kept stay`() throws {
    let folder = Folder()
    let file = try Coordinator(Toy.configuration(folder.file(), .none))
    func commit(deleting key: Int64? = nil) throws {
      let write = try file.beginWrite()
      let toy = ToyWrite(write)
      toy.set(0, [1])
      if let key { write.changes.deleted(table: 1, key: key) }
      _ = try write.commit(settle: toy.settle)
    }
    try commit()
    let early = try file.newestSnapshot(kind: .live)
    try commit(deleting: 7)
    try commit()
    var target: Snapshot? = try file.newestSnapshot(kind: .notifier)
    let root = try #require(target?.root)
    for _ in 0..<1_000 { try commit() }
    // As behind a commit that the disk has refused.
    file.writer.heap = nil
    for _ in 0..<100 { try commit() }
    let deletions = Deletions(after: early.version, upTo: root, in: file.space)
    #expect(deletions.isComplete && deletions.have(7, of: 1, after: early.version))
    target = nil
    try file.checkEverything()
  }

  /// It was asked which records may go where their number is a multiple of some: two commits at a
  /// time never came to one.
  @Test(arguments: 0..<2)
  func `GROW-06: records go, however many commits each flush brings`(more: Int) throws {
    let scratch = Scratch()
    var configuration = scratch.configuration([Keyed.self])
    configuration.commitProtocol = .singleFlush
    let desk = Desk(configuration)
    let token = desk.work { $0.objects(Keyed.self).observe { _ in } }
    for _ in 0..<more { desk.commit { $0.create(Keyed.self, value: ["id": -1], update: .all) } }
    let done = Bell()
    for round in 0..<100 {
      desk.work { realm in
        realm.beginAsyncWrite {
          realm.create(Keyed.self, value: ["id": round])
          realm.commitAsyncWrite(allowGrouping: true)
        }
        realm.beginAsyncWrite {
          realm.create(Keyed.self, value: ["id": 1_000 + round])
          realm.commitAsyncWrite { _ in done.ring() }
        }
      }
      #expect(done.wait())
    }
    desk.work { realm in
      #expect(realm.session.coordinator.writer.records.count < 64)
      token.invalidate()
    }
  }

  /// A node has at most this many bytes.
  private static let largestNode = 1 << 28

  @Test func `the longest record there may be is no longer than a node`() {
    let changes = ChangeLog.bytes(runs: 1 << 10, freed: ChangeLog.mostFreed, changes: 1 << 22)
    let summary = 32 + DeletionSummary.most * 32
    #expect(changes + summary < PinnedRecordTests.largestNode)
  }

  /// A bit that was turned in what a summary says ended the next commit that summed up, with a
  /// sentence that blamed the engine.
  @Test func `a summary that tells of later versions than it may is none`() {
    func summary(through: UInt64, version: UInt64, first: Int64, last: Int64) -> DeletionSummary? {
      let words: [UInt64] = [
        1, through, 1, 0, UInt64(bitPattern: first), UInt64(bitPattern: last), version, 0,
      ]
      return words.withUnsafeBytes { bytes in
        bytes.baseAddress.flatMap { DeletionSummary($0, room: bytes.count) }
      }
    }
    #expect(summary(through: 9, version: 9, first: 3, last: 4)?.runs.count == 1)
    #expect(summary(through: 9, version: 10, first: 3, last: 4) == nil)
    #expect(summary(through: 9, version: 9, first: 4, last: 3) == nil)
  }
}
