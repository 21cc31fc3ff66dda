import Foundation
import Testing

@testable import ReferenceEngine

typealias TwinRow = [Cell]

/// A table and its model in plain Swift, changed together and compared.
struct Twin {
  static let specs: [ColumnSpec] = [
    .int, .int.nullable, .bytes, .bytes.nullable, .fixed(12), .fixed(16).nullable,
  ]

  let store = ToyStore()
  let arena: NodeArena
  var root = NodeRef.none
  var version = VersionID(1)
  var model: [Int64: TwinRow] = [:]
  var dice: Dice
  /// Old versions that must stay as they were.
  var kept: [(root: NodeRef, model: [Int64: TwinRow])] = []

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    arena = NodeArena(space: store.space, version: VersionID(1))
  }

  mutating func cell(_ spec: ColumnSpec) -> Cell {
    if spec.isNullable && dice.below(4) == 0 { return .null }
    switch spec.type {
    case .int:
      let widths: [Int64] = [0, 1, 3, 15, 127, -128, 30_000, -30_000, 1 << 30, .min, .max]
      return .int(
        dice.below(3) == 0 ? Int64(bitPattern: dice.next()) : widths[dice.below(widths.count)])
    case .bytes:
      let lengths = [
        0, 1, 7, 15, 16, 40, 300, ColumnWriter.longest, ColumnWriter.longest + 1, 9000,
      ]
      let length = lengths[dice.below(dice.below(20) == 0 ? lengths.count : 6)]
      let letter = UInt8(truncatingIfNeeded: dice.next())
      return .bytes([UInt8](repeating: letter, count: length))
    case .fixed: return .fixed((0..<spec.size).map { _ in UInt8(truncatingIfNeeded: dice.next()) })
    case .refs: return .ref(.none)
    }
  }

  static func empty(_ spec: ColumnSpec) -> Cell {
    if spec.isNullable { return .null }
    switch spec.type {
    case .int: return .int(0)
    case .bytes: return .bytes([])
    case .fixed: return .fixed([UInt8](repeating: 0, count: Int(spec.size)))
    case .refs: return .ref(.none)
    }
  }

  /// One write of a few random changes, settled; sometimes the version is kept.
  mutating func write(changes: Int) {
    arena.reset(for: version)
    let trees = TreeWriter(arena: arena, base: Top(space: store.space, ref: root))
    let table = trees.table(0) ?? trees.addTable(Twin.specs)
    for _ in 0..<changes {
      switch dice.below(10) {
      case 0..<4:
        let key =
          dice.below(3) == 0 ? Int64(dice.below(3000)) - 1000 : table.nextKey
        let place = table.insert(key)
        #expect((place == nil) == (model[key] != nil))
        guard let place else { continue }
        var row = Twin.specs.map(Twin.empty)
        for column in Twin.specs.indices where dice.below(5) > 0 {
          row[column] = cell(Twin.specs[column])
          set(table, place, column, row[column])
        }
        model[key] = row
      case 4..<7:
        guard let key = model.keys.sorted().dropFirst(dice.below(model.count + 1)).first else {
          continue
        }
        let column = dice.below(Twin.specs.count)
        model[key]![column] = cell(Twin.specs[column])
        set(table, table.openRow(key)!, column, model[key]![column])
      case 9 where dice.below(8) == 0: deleteMany(table)
      default:
        let key = Int64(dice.below(3000)) - 1000
        #expect(table.delete(key) == (model.removeValue(forKey: key) != nil))
      }
    }
    compare(Top(space: store.space, ref: .none), table.reader)
    root = trees.settle(into: store)
    version = VersionID(version.number + 1)
    if dice.below(10) == 0 { kept.append((root, model)) }
  }

  /// Some or most of a stretch of rows at once, asked for in any order, more than once, and where
  /// there are none.
  mutating func deleteMany(_ table: TableWriter) {
    let start = Int64(dice.below(3000)) - 1000
    let share = 1 + dice.below(4)
    var keys = (0..<Int64(dice.below(900))).map { start + $0 }.filter { _ in dice.below(4) < share }
    if dice.below(2) == 0 { keys.shuffle(using: &dice) }
    if dice.below(2) == 0 { keys += keys.prefix(3) }
    let there = table.ascending(keys).map(\.key)
    #expect(there == Set(keys).filter { model[$0] != nil }.sorted())
    table.delete(there)
    for key in there { model[key] = nil }
  }

  func set(_ table: TableWriter, _ place: RowPlace, _ column: Int, _ cell: Cell) {
    switch cell {
    case .null: table.setNull(place, column)
    case .int(let value): table.setInt(place, column, value)
    case .bytes(let bytes): bytes.withUnsafeBytes { table.setBytes(place, column, $0) }
    case .fixed(let bytes): bytes.withUnsafeBytes { table.setFixed(place, column, $0) }
    case .ref(let ref): table.setRef(place, column, ref)
    }
  }

  func compare(_ top: Top, _ table: Table?, _ expected: [Int64: TwinRow]? = nil) {
    let expected = expected ?? model
    let rows = (table ?? top.table(0))!.rows
    #expect(rows.count == expected.count)
    let keys = expected.keys.sorted()
    var position = 0
    var wrong = 0
    rows.forEachCluster { cluster, first in
      if first != position { wrong += 1 }
      for index in 0..<cluster.count {
        guard position < keys.count, cluster.key(index, in: store.space) == keys[position] else {
          wrong += 1
          return false
        }
        for (column, spec) in Twin.specs.enumerated() {
          let ref = cluster.column(column)
          let found =
            ref.isNone
            ? Twin.empty(spec) : Column(store.space.node(ref)).cell(index, in: store.space)
          if found != expected[keys[position]]![column] { wrong += 1 }
        }
        position += 1
      }
      return true
    }
    #expect(wrong == 0 && position == keys.count, "\(wrong) wrong, \(position) of \(keys.count)")
    for place in stride(from: 0, to: keys.count, by: 37) {
      #expect(
        rows.find(keys[place])?.cluster.key(rows.find(keys[place])!.index, in: store.space)
          == keys[place])
      #expect(rows.key(at: place) == keys[place])
      #expect(rows.position(of: keys[place]) == (place, true))
    }
    for key: Int64 in [5000, -5000] where expected[key] == nil { #expect(rows.find(key) == nil) }
  }
}

