import Synchronization

/// Work on its way to a scheduler whose own mechanism promises no order.
///
/// Run loops and actors are only told "come and look"; the order is kept here.
final class SchedulerInbox: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var next = 0
    /// Whether the home was told, and has not come for the last of what waits; or comes by itself.
    var isKnocking = false
    /// How many of `drain` are under way: one runs in a loop that the other's work turns.
    var drains = 0
    /// How many loops turn, one inside the other, more than when nobody had counted yet.
    var depth = 0
    /// How many did when the innermost `drain` began.
    var drainDepth = 0
    var isClosed = false

    var hasMore: Bool { next < waiting.count }

    mutating func take() -> (@Sendable () -> Void)? {
      guard hasMore else {
        waiting.removeAll(keepingCapacity: waiting.capacity <= 64)
        next = 0
        isKnocking = false
        return nil
      }
      defer { next += 1 }
      let work = waiting[next]
      waiting[next] = {}
      return work
    }
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
  /// Before a piece of work runs, the home is told again if more waits: the work may let the home
  /// do other things in its middle, and what comes next must be able to arrive then.
  func drain(knock: () -> Void) {
    while let (work, hasMore) = take() {
      if hasMore { knock() }
      work()
    }
  }

  /// Runs what waits, in order, at a home that says when work turns a loop of its own.
  ///
  /// Of what is added meanwhile the home need not be told, as it is looked for again; only while
  /// such a loop turns it must be. To tell it always costs a turn of the loop for each group of
  /// asynchronous writes.
  func drain() {
    let outer = state.withLock { state in
      defer { (state.drains, state.drainDepth) = (state.drains + 1, state.depth) }
      return state.drainDepth
    }
    while let work = takeUntold(outer) { work() }
  }

  /// The home begins to turn a loop; true if it has to be told.
  func loopBegins() -> Bool {
    state.withLock { state in
      state.depth += 1
      guard state.drains > 0 else { return false }
      state.isKnocking = state.hasMore
      return state.hasMore
    }
  }

  /// A loop has ended. If it was the work's own, that goes on, and it is looked again behind it; if
  /// it was one inside that, such as a timer's, the work's own still turns, and has to be told.
  func loopEnds() {
    state.withLock { state in
      state.depth -= 1
      if state.drains > 0, state.depth <= state.drainDepth { state.isKnocking = true }
    }
  }

  /// The home is gone: lets go of what waits, and takes in nothing more.
  ///
  /// With work that is dropped goes what it holds, such as a write that was begun for it.
  func close() {
    let dropped = state.withLock { state in
      defer {
        state = State(
          drains: state.drains, depth: state.depth, drainDepth: state.drainDepth, isClosed: true)
      }
      return state.waiting
    }
    withExtendedLifetime(dropped) {}
  }

  private func take() -> (work: @Sendable () -> Void, hasMore: Bool)? {
    state.withLock { state in
      guard let work = state.take() else { return nil }
      // Who adds to it while the last piece of work runs tells the home.
      state.isKnocking = state.hasMore
      return (work, state.hasMore)
    }
  }

  private func takeUntold(_ outer: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let work = state.take() else {
        (state.drains, state.drainDepth) = (state.drains - 1, outer)
        return nil
      }
      state.isKnocking = true
      return work
    }
  }
}
