import Testing

@testable import ReferenceEngine

@Suite struct `Positions of rows` {
  /// Keys side by side, with gaps, far from one another, and at both ends of all there are.
  private static let spacings: [@Sendable (Int) -> Int64] = [
    { Int64($0) }, { Int64($0 / 9 * 10 + $0 % 9) }, { Int64($0) * 1000 - 500_000 },
    { (Int64($0) - 1000) << 52 },
    { $0 < 1000 ? .min + Int64($0) * 3 : .max - 6000 + Int64($0) * 3 },
  ]

  @Test(arguments: spacings.indices)
  func `are those of a descent, in whatever order they are asked`(spacing: Int) throws {
    let seed = Wish.seed()
    var twin = Twin(seed: seed)
    let keys = (0..<2000).map(Self.spacings[spacing])
    let trees = TreeWriter(arena: twin.arena, base: Top(space: twin.store.space, ref: .none))
    let table = trees.addTable(Twin.specs)
    for key in keys { #expect(table.insert(key) != nil) }
    twin.root = trees.settle(into: twin.store)
    let rows = try #require(Top(space: twin.store.space, ref: twin.root).table(0)?.rows)
    var asked = keys.filter { _ in twin.dice.below(4) == 0 }
    asked += keys.map { $0 &+ 1 } + [.min, -1, 0, 1, .max]
    for order in [asked.sorted(), asked.sorted().reversed(), asked.shuffled(using: &twin.dice)] {
      var positions = RowPositions(rows)
      for key in order {
        let (found, right) = (positions.position(of: key), rows.position(of: key))
        #expect(found == right, "row \(key), SEED=\(seed)")
      }
    }
  }
}