@Suite struct `The row tree` {
  @Test(arguments: [UInt64(1), 2, 3])
  func `agrees with a dictionary after every write, and keeps old versions`(seed: UInt64) {
    var twin = Twin(seed: seed)
    for write in 0..<50 {
      twin.write(changes: write % 7 == 0 ? 300 : 20)
      twin.compare(Top(space: twin.store.space, ref: twin.root), nil)
    }
    #expect(!twin.kept.isEmpty)
    for (root, model) in twin.kept {
      twin.compare(Top(space: twin.store.space, ref: root), nil, model)
    }
  }

  @Test func `writes little for one changed value`() {
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    var trees = TreeWriter(arena: arena, base: Top(space: store.space, ref: .none))
    let table = trees.addTable([.int, .int, .bytes, .int, .bytes.nullable])
    for key in Int64(0)..<100_000 {
      let place = table.insert(key)!
      table.setInt(place, 0, key)
      table.setInt(place, 1, key % 100)
      "name \(key)".utf8.withContiguousStorageIfAvailable {
        table.setBytes(place, 2, UnsafeRawBufferPointer($0))
      }
      table.setInt(place, 3, Int64(bitPattern: Double(key).bitPattern))
    }
    let root = trees.settle(into: store)
    let before = store.used
    arena.reset(for: VersionID(2))
    trees = TreeWriter(arena: arena, base: Top(space: store.space, ref: root))
    trees.table(0)!.setInt(trees.table(0)!.openRow(77_777)!, 1, 42)
    let changed = trees.settle(into: store)
    #expect(
      store.used - before <= 2560, "\(store.used - before) bytes for one value of 100,000 rows")
    let rows = Top(space: store.space, ref: changed).table(0)!.rows
    #expect(rows.find(77_777)!.int(1, in: store.space) == 42)
    #expect(rows.find(77_776)!.int(1, in: store.space) == 76)
    let reused = Top(space: store.space, ref: root).table(0)!.rows
    #expect(reused.find(77_777)!.int(1, in: store.space) == 77)
  }

  @Test func `walks to every node once`() {
    var twin = Twin(seed: 9)
    for _ in 0..<20 { twin.write(changes: 200) }
    var seen: Set<NodeRef> = []
    func walk(_ ref: NodeRef) {
      #expect(seen.insert(ref).inserted)
      #expect(!ref.isPending)
      forEachChild(of: ref, in: twin.store.space, walk)
    }
    walk(twin.root)
    #expect(seen.count > 20)
  }

  @Test func `discards each committed node that is no longer reached, once`() {
    var twin = Twin(seed: 11)
    var live: Set<NodeRef> = []
    func reached(_ ref: NodeRef) -> Set<NodeRef> {
      var found: Set<NodeRef> = []
      func walk(_ ref: NodeRef) {
        found.insert(ref)
        forEachChild(of: ref, in: twin.store.space, walk)
      }
      if !ref.isNone { walk(ref) }
      return found
    }
    for _ in 0..<60 {
      twin.write(changes: 60)
      let now = reached(twin.root)
      let freed = twin.arena.freed.map(\.ref)
      #expect(Set(freed).count == freed.count, "freed twice")
      #expect(Set(freed) == live.subtracting(now))
      live = now
    }
  }
}

