import CShims
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Errands that a serial queue runs, one after the other.
final class QueueErrands: Errands {
  private let queue: DispatchQueue
  /// How many there were.
  private let given = Atomic<UInt64>(0)

  /// So many nanoseconds a thread stays awake for what is to come: twice what it takes to wake one,
  /// so that it costs about as much where nothing comes as it spares where something does.
  private static let patience: UInt64 = 40_000

  init(_ name: String) { queue = DispatchQueue(label: name, qos: .userInitiated) }

  func run(_ work: @escaping @Sendable () -> Void) {
    queue.async(execute: work)
    // Behind it: whoever stays awake for it finds it there.
    given.add(1, ordering: .releasing)
  }

  func run(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
    Clock.shared.run(after: milliseconds, work)
  }

  /// To wake a thread takes about as long as to give a group its place in the file: so both are
  /// done at once. Whoever else wants the processor has it, such as the one that is waited for.
  func prepare() {
    let before = given.load(ordering: .relaxed)
    queue.async { [self] in
      let end = rb_uptime() + QueueErrands.patience
      while given.load(ordering: .acquiring) == before, rb_uptime() < end { sched_yield() }
    }
  }
}
