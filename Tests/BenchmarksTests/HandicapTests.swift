import Harness
import Testing

@testable import Benchmarks

/// A handicap must burden what is measured by what it says, and nothing else.
struct HandicapTests {
  @Test func `a slowed section lasts longer by at least the share`() {
    // By comparison with itself: both readings are of one section, so no other load can tell them
    // apart.
    let start = Stopwatch.now
    while Stopwatch.now < start + 100_000 {}
    let plain = Stopwatch.now - start
    Handicap.time(0.5).delay(since: start)
    #expect(Double(Stopwatch.now - start) >= Double(plain) * 1.5)
  }

  @Test func `a handicap reads back what it writes`() {
    for handicap in [Handicap.time(0.05), .allocation, .flush] {
      #expect(Handicap(handicap.text) == handicap)
    }
    for wrong in ["", "time", "time=", "time=-1", "time=nan", "time=11", "flushes"] {
      #expect(Handicap(wrong) == nil)
    }
  }

  /// `reads.refresh-after-commit`, whose operations have a preparation of their own, carried none.
  @Test func `each counted operation carries it`() throws {
    let work = try Scratch("handicap")
    let flushes = MeasureCommand.run(
      benchmark: "reads.refresh-after-commit/rows=200", engine: RealmStore.name, seed: 3,
      pass: .count, seconds: 0.005, workdir: work.url, handicap: .flush
    ).values.first { $0.metric == "flushes" }?.value
    // Those of the other tests in this process count, too.
    #expect(try #require(flushes) >= 1)
  }
}
