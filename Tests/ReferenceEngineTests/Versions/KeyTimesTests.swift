import Testing

@testable import ReferenceEngine

@Suite struct `Keys with times` {
  /// Keys that follow one another, that are far apart, and whose products meet in a slot.
  @Test(arguments: [1, 10, 1 << 40, Int64.max / 3, 0x1_0000_0001] as [Int64])
  func `are found as in a dictionary, and stay in the order in which they came`(step: Int64) {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for room in [0, 1, 23, 24, 25, 400] {
      var (times, right, order) = (KeyTimes<Int>(), [Int64: Int](), [Int64]())
      for time in 0..<room {
        let key = (Int64(dice.below(room)) - Int64(room / 2)) &* step
        if right.updateValue(time, forKey: key) == nil { order.append(key) }
        times.set(key, time)
      }
      // A copy goes its own way.
      var copy = times
      copy.set(7, -1)
      #expect(times.count == right.count && times.isEmpty == right.isEmpty)
      #expect(times.entries.map(\.key) == order, "SEED=\(seed)")
      for number in -room...room {
        let key = Int64(number) &* step
        #expect(times.time(of: key) == right[key], "SEED=\(seed)")
      }
      #expect(copy.time(of: 7) == -1 && times.time(of: 7) == right[7])
    }
  }
}
