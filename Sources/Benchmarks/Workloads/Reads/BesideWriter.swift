import Evidence
import Foundation
import Harness
import Synchronization

/// A reader whose neighbour writes for a while and rests for a while.
///
/// The two rates that are compared are some ten milliseconds apart: a shared machine is another one
/// half a second later.
struct BesideWriter: StoreWorkload {
  func run<Store: KeyValueStore>(_ track: Track, _ type: Store.Type) throws {
    let rows = try track.integer("rows")
    guard track.pass == .time else { return track.check(true, "") }
    let durability = try Commit.durability(track)
    let store = try track.stocked(type, rows: rows, durability: durability, writable: true)
    let connection = try store.connect()
    var generator = track.generator("reader")
    var walk = KeyWalk(rows, &generator)
    /// Reads per second over a while.
    func rate() throws -> Double {
      let start = Stopwatch.now
      let end = start + UInt64(track.seconds * 1e9 / 20)
      var reads = 0
      var now = start
      while now < end {
        try connection.refresh()
        track.report.checksum = sink(
          track.report.checksum
            &+ (try connection.read { try KeyReads.readMany($0, &walk, 64) }))
        reads += 64
        now = Stopwatch.now
      }
      return Double(reads) * 1e9 / Double(now - start)
    }
    let seed = track.seed
    let writer = RestingThread {
      let connection = try store.connect()
      var generator = SeededGenerator(seed: derivedSeed(seed, "writer"))
      return {
        let key = generator.below(rows)
        try connection.write { try $0.setAge(key, Population.row(key).age) }
      }
    }
    try writer.rest()
    _ = try rate()
    var (kept, rates, commits): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<40 where !track.isDeserted(after: kept.count) {
      // The writer rests, so that nothing of this side works while the other has its turn.
      _ = track.giveWay()
      let alone = try rate()
      let (start, before) = (Stopwatch.now, writer.rounds)
      writer.work()
      rates.append(try rate())
      try writer.rest()
      commits.append(Double(writer.rounds - before) * 1e9 / Double(Stopwatch.now - start))
      kept.append(rates[rates.count - 1] / alone)
    }
    writer.end()
    track.record("kept", turns: kept, count: kept.count)
    track.record("rate", Quantiles.median(rates), count: rates.count)
    track.record("time", turns: rates.map { 1e9 / $0 }, count: rates.count)
    // What a reader pays is for news: who commits ten times as often has it read ten times as many
    // lines of memory that are fresh from another core.
    track.record("beside", turns: commits, count: commits.count)
    track.check(writer.rounds > 0, "the writer has written nothing")
    let sum = try connection.read { try $0.iterateAges() }
    let right = Population(rows).sumOfAges
    track.check(sum == right, "afterwards the ages add up to \(sum), expected \(right)")
  }
}

/// A thread that does one thing over and over while it is told to, and sleeps in between.
private final class RestingThread: Sendable {
  private let isWorking = Atomic(false)
  private let isOver = Atomic(false)
  private let called = DispatchSemaphore(value: 0)
  private let resting = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)
  private let done = Atomic(0)

  /// `prepare` runs on the thread, since sessions are confined to theirs. It rests when that is
  /// through.
  init(_ prepare: @escaping @Sendable () throws -> () throws -> Void) {
    let thread = Thread { [self] in
      var act: () throws -> Void = {}
      attempt { act = try prepare() }
      while true {
        resting.signal()
        called.wait()
        if isOver.load(ordering: .relaxed) { return }
        // At least once: a short while may be over before the thread has woken.
        repeat {
          guard attempt({ try act() }) else { break }
          done.add(1, ordering: .relaxed)
        } while isWorking.load(ordering: .relaxed)
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// False if that failed, now or before.
  @discardableResult private func attempt(_ act: () throws -> Void) -> Bool {
    if failure.withLock({ $0 != nil }) { return false }
    do {
      try act()
      return true
    } catch {
      failure.withLock { $0 = error }
      return false
    }
  }

  /// How often it has done its thing.
  var rounds: Int { done.load(ordering: .relaxed) }

  /// Called while it rests.
  func work() {
    isWorking.store(true, ordering: .relaxed)
    called.signal()
  }

  /// Waits until it rests; throws what it met.
  func rest() throws {
    isWorking.store(false, ordering: .relaxed)
    resting.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Called while it rests; ends the thread.
  func end() {
    isOver.store(true, ordering: .relaxed)
    called.signal()
  }
}
