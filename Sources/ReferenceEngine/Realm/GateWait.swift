import Dispatch

/// A write that begins on another thread, which waits for the gate, and finds out what space is free.
final class GateWait: @unchecked Sendable {
  // Sendable because the outcome is written before the signal and read after it.
  private var outcome: Result<HeldWrite, any Error>?
  private let ended = DispatchSemaphore(value: 0)
  private let patience: Int

  /// - Parameter patience: How long the write is held for who waits for it, in milliseconds.
  init(_ patience: Int) { self.patience = patience }

  /// Asks for the gate, by this call: who asks later, in whatever realm, is let in later.
  func start(
    at coordinator: Coordinator, on errands: any Errands, _ then: @escaping @Sendable () -> Void
  ) {
    coordinator.requests.add { [self] outcome in end(outcome, on: errands, then) }
    errands.run { coordinator.beginRequestedWrite() }
  }

  /// Finds out what space is free for a write that has begun already.
  func start(
    with write: WriteTransaction, on errands: any Errands, _ then: @escaping @Sendable () -> Void
  ) {
    let write = Handed(write)
    errands.run { [self] in end(.success(write.value), on: errands, then) }
  }

  private func end(
    _ entered: Result<WriteTransaction, any Error>, on errands: any Errands,
    _ then: @Sendable () -> Void
  ) {
    let outcome = entered.map { write in
      write.learnSpace()
      return HeldWrite(write)
    }
    self.outcome = outcome
    ended.signal()
    then()
    if case .success(let held) = outcome { held.leave(after: patience, on: errands) }
  }

  /// Waits until the write has begun. Once only.
  func take() throws -> HeldWrite {
    Seams.current.moments.wait(at: .gateAwaited) { self.outcome != nil }
    ended.wait()
    guard let outcome else { fatalError("the wait for the gate has ended without an outcome") }
    return try outcome.get()
  }
}
