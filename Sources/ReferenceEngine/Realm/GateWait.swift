import Dispatch
import Synchronization

/// A write that begins on another thread, which waits for the gate, and finds out what space is
/// free.
final class GateWait: Sendable {
  private enum State {
    case waiting
    case ended(Result<HeldWrite, any Error>)
    /// Nobody needs it any more.
    case withdrawn
  }

  private let state = Mutex(State.waiting)
  private let ended = DispatchSemaphore(value: 0)
  private let patience: Int
  private let moments: any Moments

  /// - Parameter patience: How long the write is held for whoever waits for it, in milliseconds.
  init(_ patience: Int, _ moments: any Moments) {
    (self.patience, self.moments) = (patience, moments)
  }

  /// Asks for the gate, for whoever has this ticket.
  func start(
    at coordinator: Coordinator, for ticket: WriteRequests.Ticket, on errands: any Errands,
    _ then: @escaping @Sendable () -> Void
  ) {
    let isRoom = coordinator.requests.ask(for: ticket) { [self] outcome in
      end(outcome, on: errands, then)
    } orLater: {
      coordinator.sending(errands)
    }
    if isRoom { errands.run { coordinator.beginRequestedWrite(on: errands) } }
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
      if !isWithdrawn { write.learnSpace() }
      return HeldWrite(write)
    }
    let isNeeded = state.withLock { state in
      if case .withdrawn = state { return false }
      state = .ended(outcome)
      return true
    }
    if isNeeded {
      ended.signal()
      then()
    }
    guard case .success(let held) = outcome else { return }
    if isNeeded { held.leave(after: patience, on: errands) } else { held.take()?.cancel() }
  }

  /// Gives the write back as soon as it has begun, which may be now. Instead of taking it.
  func withdraw() {
    let outcome = state.withLock { state -> Result<HeldWrite, any Error>? in
      defer { state = .withdrawn }
      if case .ended(let outcome) = state { return outcome } else { return nil }
    }
    if case .success(let held) = outcome { held.take()?.cancel() }
  }

  private var isWithdrawn: Bool {
    state.withLock { if case .withdrawn = $0 { true } else { false } }
  }

  private var outcome: Result<HeldWrite, any Error>? {
    state.withLock { if case .ended(let outcome) = $0 { outcome } else { nil } }
  }

  /// Waits until the write has begun. Once only.
  func take() throws -> HeldWrite {
    moments.wait(at: .gateAwaited) { self.outcome != nil }
    ended.wait()
    guard let outcome else { fatalError("the wait for the gate has ended without an outcome") }
    return try outcome.get()
  }
}
