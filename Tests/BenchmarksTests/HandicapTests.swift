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

  @Test func `what was timed elsewhere lasts longer by the share, too`() {
    let start = Stopwatch.now
    #expect(Handicap.time(0.5).lengthened(100_000) == 150_000)
    #expect(Stopwatch.now - start >= 50_000)
    #expect(Handicap.flush.lengthened(100_000) == 100_000)
  }

  /// `reads.open-cold` and `notify.*`, which time what they do themselves, carried none.
  @Test(arguments: ["reads.open-cold/rows=200", "notify.latency/observers=1/rows=1000"])
  func `each timed operation carries it`(benchmark: String) throws {
    let work = try Scratch("handicap")
    func time(_ handicap: Handicap?) throws -> Double {
      let report = MeasureCommand.run(
        benchmark: benchmark, engine: RealmStore.name, seed: 3, pass: .time, seconds: 0.005,
        workdir: work.url, handicap: handicap)
      return try #require(report.values.first { $0.metric == "time" }?.value)
    }
    // The shortest of a few without, against one that lasts eleven times as long.
    let plain = try (0..<5).map { _ in try time(nil) }.min() ?? 0
    #expect(try time(.time(10)) > 3 * plain)
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
