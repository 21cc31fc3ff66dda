import CFlushes
import Evidence
import Foundation
import Harness
import Synchronization

/// The lane one child runs in: its parameters, its directory, its stopwatch, and the sheet its results go on.
///
/// 1. Set-up, checks and tear-down are never timed: only what is handed to `time`, `latencies` and
///    `concurrently` is.
/// 2. A benchmark that never checked its answer, or whose answer was wrong, has no numbers.
/// 3. In the counting pass nothing is timed, in the timing pass nothing but instructions is counted.
package final class Track {
  package enum Pass: String, Sendable {
    case time, count
  }

  package let name: BenchmarkName
  package let engine: String
  package let seed: UInt64
  package let pass: Pass
  /// How long one measurement should take.
  package let seconds: Double
  /// An empty directory of its own.
  package let directory: URL
  /// Where prepared data sets are kept between children.
  package let shelf: URL
  private let handicap: Handicap?
  package private(set) var report = RoundReport()
  private let counters = Counters()
  private lazy var clockCost = Stopwatch.calibrate().cost

  package init(
    name: BenchmarkName, engine: String, seed: UInt64, pass: Pass, seconds: Double, directory: URL,
    shelf: URL, handicap: Handicap? = nil
  ) {
    self.name = name
    self.engine = engine
    self.seed = seed
    self.pass = pass
    self.seconds = seconds
    self.directory = directory
    self.shelf = shelf
    self.handicap = handicap
  }

  // MARK: Parameters

  package func integer(_ parameter: String) throws -> Int {
    guard let text = name.parameters[parameter], let value = Int(text) else {
      throw BenchmarkError("\(name) wants a whole number for \(parameter)")
    }
    return value
  }

  package func word(_ parameter: String) throws -> String {
    guard let text = name.parameters[parameter] else {
      throw BenchmarkError("\(name) wants a value for \(parameter)")
    }
    return text
  }

  package func generator(_ purpose: String = "") -> SeededGenerator {
    SeededGenerator(seed: derivedSeed(seed, purpose))
  }

  // MARK: The sheet

  package func record(_ metric: String, _ value: Double, count: Int = 1) {
    guard value.isFinite else {
      fail("\(metric) came out as no number")
      return
    }
    report.values.append(.init(metric: metric, value: value, count: count))
  }

  package func flag(_ flag: String) {
    if !report.flags.contains(flag) { report.flags.append(flag) }
  }

  /// States that an answer was right; the first wrong one ends the benchmark's claim to a number.
  package func check(_ isRight: Bool, _ sentence: @autoclosure () -> String) {
    report.checks += 1
    if !isRight { fail(sentence()) }
  }

  private func fail(_ sentence: String) {
    if report.failure == nil { report.failure = sentence }
  }

  // MARK: One thread

  /// Times a body that does `count` operations and returns something that depends on all of them.
  ///
  /// Warm-up doubles the batch until it lasts a thousand clock readings, then runs batches until the last five
  /// are level; 20 batches or more are measured. `per` says how many of the reported operations one is.
  package func time(
    per: Int = 1, batch fixed: Int? = nil, _ body: (Int) throws -> UInt64
  ) throws {
    guard pass == .time else { return try count(per: per, batch: fixed, body) }
    let shortest = max(1000 * clockCost, 30_000)
    var batch = fixed ?? 1
    var took = try timed(batch, body)
    let wanted = max(shortest, seconds * 1e9 / 40)
    while fixed == nil, took < shortest || took < wanted / 2 {
      let factor = took > 0 ? min(10, max(2, wanted / took)) : 10
      batch = max(batch + 1, Int(Double(batch) * factor))
      took = try timed(batch, body)
    }
    try warmUp(batch, body)
    var means: [Double] = []
    let processorStart = Stopwatch.processorTime
    let instructionStart = counters.instructions
    let start = Stopwatch.now
    let end = start + UInt64(seconds * 1e9)
    repeat {
      means.append(try timed(batch, body) / Double(batch * per))
    } while Stopwatch.now < end || (means.count < 5 && took < seconds * 1e9)
    let operations = means.count * batch * per
    if let from = instructionStart, let to = counters.instructions {
      record("instructions", (to - from) / Double(operations), count: operations)
    }
    record(
      "cpu", Double(Stopwatch.processorTime - processorStart) / Double(operations),
      count: operations)
    record("time", Quantiles.median(means), count: operations)
    if means.count < 20 { flag("few-batches") }
  }

  private func timed(_ batch: Int, _ body: (Int) throws -> UInt64) throws -> Double {
    let start = Stopwatch.now
    let result = try body(batch)
    handicap?.delay(since: start)
    let took = Stopwatch.now - start
    report.checksum = sink(report.checksum &+ result)
    return Double(took)
  }

  /// Runs batches until five in a row show neither slope nor spread, for at most as long as the measurement.
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

  /// Times operations one by one and keeps their whole distribution; for operations that dwarf a clock reading.
  package func latencies(_ body: () throws -> UInt64) throws {
    guard pass == .time else { return }
    let histogram = Histogram()
    let end = Stopwatch.now + UInt64(seconds * 1e9)
    var last = Stopwatch.now
    repeat {
      report.checksum = sink(report.checksum &+ (try body()))
      handicap?.delay(since: last)
      let now = Stopwatch.now
      histogram.record(now - last)
      last = now
    } while last < end
    record(histogram)
  }

  /// Times operations one by one that each need a preparation of their own, which is not timed.
  package func timeEach(
    _ prepare: () throws -> Void, _ body: () throws -> UInt64
  ) throws {
    guard pass == .time else {
      try prepare()
      report.checksum = sink(report.checksum &+ (try body()))
      return
    }
    for _ in 0..<20 {
      try prepare()
      report.checksum = sink(report.checksum &+ (try body()))
    }
    let histogram = Histogram()
    let end = Stopwatch.now + UInt64(seconds * 1e9)
    repeat {
      try prepare()
      let start = Stopwatch.now
      let result = try body()
      handicap?.delay(since: start)
      histogram.record(Stopwatch.now - start)
      report.checksum = sink(report.checksum &+ result)
    } while Stopwatch.now < end || histogram.total < 20
    record("time", histogram.mean, count: histogram.total)
    record(histogram)
  }

  package func record(_ histogram: Histogram) {
    guard histogram.total > 0 else { return }
    for (metric, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999)]
    where histogram.total >= Histogram.needed(for: share) || share <= 0.9 {
      record(metric, Double(histogram.quantile(share)), count: histogram.total)
    }
    record("max", Double(histogram.largest), count: histogram.total)
    report.histogram = histogram.encoded
    if Double(histogram.quantile(0.5)) < 20 * clockCost { flag("clock-bound") }
  }

  /// The counting pass: a warm-up, then a fixed number of operations between two readings.
  private func count(per: Int, batch fixed: Int?, _ body: (Int) throws -> UInt64) throws {
    let batch = fixed ?? 100
    _ = try timed(batch, body)
    let took = try timed(batch, body)
    // Counts do not vary with length: a tenth of a second is plenty, and slow operations get few.
    let repeats = max(1, min(20, Int(0.1e9 / max(took, 1))))
    let allocations = Allocations()
    var sum: UInt64 = 0
    let operations = Double(batch * repeats * per)
    let flushesBefore = rb_flushes()
    let before = counters.read()
    let allocatedBefore = allocations?.reading()
    for _ in 0..<repeats {
      sum &+= try body(batch)
      handicap?.carry(batch * per, in: directory)
    }
    let allocatedAfter = allocations?.reading()
    let after = counters.read()
    report.checksum = sink(report.checksum &+ sum)
    let total = Int(operations)
    record("flushes", Double(rb_flushes() - flushesBefore) / operations, count: total)
    if let allocations, let from = allocatedBefore, let to = allocatedAfter {
      let made = allocations.difference(from, to)
      record("allocations", Track.tidy(made.count / operations), count: total)
      record("allocated", Track.tidy(made.bytes / operations), count: total)
    }
    if let from = before.ioCalls, let to = after.ioCalls {
      // Reading /proc/self/io is one read and one open's worth; the second reading sees the first.
      record("syscalls", Track.tidy(max(0, to - from - 1) / operations), count: total)
    }
    if let from = before.writeCalls, let to = after.writeCalls {
      record("writes", Track.tidy((to - from) / operations), count: total)
    }
    if let from = before.writtenBytes, let to = after.writtenBytes {
      record("bytes", Track.tidy((to - from) / operations), count: total)
    }
    record(
      "faults", Track.tidy((after.minorFaults - before.minorFaults) / operations), count: total)
  }

  /// Three decimals: what one reading too many would add to a count disappears.
  private static func tidy(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  // MARK: Many threads

  package struct Crew: Sendable {
    /// Operations of each worker within the window.
    package let operations: [Int]
    package let seconds: Double
    package let histogram: Histogram
    /// Largest difference between the workers' starts, in ns.
    package let skew: Double

    package var total: Int { operations.reduce(0, +) }
    package var rate: Double { Double(total) / seconds }
    package var fairness: Double {
      let most = operations.max() ?? 0
      return most == 0 ? 0 : Double(operations.min() ?? 0) / Double(most)
    }
  }

  /// Runs workers for a fixed time and counts what they do while all of them run.
  ///
  /// Each worker is prepared on its own thread, as sessions are confined to it; they meet at a barrier, spin
  /// towards one common instant and look at the clock once per `chunk`. What one of them throws is thrown here.
  package func concurrently(
    _ workers: Int, chunk: Int = 64, each isTimed: Bool = false, seconds: Double? = nil,
    _ prepare: @escaping @Sendable (Int) throws -> (Int) throws -> UInt64
  ) throws -> Crew {
    let window = UInt64((seconds ?? self.seconds) * 1e9)
    let handicap = handicap
    let meeting = Meeting(workers)
    let done = DispatchGroup()
    for index in 0..<workers {
      done.enter()
      let thread = Thread {
        defer { done.leave() }
        do {
          let work = try prepare(index)
          _ = try work(chunk)
          guard let start = meeting.arrive() else { return }
          let began = Stopwatch.now
          let end = start + window
          let histogram = Histogram()
          var operations = 0
          var sum: UInt64 = 0
          var now = began
          while true {
            sum &+= try work(isTimed ? 1 : chunk)
            handicap?.delay(since: now)
            let then = Stopwatch.now
            guard then < end else { break }
            if isTimed { histogram.record(then - now) }
            now = then
            operations += isTimed ? 1 : chunk
          }
          let result = Meeting.Result(
            operations: operations, late: began - start, histogram: histogram, checksum: sum)
          meeting.results.withLock { $0[index] = result }
        } catch {
          meeting.fail(error)
        }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    meeting.begin()
    done.wait()
    if let error = meeting.failure.withLock({ $0 }) { throw error }
    let merged = Histogram()
    let results = meeting.results.withLock { $0.compactMap { $0 } }
    for one in results {
      merged.merge(one.histogram)
      report.checksum = sink(report.checksum &+ one.checksum)
    }
    let late = results.map(\.late)
    return Crew(
      operations: results.map(\.operations), seconds: Double(window) / 1e9, histogram: merged,
      skew: Double((late.max() ?? 0) - (late.min() ?? 0)))
  }

  /// Where workers wait for each other, and leave what they did.
  private final class Meeting: Sendable {
    struct Result: Sendable {
      let operations: Int
      let late: UInt64
      let histogram: Histogram
      let checksum: UInt64
    }

    private let workers: Int
    private let ready = Atomic<Int>(0)
    private let start = Atomic<UInt64>(0)
    let results: Mutex<[Result?]>
    let failure = Mutex<(any Error)?>(nil)

    init(_ workers: Int) {
      self.workers = workers
      results = Mutex(Array(repeating: nil, count: workers))
    }

    /// Waits for all, then spins to the common instant; nil when somebody failed before.
    func arrive() -> UInt64? {
      ready.add(1, ordering: .sequentiallyConsistent)
      while start.load(ordering: .acquiring) == 0 { usleep(50) }
      let instant = start.load(ordering: .acquiring)
      guard instant != .max else { return nil }
      while Stopwatch.now < instant {}
      return instant
    }

    func begin() {
      while ready.load(ordering: .sequentiallyConsistent) < workers { usleep(100) }
      let hasFailed = failure.withLock { $0 != nil }
      start.store(hasFailed ? .max : Stopwatch.now + 2_000_000, ordering: .releasing)
    }

    func fail(_ error: any Error) {
      failure.withLock { if $0 == nil { $0 = error } }
      ready.add(1, ordering: .sequentiallyConsistent)
    }
  }
}

/// Keeps the optimiser from finding that nobody needs a result.
@inline(never)
@_optimize(none)
package func sink(_ value: UInt64) -> UInt64 { value }
