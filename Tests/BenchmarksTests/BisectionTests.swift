import Testing

@testable import Benchmarks

/// The search by halves, over revisions whose first bad one is known.
struct BisectionTests {
  private func search(
    _ count: Int, firstWorse: Int, unclear: Set<Int> = []
  ) -> (suspects: Range<Int>, asked: Int) {
    var bisection = Bisection(revisions: count)
    while let place = bisection.next {
      #expect(bisection.suspects.contains(place) && place != count - 1)
      bisection.take(
        unclear.contains(place) ? .unclear("") : place < firstWorse ? .good : .worse, of: place)
    }
    return (bisection.suspects, bisection.steps.count)
  }

  @Test func `every first bad one is found, with few questions`() {
    for count in 1...64 {
      let most = count.bitWidth - (count - 1).leadingZeroBitCount
      for first in 0..<count {
        let found = search(count, firstWorse: first)
        #expect(found.suspects == first..<(first + 1), "\(first) of \(count)")
        #expect(found.asked <= most, "\(found.asked) questions for \(first) of \(count)")
      }
    }
  }

  @Test func `what cannot be told is stepped over, and left as a range`() {
    for count in 1...12 {
      for first in 0..<count {
        for bits in 0..<(1 << (count - 1)) {
          let unclear = Set((0..<(count - 1)).filter { bits & 1 << $0 != 0 })
          let found = search(count, firstWorse: first, unclear: unclear).suspects
          // All that have no answer before the first bad one, and itself, up to one that has.
          let low = (0..<first).last { !unclear.contains($0) }.map { $0 + 1 } ?? 0
          let high = (first..<count).first { !unclear.contains($0) } ?? count - 1
          #expect(found == low..<(high + 1), "\(first) of \(count) without \(unclear.sorted())")
        }
      }
    }
  }

  @Test func `half of the change decides, where its interval does`() {
    let whole = Bisection.Row(change: 0.5, low: 0.4, high: 0.6)
    func answer(_ low: Double, _ high: Double) -> Bisection.Answer {
      Bisection.answer(.init(change: (low + high) / 2, low: low, high: high), lookingFor: whole)
    }
    #expect(answer(0.26, 0.9) == .worse)
    #expect(answer(-0.1, 0.24) == .good)
    #expect(answer(0.2, 0.3) == .unclear("between +20.0 % and +30.0 %"))
  }
}
