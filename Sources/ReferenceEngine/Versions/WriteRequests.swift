import Synchronization

/// Who has asked for a write and does something else meanwhile, in the order of the calls.
///
/// For each of them a thread waits at the gate, and whichever gets in does so for the one who asked
/// first. So requests are granted in the order in which they were made, however the threads come to
/// run.
final class WriteRequests: Sendable {
  typealias Granted = @Sendable (Result<WriteTransaction, any Error>) -> Void

  private let waiting = Mutex<[Granted]>([])

  var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

  /// Asks; a thread has to `grant` then.
  func add(_ granted: @escaping Granted) { waiting.withLock { $0.append(granted) } }

  /// Gives what was entered to who asked first.
  func grant(_ outcome: Result<WriteTransaction, any Error>) {
    guard let first = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      broken("a write that was asked for is granted twice")
    }
    first(outcome)
  }
}
