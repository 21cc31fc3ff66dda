import EngineUnderTest
import Evidence
import Foundation
import Harness

/// Asynchronous writes of a realm that lives on a serial queue.
enum AsyncWorkloads {
  static let all = [call, commit, backlog, mainLoop, ungrouped, Acknowledgement.acknowledge]

  private static let call = Benchmark(
    "async.call", "writeAsync until it returns to the caller", [.init("rows", ["100000"])],
    engines: [RealmStore.name], quick: true
  ) { track in
    let desk = try Desk(track)
    guard track.pass == .time else { return track.check(true, "") }
    let batch = 50
    func turn() -> Double {
      let done = DispatchSemaphore(value: 0)
      let took = desk.queue.sync { desk.call(batch, done) }
      // What was called is carried out before the next batch: only the calls are timed.
      for _ in 0..<batch { done.wait() }
      return Double(track.handicap?.lengthened(took) ?? took) / Double(batch)
    }
    _ = turn()
    var times: [Double] = []
    var end = Stopwatch.now + UInt64(track.seconds * 1e9)
    repeat {
      end += track.giveWay()
      times.append(turn())
    } while !track.isDeserted(after: times.count) && (Stopwatch.now < end || times.count < 10)
    track.record("time", turns: times, count: times.count * batch)
    try desk.check(track)
  }

  private static let commit = Benchmark(
    "async.commit", "one of several changes made durable together: what a group saves",
    [.oneSize, .init("group", ["1", "20", "100"], quick: ["1", "100"])], engines: Stores.names,
    metrics: ["time", "flushes", "bytes"], quick: true, weight: 1.5
  ) { track in
    let group = try track.integer("group")
    if track.engine == RealmStore.name { return try transactions(group, on: track) }
    try Stores.run(Grouped(group: group, amount: group))(track)
  }

  /// Nobody waits for any one of them, so that this is what a queue gets through: `commit` begins a
  /// group when the one before has ended, and so measures two threads that wake each other, too.
  private static let backlog = Benchmark(
    "async.backlog",
    "one of many changes that are queued at once, made durable twenty at a time; a peer writes "
      + "transactions of twenty",
    [.oneSize, .init("amount", ["10000"])], engines: Stores.names,
    metrics: ["time", "flushes", "bytes"], weight: 2, least: .each("amount", 5e-5)
  ) { track in
    let amount = try track.integer("amount")
    if track.engine == RealmStore.name { return try transactions(amount, on: track, batch: 1) }
    try Stores.run(Grouped(group: 20, amount: amount, batch: 1))(track)
  }

  private static let mainLoop = onLoop(
    "async.main-loop",
    "one of many changes, each an asynchronous write queued on the main run loop, which may become "
      + "durable together; a peer writes transactions of twenty",
    allowGrouping: true)

  private static let ungrouped = onLoop(
    "async.ungrouped",
    "one of many changes, each an asynchronous write queued on the main run loop, each durable by "
      + "itself; a peer writes transactions of one",
    allowGrouping: false)

  /// What apps do most: the loop that draws queues its writes, all of them in one turn here.
  private static func onLoop(
    _ name: String, _ sentence: String, allowGrouping: Bool
  ) -> Benchmark {
    Benchmark(
      name, sentence, [.oneSize, .init("amount", ["10000"])], engines: Stores.names,
      metrics: ["time", "flushes", "bytes"], weight: 2,
      // A flush each.
      least: .each("amount", allowGrouping ? 5e-5 : 7e-4)
    ) { track in
      let amount = try track.integer("amount")
      guard track.engine == RealmStore.name else {
        let group = allowGrouping ? min(20, amount) : 1
        return try Stores.run(Grouped(group: group, amount: amount, batch: 1))(track)
      }
      let loop = LoopThread("main")
      defer { loop.stop() }
      try transactions(amount, on: track, batch: 1, loop: loop, allowGrouping: allowGrouping)
    }
  }

  /// One change per asynchronous transaction, so many of them under way at once.
  private static func transactions(
    _ amount: Int, on track: Track, batch: Int? = nil, loop: LoopThread? = nil,
    allowGrouping: Bool = true
  ) throws {
    let desk = try Desk(track, on: loop)
    try track.time(per: amount, batch: batch) { count in
      for _ in 0..<count {
        let done = DispatchSemaphore(value: 0)
        try desk.sync { desk.commit(amount, done, allowGrouping: allowGrouping) }
        done.wait()
      }
      return UInt64(count)
    }
    try desk.check(track)
  }
}
