import Synchronization

/// Work on its way to a scheduler whose own mechanism promises no order.
///
/// Run loops and actors are only told "come and look"; the order is kept here.
final class SchedulerInbox: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var next = 0
    /// Whether the home was told, and has not come for the last of what waits.
    var isKnocking = false
    var isClosed = false
  }
  private let state = Mutex(State())

  /// Adds work; true if the home has to be told.
  func add(_ work: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if state.isClosed { return false }
      state.waiting.append(work)
      defer { state.isKnocking = true }
      return !state.isKnocking
    }
  }

  /// Runs what waits, in order.
  ///
  /// Before a piece of work runs, the home is told again if more waits: the work may run a loop of
  /// its own, and what comes next must be able to arrive in it.
  func drain(knock: () -> Void) {
    while let (work, hasMore) = take() {
      if hasMore { knock() }
      work()
    }
  }

  /// The home is gone: lets go of what waits, and takes in nothing more.
  ///
  /// With work that is dropped goes what it holds, such as a write that was begun for it.
  func close() {
    let dropped = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state.waiting
    }
    withExtendedLifetime(dropped) {}
  }

  private func take() -> (work: @Sendable () -> Void, hasMore: Bool)? {
    state.withLock { state in
      guard state.next < state.waiting.count else {
        state.waiting.removeAll(keepingCapacity: state.waiting.capacity <= 64)
        state.next = 0
        state.isKnocking = false
        return nil
      }
      let work = state.waiting[state.next]
      state.waiting[state.next] = {}
      state.next += 1
      // Who adds to it while the last piece of work runs, which may turn a loop, tells the home.
      state.isKnocking = state.next < state.waiting.count
      return (work, state.isKnocking)
    }
  }
}
