import CShims
import Foundation
import Harness

/// A known fault laid on one side of a comparison, to see whether the comparison finds it.
///
/// It burdens the measured operation where a slower engine would: within the timed section, for
/// every single operation. Nothing of the judging side knows of it.
package enum Handicap: Sendable, Equatable {
  /// Every timed section lasts longer by this share of itself, and of several at once by this share
  /// of what each does itself: a wait for others is longer already, as they are slower, too.
  case time(Double)
  /// One more allocation per operation.
  case allocation
  /// One more flush per operation.
  case flush

  /// Reads `time=0.1`, `allocation` or `flush`.
  package init?(_ text: String) {
    switch text {
    case "allocation": self = .allocation
    case "flush": self = .flush
    default:
      let words = text.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, words[0] == "time", let share = Double(words[1]),
        share > 0, share <= 10
      else { return nil }
      self = .time(share)
    }
  }

  package var text: String {
    switch self {
    case .time(let share): "time=\(share)"
    case .allocation: "allocation"
    case .flush: "flush"
    }
  }

  /// Spins until the section that began at `start` has lasted as long as the handicap demands.
  func delay(since start: UInt64) {
    guard case .time(let share) = self else { return }
    let now = Stopwatch.now
    let end = now + UInt64(Double(now - start) * share)
    while Stopwatch.now < end {}
  }

  /// The same for a section that was timed elsewhere: as long as it lasts with the handicap.
  func lengthened(_ took: UInt64) -> UInt64 {
    guard case .time(let share) = self else { return took }
    let start = Stopwatch.now
    let more = UInt64(Double(took) * share)
    while Stopwatch.now < start + more {}
    return took + more
  }

  /// The same where threads share the processors, by the thread's own time: a share of the time
  /// that it waited for a processor would come on top of what the others make it wait.
  func delay(worked start: UInt64) {
    guard case .time(let share) = self else { return }
    let now = Stopwatch.threadTime
    let end = now + UInt64(Double(now - start) * share)
    while Stopwatch.threadTime < end {}
  }

  /// Does what the handicap counts, once for each operation.
  func carry(_ operations: Int) {
    switch self {
    case .time: break
    case .allocation:
      for _ in 0..<operations {
        let block = UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 16)
        _ = sink(UInt64(UInt(bitPattern: block)))
        block.deallocate()
      }
    case .flush:
      // It is counted like any other and waits for no disk: some operations are a hundred thousand
      // in a round.
      let file = rb_memory_file("handicap")
      guard file >= 0 else { return }
      for _ in 0..<operations { fdatasync(file) }
      close(file)
    }
  }
}

/// The handicap of one of several writers, of whom one at a time has its turn.
///
/// The delay lies within the turn, as that of a slower engine would, so the others wait for it. It
/// is a share of what a turn takes of all: the time since the one before, without the delays in it,
/// divided among the turns that there were meanwhile. (A share of what a writer takes itself was
/// more than planned: writers whose commits share a flush wait for it together, and for each
/// other's delays, so +5 % of two was +11 %, and +50 % was +230 %.)
final class TurnDelay {
  private let share: Double
  private let turns: SharedTurns
  private var asked: UInt64 = 0
  private var began: UInt64 = 0
  private var ended: UInt64 = 0
  private var before = SharedTurns.Count()
  /// Nanoseconds of delay in this turn, and in all of them.
  private(set) var planned: UInt64 = 0
  private(set) var total: UInt64 = 0

  /// One of those who write in a directory; nil where nothing is to last longer.
  init?(_ handicap: Handicap?, in directory: URL) throws {
    guard case .time(let share)? = handicap else { return nil }
    self.share = share
    turns = try SharedTurns(directory.appendingPathComponent("turns").path)
  }

  /// Called when the writer asks for its turn: it may have rested since the last one.
  func ask() { asked = Stopwatch.now }

  /// Called first thing in the turn, when the wait for it is over.
  func begin() {
    let now = Stopwatch.now
    let count = turns.count
    if began > 0 {
      let took = (ended - began) + (now - asked)
      let delayed = count.delay - before.delay
      let own = Double(took - min(took, delayed)) / Double(count.turns - before.turns)
      planned = UInt64(own * share)
    }
    total += planned
    while Stopwatch.now < now + planned {}
    turns.add(delay: planned)
    (began, before) = (now, count)
  }

  /// Called when what the turn was for is done.
  func end() { ended = Stopwatch.now }
}

/// Children that run every round under a handicap.
package struct HandicappedRounds: RoundRunner {
  private let executable: String
  private let handicap: Handicap

  package init(executable: String = ChildProcess.thisProgram, _ handicap: Handicap) {
    self.executable = executable
    self.handicap = handicap
  }

  package func run(_ order: RoundOrder) -> RoundReport {
    var order = order
    order.handicap = handicap
    return ChildRounds(executable: executable).run(order)
  }
}
