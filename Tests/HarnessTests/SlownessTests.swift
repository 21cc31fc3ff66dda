import Testing

@testable import Harness

/// Waits were thirty seconds on every machine, however busy.
struct SlownessTests {
  @Test func `a machine at rest is not hurried, and a busy one has as much longer`() {
    #expect(Slowness.factor(handOvers: 0.001, fill: 0.001) == 1)
    #expect(Slowness.factor(handOvers: 3 * Slowness.restingHandOvers, fill: 0.001) == 3)
    #expect(Slowness.factor(handOvers: 0.001, fill: 2 * Slowness.restingFill) == 2)
    #expect(Slowness.factor(handOvers: 100, fill: 0.001) == Slowness.most)
    #expect(Slowness.factor(handOvers: .infinity, fill: 0.001) == Slowness.most)
  }

  @Test func `it is measured within its limits`() {
    #expect((1...Slowness.most).contains(Slowness.measured()))
  }
}
