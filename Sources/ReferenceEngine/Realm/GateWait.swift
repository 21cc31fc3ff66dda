import Dispatch
import Synchronization

/// A write that begins on another thread, which waits for the gate, and finds out what space is free.
final class GateWait: @unchecked Sendable {
  // Sendable because the outcome is written before the signal and read after it.
  private var outcome: Result<HeldWrite, any Error>?
  private let ended = DispatchSemaphore(value: 0)
  private let patience: Int

  /// - Parameter patience: How long the write is held for who waits for it, in milliseconds.
  init(_ patience: Int) { self.patience = patience }

  func start(
    at coordinator: Coordinator, on errands: any Errands, _ then: @escaping @Sendable () -> Void
  ) {
    errands.run { [self] in
      outcome = Result {
        let write = try coordinator.beginWrite()
        write.learnSpace()
        return HeldWrite(write)
      }
      ended.signal()
      then()
      if case .success(let held) = outcome { held.leave(after: patience, on: errands) }
    }
  }

  /// Waits until the write has begun. Once only.
  func take() throws -> HeldWrite {
    Seams.current.moments.wait(at: .gateAwaited) { self.outcome != nil }
    ended.wait()
    guard let outcome else { fatalError("the wait for the gate has ended without an outcome") }
    return try outcome.get()
  }
}

/// A write that has begun, and waits to be used at home.
///
/// A home may be busy, even with waiting for somebody who waits for the gate: so the write is not held for ever. If nobody
/// has come for it in a while it is cancelled, and whoever comes later begins another.
final class HeldWrite: Sendable {
  private let write: Mutex<Handed<WriteTransaction>?>

  init(_ write: WriteTransaction) { self.write = Mutex(Handed(write)) }

  /// The write; nil if others were let in.
  func take() -> WriteTransaction? {
    write.withLock { write in
      defer { write = nil }
      return write
    }?.value
  }

  /// How long a home has at first, in milliseconds; each time it is not enough it gets twice as long.
  static let patience = 10

  /// Lets others in if nobody comes in time.
  func leave(after patience: Int, on errands: any Errands) {
    errands.run(after: patience) { [weak self] in self?.take()?.cancel() }
  }
}
