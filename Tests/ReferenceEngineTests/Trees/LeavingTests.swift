import Testing

@testable import ReferenceEngine

@Suite struct `Rows that leave` {
  private static func key(_ number: Int) -> Int64 { Int64(number) * 3 }

  /// A table of so many rows, committed, each with its key as its first value.
  private func begin(_ twin: inout Twin, rows: Int) throws -> (TreeWriter, TableWriter) {
    let trees = TreeWriter(arena: twin.arena, base: Top(space: twin.store.space, ref: .none))
    let table = trees.addTable(Twin.specs)
    for number in 0..<rows { insert(Self.key(number), into: table, &twin) }
    twin.root = trees.settle(into: twin.store)
    twin.arena.reset(for: VersionID(2))
    let next = TreeWriter(
      arena: twin.arena, base: Top(space: twin.store.space, ref: twin.root))
    return (next, try #require(next.table(0)))
  }

  private func insert(_ key: Int64, into table: TableWriter, _ twin: inout Twin) {
    guard let place = table.insert(key) else {
      return #expect(twin.model[key] != nil, "row \(key) is there already")
    }
    #expect(twin.model[key] == nil)
    var row = Twin.specs.map(Twin.empty)
    for column in [0, 2, 3] {
      row[column] = column == 0 ? .int(key) : twin.cell(Twin.specs[column])
      twin.set(table, place, column, row[column])
    }
    twin.model[key] = row
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `are gone at once, and all others are where they were`(seed: UInt64) throws {
    var twin = Twin(seed: seed)
    let (trees, table) = try begin(&twin, rows: 3000)
    for turn in 0..<6000 {
      let key = Self.key(twin.dice.below(3000))
      switch twin.dice.below(40) {
      case 0: insert(key, into: table, &twin)
      case 1:
        let place = table.openRow(key)
        #expect((place == nil) == (twin.model[key] == nil))
        if let place {
          twin.set(table, place, 0, .int(Int64(turn)))
          twin.model[key]?[0] = .int(Int64(turn))
        }
      case 2: #expect((table.locate(key) == nil) == (twin.model[key] == nil))
      default: #expect(table.delete(key) == (twin.model.removeValue(forKey: key) != nil))
      }
      #expect(table.count == twin.model.count)
      if turn % 997 == 0 { twin.compare(Top(space: twin.store.space, ref: .none), table.reader) }
    }
    twin.root = trees.settle(into: twin.store)
    twin.compare(Top(space: twin.store.space, ref: twin.root), nil)
  }

  @Test func `stay in the tree until somebody asks for the rows in order`() throws {
    var twin = Twin(seed: 4)
    let (trees, table) = try begin(&twin, rows: 3000)
    for number in (0..<3000).shuffled(using: &twin.dice).prefix(2000) {
      let place = table.locate(Self.key(number))
      #expect(place != nil && table.delete(Self.key(number)))
      #expect(!table.delete(Self.key(number)))
      #expect(table.locate(Self.key(number)) == nil && table.openRow(Self.key(number)) == nil)
      twin.model[Self.key(number)] = nil
    }
    #expect(table.leaving?.keys.count == 2000)
    var hasMoved = 0
    table.rowsMoved = { hasMoved += 1 }
    #expect(table.rows.count == 1000 && table.leaving == nil && hasMoved == 1)
    twin.root = trees.settle(into: twin.store)
    twin.compare(Top(space: twin.store.space, ref: twin.root), nil)
  }

  @Test func `may be all that there are`() throws {
    var twin = Twin(seed: 5)
    let (trees, table) = try begin(&twin, rows: 1000)
    for number in 0..<1000 { #expect(table.delete(Self.key(number))) }
    twin.model = [:]
    #expect(table.count == 0)
    insert(7, into: table, &twin)
    twin.root = trees.settle(into: twin.store)
    twin.compare(Top(space: twin.store.space, ref: twin.root), nil)
  }

  /// How many of 256 rows go, and of which.
  enum Share: CaseIterable {
    case fewOfOne, tenth, half, most, allButOnesHalf, wholeOnes

    func takes(_ number: Int, of rows: Int, _ dice: inout Dice) -> Bool {
      switch self {
      case .fewOfOne: 300..<305 ~= number
      case .tenth: dice.below(10) == 0
      case .half: dice.below(2) == 0
      case .most: dice.below(20) > 0
      case .allButOnesHalf: !(512..<640 ~= number)
      case .wholeOnes: number / 256 % 3 == 0 || dice.below(30) == 0
      }
    }
  }

  // in the commit                      before it
  // the columns are settled            the columns are copied, wide;
  //                                    the rows go; the copies are settled
  @Test(arguments: Share.allCases, [3000, 20_000])
  func `leave the same nodes, whether they go in the commit or before`(
    share: Share, rows: Int
  ) throws {
    let seed = Wish.seed()
    var found: [(nodes: [UInt8], freed: [UInt64])] = []
    for isEarly in [false, true] {
      var twin = Twin(seed: seed)
      let trees = TreeWriter(arena: twin.arena, base: Top(space: twin.store.space, ref: .none))
      let first = trees.addTable(Twin.specs)
      for number in 0..<rows {
        let place = try #require(first.insert(Self.key(number)))
        var row = Twin.specs.map(Twin.empty)
        // In some clusters a column is not there at all, or has no null.
        for column in Twin.specs.indices where dice(number, column) {
          row[column] = twin.cell(Twin.specs[column])
          twin.set(first, place, column, row[column])
        }
        twin.model[Self.key(number)] = row
      }
      twin.root = trees.settle(into: twin.store)
      twin.arena.reset(for: VersionID(2))
      let next = TreeWriter(
        arena: twin.arena, base: Top(space: twin.store.space, ref: twin.root))
      let table = try #require(next.table(0))
      for _ in 0..<30 {
        let key = Self.key(twin.dice.below(rows))
        let column = twin.dice.below(Twin.specs.count)
        let cell = twin.cell(Twin.specs[column])
        twin.set(table, try #require(table.openRow(key)), column, cell)
        twin.model[key]?[column] = cell
      }
      let leaving = (0..<rows).filter { share.takes($0, of: rows, &twin.dice) }
      for number in leaving.shuffled(using: &twin.dice) {
        #expect(table.delete(Self.key(number)))
        twin.model[Self.key(number)] = nil
      }
      if isEarly { table.letLeave() }
      let start = twin.store.used
      twin.root = next.settle(into: twin.store)
      let nodes = UnsafeRawBufferPointer(
        start: twin.store.space.base + start, count: twin.store.used - start)
      let freed = twin.arena.takeFreed().map(\.ref.raw)
      #expect(Set(freed).count == freed.count, "a node is let go twice, seed \(seed)")
      found.append((Array(nodes), freed.sorted()))
      twin.compare(Top(space: twin.store.space, ref: twin.root), nil)
    }
    #expect(found[0].nodes == found[1].nodes, "seed \(seed)")
    #expect(found[0].freed == found[1].freed, "seed \(seed)")
  }

  /// Whether a row of a cluster has a value of a column.
  private func dice(_ number: Int, _ column: Int) -> Bool {
    switch (number / 256 + column) % 5 {
    case 0: false
    case 1: true
    default: (number &* 7 + column) % 4 > 0
    }
  }
}
