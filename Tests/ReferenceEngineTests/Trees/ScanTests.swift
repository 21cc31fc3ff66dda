import CShims
import Testing

@testable import ReferenceEngine

/// Serialized: how wide the vectors are is set for the whole process.
@Suite(.serialized) struct `Scans of columns` {
  private static func settled(_ cells: [Cell], _ spec: ColumnSpec) -> (ToyStore, Column) {
    let store = ToyStore()
    let arena = NodeArena(space: store.space, version: VersionID(1))
    var list = ListWriter(arena: arena, root: .none, spec: spec)
    for cell in cells { list.append(cell) }
    let root = Settler(space: store.space, sink: store).settle(list.root)
    return (store, Column(store.space.node(root)))
  }

  private static func rows(_ bits: SIMD4<UInt64>) -> [Int] {
    (0..<256).filter { bits[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 }
  }

  @Test(arguments: [Int32(0), 1, 2])
  func `of whole numbers agree with a loop, in every width`(level: Int32) {
    rb_scan_limit(level)
    defer { rb_scan_limit(2) }
    var dice = Dice(seed: 7)
    for bits in [0, 1, 2, 4, 7, 8, 15, 31, 63, 64] {
      for count in [1, 63, 64, 65, 200, 256] {
        let values = (0..<count).map { _ in
          bits == 64 ? Int64(bitPattern: dice.next()) : Int64(dice.next() & (1 << UInt64(bits) - 1))
        }
        let (store, column) = Self.settled(values.map(Cell.int), .int)
        #expect(column.sum(count: count) == values.reduce(0, &+))
        let ends = column.ends(count: count)
        #expect(ends.least == values.min() && ends.greatest == values.max())
        for _ in 0..<8 {
          let one = values[dice.below(count)]
          let other = values[dice.below(count)]
          let found = Self.rows(column.bits(from: one, through: other, count: count))
          #expect(found == values.indices.filter { one <= values[$0] && values[$0] <= other })
        }
        #expect(Self.rows(column.bits(from: .min, through: .max, count: count)).count == count)
        withExtendedLifetime(store) {}
      }
    }
  }

  @Test(arguments: [Int32(0), 1, 2])
  func `of fractions leave out what is not a number`(level: Int32) {
    rb_scan_limit(level)
    defer { rb_scan_limit(2) }
    let values = (0..<200).map { (row: Int) -> Double in
      row % 7 == 0 ? .nan : Double(row) * 0.5 - 30
    }
    let cells = values.map { Cell.int(Int64(bitPattern: $0.bitPattern)) }
    let (store, column) = Self.settled(cells, .int)
    let found = Self.rows(column.bits(from: -10.0, through: 12.5, count: 200))
    #expect(found == values.indices.filter { -10 <= values[$0] && values[$0] <= 12.5 })
    withExtendedLifetime(store) {}
  }

  @Test(arguments: [Int32(0), 1, 2])
  func `of strings find equal ones, long and short`(level: Int32) {
    rb_scan_limit(level)
    defer { rb_scan_limit(2) }
    var dice = Dice(seed: 8)
    for longest in [12, 400] {
      let strings = (0..<256).map { _ in
        (0..<dice.below(longest)).map { _ in UInt8(97 + dice.below(2)) }
      }
      let (store, column) = Self.settled(strings.map(Cell.bytes), .bytes)
      for _ in 0..<20 {
        let wanted = strings[dice.below(256)]
        let bits = wanted.withUnsafeBytes {
          column.bits(equalTo: $0, count: 256, in: store.space)
        }
        #expect(Self.rows(bits) == strings.indices.filter { strings[$0] == wanted })
      }
    }
  }
}
