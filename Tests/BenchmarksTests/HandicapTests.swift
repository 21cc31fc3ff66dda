import Evidence
import Foundation
import Harness
import Testing

@testable import Benchmarks

/// A handicap must burden what is measured by what it says, and nothing else.
struct HandicapTests {
  private func report(
    _ handicap: Handicap?, pass: Track.Pass, _ body: @escaping @Sendable (Track) throws -> Void
  ) throws -> RoundReport {
    let benchmark = Benchmark("test.one", "one", engines: ["x"]) { track in
      try body(track)
      track.check(true, "")
    }
    let scratch = try Scratch("handicap", in: FileManager.default.temporaryDirectory)
    return MeasureCommand.run(
      benchmark: "test.one", engine: "x", seed: 1, pass: pass, seconds: 0.02,
      workdir: scratch.url, handicap: handicap, catalogue: [benchmark])
  }

  @Test func `a slowed section lasts longer by at least the share`() {
    // By comparison with itself: both readings are of one section, so no other load can tell them apart.
    let start = Stopwatch.now
    while Stopwatch.now < start + 100_000 {}
    let plain = Stopwatch.now - start
    Handicap.time(0.5).delay(since: start)
    #expect(Double(Stopwatch.now - start) >= Double(plain) * 1.5)
  }

  @Test func `one more flush per operation is counted as exactly that`() throws {
    func flushes(_ handicap: Handicap?) throws -> Double? {
      try report(handicap, pass: .count) { try $0.time(batch: 3) { UInt64($0) } }
        .values.first { $0.metric == "flushes" }?.value
    }
    #expect(try flushes(nil) == 0)
    #expect(try flushes(.flush) == 1)
  }

  @Test func `a handicap reads back what it writes`() {
    for handicap in [Handicap.time(0.05), .allocation, .flush] {
      #expect(Handicap(handicap.text) == handicap)
    }
    for wrong in ["", "time", "time=", "time=-1", "time=nan", "time=11", "flushes"] {
      #expect(Handicap(wrong) == nil)
    }
  }
}
