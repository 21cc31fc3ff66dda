import Synchronization

/// The next turn of a home, from which on its sessions hear of other processes.
///
/// Before a home turns nothing can be told there: so a realm that is opened, read and closed in one
/// turn, or on a thread that runs no loop, takes no thread that listens for it.
final class FirstTurn: Sendable {
  private struct State {
    var sessions: [SessionTie] = []
    var clearing = Clearing()
    var hasCome = false
  }
  private let state = Mutex(State())

  /// Held by the work that is on its way to the home: gone with it, also where the home is gone and
  /// never turns.
  private struct Weak {
    weak var turn: FirstTurn?
  }
  private struct Awaited {
    /// By the homes and not by their schedulers, of which a queue has many: when one of these is
    /// gone, another one, of another home, may have its address. A home's name is nobody else's as
    /// long as work is on its way there.
    var turns = ByHome<Weak>()
    var clearing = Clearing()
  }
  /// Guards what is awaited, held for its accesses only. A home that never turns is asked once for
  /// all sessions that ever wait there.
  private static let awaited = Mutex(Awaited())

  /// Lets a session hear of other processes from the next turn of its home on.
  static func await(_ session: Session) {
    let home = session.scheduler.home
    let known = awaited.withLock { $0.turns[home]?.turn }
    if let known, known.add(session.tie) { return }
    let turn = FirstTurn()
    _ = turn.add(session.tie)
    awaited.withLock { awaited in
      if awaited.clearing.isDue(awaited.turns.count) {
        awaited.turns.keep { $0.turn != nil }
        awaited.clearing.leaves(awaited.turns.count)
      }
      awaited.turns[home] = Weak(turn: turn)
    }
    session.scheduler.run { turn.come() }
  }

  /// - Returns: false if it is over.
  private func add(_ session: SessionTie) -> Bool {
    state.withLock { state in
      if state.hasCome { return false }
      if state.clearing.isDue(state.sessions.count) {
        state.sessions.removeAll { !$0.isBound }
        state.clearing.leaves(state.sessions.count)
      }
      state.sessions.append(session)
      return true
    }
  }

  private func come() {
    let sessions = state.withLock { state in
      defer { state = State(hasCome: true) }
      return state.sessions
    }
    for tie in sessions { tie.session?.coordinator.hearOrAskAgain() }
  }
}

extension Coordinator {
  /// Lets whoever listens here hear of other processes. Where the system gives no thread for it,
  /// that is said, and it is asked again with the next commit here, and whenever somebody comes.
  ///
  /// Not after a while: a timer may need a thread, too, and who sets it would wait for that one.
  func hearOrAskAgain() {
    do {
      try hear()
      asksAgain.store(false, ordering: .relaxed)
    } catch {
      if !asksAgain.exchange(true, ordering: .relaxed) { Logger.tell(.error, "\(error)") }
    }
  }
}
