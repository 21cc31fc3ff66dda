import Foundation
import Synchronization

/// A word that threads share, on a cache line that nothing else lies on.
final class Word: @unchecked Sendable {
  // Sendable because the counts are written by the thread that answers, and read when it has ended.
  private let before = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
  let value = Atomic<UInt64>(0)
  private let behind = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
  private(set) var answers: UInt64 = 0

  /// Hands the word over and waits until it comes back.
  func ask(_ number: UInt64) {
    value.store(2 * number, ordering: .releasing)
    wait { $0 == 2 * number + 1 }
  }

  /// Answers once, after some work; false when all is over.
  func answer(_ work: () -> Void = {}) -> Bool {
    let seen = wait { $0 == .max || ($0 > 0 && $0 % 2 == 0) }
    if seen == .max { return false }
    work()
    answers += 1
    value.store(seen + 1, ordering: .releasing)
    return true
  }

  /// Lets whoever answers know that all is over.
  func end() { value.store(.max, ordering: .releasing) }

  /// Spins; where both threads have one processor, lets the other one have it.
  @discardableResult
  private func wait(_ isThere: (UInt64) -> Bool) -> UInt64 {
    var turns = 0
    while true {
      let seen = value.load(ordering: .acquiring)
      if isThere(seen) { return seen }
      turns += 1
      if turns % 1024 == 0 { sched_yield() }
    }
  }
}
