import Evidence
import Testing

@testable import Benchmarks

/// What a plan takes for restless it knows by name.
struct ProspectTests {
  /// One that was retired would leave its name behind, and its heir be taken for steady.
  @Test func `what is called restless is in the catalogue`() {
    let families = Set(Catalogue.all.map(\.name))
    #expect(Prospect.families.subtracting(families).isEmpty)
    #expect(RestlessLimits.families.subtracting(families).isEmpty)
    let chapters = Set(families.map { BenchmarkName($0).chapter })
    #expect(Prospect.chapters.subtracting(chapters).isEmpty)
  }

  /// `floor.ping-pong` and `floor.fresh-lines` were no controls for others, and steady in a plan.
  @Test func `a limit that has two values is restless wherever it is asked about`() {
    for family in RestlessLimits.families {
      let one = Case(BenchmarkName(family), "c")
      #expect(Prospect(of: one, cores: 64) == .restless, "\(family)")
      // Said once: here or there.
      #expect(!Prospect.families.contains(family))
    }
  }
}
