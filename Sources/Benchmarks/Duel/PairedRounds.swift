import Foundation
import Harness
import Synchronization

/// Two rounds that are measured by turns: a stretch of this, a stretch of that.
///
/// The first runs alone until it is prepared and warm, then the second until it is, and from there
/// on they alternate some forty times each, together on one processor after the other. What a
/// shared machine does for longer than a few milliseconds, it does to both, and their ratio does
/// not show it. A round that has no stretches, or comes from a build that knows nothing of turns,
/// is simply followed by the other.
struct PairedRounds {
  private let runners: [any RoundRunner]
  private let scratch: URL

  /// The one that begins comes first.
  init(_ runners: [any RoundRunner], in scratch: URL) {
    (self.runners, self.scratch) = (runners, scratch)
  }

  func run(_ orders: [RoundOrder]) throws -> [RoundReport] {
    let path = scratch.appendingPathComponent("turnstile-\(UUID().uuidString)").path
    defer { unlink(path) }
    let seats = [try Seat(at: path, .first), try Seat(at: path, .second)]
    let reports = Mutex<[RoundReport]>([RoundReport(), RoundReport()])
    let ended = DispatchSemaphore(value: 0)
    for side in 0..<2 {
      var order = orders[side]
      order.seat = seats[side]
      let runner = runners[side]
      Thread.detachNewThread { [order] in
        if side == 1 { seats[side].wait() }
        let report = runner.run(order)
        // Said here, since a child that crashed does not say it.
        seats[side].leave()
        reports.withLock { $0[side] = report }
        ended.signal()
      }
    }
    for _ in 0..<2 { ended.wait() }
    return reports.withLock { $0 }
  }
}
