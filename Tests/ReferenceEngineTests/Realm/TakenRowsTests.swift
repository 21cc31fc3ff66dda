import Testing

@testable import ReferenceEngine

/// When rows were there that came to nothing, beside a plain list of it.
@Suite struct TakenRowsTests {
  @Test func `whoever was found while a row was there that never was is gone, and nobody else`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for _ in 0..<200 {
      // Also where the numbers begin anew.
      let start = dice.below(2) == 0 ? 1 : UInt32.max &- UInt32(dice.below(60))
      var (rows, now) = (TakenRows(), start)
      var taken: [(keys: ClosedRange<Int64>, first: Int, last: Int)] = []
      var (gone, there) = ([Int64: Int](), Set<Int64>())
      func number(_ time: Int) -> UInt32 { start &+ UInt32(time) }
      var time = 0
      for _ in 0..<40 {
        let first = time + dice.below(3)
        let (from, last) = (max(0, first - dice.below(10)), first + dice.below(4))
        (time, now) = (last + 1, number(last))
        let key = Int64(dice.below(150))
        let keys = key...(key + Int64([0, 0, 2, 70][dice.below(4)]))
        rows.add(keys, TakenRows.Time(first: number(from), last: now))
        taken.append((keys, from, last))
        if dice.below(5) == 0 { there = Set((0..<300).filter { _ in dice.below(2) == 0 }) }
        if dice.below(8) == 0 {
          let sorted = there.sorted()
          rows.forget(now: now) { key in
            (sorted.prefix { $0 < key }.count, there.contains(key))
          }
          // Of these it says what it likes: nobody finds anything under their keys.
          for key in Int64(0)..<300 where !there.contains(key) { gone[key] = last }
        }
        for _ in 0..<20 {
          let (key, asked) = (Int64(dice.below(220)), dice.below(time + 1))
          let isTaken = taken.contains {
            $0.keys.contains(key) && $0.first <= asked && asked <= $0.last
          }
          if !isTaken, let last = gone[key], asked <= last { continue }
          #expect(
            rows.contain(key, at: number(asked)) == isTaken, "row \(key) at \(asked), SEED=\(seed)")
        }
      }
    }
  }

  @Test func `what comes to nothing again and again is remembered once`() {
    var rows = TakenRows()
    for round in UInt32(0)..<1000 {
      rows.add(7...8, TakenRows.Time(first: 2 * round + 1, last: 2 * round + 2))
      rows.add(0...100, TakenRows.Time(first: 2 * round + 1, last: 2 * round + 2))
    }
    #expect(rows.count == 3)
    #expect(rows.contain(7, at: 1) && rows.contain(100, at: 2000) && !rows.contain(7, at: 2001))
  }
}
