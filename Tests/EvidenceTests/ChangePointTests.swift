import Testing

@testable import Evidence

struct ChangePointTests {
  private func series(_ count: Int, stepAt step: Int?, by factor: Double, seed: UInt64) -> [Double]
  {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { place in
      let level = step.map { place >= $0 ? factor : 1 } ?? 1
      return 100 * level * (1 + 0.04 * (generator.unit() - 0.5))
    }
  }

  @Test func `a step of ten percent is found where it is`() {
    let steps = ChangePoints.find(series(40, stepAt: 25, by: 1.1, seed: 3), seed: 1)
    #expect(steps.count == 1)
    #expect(steps.first?.index == 25)
    #expect(abs((steps.first?.ratio ?? 0) - 1.1) < 0.02)
  }

  /// Ranks alone placed it where the two before the step are the highest of the lower level.
  @Test func `a step is told where it is, also beside high values of the lower level`() {
    let low = (0..<13).map { (place: Int) -> Double in 100 + 0.1 * Double(place * 5 % 13) }
    let high = (0..<9).map { (place: Int) -> Double in 120 + 0.1 * Double(place) }
    let top: [Double] = [102, 103]
    let steps = ChangePoints.find(low + top + high, seed: 1)
    let places = steps.map { $0.index }
    #expect(places == [15], "\(steps)")
  }

  @Test func `level series rarely show a step`() {
    var alarms = 0
    for seed in 0..<60 {
      if !ChangePoints.find(
        series(30, stepAt: nil, by: 1, seed: UInt64(seed)), shuffles: 199, seed: 1
      ).isEmpty {
        alarms += 1
      }
    }
    #expect(alarms <= 2)
  }

  @Test func `seven values are too few`() {
    #expect(ChangePoints.find([1, 1, 1, 9, 9, 9, 9], seed: 1).isEmpty)
  }
}
