import Synchronization

@testable import ReferenceEngine

/// A worker that works when the test says so.
final class HeldErrands: Errands {
  private let waiting = Mutex<[@Sendable () -> Void]>([])

  func run(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }
  func run(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {}

  var count: Int { waiting.withLock { $0.count } }

  /// Does what was asked for, where the test runs.
  func work() {
    for work in waiting.withLock({ waiting in
      defer { waiting = [] }
      return waiting
    }) { work() }
  }
}
