import Testing

@testable import ReferenceEngine

@Suite struct `Bitmaps of nulls` {
  @Test(arguments: [UInt64(1), 2, 3])
  func `keep the bits at any places, and the rest is filled`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var words = [UInt64](repeating: 0, count: 4)
    for _ in 0..<2000 {
      for word in words.indices { words[word] = dice.next() }
      let before = (0..<256).map { words[$0 >> 6] >> UInt64($0 & 63) & 1 }
      let share = dice.below(257)
      let places = (0..<256).filter { _ in dice.below(256) < share }
      words.withUnsafeMutableBytes {
        NullBits.keep(PlaceRuns(places), of: $0.baseAddress!)
        NullBits.fill($0.baseAddress!, from: places.count)
      }
      let after = (0..<256).map { words[$0 >> 6] >> UInt64($0 & 63) & 1 }
      let right = places.map { before[$0] } + .init(repeating: 1, count: 256 - places.count)
      #expect(after == right, "\(places.count) places of seed \(seed)")
    }
  }
}
