import CShims
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Does work after a while, on a thread of its own.
///
/// What is done here lets others in where homes do not come, which may be because all threads of
/// libdispatch wait at gates: so it takes none of those. There is one, whose thread is made when it
/// is first needed and stays. Nothing waits on it.
final class Clock: @unchecked Sendable {
  // Sendable because the word is only touched atomically, and all else is constant or locked.
  static let shared = Clock()

  private struct Due {
    /// As `rb_uptime` counts.
    let time: UInt64
    let work: @Sendable () -> Void
  }

  private struct State {
    /// The last is due first.
    var due: [Due] = []
    var hasThread = false

    /// - Returns: whether it is due before all others.
    mutating func insert(_ new: Due) -> Bool {
      // Behind what is due at the same time, so that this is done in the order given.
      var (low, high) = (0, due.count)
      while low < high {
        let middle = (low + high) / 2
        if due[middle].time > new.time { low = middle + 1 } else { high = middle }
      }
      due.insert(new, at: low)
      return low == due.count - 1
    }
  }

  private let state = Mutex(State())
  /// Moves when the thread is to look again.
  private let word: UnsafeMutablePointer<UInt32>
  /// Where the system gives no thread.
  private let spare = DispatchQueue(label: "realm.clock", qos: .userInitiated)

  private init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }

  func run(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    let new = Due(time: rb_uptime() + UInt64(milliseconds) * 1_000_000, work: work)
    let isFirst = state.withLock { state -> Bool? in
      if !state.hasThread { state.hasThread = start() }
      return state.hasThread ? state.insert(new) : nil
    }
    switch isFirst {
    case nil: spare.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    case true?:
      _ = rb_add32(word, 1)
      rb_futex_wake(word, 1)
    case false?: break
    }
  }

  /// Makes the thread; returns whether the system gave one.
  private func start() -> Bool {
    var thread = pthread_t()
    guard pthread_create(&thread, nil, { _ in Clock.shared.go() }, nil) == 0 else { return false }
    pthread_detach(thread)
    return true
  }

  private func go() -> Never {
    while true {
      // Read before the look: what comes after that moves it, and ends the sleep.
      let seen = rb_load32(word)
      let now = rb_uptime()
      let (work, rest) = state.withLock { state -> ((@Sendable () -> Void)?, Int64) in
        guard let first = state.due.last else { return (nil, -1) }
        if first.time > now { return (nil, Int64((first.time - now) / 1_000_000) + 1) }
        state.due.removeLast()
        return (first.work, 0)
      }
      if let work { work() } else { _ = rb_futex_wait(word, seen, rest) }
    }
  }
}
