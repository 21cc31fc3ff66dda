import Testing

@testable import ReferenceEngine

/// What changes that happened one after the other are together.
struct ChangeSetTests {
  private func run(
    _ kind: RowChange.Kind, _ key: Int64, _ count: UInt32, _ columns: UInt64 = 0
  ) -> RowChange {
    RowChange(table: 0, kind: kind, key: key, count: count, columns: columns)
  }

  /// Row by row, as it is meant.
  private func naive(_ changes: [RowChange]) -> [Int64: RowChange] {
    var rows: [Int64: RowChange] = [:]
    for change in changes {
      for key in change.keys {
        var new = change
        (new.key, new.count) = (key, 1)
        guard let old = rows[key] else {
          rows[key] = new
          continue
        }
        switch (old.kind, new.kind) {
        case (.inserted, .deleted): rows[key] = nil
        case (.modified, .modified): rows[key]?.columns |= new.columns
        case (.inserted, _): break
        case (.replaced, .deleted), (.modified, .deleted), (.deleted, .deleted):
          rows[key] = run(.deleted, key, 1)
        case (.replaced, _): break
        default: rows[key] = run(.replaced, key, 1)
        }
      }
    }
    return rows
  }

  @Test(arguments: [Int64.min, 0, Int64.max - 29])
  func `runs that meet are told row by row`(base: Int64) {
    let seed = UInt64.random(in: 0...1_000_000)
    var dice = Dice(seed: seed)
    for _ in 0..<400 {
      let kinds: [RowChange.Kind] = [.inserted, .deleted, .modified, .replaced]
      let changes = (0..<Int.random(in: 2...12, using: &dice)).map { _ in
        let first = Int64.random(in: 0..<30, using: &dice)
        let kind = kinds[Int.random(in: 0..<4, using: &dice)]
        return run(
          kind, base + first, UInt32.random(in: 1...UInt32(30 - first), using: &dice),
          kind == .modified ? UInt64.random(in: 1...3, using: &dice) : 0)
      }
      var told: [Int64: RowChange] = [:]
      for change in ChangeSet(changes).all {
        for key in change.keys {
          var single = change
          (single.key, single.count) = (key, 1)
          #expect(told.updateValue(single, forKey: key) == nil, "seed \(seed): twice")
        }
      }
      #expect(told == naive(changes), "seed \(seed)")
    }
  }

  // what is sorted by keys alone        row by row
  @Test(arguments: [RowChange.Kind.inserted, .deleted, .modified, .replaced])
  func `single rows that are alike are told as any are`(kind: RowChange.Kind) {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for count in [2, 3, 40, 255, 256, 700] {
      for base in [Int64.min, -300, Int64.max - 899] {
        for columns in kind == .modified ? [UInt64(1), 1 << 62] : [0] {
          let changes = (0..<count).map { _ in
            run(kind, base + Int64(dice.below(900)), 1, columns)
          }
          let all = ChangeSet(changes).all
          #expect(zip(all, all.dropFirst()).allSatisfy { $0.keys.upperBound + 1 < $1.key })
          var told: [Int64: RowChange] = [:]
          for change in all {
            for key in change.keys { told[key] = run(change.kind, key, 1, change.columns) }
          }
          #expect(told == naive(changes), "SEED=\(seed)")
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(1))) func `the longest runs cost no more than short ones`() {
    let changes = [
      run(.inserted, 0, .max), run(.modified, 5, 1, 1), run(.deleted, 100, .max),
      run(.modified, -7, .max, 2),
    ]
    #expect(
      ChangeSet(changes).all.map(\.keys) == [
        -7...(-1), 0...99, 100...4_294_967_287, 4_294_967_295...4_294_967_394,
      ])
  }
}
