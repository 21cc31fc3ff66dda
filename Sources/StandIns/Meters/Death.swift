import ReferenceEngine
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ends the process, as a kill would, when a moment is reached for the n-th time.
package final class Death: Moments {
  private let moment: Moment
  private let left: Mutex<Int>

  package init(at moment: Moment, times: Int = 1) {
    self.moment = moment
    left = Mutex(times)
  }

  package func reach(_ moment: Moment) {
    guard moment == self.moment else { return }
    let isTime = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isTime { kill(getpid(), SIGKILL) }
  }
}

/// Counts how often each moment was reached: proof that a check really passed this way.
package final class Marks: Moments {
  private let counts = Mutex<[Moment: Int]>([:])
  private let death = Mutex<Death?>(nil)

  package init() {}

  /// Ends the process, as a kill would, when a moment is reached for the next time.
  package func die(at moment: Moment) { death.withLock { $0 = Death(at: moment) } }

  package func reach(_ moment: Moment) {
    counts.withLock { $0[moment, default: 0] += 1 }
    death.withLock { $0 }?.reach(moment)
  }

  package func wait(at moment: Moment, until isSo: @escaping () -> Bool) { reach(moment) }

  package func count(of moment: Moment) -> Int { counts.withLock { $0[moment] ?? 0 } }

  /// What was reached at all, by name.
  package var reached: [String] { counts.withLock { $0.keys.map(\.name).sorted() } }
}
