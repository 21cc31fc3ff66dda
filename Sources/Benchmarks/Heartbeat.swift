import Evidence
import Foundation
import Harness

/// Asks a loop to show every millisecond that it can run, and tells afterwards when it could not.
///
/// Waits are those of somebody who arrives at every full millisecond, whether the loop was free or
/// not: a stall of 50 ms is fifty waits, not one.
final class Heartbeat: @unchecked Sendable {
  // Unchecked: everything is touched on the loop, and read after `end` has waited for it.
  private static let beat: UInt64 = 1_000_000
  private let loop: LoopThread
  private var times: [UInt64] = []
  private var timer: Timer?

  /// What a loop feels while something happens, how long that takes, and what comes of it.
  static func during<Result>(
    _ loop: LoopThread, _ work: () throws -> Result
  ) throws -> (account: Account, took: UInt64, result: Result) {
    let heart = try Heartbeat(loop)
    let start = Stopwatch.now
    let result = try work()
    let took = Stopwatch.now - start
    return (try heart.end(), took, result)
  }

  private init(_ loop: LoopThread) throws {
    self.loop = loop
    try loop.sync { [self] in
      times.reserveCapacity(1 << 16)
      let timer = Timer(timeInterval: 0.001, repeats: true) { [unowned self] _ in
        self.times.append(Stopwatch.now)
      }
      RunLoop.current.add(timer, forMode: .default)
      self.timer = timer
      times.append(Stopwatch.now)
    }
  }

  /// What the loop felt from the first beat to now.
  struct Account: Sendable {
    /// How long each arrival waited until the loop ran.
    let waits: Histogram
    /// The longest time between two turns.
    let stall: Double
    let seconds: Double
    let times: [UInt64]

    /// Frames of a display that came while the loop did not run from one to the next.
    func dropped(hertz: Double) -> Int {
      guard let first = times.first, let last = times.last else { return 0 }
      let frame = 1e9 / hertz
      var dropped = 0
      var at = 0
      var due = Double(first)
      while due + frame <= Double(last) {
        while at < times.count, Double(times[at]) < due { at += 1 }
        if at == times.count || Double(times[at]) >= due + frame { dropped += 1 }
        due += frame
      }
      return dropped
    }
  }

  private func end() throws -> Account {
    try loop.sync { [self] in
      timer?.invalidate()
      times.append(Stopwatch.now)
    }
    let waits = Histogram()
    var longest: UInt64 = 0
    var arrival = times[0]
    for (before, after) in zip(times, times.dropFirst()) {
      longest = max(longest, after - before)
      while arrival <= after {
        waits.record(after - arrival)
        arrival += Heartbeat.beat
      }
    }
    let seconds = Double((times.last ?? 0) - times[0]) / 1e9
    return Account(waits: waits, stall: Double(longest), seconds: seconds, times: times)
  }
}

extension Track {
  /// What the main loop felt: its longest stall, and the frames that were dropped.
  func record(frames account: Heartbeat.Account) {
    record("stall", account.stall, count: account.waits.total)
    for (metric, hertz) in [("dropped60", 60.0), ("dropped120", 120.0)] {
      record(
        metric, Double(account.dropped(hertz: hertz)), count: Int(account.seconds * hertz))
    }
  }
}