@Suite struct `A tree of pairs` {
  @Test(arguments: [UInt64(1), 2])
  func `agrees with a sorted set`(seed: UInt64) {
    var dice = Dice(seed: seed)
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    var root = NodeRef.none
    var model: Set<Pair> = []
    for write in 0..<80 {
      arena.reset(for: VersionID(UInt64(write + 1)))
      var pairs = PairWriter(arena: arena, root: root)
      for _ in 0..<100 {
        let pair = Pair(first: UInt64(dice.below(300)), second: UInt64(dice.below(30)))
        if dice.below(write > 50 ? 4 : 2) == 0 {
          #expect(pairs.insert(pair) == model.insert(pair).inserted)
        } else {
          #expect(pairs.remove(pair) == (model.remove(pair) != nil))
        }
      }
      if write % 8 == 7 {
        let from = UInt64(dice.below(300))
        let gone = model.filter { $0.first >= from && dice.below(5) > 0 }
        pairs.remove((gone + [Pair(first: from, second: 77)]).sorted())
        model.subtract(gone)
      }
      root = Settler(space: store.space, sink: store).settle(pairs.root)
      var found: [Pair] = []
      PairTree(space: store.space, root: root).forEach(from: Pair(first: 0, second: 0)) {
        found.append($0)
        return true
      }
      #expect(found == model.sorted())
      var seconds: [UInt64] = []
      PairTree(space: store.space, root: root).forEach(first: 7) {
        seconds.append($0)
        return true
      }
      #expect(seconds == model.filter { $0.first == 7 }.map(\.second).sorted())
    }
  }
}

@Suite struct `Looking up in a tree of pairs` {
  /// Numbers as indexes have them: spread evenly, in a row, all alike, at the ends.
  enum Spread: CaseIterable {
    case hashes, row, few, skewed

    func word(_ dice: inout Dice) -> UInt64 {
      switch self {
      case .hashes: dice.next()
      case .row: UInt64(dice.below(20_000))
      case .few: [0, 1, 7, .max][dice.below(4)]
      case .skewed: dice.next() >> UInt64(dice.below(64))
      }
    }
  }

  @Test(arguments: Spread.allCases)
  func `finds all that begin with a number, and nothing else`(spread: Spread) {
    var dice = Dice(seed: 3)
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    arena.reset(for: VersionID(1))
    var pairs = PairWriter(arena: arena, root: .none)
    var model: [UInt64: Set<UInt64>] = [:]
    for _ in 0..<20_000 {
      let seconds: [UInt64] = [0, .max, UInt64(dice.below(1000))]
      let pair = Pair(first: spread.word(&dice), second: seconds[dice.below(3)])
      _ = pairs.insert(pair)
      model[pair.first, default: []].insert(pair.second)
    }
    let root = Settler(space: store.space, sink: store).settle(pairs.root)
    let tree = PairTree(space: store.space, root: root)
    func seconds(_ first: UInt64) -> [UInt64] {
      var found: [UInt64] = []
      tree.forEach(first: first) {
        found.append($0)
        return true
      }
      return found
    }
    for (first, right) in model { #expect(seconds(first) == right.sorted(), "\(first)") }
    for _ in 0..<2_000 {
      let first = spread.word(&dice) &+ UInt64(dice.below(3))
      #expect(seconds(first) == model[first, default: []].sorted(), "\(first)")
    }
    #expect(seconds(0) == model[0, default: []].sorted())
    #expect(seconds(.max) == model[.max, default: []].sorted())
  }
}

@Suite struct `A list tree` {
  @Test(arguments: [ColumnSpec.int, .bytes.nullable, .fixed(16)])
  func `agrees with an array`(spec: ColumnSpec) {
    var dice = Dice(seed: 5)
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    var root = NodeRef.none
    var model: [Cell] = []
    for write in 0..<60 {
      arena.reset(for: VersionID(UInt64(write + 1)))
      var list = ListWriter(arena: arena, root: root, spec: spec)
      let grows = write < 35
      for _ in 0..<(write % 10 == 0 ? 1500 : 40) {
        let cell: Cell =
          switch spec.type {
          case .int: .int(Int64(bitPattern: dice.next()))
          case .bytes:
            dice.below(5) == 0 ? .null : .bytes([UInt8](repeating: 7, count: dice.below(3000)))
          default: .fixed((0..<16).map { _ in UInt8(dice.below(256)) })
          }
        switch dice.below(grows ? 4 : 3) {
        case 0 where !model.isEmpty:
          let at = dice.below(model.count)
          list.set(cell, at: at)
          model[at] = cell
        case 1 where !model.isEmpty && (!grows || dice.below(3) == 0),
          2 where !grows && !model.isEmpty:
          let at = dice.below(model.count)
          list.remove(at: at)
          model.remove(at: at)
        default:
          let at = dice.below(3) == 0 ? dice.below(model.count + 1) : model.count
          list.insert(cell, at: at)
          model.insert(cell, at: at)
        }
      }
      #expect(list.count == model.count)
      root = Settler(space: store.space, sink: store).settle(list.root)
      let tree = ListTree(space: store.space, root: root, element: spec)
      #expect(tree.count == model.count)
      var found: [Cell] = []
      tree.forEachColumn { column, first in
        if first != found.count { return false }
        for index in 0..<column.count { found.append(column.cell(index, in: store.space)) }
        return true
      }
      #expect(found == model)
      for at in stride(from: 0, to: model.count, by: 101) { #expect(tree.cell(at) == model[at]) }
    }
  }
}
