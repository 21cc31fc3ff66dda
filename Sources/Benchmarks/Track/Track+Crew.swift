import Evidence
import Foundation
import Harness
import Synchronization

// Many threads within one window.

extension Track {
  package struct Crew: Sendable {
    /// Operations of each worker within the window.
    package let operations: [Int]
    package let seconds: Double
    package let histogram: Histogram
    /// The same of each worker.
    package let histograms: [Histogram]
    /// Largest difference between the workers' starts, in ns.
    package let skew: Double
    /// Operations of all workers in each part of the time: of one part outside of a duel, unless
    /// nobody finished anything in it.
    package var parts: [Int] = []

    package var total: Int { operations.reduce(0, +) }
    package var rate: Double { Double(total) / seconds }
    package var fairness: Double {
      let most = operations.max() ?? 0
      return most == 0 ? 0 : Double(operations.min() ?? 0) / Double(most)
    }
    /// Why there is no speed although all ran for as long as they may.
    var idleness: String {
      "none of \(Plural.text(operations.count, "worker")) finished anything in "
        + "\(Seconds.text(seconds)): lengthen --round-length, or give the machine less else to do"
    }
  }

  /// Runs workers for a fixed time and counts what they do while all of them run.
  ///
  /// Each worker is prepared on its own thread, as sessions are confined to it; they meet at a
  /// barrier, spin towards one common instant and look at the clock once per `chunk`. What one of
  /// them throws is thrown here. In a duel the time comes in ten parts, between which all workers
  /// sleep and the other side has its turn. `carries`: workers that have turns carry the handicap
  /// themselves, by a `TurnDelay`.
  package func concurrently(
    _ workers: Int, chunk: Int = 64, each isTimed: Bool = false, carries: Bool = false,
    seconds: Double? = nil,
    _ prepare: @escaping @Sendable (Int) throws -> (Int) throws -> UInt64
  ) throws -> Crew {
    let whole = seconds ?? self.seconds
    let windows = isInTurns ? Track.windows : 1
    let window = UInt64(whole * 1e9 / Double(windows))
    let handicap = carries ? nil : handicap
    let meeting = Meeting(workers)
    let done = DispatchGroup()
    for index in 0..<workers {
      done.enter()
      let thread = Thread {
        defer { done.leave() }
        do {
          let work = try prepare(index)
          _ = try work(chunk)
          var result = Meeting.Result()
          while let start = meeting.arrive(index) {
            let began = Stopwatch.now
            result.late = max(result.late, began - start)
            let before = result.operations
            let end = start + window * meeting.factor
            var now = began
            while true {
              let worked = handicap == nil ? 0 : Stopwatch.threadTime
              result.checksum &+= try work(isTimed ? 1 : chunk)
              handicap?.delay(worked: worked)
              let then = Stopwatch.now
              guard then < end else { break }
              if isTimed { result.histogram.record(then - now) }
              now = then
              result.operations += isTimed ? 1 : chunk
            }
            result.parts.append(result.operations - before)
            meeting.finished(result.operations - before)
          }
          meeting.leave(index, result)
        } catch {
          meeting.fail(error)
        }
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    var hasAll = true
    for _ in 0..<windows {
      hasAll = meeting.isComplete()
      guard hasAll else { break }
      _ = giveWay()
      meeting.begin()
    }
    // Time in which nobody finished anything counts, and is no answer: there is twice as much more,
    // and so on, until somebody has.
    var (span, more, hasWaited) = (1.0, 0.0, false)
    while hasAll, span < Track.longestSpan {
      hasWaited = meeting.isComplete()
      guard hasWaited, meeting.isIdle else { break }
      hasWaited = false
      span *= 2
      more += span
      _ = giveWay()
      meeting.begin(longer: UInt64(span))
    }
    meeting.end(hasWaited: hasWaited)
    done.wait()
    let crew = try summed(meeting, seconds: whole * (1 + more / Double(windows)))
    if crew.total == 0 { throw BenchmarkError(crew.idleness) }
    return crew
  }

  /// How many times as long as asked for the last of several spans may be.
  static let longestSpan = 256.0

  /// What all workers did in each part.
  static func sums(_ parts: [[Int]]) -> [Int] {
    (0..<(parts.map(\.count).min() ?? 0)).map { place in parts.reduce(0) { $0 + $1[place] } }
  }

  /// Into how many parts the time of a crew is cut in a duel.
  static let windows = 10

  private func summed(_ meeting: Meeting, seconds: Double) throws -> Crew {
    if let error = meeting.failure.withLock({ $0 }) { throw error }
    let merged = Histogram()
    let results = meeting.results.withLock { $0.compactMap { $0 } }
    for one in results {
      merged.merge(one.histogram)
      report.checksum = sink(report.checksum &+ one.checksum)
    }
    let late = results.map(\.late)
    return Crew(
      operations: results.map(\.operations), seconds: seconds, histogram: merged,
      histograms: results.map(\.histogram),
      skew: Double((late.max() ?? 0) - (late.min() ?? 0)),
      parts: Track.sums(results.map(\.parts)))
  }

  /// Where workers wait for each other, and leave what they did.
  private final class Meeting: Sendable {
    struct Result: Sendable {
      var operations = 0
      var parts: [Int] = []
      var late: UInt64 = 0
      var checksum: UInt64 = 0
      let histogram = Histogram()
    }

    private let workers: Int
    private let ready = DispatchSemaphore(value: 0)
    private let span = Atomic<UInt64>(1)
    /// How many times as long as usual they work until they meet again.
    var factor: UInt64 { span.load(ordering: .relaxed) }
    private let operations = Atomic(0)
    /// Whether nobody has finished anything so far.
    var isIdle: Bool { operations.load(ordering: .acquiring) == 0 }
    private let go: [DispatchSemaphore]
    private let start = Atomic<UInt64>(0)
    let results: Mutex<[Result?]>
    let failure = Mutex<(any Error)?>(nil)

    init(_ workers: Int) {
      self.workers = workers
      go = (0..<workers).map { _ in DispatchSemaphore(value: 0) }
      results = Mutex(Array(repeating: nil, count: workers))
    }

    /// Waits for all, then spins to the common instant; nil when it is over, or somebody failed.
    /// Asleep while it waits: in a duel the other side works meanwhile.
    func arrive(_ index: Int) -> UInt64? {
      ready.signal()
      go[index].wait()
      let instant = start.load(ordering: .acquiring)
      guard instant != .max else { return nil }
      while Stopwatch.now < instant {}
      return instant
    }

    func finished(_ count: Int) { operations.add(count, ordering: .acquiringAndReleasing) }

    /// Waits until all have arrived; false when one of them will not.
    func isComplete() -> Bool {
      for _ in 0..<workers { ready.wait() }
      return failure.withLock { $0 == nil }
    }

    /// Lets all go towards an instant that is far enough away for the last to wake.
    func begin(longer factor: UInt64 = 1) {
      span.store(factor, ordering: .relaxed)
      release(at: Stopwatch.now + 2_000_000)
    }

    /// Sends all home, when they have arrived for the last time.
    func end(hasWaited: Bool) {
      if !hasWaited, failure.withLock({ $0 == nil }) { _ = isComplete() }
      release(at: .max)
    }

    private func release(at instant: UInt64) {
      start.store(instant, ordering: .releasing)
      for one in go { one.signal() }
    }

    func leave(_ index: Int, _ result: Result) { results.withLock { $0[index] = result } }

    /// Whoever fails arrives no more: it is counted among those that wait.
    func fail(_ error: any Error) {
      failure.withLock { if $0 == nil { $0 = error } }
      ready.signal()
    }
  }
}
