import Foundation
import Testing

@testable import ReferenceEngine

/// Remembers which rows it was told of, each once.
private final class Ear: ChangeSink {
  private(set) var inserted: Set<Int64> = []
  private(set) var twice = 0
  private var heldBack: [() -> Void] = []

  override func inserted(table: UInt32, key: Int64) {
    if !inserted.insert(key).inserted { twice += 1 }
  }
  override func deleted(table: UInt32, key: Int64) {
    if inserted.remove(key) == nil { twice += 1 }
  }
  override func holdBack(_ report: @escaping () -> Void) { heldBack.append(report) }

  func listen() {
    for report in heldBack { report() }
    heldBack = []
  }
}

@Suite struct `Rows that arrive in no order` {
  /// How keys are spread.
  enum Keys: CaseIterable {
    case dense, sparse, extreme

    func key(_ number: Int) -> Int64 {
      switch self {
      case .dense: Int64(number)
      case .sparse: Int64(number) * 4096 - 7
      case .extreme: Int64(truncatingIfNeeded: UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
      }
    }
  }

  private struct Bulk {
    var twin: Twin
    private(set) var trees: TreeWriter
    private(set) var table: TableWriter

    init(seed: UInt64) {
      twin = Twin(seed: seed)
      trees = TreeWriter(arena: twin.arena, base: Top(space: twin.store.space, ref: .none))
      table = trees.addTable(Twin.specs)
    }

    /// Begins another write on what was settled.
    mutating func beginNext(_ version: UInt64) throws {
      twin.arena.reset(for: VersionID(version))
      trees = TreeWriter(
        arena: twin.arena, base: Top(space: twin.store.space, ref: twin.root))
      table = try #require(trees.table(0))
    }

    mutating func delete(_ key: Int64) {
      #expect(table.delete(key) == (twin.model.removeValue(forKey: key) != nil))
    }

    mutating func insert(_ key: Int64) {
      let place = table.insert(key)
      #expect((place == nil) == (twin.model[key] != nil))
      guard let place else { return }
      var row = Twin.specs.map(Twin.empty)
      for column in Twin.specs.indices where twin.dice.below(5) > 0 {
        row[column] = twin.cell(Twin.specs[column])
        twin.set(table, place, column, row[column])
      }
      twin.model[key] = row
    }

    mutating func change(_ key: Int64) {
      let place = table.openRow(key)
      #expect((place == nil) == (twin.model[key] == nil))
      guard let place else { return }
      let column = twin.dice.below(Twin.specs.count)
      let cell = twin.cell(Twin.specs[column])
      twin.set(table, place, column, cell)
      twin.model[key]?[column] = cell
    }

    func compare() { twin.compare(Top(space: twin.store.space, ref: .none), table.reader) }

    /// Commits, and compares what was written.
    mutating func settle() {
      twin.root = trees.settle(into: twin.store)
      twin.compare(Top(space: twin.store.space, ref: twin.root), nil)
    }
  }

  @Test(arguments: Keys.allCases, [UInt64(1), 2])
  func `are all there in order when they are asked for, and when they are committed`(
    keys: Keys, seed: UInt64
  ) {
    var bulk = Bulk(seed: seed)
    let shuffled = (0..<4000).map(keys.key).shuffled(using: &bulk.twin.dice)
    for (index, key) in shuffled.enumerated() {
      bulk.insert(key)
      if index % 7 == 0 { bulk.change(shuffled[bulk.twin.dice.below(shuffled.count)]) }
      if index % 11 == 0 { bulk.insert(shuffled[bulk.twin.dice.below(index + 1)]) }
      // Asked for after a while, so that what comes next arrives at a tree that is in order.
      if index == 1500 || index == 2900 { bulk.compare() }
      #expect(bulk.table.count == bulk.twin.model.count)
    }
    #expect(bulk.table.arrivals != nil)
    bulk.settle()
  }

