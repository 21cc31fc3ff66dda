import Evidence
import Foundation
import Harness
import Synchronization
import Testing

@testable import Benchmarks

/// What a measurement of single operations says when one of them was interrupted.
struct StretchesTests {
  @Test func `one interruption does not move the time`() throws {
    let scratch = try Scratch("stretches")
    // Long enough that a machine which stands still for a while leaves most of the stretches.
    let track = Track(
      name: BenchmarkName("reads.a", [:]), engine: "x", seed: 1, pass: .time, seconds: 1,
      directory: scratch.url, shelf: scratch.url)
    var turn = 0
    try track.spans {
      turn += 1
      // The twenty before are the warm-up.
      return turn == 21 ? 1_000_000_000 : 100
    }
    func value(_ metric: String) -> Double? {
      track.report.values.first { $0.metric == metric }?.value
    }
    #expect(value("time") == 100)
    #expect(try #require(value("max")) >= 999_000_000)
  }

  /// A track at a turnstile whose other side notes its turns and gives way at once.
  private func inTurns(
    _ scratch: Scratch, seconds: Double, handicap: Handicap? = nil,
    _ body: (Track) throws -> Void
  ) throws -> (report: RoundReport, turns: Int) {
    let path = scratch.url.appendingPathComponent("turnstile").path
    let mine = try Seat(at: path, .first)
    let other = try Seat(at: path, .second)
    let turns = Mutex(0)
    let isOver = Atomic(false)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      other.wait()
      while !isOver.load(ordering: .acquiring) {
        turns.withLock { $0 += 1 }
        other.giveWay()
      }
      other.leave()
      ended.signal()
    }
    let track = Track(
      name: BenchmarkName("reads.a", [:]), engine: "x", seed: 1, pass: .time, seconds: seconds,
      directory: scratch.url, shelf: scratch.url, handicap: handicap, seat: mine)
    let result = Result { try body(track) }
    isOver.store(true, ordering: .releasing)
    mine.leave()
    ended.wait()
    try result.get()
    return (track.report, turns.withLock { $0 })
  }

  @Test func `a first call that takes long does not make one call a batch`() throws {
    let scratch = try Scratch("batch")
    let track = Track(
      name: BenchmarkName("reads.a", [:]), engine: "x", seed: 1, pass: .time, seconds: 0.04,
      directory: scratch.url, shelf: scratch.url)
    var calls = 0
    var largest = 0
    try track.time { count in
      largest = max(largest, count)
      for _ in 0..<count {
        calls += 1
        // Longer than a batch should be: something that is made but once.
        let end = Stopwatch.now + (calls == 1 ? 20_000_000 : 0)
        while Stopwatch.now < end {}
      }
      return UInt64(calls)
    }
    #expect(largest > 100, "\(largest) calls were the largest batch")
  }

  /// Who goes on alone has the machine for itself.
  @Test func `what is measured after the other side has ended is not counted`() throws {
    let scratch = try Scratch("deserted")
    let path = scratch.url.appendingPathComponent("turnstile").path
    let mine = try Seat(at: path, .first)
    let other = try Seat(at: path, .second)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      other.wait()
      for _ in 0..<25 { other.giveWay() }
      other.leave()
      ended.signal()
    }
    let track = Track(
      name: BenchmarkName("reads.a", [:]), engine: "x", seed: 1, pass: .time, seconds: 60,
      directory: scratch.url, shelf: scratch.url, seat: mine)
    var turns = 0
    // A minute, if it were not for the other side's end.
    try track.time(batch: 1) { _ in
      turns += 1
      return 1
    }
    mine.leave()
    ended.wait()
    let time = try #require(track.report.values.first { $0.metric == "time" })
    #expect(try (20...25).contains(#require(time.turns).count))
    #expect(time.value == Quantiles.median(try #require(time.turns)))
  }

  @Test func `two sides are put against each other turn by turn`() throws {
    func report(_ value: Double, _ turns: [Double]?) -> RoundReport {
      var report = RoundReport()
      report.values = [.init(metric: "time", value: value, count: 1, turns: turns)]
      return report
    }
    func pair(_ a: RoundReport, _ b: RoundReport) throws -> Pairs {
      var values: DuelRounds.Values = [:]
      DuelRounds.join(a, b, into: &values)
      return try #require(values["time"])
    }
    // The machine has two moods, and B a tenth more in each; their medians lie in different ones.
    let moods: [Double] = [15, 70, 15, 70, 15, 70, 15]
    let slower = report(77, (moods + [70, 70]).map { $0 * 1.1 })
    let found = try pair(report(15, moods), slower)
    #expect(abs(try #require(found.ratios)[0] - log(1.1)) < 1e-9)
    #expect(abs(try #require(found.means)[0] - log(1.1)) < 1e-9)
    #expect(found.a == [15] && found.b == [77])
    // What has no turns, or hardly any, is compared as it is.
    #expect(try pair(report(15, nil), report(77, moods)).ratios == nil)
    #expect(try pair(report(15, [15, 70]), report(77, [16, 77])).ratios == nil)
    let mixed = try pair(report(15, nil), report(77, nil)) + found
    #expect(mixed.ratios == nil && mixed.a.count == 2)
  }

  /// Pairs of which one side had finished nothing were left out without a word.
  @Test func `a pair in which a side has no value is missing, and named`() throws {
    func report(_ metrics: String...) -> RoundReport {
      var report = RoundReport()
      report.values = metrics.map { .init(metric: $0, value: 5, count: 1) }
      return report
    }
    var values: DuelRounds.Values = [:]
    DuelRounds.join(report("rate", "time"), report("rate", "time"), into: &values)
    #expect(values["time"]?.shortage(of: 1) == nil)
    DuelRounds.join(report("rate", "time"), report("rate"), into: &values)
    let once = try #require(values["time"])
    #expect(once.shortage(of: 2) == "it is of 1 of 2 pairs: B had none in 1")
    DuelRounds.join(report("rate"), report("rate"), into: &values)
    let twice = try #require(values["time"])
    #expect(twice.rounds == 2 && values["rate"]?.rounds == 3)
    #expect((once + twice).shortage(of: 5) == "it is of 2 of 5 pairs: B had none in 2")
    #expect(Pairs().shortage(of: 3) == "it is of 0 of 3 pairs: neither side had one in the others")
  }

  /// Each operation lasted longer than a stretch: the last ones followed each other.
  @Test func `operations longer than a stretch have a turn each`() throws {
    let scratch = try Scratch("slow")
    let (report, turns) = try inTurns(scratch, seconds: 0.004) { track in
      try track.timeEach({}) {
        let end = Stopwatch.now + 1_000_000
        while Stopwatch.now < end {}
        return 1
      }
    }
    let time = try #require(report.values.first { $0.metric == "time" })
    #expect(time.count >= 20 && turns >= time.count - 1, "\(time.count) in \(turns) turns")
    #expect(try #require(time.turns).count == time.count)
  }

  @Test func `a crew works by turns, and all its windows count`() throws {
    let scratch = try Scratch("crew")
    let done = Mutex(0)
    var crew: Track.Crew?
    let (_, turns) = try inTurns(scratch, seconds: 0.05) { track in
      crew = try track.concurrently(2, chunk: 1) { _ in
        { _ in
          done.withLock { $0 += 1 }
          return 1
        }
      }
    }
    #expect(turns >= Track.windows)
    let counted = try #require(crew).total
    #expect(counted > 0 && counted <= done.withLock { $0 })
    let parts = try #require(crew).parts
    #expect(parts.count == Track.windows && parts.reduce(0, +) == counted)
  }

  /// Such a round of an `ab` had a rate of 0 and no time, and the pairs that had one were judged.
  @Test func `a crew that finishes nothing in its windows goes on until it has`() throws {
    let scratch = try Scratch("idle")
    var crew: Track.Crew?
    let (report, _) = try inTurns(scratch, seconds: 0.02) { track in
      let made = try track.concurrently(1, chunk: 1) { _ in
        { count in
          // Longer than a window, by the same clock.
          let until = Stopwatch.now + 5_000_000
          while Stopwatch.now < until {}
          return UInt64(count)
        }
      }
      track.report(made, of: 1)
      crew = made
    }
    let found = try #require(crew)
    #expect(found.total > 0 && found.seconds > 0.02)
    #expect(found.parts.prefix(Track.windows).allSatisfy { $0 == 0 })
    #expect(report.values.map(\.metric) == ["rate", "time"])
  }

  @Test func `a crew that finished nothing at all has no numbers`() throws {
    let scratch = try Scratch("nothing")
    let track = Track(
      name: BenchmarkName("writes.a", [:]), engine: "x", seed: 1, pass: .time, seconds: 0.01,
      directory: scratch.url, shelf: scratch.url)
    track.report(
      Track.Crew(
        operations: [0, 0], seconds: 3, histogram: Histogram(), histograms: [], skew: 0), of: 2)
    #expect(track.report.values.isEmpty)
    let said = try #require(track.report.failure)
    #expect(said.hasPrefix("none of 2 workers finished anything in 3"), "\(said)")
    #expect(said.contains("lengthen --round-length"), "\(said)")
  }

  @Test func `a crew that fails, early or late, ends with its error`() throws {
    struct Failed: Error {}
    let scratch = try Scratch("crew")
    for failsAt in [0, 1, 50] {
      let turn = Mutex(0)
      #expect(throws: Failed.self) {
        _ = try inTurns(scratch, seconds: 0.05) { track in
          _ = try track.concurrently(3, chunk: 1) { index in
            if failsAt == 0, index == 1 { throw Failed() }
            return { _ in
              let now = turn.withLock { turn -> Int in
                turn += 1
                return turn
              }
              if failsAt > 0, now >= failsAt { throw Failed() }
              return 1
            }
          }
        }
      }
    }
  }

  @Test func `fixed work stops its clock while the other side has its turn`() throws {
    let scratch = try Scratch("work")
    var worked: UInt64 = 0
    let (report, turns) = try inTurns(scratch, seconds: 0.01) { track in
      try track.work(10) { pause in
        for _ in 0..<10 {
          let start = Stopwatch.now
          while Stopwatch.now < start + 200_000 {}
          worked += Stopwatch.now - start
          pause()
        }
        return 1
      }
    }
    let time = try #require(report.values.first { $0.metric == "time" }).value
    #expect(turns >= 10)
    // All that was worked, on whatever machine; what the turns took is beside it.
    #expect(time * 10 >= Double(worked))
  }

  @Test func `alone, fixed work and crews have one stretch`() throws {
    let scratch = try Scratch("alone")
    let track = Track(
      name: BenchmarkName("reads.a", [:]), engine: "x", seed: 1, pass: .time, seconds: 0.01,
      directory: scratch.url, shelf: scratch.url)
    #expect(!track.isInTurns && track.giveWay() == 0)
    // Long enough for a busy machine to let somebody work within it.
    let crew = try track.concurrently(2, chunk: 4, seconds: 0.5) { _ in { UInt64($0) } }
    #expect(crew.operations.count == 2 && crew.total > 0)
    // A round in which nobody came to an end had a rate of 0 and no time, and passed for right.
    let steps = Atomic(0)
    let late = try track.concurrently(1, chunk: 1, seconds: 0.001) { _ in
      { count in
        // Longer than the first span, by the same clock: a busy machine only adds to it.
        let until = Stopwatch.now + 3_000_000
        while Stopwatch.now < until {}
        return UInt64(steps.add(count, ordering: .relaxed).newValue)
      }
    }
    #expect(late.total > 0 && late.seconds > 0.0025)
    try track.work(3) { pause in
      pause()
      return 3
    }
    #expect(track.report.values.map(\.metric) == ["time", "cpu"])
  }
}
