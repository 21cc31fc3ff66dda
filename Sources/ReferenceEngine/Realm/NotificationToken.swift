import Synchronization

/// Keeps a listener listening: it ends when the token is dropped or invalidated.
///
/// A token lives in three states. It *waits* until its listener is registered at the listener's
/// home, which may be another queue or actor; it *holds* the observation; it has *ended*. Where the
/// listener is at home, `invalidate` silences it at once. Elsewhere it ends delivery of later
/// commits: what was committed before the call still arrives, together with what has been committed
/// by the time it does.
public final class NotificationToken: Sendable {
  private enum State {
    case waiting
    case holding(any Observation)
    case ended
  }
  private let state = Mutex(State.waiting)

  init() {}

  convenience init(_ observation: any Observation) {
    self.init()
    hold(observation)
  }

  /// Takes in the listener once it is registered; false if the token has ended before that.
  @discardableResult
  func hold(_ observation: any Observation) -> Bool {
    let (isHeld) = state.withLock { state in
      if case .ended = state { return false }
      state = .holding(observation)
      return true
    }
    if !isHeld { observation.end() }
    return isHeld
  }

  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  /// The observation, while there is one.
  var observation: (any Observation)? {
    state.withLock { if case .holding(let observation) = $0 { observation } else { nil } }
  }

  /// Stops the listener; false if it had been stopped before. May be called anywhere.
  @discardableResult
  public func invalidate() -> Bool {
    let (isFirst, observation) = state.withLock { state in
      defer { state = .ended }
      return switch state {
      case .waiting: (true, nil as (any Observation)?)
      case .holding(let observation): (true, observation)
      case .ended: (false, nil)
      }
    }
    observation?.end()
    return isFirst
  }

  deinit { invalidate() }
}

/// A registered listener, as its token knows it.
protocol Observation: AnyObject, Sendable {
  /// Ends delivery; may be called anywhere and again.
  func end()
}
