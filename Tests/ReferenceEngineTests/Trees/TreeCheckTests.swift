import Testing

@testable import ReferenceEngine

/// One table in a toy store, written at random.
private final class Garden {
  static let specs: [ColumnSpec] = [.int, .int.nullable, .bytes, .bytes.nullable, .fixed(12)]

  let store = ToyStore()
  let arena: NodeArena
  private(set) var root = NodeRef.none
  private(set) var rows: [Int64: [Cell]] = [:]
  private var version: UInt64 = 0
  var dice: Dice

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    arena = NodeArena(space: store.space, version: VersionID(1))
  }

  var table: Table { Top(space: store.space, ref: root).table(0)! }

  private func cell(_ spec: ColumnSpec) -> Cell {
    if spec.isNullable && dice.below(4) == 0 { return .null }
    switch spec.type {
    case .int: return .int(Int64(bitPattern: dice.next()) >> Int64(dice.below(64)))
    case .bytes:
      let length = dice.below(25) == 0 ? dice.below(400) : dice.below(20)
      return .bytes([UInt8](repeating: UInt8(dice.below(256)), count: length))
    default: return .fixed((0..<spec.size).map { _ in UInt8(dice.below(256)) })
    }
  }

  private func set(_ cell: Cell, _ table: TableWriter, _ place: RowPlace, _ column: Int) {
    switch cell {
    case .null: table.setNull(place, column)
    case .int(let value): table.setInt(place, column, value)
    case .bytes(let bytes): bytes.withUnsafeBytes { table.setBytes(place, column, $0) }
    case .fixed(let bytes): bytes.withUnsafeBytes { table.setFixed(place, column, $0) }
    case .ref: break
    }
  }

  /// What the table holds, read cell by cell.
  var contents: [Int64: [Cell]] {
    var found: [Int64: [Cell]] = [:]
    table.rows.forEachCluster { cluster, _ in
      for index in 0..<cluster.count {
        found[cluster.key(index, in: store.space)] = Garden.specs.indices.map { column in
          Column(store.space.node(cluster.column(column))).cell(index, in: store.space)
        }
      }
      return true
    }
    return found
  }

  /// One write: so many insertions of keys below a limit, then changes and deletions.
  func write(inserting count: Int, below limit: Int, changing: Int, deleting: Int) {
    version += 1
    arena.reset(for: VersionID(version))
    let writer = TreeWriter(arena: arena, base: Top(space: store.space, ref: root))
    let table = writer.table(0) ?? writer.addTable(Garden.specs)
    for _ in 0..<count {
      let key = Int64(dice.below(limit))
      guard let place = table.insert(key) else { continue }
      let row = Garden.specs.map(cell)
      for (column, cell) in row.enumerated() { set(cell, table, place, column) }
      rows[key] = row
    }
    let keys = rows.keys.sorted()
    for _ in 0..<changing {
      let key = keys[dice.below(keys.count)]
      guard let place = table.openRow(key) else { continue }
      let column = dice.below(Garden.specs.count)
      let value = cell(Garden.specs[column])
      set(value, table, place, column)
      rows[key]?[column] = value
    }
    for _ in 0..<deleting {
      let key = keys[dice.below(keys.count)]
      #expect(table.delete(key) == (rows.removeValue(forKey: key) != nil))
    }
    root = writer.settle(into: store)
  }
}

@Suite struct `The check of trees` {
  @Test(arguments: [UInt64(1), 2, 3])
  func `finds nothing wrong with what a writer leaves`(seed: UInt64) {
    let garden = Garden(seed: seed)
    for write in 0..<12 {
      garden.write(
        inserting: write == 0 ? 3000 : 100, below: 50_000, changing: 50,
        deleting: write % 4 == 3 ? 900 : 20)
      let check = TreeCheck(garden.root, in: garden.store.space, size: garden.store.used)
      #expect(check.problems == [], "seed \(seed), write \(write)")
      #expect(garden.contents == garden.rows, "seed \(seed), write \(write)")
    }
  }

  @Test func `finds rows inserted in no order packed`() {
    let garden = Garden(seed: 9)
    garden.write(inserting: 6000, below: 1 << 40, changing: 0, deleting: 0)
    var clusters = 0
    garden.table.rows.forEachCluster { _, _ in
      clusters += 1
      return true
    }
    #expect(clusters < 6000 / 150)
    #expect(garden.contents == garden.rows)
  }

  @Test func `says what is wrong, and reads nothing outside, whatever the bytes are`() {
    let garden = Garden(seed: 4)
    garden.write(inserting: 800, below: 3000, changing: 0, deleting: 0)
    let (space, used) = (garden.store.space, garden.store.used)
    let base = UnsafeMutableRawPointer(mutating: space.base)
    let sound = [UInt8](UnsafeRawBufferPointer(start: base, count: used))
    var said = 0
    for _ in 0..<1500 {
      let places = (0..<1 + garden.dice.below(3)).map { _ in 4096 + garden.dice.below(used - 4096) }
      for place in places {
        base.storeBytes(
          of: UInt8(garden.dice.below(256)), toByteOffset: place, as: UInt8.self)
      }
      let size = garden.dice.below(4) == 0 ? garden.dice.below(used) : used
      if !TreeCheck(garden.root, in: space, size: size).problems.isEmpty { said += 1 }
      for place in places {
        base.storeBytes(of: sound[place], toByteOffset: place, as: UInt8.self)
      }
    }
    #expect(said > 300)
    #expect(TreeCheck(garden.root, in: space, size: used).problems == [])
  }
}

@Suite struct `The difference of two trees` {
  @Test(arguments: [UInt64(5), 6])
  func `is the difference of their rows`(seed: UInt64) {
    let garden = Garden(seed: seed)
    garden.write(inserting: 2500, below: 20_000, changing: 0, deleting: 0)
    for write in 0..<8 {
      let (table, before) = (garden.table, garden.rows)
      garden.write(
        inserting: write * 20, below: 30_000, changing: 30, deleting: write == 5 ? 1500 : 15)
      var found: [Int64: TreeDiff.Kind] = [:]
      var last = Int64.min
      TreeDiff(from: table, to: garden.table).forEachRow { key, kind, columns in
        #expect(key > last)
        last = key
        found[key] = kind
        if kind == .modified, let old = before[key], let new = garden.rows[key] {
          #expect(columns == Garden.specs.indices.filter { old[$0] != new[$0] })
        }
      }
      var expected: [Int64: TreeDiff.Kind] = [:]
      for key in Set(before.keys).union(garden.rows.keys) {
        let (old, new) = (before[key], garden.rows[key])
        if old == new { continue }
        expected[key] = old == nil ? .inserted : new == nil ? .deleted : .modified
      }
      #expect(found == expected, "seed \(seed), write \(write)")
    }
  }
}
