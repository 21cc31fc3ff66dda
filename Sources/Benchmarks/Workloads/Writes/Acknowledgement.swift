import EngineUnderTest
import Evidence
import Foundation
import Harness

/// How long an asynchronous commit takes to be acknowledged while others arrive as they please.
///
/// Arrivals are random (Poisson) at a share of what the queue can do, and do not wait for each
/// other: a slow commit delays those behind it, and the latencies say so. Latency runs from the
/// instant at which a transaction was due.
enum Acknowledgement {
  static let acknowledge = Benchmark(
    "async.acknowledge",
    "from the instant at which an asynchronous commit was due to its completion, arrivals at "
      + "random at a share of capacity; group is how many come at once and may become durable "
      + "together; late is the share of arrivals that the load generator itself sent more than an "
      + "interval late",
    [
      .oneSize, .init("group", ["1", "20"], quick: ["20"]),
      .init("load", ["50", "70", "90"], quick: ["70"]),
    ],
    engines: [RealmStore.name], metrics: ["p99", "p50", "max", "rate", "late"], quick: true,
    weight: 2.5
  ) { track in
    let group = try track.integer("group")
    let load = try track.integer("load")
    guard group > 0, (1...100).contains(load) else {
      throw BenchmarkError("\(track.name) wants a group of at least 1 and a load of 1 to 100 %")
    }
    let desk = try Desk(track)
    guard track.pass == .time else { return track.check(true, "") }
    let interval = closedLoop(desk, group, seconds: track.seconds * 0.7) * 100 / Double(load)
    openLoop(desk, group, interval, on: track)
    try desk.check(track)
  }

  /// Fewer groups than these say nothing, however short a round shall be.
  private static let fewestClosed = 30
  private static let fewestOpen = 100

  /// Nanoseconds from one group to the next when each waits for the one before. The mean, with all
  /// pauses of disk and neighbours: a share of what the queue does between them would be more than
  /// it can do.
  private static func closedLoop(_ desk: Desk, _ group: Int, seconds: Double) -> Double {
    let start = Stopwatch.now
    let end = start + UInt64(seconds * 1e9)
    var groups = 0
    repeat {
      let done = DispatchSemaphore(value: 0)
      desk.queue.sync { desk.commit(group, done) }
      done.wait()
      groups += 1
    } while Stopwatch.now < end || groups < fewestClosed
    return Double(Stopwatch.now - start) / Double(groups)
  }

  private static func openLoop(
    _ desk: Desk, _ group: Int, _ interval: Double, on track: Track
  ) {
    var generator = track.generator("arrivals")
    let histogram = Handed(Histogram())
    let done = DispatchSemaphore(value: 0)
    let start = Double(Stopwatch.now) + interval
    let end = start + track.seconds * 2e9
    var due = start
    var groups = 0
    var late = 0
    while due < end || groups < fewestOpen {
      wait(until: UInt64(due))
      if Double(Stopwatch.now) - due > interval { late += 1 }
      let instant = UInt64(due)
      desk.queue.async {
        desk.commit(group, done) { histogram.value.record(Stopwatch.now - instant) }
      }
      groups += 1
      due -= log(1 - generator.unit()) * interval
    }
    for _ in 0..<groups { done.wait() }
    let took = Double(Stopwatch.now) - start
    // More came than was done: waiting lines grew, and the latencies say how long it went on and
    // not how long it takes.
    if took > (due - start) * 1.1 + interval * 20 { track.flag("overloaded") }
    desk.queue.sync { track.record(histogram.value) }
    track.record("rate", Double(groups * group) * 1e9 / took, count: groups * group)
    let share = Double(late) / Double(groups)
    track.record("late", share, count: groups)
    if share > 0.01 { track.flag("generator-late") }
  }

  /// Sleeps while there is time and then looks at the clock: sleeping alone comes 50 µs late.
  private static func wait(until instant: UInt64) {
    while true {
      let now = Stopwatch.now
      guard now < instant else { return }
      if instant - now > 200_000 {
        usleep(UInt32((instant - now - 100_000) / 1000))
      } else {
        sched_yield()
      }
    }
  }
}
