import Testing

@testable import ReferenceEngine

@Suite struct `Runs of places` {
  @Test(arguments: [1, 2, 8, 12])
  func `bring together what stands there, elsewhere or at the front`(each: Int) {
    let seed = Wish.seed()
    var dice = Dice(seed: seed)
    for _ in 0..<300 {
      let share = dice.below(257)
      let places = (0..<256).filter { _ in dice.below(256) < share }
      let runs = PlaceRuns(places)
      #expect(runs.runs.flatMap { Array($0) } == places && runs.count == places.count)
      #expect(runs.end == (places.last ?? -1) + 1 && runs.isEmpty == places.isEmpty)
      #expect(zip(runs.runs, runs.runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      var bytes = (0..<(256 * each)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let right = places.flatMap { bytes[($0 * each)..<(($0 + 1) * each)] }
      var other = [UInt8](repeating: 0, count: bytes.count)
      bytes.withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        other.withUnsafeMutableBytes { other in
          if let target = other.baseAddress { runs.gather(from: start, to: target, each: each) }
        }
        runs.gather(from: start, to: start, each: each)
      }
      #expect(Array(other.prefix(right.count)) == right, "SEED=\(seed)")
      #expect(Array(bytes.prefix(right.count)) == right, "SEED=\(seed)")
    }
  }
}
