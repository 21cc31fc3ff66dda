import Testing

@testable import ReferenceEngine

/// Which rows have gone was remembered for ever, key by key.
@Suite struct GoneRowsTests {
  /// What is remembered, as a table of what happened.
  private struct Model {
    var there: Set<Int64> = []
    /// When a row came to be there that is.
    var came: [Int64: Int] = [:]
    var went: [Int64: Int] = [:]
  }

  @Test func `a row that came before it went last is told from one that came later`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for _ in 0..<60 {
      var (rows, model) = (GoneRows<Int>(), Model())
      // Whoever saw a row, and when.
      var seen: [(key: Int64, time: Int)] = []
      let keys = Int64(10 + dice.below(120))
      for time in 1...80 {
        if dice.below(3) == 0 {
          for _ in 0...dice.below(8) {
            let key = Int64(dice.below(Int(keys))) - keys / 2
            if model.there.insert(key).inserted { model.came[key] = time }
          }
        } else {
          let first = Int64(dice.below(Int(keys))) - keys / 2
          let run = first...(first + (dice.below(2) == 0 ? 0 : Int64(dice.below(20))))
          let gone = run.filter { model.there.remove($0) != nil }
          for key in gone { model.went[key] = time }
          // A record names runs of rows that were there.
          if gone.count == run.count {
            rows.add(run, time)
          } else {
            for key in gone { rows.add(key...key, time) }
          }
        }
        seen += model.there.shuffled(using: &dice).prefix(3).map { ($0, time) }
        if dice.below(6) == 0 {
          let sorted = model.there.sorted()
          rows.forget(
            now: time,
            at: { key in (sorted.prefix { $0 < key }.count, model.there.contains(key)) })
          // Of n rows: n by themselves, a run for each gap between them, and runs that held one or
          // more of them, of which each of those gaps may have cut one in two.
          #expect(rows.count <= 4 * model.there.count + 2, "SEED=\(seed)")
        }
        for one in seen where model.there.contains(one.key) {
          let isOther = model.went[one.key].map { $0 > one.time } ?? false
          #expect(rows.contain(one.key) { $0 > one.time } == isOther, "SEED=\(seed)")
        }
      }
    }
  }

  /// Each run that came between others moved all behind it: 160,000 pairs between as many took five
  /// seconds, which a refresh waited for.
  @Test func `short runs are remembered row by row`() {
    var rows = GoneRows<Int>()
    for time in 1...2 {
      for place in Int64(0)..<100 {
        let key = place * 10 + Int64(time) * 4
        rows.add(key...(key + 1), time)
      }
    }
    #expect(rows.count == 400)
    #expect(rows.contain(4) { $0 == 1 } && rows.contain(9) { $0 == 2 })
    #expect(!rows.contain(6) { _ in true })
    rows.add(-1000...2000, 3)
    #expect(rows.count == 401 && rows.contain(6) { $0 == 3 })
    rows.forget(now: 4, at: { _ in (0, false) })
    #expect(rows.count == 1 && rows.contain(6) { $0 == 4 })
  }

  @Test func `keys at both ends of all there are can be forgotten`() {
    var rows = GoneRows<Int>()
    rows.add(.min ... .max, 1)
    rows.add(.max ... .max, 2)
    rows.add(.min ... .min, 2)
    rows.forget(now: 3, at: { ($0 > 5 ? 1 : 0, $0 == 5) })
    #expect(rows.contain(5) { $0 == 1 } && rows.contain(.max) { $0 == 3 })
    #expect(rows.contain(.min) { $0 == 3 } && rows.contain(6) { $0 == 1 })
    rows.forget(now: 4, at: { _ in (0, false) })
    #expect(rows.count == 1 && rows.contain(5) { $0 == 4 })
  }

  @Test func `of all times at which a row went the last one counts, in whatever order`() {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for _ in 0..<300 {
      var (rows, other, last) = (GoneRows<Int>(), GoneRows<Int>(), [Int64: Int]())
      for time in (1...12).shuffled(using: &dice) {
        let first = Int64(dice.below(400))
        let keys = first...(first + Int64(dice.below([3, 64, 66, 300][dice.below(4)])))
        for key in keys { last[key] = max(last[key] ?? 0, time) }
        if dice.below(2) == 0 {
          rows.add(keys, time, inOrderOf: >)
        } else {
          other.add(keys, time, inOrderOf: >)
        }
      }
      rows.add(other, inOrderOf: >)
      for key in Int64(0)...720 {
        #expect(rows.times(of: key).max() == last[key], "row \(key), SEED=\(seed)")
      }
    }
  }
}
