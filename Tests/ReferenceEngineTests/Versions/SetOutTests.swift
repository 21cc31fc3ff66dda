import StandIns
import Testing

@testable import ReferenceEngine

@Suite struct `What a commit sets out before its flush` {
  /// Rows of some hundred bytes.
  private func commit(
    _ rows: Int, _ coordinator: Coordinator, _ how: CommitProtocol
  ) throws {
    let write = try coordinator.beginWrite()
    let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    let table = trees.table(0) ?? trees.addTable([.int, .bytes])
    let text = [UInt8](repeating: 7, count: 100)
    for _ in 0..<rows {
      let place = try #require(table.insert(table.nextKey))
      table.setInt(place, 0, table.nextKey &* 0x1E37_79B9_7F4A_7C15)
      text.withUnsafeBytes { table.setBytes(place, 1, $0) }
    }
    _ = try write.commit(how, settle: trees.settle(into:))
  }

  private func flushes(
    _ rows: Int, _ how: CommitProtocol
  ) throws -> [(written: Int, setOut: Int, isTrue: Bool)] {
    let folder = Folder()
    defer { withExtendedLifetime(folder) {} }
    let disk = SettingOutDisk(
      try PosixDisk(path: folder.path + "/a.realm", writable: true, create: true))
    let coordinator = try Coordinator(
      StorageConfiguration(location: folder.file()), disk: disk,
      lockPath: folder.path + "/a.realm.lock")
    let before = disk.stretches.count
    try commit(rows, coordinator, how)
    return disk.stretches.dropFirst(before).map { state in
      func bytes(_ ranges: [Range<UInt64>]) -> Int { ranges.reduce(0) { $0 + $1.count } }
      // Nothing sets out that was not written before.
      let isTrue = state.setOut.allSatisfy { range in
        var next = range.lowerBound
        for part in state.written.sorted(by: { $0.lowerBound < $1.lowerBound })
        where part.contains(next) { next = part.upperBound }
        return next >= range.upperBound
      }
      return (bytes(state.written), bytes(state.setOut), isTrue)
    }
  }

  @Test func `of much most, and of little nothing`() throws {
    let large = try flushes(40_000, .twoPhase)
    #expect(large.count == 2 && large.allSatisfy(\.isTrue))
    #expect(large[0].written > 4_000_000 && large[0].setOut > large[0].written * 3 / 4)
    #expect(large[1].setOut == 0)
    let small = try flushes(100, .twoPhase)
    #expect(small.count == 2 && small.allSatisfy { $0.setOut == 0 })
    #expect(try flushes(40_000, .none).isEmpty)
  }
}
