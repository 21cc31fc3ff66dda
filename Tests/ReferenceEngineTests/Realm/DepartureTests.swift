import Testing

@testable import ReferenceEngine

/// What a session remembers of rows that have gone.
struct DepartureTests {
  @Test func `rows of runs that meet have gone`() {
    let seed = UInt64.random(in: 0...1_000_000)
    var dice = Dice(seed: seed)
    for _ in 0..<100 {
      var departures = Departures()
      var gone: Set<Int64> = []
      for generation in 1...UInt32(20) {
        let first = Int64(dice.below(60))
        let keys = first...(first + Int64(dice.below(12)))
        departures.note(0, keys, at: generation)
        gone.formUnion(keys)
        for key in Int64(0)..<80 {
          #expect(
            departures.haveInWrite(RowLink(table: 0, key: key)) == gone.contains(key),
            "seed \(seed)")
        }
      }
      #expect(!departures.haveInWrite(RowLink(table: 1, key: gone.first ?? 0)))
    }
  }

  @Test(.timeLimit(.minutes(1))) func `many runs are found as fast as few`() {
    var departures = Departures()
    for number in Int64(0)..<100_000 {
      departures.note(0, (number * 3)...(number * 3 + 1), at: UInt32(number))
    }
    var found = 0
    for key in Int64(0)..<300_000 where departures.haveInWrite(RowLink(table: 0, key: key)) {
      found += 1
    }
    #expect(found == 200_000)
  }
}
