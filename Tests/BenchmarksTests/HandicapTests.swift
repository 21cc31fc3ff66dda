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
  /// than in it, and it alone carries the handicap. They have time for many turns, too: a turn's
  /// handicap is a share of the one before, and where the machine is slow two or three of them were
  /// all there was to judge by.
  @Test(arguments: [
    "reads.open-cold/rows=200", "notify.latency/observers=1/rows=1000",
    "writes.contention/batch=100/mode=threads/rows=200/writers=2",
    "writes.contention/batch=100/mode=mixed-async/rows=200/writers=2",
  ])
  func `each timed operation carries it`(benchmark: String) throws {
    let work = try Scratch("handicap")
    func time(_ handicap: Handicap?) throws -> Double {
      let report = MeasureCommand.run(
        benchmark: benchmark, engine: RealmStore.name, seed: 3, pass: .time, seconds: 0.05,
        workdir: work.url, handicap: handicap)
      return try #require(report.values.first { $0.metric == "time" }?.value)
    }
    // By turns, as the machine may have more to do at one moment than at the next.
    var (plain, slowed) = (Double.infinity, Double.infinity)
    for _ in 0..<4 {
      plain = min(plain, try time(nil))
      slowed = min(slowed, try time(.time(10)))
    }
    #expect(slowed > 3 * plain)
  }

  /// With two writers +5 % of the time was +10 %, and +50 % was four times as long: each delay was
  /// a share of the wait for the other, who was delayed, too.
  @Test(arguments: [false, true])
  func `writers are not delayed by what they wait for each other`(sharesAnEnd: Bool) throws {
    let work = try Scratch("turns")
    let share = 0.5
    let turn = Mutex(())
    let totals = Mutex<[UInt64]>([])
    let start = Stopwatch.now
    let writers = DispatchGroup()
    for _ in 0..<3 {
      writers.enter()
      Thread.detachNewThread {
        defer { writers.leave() }
        guard let delay = try? TurnDelay(.time(share), in: work.url) else { return }
        for _ in 0..<200 {
          delay.ask()
          turn.withLock { _ in
            delay.begin()
            let began = Stopwatch.now
            while Stopwatch.now < began + 50_000 {}
          }
          // As who waits for a flush that another one brings about, in a turn of its own.
          if sharesAnEnd { turn.withLock { _ in } }
          delay.end()
        }
        totals.withLock { $0.append(delay.total) }
      }
    }
    writers.wait()
    // One has its turn at a time, so all delays together are half of all else, a third of the time:
    // of waits they would be a share of three times as much, more than half of it. As much as half
    // it may be where the machine stands still, and it does so in one turn alone: two who wait for
    // that one count half of it each.
    let took = Double(Stopwatch.now - start)
    let all = Double(totals.withLock { $0.reduce(0, +) })
    #expect(totals.withLock { $0.count } == 3)
    #expect(all <= took / 2)
    #expect(all >= 3 * 199 * 50_000 * share * 0.9)
  }

  @Test func `a turn is delayed by a share of the one before, and of no rest`() throws {
    let work = try Scratch("turns")
    let delay = try #require(try TurnDelay(.time(0.5), in: work.url))
    var lasted: [UInt64] = []
    for turn in 0..<4 {
      // A rest, in which nobody asks.
      let rested = Stopwatch.now
      while Stopwatch.now < rested + 5_000_000 {}
      let asked = Stopwatch.now
      delay.ask()
      delay.begin()
      let began = Stopwatch.now
      while Stopwatch.now < began + 100_000 {}
      delay.end()
      let whole = Stopwatch.now - asked
      // Of a turn of its own time, which is what it has taken at most, without its own delay.
      if turn == 0 { #expect(delay.planned == 0) } else { #expect(delay.planned >= 50_000) }
      lasted.append(whole - delay.planned)
      if let before = lasted.dropLast().last {
        // What it asked for and waited is this turn's, what it did is the one's before.
        let waited = began - asked - delay.planned
        #expect(Double(delay.planned) <= Double(before + waited) * 0.5)
      }
    }
    #expect(try TurnDelay(.flush, in: work.url) == nil && TurnDelay(nil, in: work.url) == nil)
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
