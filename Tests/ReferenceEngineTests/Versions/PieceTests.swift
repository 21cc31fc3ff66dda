import StandIns
import Testing

@testable import ReferenceEngine

/// Rows that are deleted one by one leave their tree in the commit, and what is left of it is more
/// than was foreseen: it was written node by node, in 1,900 pieces of 2 KiB here and there.
@Suite struct `The pieces that a commit writes` {
  @Test func `are few, also where rows leave in it and it lies in space that was used before`()
    throws
  {
    let folder = Folder()
    defer { withExtendedLifetime(folder) {} }
    let disk = CountingDisk(
      try PosixDisk(path: folder.path + "/a.realm", writable: true, create: true))
    let coordinator = try Coordinator(
      StorageConfiguration(location: folder.file()), disk: disk,
      lockPath: folder.path + "/a.realm.lock")
    var dice = Dice(seed: Wish.seed())
    func write(_ body: (TableWriter) throws -> Void) throws -> CountingDisk.Counts {
      let write = try coordinator.beginWrite()
      let trees = TreeWriter(
        arena: write.arena, base: Top(space: write.space, ref: write.base.top))
      trees.recorder = write.changes
      let table = trees.table(0) ?? trees.addTable([.int, .int, .bytes])
      try body(table)
      disk.reset()
      _ = try write.commit(CommitProtocol.none, settle: trees.settle(into:))
      return disk.counts
    }
    let rows = 40_000
    let text = [UInt8](repeating: 7, count: 20)
    _ = try write { table in
      for _ in 0..<rows {
        let place = try #require(table.insert(table.nextKey))
        table.setInt(place, 0, Int64.random(in: .min ... .max, using: &dice))
        table.setInt(place, 1, Int64(dice.below(100)))
        text.withUnsafeBytes { table.setBytes(place, 2, $0) }
      }
    }
    for turn in 0..<5 {
      let counts = try write { table in
        for key in (0..<rows).filter({ $0 % 10 == turn }).shuffled(using: &dice) {
          #expect(table.delete(Int64(key)))
        }
      }
      #expect(counts.bytesWritten > 500_000)
      #expect(counts.writes <= 60, "turn \(turn): \(counts)")
    }
    #expect(try coordinator.checkEverything().nodes > 0)
  }
}
