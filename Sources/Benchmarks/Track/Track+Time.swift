import Evidence
import Foundation
import Harness

// One thread against the clock.

extension Track {
  /// Times a body that does `count` operations and returns something that depends on all of them.
  ///
  /// Warm-up doubles the batch until it lasts a thousand clock readings, then runs batches until
  /// the last five are level; 20 batches or more are measured. `per` says how many of the reported
  /// operations one is.
  package func time(
    per: Int = 1, batch fixed: Int? = nil, _ body: (Int) throws -> UInt64
  ) throws {
    guard pass == .time else { return try count(per: per, batch: fixed, body) }
    let shortest = max(1000 * clockCost, 30_000)
    var batch = fixed ?? 1
    var took = try timed(batch, body)
    let wanted = max(shortest, seconds * 1e9 / 40)
    let enough = max(shortest, wanted / 2)
    while fixed == nil {
      // A batch that seems long enough is run again: the first of all pays for what is made but
      // once, and any may have been interrupted. One operation of 10 ns was a batch so now and
      // then.
      for _ in 0..<2 where took >= enough {
        took = min(took, try timed(batch, body))
      }
      if took >= enough { break }
      let factor = took > 0 ? min(10, max(2, wanted / took)) : 10
      batch = max(batch + 1, Int(Double(batch) * factor))
      took = try timed(batch, body)
    }
    try warmUp(batch, body)
    var means: [Double] = []
    let processorStart = Stopwatch.processorTime
    let instructionStart = counters.instructions
    var end = Stopwatch.now + UInt64(seconds * 1e9)
    repeat {
      end += giveWay()
      means.append(try timed(batch, body) / Double(batch * per))
    } while !isDeserted(after: means.count)
      && (Stopwatch.now < end || (means.count < 5 && took < seconds * 1e9))
    let operations = means.count * batch * per
    if let from = instructionStart, let to = counters.instructions {
      record("instructions", (to - from) / Double(operations), count: operations)
    }
    record(
      "cpu", Double(Stopwatch.processorTime - processorStart) / Double(operations),
      count: operations)
    record("time", turns: means, count: operations)
    if means.count < 20 { flag("few-batches") }
  }

  func timed(_ batch: Int, _ body: (Int) throws -> UInt64) throws -> Double {
    let start = Stopwatch.now
    let result = try body(batch)
    handicap?.delay(since: start)
    let took = Stopwatch.now - start
    report.checksum = sink(report.checksum &+ result)
    return Double(took)
  }

  /// Runs batches until five in a row show neither slope nor spread, for at most as long as the
  /// measurement.
  private func warmUp(_ batch: Int, _ body: (Int) throws -> UInt64) throws {
    let end = Stopwatch.now + UInt64(seconds * 0.7e9)
    var last: [Double] = []
    while Stopwatch.now < end {
      last.append(try timed(batch, body))
      if last.count > 5 { last.removeFirst() }
      if last.count == 5, Track.isLevel(last) { return }
    }
    flag("not-steady")
  }

  /// Whether the slope of five values is below 1 % of their mean per step.
  static func isLevel(_ values: [Double]) -> Bool {
    let mean = Quantiles.mean(values)
    guard mean > 0 else { return true }
    let middle = Double(values.count - 1) / 2
    var rise = 0.0
    var run = 0.0
    for (place, value) in values.enumerated() {
      rise += (Double(place) - middle) * (value - mean)
      run += (Double(place) - middle) * (Double(place) - middle)
    }
    return abs(rise / run) < 0.01 * mean
  }

  /// Times operations one by one and keeps their whole distribution; for operations that dwarf a
  /// clock reading.
  package func latencies(_ body: () throws -> UInt64) throws {
    guard pass == .time else { return }
    var stretches = Stretches(self)
    repeat {
      report.checksum = sink(
        report.checksum &+ (try stretches.histogram.recordEach(16, under: handicap, body)))
    } while stretches.goOn()
    record(stretches.histogram)
  }

  /// Times operations one by one that each need a preparation of their own, or a look at what they
  /// did, neither of which is timed.
  package func timeEach(
    _ prepare: () throws -> Void, _ body: () throws -> UInt64, after: () throws -> Void = {}
  ) throws {
    guard pass == .time else { return try countEach(prepare, body, after) }
    for _ in 0..<20 {
      try prepare()
      report.checksum = sink(report.checksum &+ (try body()))
      try after()
    }
    var stretches = Stretches(self)
    repeat {
      try prepare()
      let start = Stopwatch.now
      let result = try body()
      handicap?.delay(since: start)
      stretches.record(Stopwatch.now - start)
      report.checksum = sink(report.checksum &+ result)
      try after()
    } while stretches.goOn(until: 20)
    record("time", turns: stretches.times, count: stretches.histogram.total)
    record(stretches.histogram)
  }

  /// Records durations that the body itself takes: for operations that end on another thread or in
  /// another process.
  package func spans(_ body: () throws -> UInt64) throws {
    guard pass == .time else {
      return try countEach({}, body, {})
    }
    for _ in 0..<20 { _ = try body() }
    let processor = Stopwatch.processorTime
    var stretches = Stretches(self)
    repeat {
      let took = try body()
      stretches.record(handicap?.lengthened(took) ?? took)
    } while stretches.goOn(until: 20)
    let count = stretches.histogram.total
    let used = Double(Stopwatch.processorTime - processor) / Double(count)
    record("time", turns: stretches.times, count: count)
    record("cpu", used, count: count)
    record(stretches.histogram)
  }

  /// Times fixed work as a whole, once: for programs that are too long to repeat.
  ///
  /// The body is handed a pause to make between its parts, some forty times: there the other side
  /// of a duel has its turn, and the clock stands still. Alone it does nothing.
  package func work(
    _ operations: Int, _ body: (_ pause: () -> Void) throws -> UInt64
  ) throws {
    guard pass == .time else { return try countOnce(operations) { try body({}) } }
    _ = giveWay()
    var spent = 0.0
    var used = 0.0
    var start = Stopwatch.now
    var processor = Stopwatch.processorTime
    func stop() {
      handicap?.delay(since: start)
      spent += Double(Stopwatch.now - start)
      used += Double(Stopwatch.processorTime - processor)
    }
    func pause() {
      guard isInTurns else { return }
      stop()
      _ = giveWay()
      processor = Stopwatch.processorTime
      start = Stopwatch.now
    }
    let result = try body(pause)
    stop()
    report.checksum = sink(report.checksum &+ result)
    record("time", spent / Double(operations), count: operations)
    record("cpu", used / Double(operations), count: operations)
  }
}

extension Histogram {
  /// Runs an operation so many times and records how long each took: one reading of the clock ends
  /// one operation and begins the next. `floor.record` is what this costs.
  @inline(__always)
  func recordEach(
    _ count: Int, under handicap: Handicap? = nil, _ body: () throws -> UInt64
  ) rethrows -> UInt64 {
    var sum: UInt64 = 0
    var last = Stopwatch.now
    for _ in 0..<count {
      sum = sink(sum &+ (try body()))
      handicap?.delay(since: last)
      let now = Stopwatch.now
      record(now - last)
      last = now
    }
    return sum
  }
}
