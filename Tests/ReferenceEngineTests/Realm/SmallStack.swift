import Foundation

/// A thread with as much stack as threads have that nobody gave more.
enum SmallStack {
  static let bytes = 512 << 10

  /// Does work there, and waits for it.
  static func run(_ work: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    let thread = Thread {
      outcome.result = Result { try work() }
      outcome.done.signal()
    }
    thread.stackSize = bytes
    thread.start()
    outcome.done.wait()
    try outcome.result.get()
  }

  // Written before the signal, and read after it.
  private final class Outcome: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    var result: Result<Void, any Error> = .success(())
  }
}
