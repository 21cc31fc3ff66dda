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
      histograms: results.map(\.histogram),
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

    /// Waits for all, then spins to the common instant; nil when somebody failed before. Both waits look now and then: a
    /// latch would wake the workers one after the other, and this is before the clock runs.
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