  @Test func `can be found, changed and deleted before they are in order`() {
    var bulk = Bulk(seed: 5)
    for key in (0..<3000).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key)) }
    #expect(bulk.table.arrivals != nil)
    let found = bulk.table.locate(77)
    #expect(found?.index == bulk.table.openRow(77)?.index)
    #expect(bulk.table.locate(3000) == nil && bulk.table.openRow(-1) == nil)
    #expect(bulk.table.arrivals != nil)
    for key in stride(from: Int64(0), to: 3000, by: 3) {
      #expect(bulk.table.delete(key))
      bulk.twin.model[key] = nil
    }
    bulk.compare()
    for key in (0..<3000).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key)) }
    bulk.settle()
  }

  @Test func `wait only behind what is older than the write`() throws {
    var bulk = Bulk(seed: 6)
    for key in (0..<1000).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key) * 2) }
    bulk.settle()
    try bulk.beginNext(2)
    for key in (0..<999).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key) * 2 + 1) }
    #expect(bulk.table.arrivals == nil)
    for key in (2000..<3000).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key)) }
    #expect(bulk.table.arrivals != nil)
    bulk.settle()
  }

  // Each write finds a last cluster that is full or not, and goes on in it before it knows that its
  // rows come in no order.
  @Test(arguments: Keys.allCases, [UInt64(8), 9])
  func `are there beside older ones that are changed, deleted and joined by others meanwhile`(
    keys: Keys, seed: UInt64
  ) throws {
    var bulk = Bulk(seed: seed)
    var known: [Int64] = []
    var first = 0
    for version in UInt64(2)...6 {
      let count = 300 + bulk.twin.dice.below(1500)
      // Every fourth is left for later, so that some come between older ones.
      let own = (first..<(first + count)).filter { $0 % 4 != 0 || version == 6 }
      let late = (0..<first).filter { $0 % 4 == 0 && bulk.twin.dice.below(9) == 0 }
      first += count
      for (index, number) in own.shuffled(using: &bulk.twin.dice).enumerated() {
        bulk.insert(keys.key(number))
        known.append(keys.key(number))
        let other = known[bulk.twin.dice.below(known.count)]
        switch bulk.twin.dice.below(40) {
        case 0...4: bulk.change(other)
        case 5...6: bulk.insert(other)
        case 7 where index % 3 == 0: bulk.delete(other)
        case 8 where !late.isEmpty:
          let key = keys.key(late[bulk.twin.dice.below(late.count)])
          if bulk.twin.model[key] == nil { known.append(key) }
          bulk.insert(key)
        case 9 where index % 5 == 0: bulk.compare()
        default: break
        }
        #expect(bulk.table.count == bulk.twin.model.count)
      }
      bulk.settle()
      try bulk.beginNext(version)
    }
  }

  @Test func `are found at both sides of the key from which on they are kept`() throws {
    var bulk = Bulk(seed: 10)
    for key in 0..<700 { bulk.insert(Int64(key)) }
    bulk.settle()
    try bulk.beginNext(2)
    for key in (701..<2000).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key)) }
    #expect(bulk.table.arrivals != nil)
    for key in [Int64(0), 698, 699, 700, 701, 1999] {
      #expect((bulk.table.locate(key) != nil) == (key != 700))
      bulk.change(key)
    }
    // It follows the last one of the tree.
    bulk.insert(700)
    bulk.insert(700)
    bulk.insert(699)
    #expect(bulk.table.arrivals != nil)
    bulk.compare()
    bulk.settle()
  }

  /// The path to the tree's last cluster, which was taken while they waited, was kept when they
  /// came behind it: what was changed next was not found, and what was inserted next went astray.
  @Test(arguments: [false, true])
  func `are behind what was looked at last, once they are in order`(isSmall: Bool) throws {
    var bulk = Bulk(seed: 12)
    for key in 0..<(isSmall ? 6 : 700) { bulk.insert(Int64(key)) }
    bulk.settle()
    try bulk.beginNext(2)
    for key in (1000..<1600).reversed() { bulk.insert(Int64(key)) }
    #expect(bulk.table.arrivals != nil)
    bulk.change(isSmall ? 5 : 699)
    bulk.compare()
    bulk.change(1500)
    bulk.change(isSmall ? 5 : 699)
    for key in [Int64(5000), 1599, 1700] { bulk.insert(key) }
    bulk.compare()
    bulk.delete(1500)
    bulk.settle()
  }

  @Test func `of which all are gone again leave nothing to be kept`() throws {
    var bulk = Bulk(seed: 11)
    for key in 0..<300 { bulk.insert(Int64(key)) }
    bulk.settle()
    try bulk.beginNext(2)
    let order = (300..<560).shuffled(using: &bulk.twin.dice).map(Int64.init)
    for key in order.prefix(250) { bulk.insert(key) }
    for key in order.prefix(250) { bulk.delete(key) }
    for key in (560..<900).shuffled(using: &bulk.twin.dice) { bulk.insert(Int64(key)) }
    bulk.settle()
  }

  @Test func `are told of once, with those that came before`() {
    var bulk = Bulk(seed: 7)
    let ear = Ear()
    bulk.trees.recorder = ear
    for key in (0..<3000).shuffled(using: &bulk.twin.dice) {
      bulk.insert(Int64(key))
      if key == 2000 { bulk.compare() }
    }
    bulk.table.delete(12)
    bulk.twin.model[12] = nil
    ear.listen()
    #expect(ear.inserted == Set(bulk.twin.model.keys))
    #expect(ear.twice == 0)
    bulk.settle()
    #expect(ear.twice == 0)
  }
}
