import Testing

@testable import ReferenceEngine

/// What old versions cost: what they hold, while they are held.
@Suite struct GrowthTests {
  private static let rows = 20_000

  /// Rows as an application has them: a number, a name, an age, a score, a note.
  private func stocked(_ folder: Folder) throws -> Coordinator {
    let coordinator = try Coordinator(StorageConfiguration(location: folder.file()))
    let write = try coordinator.beginWrite()
    let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    let table = trees.addTable([.int, .bytes, .int, .int, .bytes.nullable])
    let name = [UInt8]("name of one".utf8)
    for key in 0..<Int64(GrowthTests.rows) {
      let place = try #require(table.insert(key))
      table.setInt(place, 0, key)
      name.withUnsafeBytes { table.setBytes(place, 1, $0) }
      table.setInt(place, 2, key % 100)
      table.setInt(place, 3, Int64(bitPattern: UInt64(key) &* 0x9E37_79B9_7F4A_7C15))
      name.withUnsafeBytes { table.setBytes(place, 4, $0) }
    }
    _ = try write.commit(settle: trees.settle(into:))
    return coordinator
  }

  private func change(_ coordinator: Coordinator, _ dice: inout Dice) throws {
    let write = try coordinator.beginWrite()
    let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    let table = try #require(trees.table(0))
    let key = Int64.random(in: 0..<Int64(GrowthTests.rows), using: &dice)
    let place = try #require(table.openRow(key))
    table.setInt(place, 2, Int64.random(in: 0..<100, using: &dice))
    _ = try write.commit(CommitProtocol.none, settle: trees.settle(into:))
  }

  private func heapBytes(_ coordinator: Coordinator) throws -> Int {
    Int(try #require(coordinator.writer.heap).free.map.end)
  }

  @Test func `GROW-04: ten thousand commits beside one old version leave at most half more`()
    throws
  {
    var ends: [Int] = []
    for isHeld in [false, true] {
      let folder = Folder()
      defer { withExtendedLifetime(folder) {} }
      let coordinator = try stocked(folder)
      var dice = Dice(seed: 12)
      let old = isHeld ? try coordinator.newestSnapshot(kind: .frozen) : nil
      for _ in 0..<10_000 { try change(coordinator, &dice) }
      ends.append(try heapBytes(coordinator))
      if let old { #expect(Top(space: old.space, ref: old.top).table(0)?.rows.count == 20_000) }
    }
    print("heap after 10,000 commits: \(ends[0]), beside an old version: \(ends[1])")
    #expect(ends[1] * 2 <= ends[0] * 3)
  }

  @Test func `GROW-04: a held version costs at most 4 KiB, and nothing after it is let go`() throws
  {
    let folder = Folder()
    defer { withExtendedLifetime(folder) {} }
    let coordinator = try stocked(folder)
    var dice = Dice(seed: 13)
    for _ in 0..<500 { try change(coordinator, &dice) }
    let before = try heapBytes(coordinator)
    var held: [Snapshot] = []
    for _ in 0..<1_000 {
      try change(coordinator, &dice)
      held.append(try coordinator.newestSnapshot(kind: .frozen))
    }
    let each = (try heapBytes(coordinator) - before) / held.count
    held = []
    for _ in 0..<1_000 { try change(coordinator, &dice) }
    let released = try heapBytes(coordinator)
    for _ in 0..<5_000 { try change(coordinator, &dice) }
    print("a held version of 1,000 costs \(each) bytes")
    #expect(each <= 4_096)
    #expect(try heapBytes(coordinator) <= released)
  }

  /// What a commit does at random: changes rows, makes them longer or shorter, removes some and
  /// inserts others.
  private func stir(_ coordinator: Coordinator, _ dice: inout Dice) throws {
    let write = try coordinator.beginWrite()
    let trees = TreeWriter(arena: write.arena, base: Top(space: write.space, ref: write.base.top))
    let table = try #require(trees.table(0))
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let key = Int64.random(in: 0..<Int64(GrowthTests.rows), using: &dice)
      if let place = table.openRow(key) {
        if Int.random(in: 0..<4, using: &dice) == 0 {
          table.delete(key)
        } else {
          let note = dice.bytes(upTo: 300)
          note.withUnsafeBytes { table.setBytes(place, 4, $0) }
        }
      } else if let place = table.insert(key) {
        table.setInt(place, 0, key)
      }
    }
    _ = try write.commit(CommitProtocol.none, settle: trees.settle(into:))
  }

  /// Every byte of the heap belongs to the newest version, to a record, to what waits, or is free:
  /// none is lost.
  private func account(_ coordinator: Coordinator) throws -> String? {
    let free = try #require(coordinator.writer.heap).free
    let used = try coordinator.checkEverything().bytes
    let all = Int(free.map.end) - Int(FileHeader.heapStart)
    let known = used + free.waitingBytes + free.map.freeBytes
    return known == all
      ? nil
      : "\(used) bytes used, \(free.waitingBytes) waiting, \(free.map.freeBytes) free: not \(all)"
  }

  /// `COMMITS=200000` for the long run, which also looks whether the heap goes on growing; `SEED`
  /// for another one.
  @Test func `GROW-02: many commits with versions held and let go lose no byte of the file`() throws
  {
    let count = Wish.number("COMMITS", orElse: 1_000)
    let seed = Wish.seed(orElse: 20_261_121)
    print("GROW-02: \(count) commits, SEED=\(seed)")
    let folder = Folder()
    defer { withExtendedLifetime(folder) {} }
    let coordinator = try stocked(folder)
    var dice = Dice(seed: seed)
    var ends: [Int] = []
    for tenth in 1...10 {
      var held: [Snapshot] = []
      for _ in 0..<count / 10 {
        try stir(coordinator, &dice)
        switch Int.random(in: 0..<20, using: &dice) {
        case 0: held.append(try coordinator.newestSnapshot(kind: .frozen))
        case 1...2 where !held.isEmpty:
          held.remove(at: Int.random(in: held.indices, using: &dice))
        default: break
        }
      }
      #expect(try account(coordinator) == nil, "after \(tenth) tenths, \(held.count) held")
      ends.append(try heapBytes(coordinator))
    }
    for _ in 0..<100 { try stir(coordinator, &dice) }
    #expect(try account(coordinator) == nil)
    let free = try #require(coordinator.writer.heap).free
    print("heap by tenths of \(count) commits: \(ends), now \(free.map.freeBytes) of it free")
    if count >= 100_000 {
      #expect(ends[9] * 100 <= ends[4] * 105, "the second half made it longer: \(ends)")
    }
  }
}
