import Foundation
import Harness
import Synchronization
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

  /// `reads.open-cold` and `notify.*`, which time what they do themselves, carried none. Writers
  /// change many people in a turn: around a short one more time goes by until somebody is awake
  /// than in it, and it alone carries the handicap.
  @Test(arguments: [
    "reads.open-cold/rows=200", "notify.latency/observers=1/rows=1000",
    "writes.contention/batch=100/mode=threads/rows=200/writers=2",
    "writes.contention/batch=100/mode=mixed-async/rows=200/writers=2",
  ])
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

  /// With two writers +5 % of the time was +10 %, and +50 % was four times as long: each delay was
  /// a share of the wait for the other, who was delayed, too.
  @Test func `writers are not delayed by what they wait for each other`() {
    let share = 0.5
    let turn = Mutex(())
    let totals = Mutex<[UInt64]>([])
    let start = Stopwatch.now
    let writers = DispatchGroup()
    for _ in 0..<3 {
      writers.enter()
      Thread.detachNewThread {
        defer { writers.leave() }
        guard let delay = TurnDelay(.time(share)) else { return }
        for _ in 0..<200 {
          turn.withLock { _ in
            delay.begin()
            let began = Stopwatch.now
            while Stopwatch.now < began + 50_000 {}
            delay.end()
          }
        }
        totals.withLock { $0.append(delay.total) }
      }
    }
    writers.wait()
    // One has its turn at a time, so all delays together are no more than the share of all turns,
    // however slow the machine is; of waits they would be a share of three times as much.
    let took = Double(Stopwatch.now - start)
    let all = Double(totals.withLock { $0.reduce(0, +) })
    #expect(all <= took * share / (1 + share))
    #expect(all >= 3 * 199 * 50_000 * share)
  }

  @Test func `a turn is delayed by a share of the one before, without its delay`() throws {
    let delay = try #require(TurnDelay(.time(0.5)))
    var planned: [UInt64] = []
    for _ in 0..<3 {
      let waited = Stopwatch.now
      while Stopwatch.now < waited + 1_000_000 {}
      let began = Stopwatch.now
      delay.begin()
      delay.end()
      planned.append(Stopwatch.now - began)
      #expect(Double(delay.planned) <= Double(planned.dropLast().last ?? 0) * 0.5)
    }
    #expect(TurnDelay(.flush) == nil && TurnDelay(nil) == nil)
  }

  /// With more threads than cores +5 % was read as +8 %.
  @Test func `who waits for a processor is delayed by what it works alone`() {
    let start = Stopwatch.threadTime
    // Nothing is awaited: asleep it has no processor, and that is what must not count.
    Thread.sleep(forTimeInterval: 0.05)
    let began = Stopwatch.now
    while Stopwatch.now < began + 100_000 {}
    let worked = Stopwatch.threadTime - start
    Handicap.time(0.5).delay(worked: start)
    let carried = Stopwatch.threadTime - start - worked
    // In the thread's own time, which other load does not lengthen.
    #expect(carried >= worked / 2)
    #expect(carried < worked / 2 + 10_000_000)
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
