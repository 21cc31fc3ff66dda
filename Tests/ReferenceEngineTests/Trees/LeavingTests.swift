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
}
