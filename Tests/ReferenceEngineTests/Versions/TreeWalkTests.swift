import Foundation
import StandIns
import Testing

@testable import ReferenceEngine

/// The kernel and the trees together: real tables in a real file.
@Suite struct TreeWalkTests {
  /// A table with a column of each kind, and an index; every commit changes some rows.
  private func commit(
    _ coordinator: Coordinator, rows: Int, dice: inout Dice, _ how: CommitProtocol
  ) throws {
    let write = try coordinator.beginWrite()
    let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    trees.recorder = write.changes
    let table =
      trees.table(0) ?? trees.addTable([.int, ColumnSpec.int.nullable, .bytes, .fixed(16)])
    for _ in 0..<rows {
      let key = Int64.random(in: 0..<5000, using: &dice)
      guard let place = table.openRow(key) ?? table.insert(key) else { continue }
      table.setInt(place, 0, Int64.random(in: -1000...1000, using: &dice))
      if key % 3 == 0 { table.setNull(place, 1) } else { table.setInt(place, 1, key) }
      let bytes = dice.bytes(upTo: key % 50 == 0 ? 60_000 : 30)
      bytes.withUnsafeBytes { table.setBytes(place, 2, $0) }
      dice.bytes(upTo: 1).withUnsafeBytes { _ in }
      [UInt8](repeating: UInt8(key & 255), count: 16).withUnsafeBytes {
        table.setFixed(place, 3, $0)
      }
    }
    _ = try write.commit(how, settle: trees.settle(into:))
  }

  @Test func `Walking, checking, reopening and copying agree about real tables`() throws {
    let folder = Folder()
    var dice = Dice(seed: 21)
    for round in 0..<4 {
      let coordinator = try Coordinator(StorageConfiguration(location: folder.file()))
      for _ in 0..<20 {
        try commit(coordinator, rows: 100, dice: &dice, round == 3 ? .none : .twoPhase)
      }
      try coordinator.checkEverything()
      let snapshot = try coordinator.newestSnapshot(kind: .frozen)
      let tree = NodeTree.trees
      var stack = [snapshot.top]
      while let ref = stack.popLast() {
        var theirs: [NodeRef] = []
        var ours: [NodeRef] = []
        forEachChild(of: ref, in: snapshot.space) { theirs.append($0) }
        tree.forEachChild(ref, snapshot.space) { ours.append($0) }
        #expect(Set(theirs) == Set(ours))
        if !theirs.isEmpty {
          let header = snapshot.space.header(ref)
          #expect(tree.mayRefer(header.kind, header.width))
        }
        stack += theirs
      }
      let copy = folder.path + "/copy\(round).realm"
      try coordinator.writeCopy(of: snapshot, to: copy)
      let copied = try Coordinator(StorageConfiguration(location: .file(path: copy)))
      try copied.checkEverything()
      let other = try copied.newestSnapshot(kind: .frozen)
      let one = try #require(Top(space: snapshot.space, ref: snapshot.top).table(0))
      let two = try #require(Top(space: other.space, ref: other.top).table(0))
      #expect(one.rows.count == two.rows.count)
      #expect(
        Inspection.fingerprint(of: snapshot.root, in: snapshot.space, tree: tree)
          == Inspection.fingerprint(of: other.root, in: other.space, tree: tree))
    }
  }

  @Test func `COMMIT-11: no node of a real table is lost, whatever is written`() throws {
    let folder = Folder()
    let coordinator = try Coordinator(StorageConfiguration(location: folder.file()))
    var dice = Dice(seed: 23)
    for _ in 0..<300 { try commit(coordinator, rows: 10, dice: &dice, .none) }
    let heap = try #require(coordinator.writer.heap)
    heap.examineWaiting()
    let found = try coordinator.checkEverything()
    let heapBytes = Int(heap.free.map.end - FileHeader.heapStart)
    #expect(heapBytes - heap.free.map.freeBytes - heap.free.waitingBytes == found.bytes)
  }

  @Test func `COMMIT-08: a commit of one property is two writes and two flushes of few bytes`()
    throws
  {
    let folder = Folder()
    let disk = CountingDisk(
      try PosixDisk(path: folder.path + "/a.realm", writable: true, create: true))
    let coordinator = try Coordinator(
      StorageConfiguration(location: folder.file()), disk: disk,
      lockPath: folder.path + "/a.realm.lock")
    var dice = Dice(seed: 22)
    try commit(coordinator, rows: 20_000, dice: &dice, .none)
    func change(_ how: CommitProtocol) throws -> CountingDisk.Counts {
      let write = try coordinator.beginWrite()
      let trees = TreeWriter(
        arena: write.arena, base: Top(space: write.space, ref: write.base.top))
      trees.recorder = write.changes
      let table = try #require(trees.table(0))
      let key = Int64.random(in: 1...4000, using: &dice)
      if let place = table.openRow(key) { table.setInt(place, 0, 7) }
      table.touch(key, column: 0)
      disk.reset()
      _ = try write.commit(how, settle: trees.settle(into:))
      return disk.counts
    }
    for _ in 0..<20 { _ = try change(.none) }
    for _ in 0..<20 {
      let counts = try change(.twoPhase)
      #expect(counts.syncs == 2)
      #expect(counts.writes + counts.syncs <= 4 || counts.growths > 0)
      #expect(counts.bytesWritten <= 8192)
    }
    for _ in 0..<20 {
      let counts = try change(.singleFlush)
      #expect(counts.syncs == 1)
      #expect(counts.bytesWritten <= 4608 || counts.growths > 0)
    }
    #expect(try change(.none).syncs == 0)
  }
}
