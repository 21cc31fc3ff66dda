import CShims
import Synchronization

/// A write that has begun, and waits to be used at home.
///
/// A home may be busy, even with waiting for somebody who waits for the gate: so the write is not
/// held for ever. If nobody has come for it in a while it is cancelled, and whoever comes later
/// begins another.
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

  /// How long a home has at first, in milliseconds; each time it is not enough it gets twice as
  /// long.
  static let patience = 10

  /// Lets others in if nobody comes in time.
  func leave(after patience: Int, on errands: any Errands) {
    errands.run(after: patience) { [weak self] in self?.take()?.cancel() }
  }
}

/// Lets others in after a while where a home holds one write after the other. One look at a time is
/// due, however many writes there are: a clock for each would cost more than some of the writes.
final class HeldWriteWatch: Sendable {
  private struct State {
    weak var held: HeldWrite?
    var until: UInt64 = 0
    var isDue = false
  }

  private let state = Mutex(State())

  /// Lets others in if nobody has come for the write after so many milliseconds.
  func leave(_ held: HeldWrite, after patience: Int, on errands: any Errands) {
    let until = rb_uptime() + UInt64(patience) * 1_000_000
    let isDue = state.withLock { state in
      defer { state = State(held: held, until: until, isDue: true) }
      return state.isDue
    }
    if !isDue { errands.run(after: patience) { [self] in look(errands) } }
  }

  private func look(_ errands: any Errands) {
    let now = rb_uptime()
    let (late, again) = state.withLock { state -> (HeldWrite?, UInt64?) in
      let held = state.held
      if held != nil, state.until > now { return (nil, state.until - now) }
      state = State()
      return (held, nil)
    }
    late?.take()?.cancel()
    guard let again else { return }
    errands.run(after: Int(again / 1_000_000) + 1) { [self] in look(errands) }
  }
}
