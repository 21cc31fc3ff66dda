#if Mutants
import CShims
import Synchronization
@_private(sourceFile: "ActorScheduler.swift") import ReferenceEngine
@_private(sourceFile: "FirstTurn.swift") import ReferenceEngine
@_private(sourceFile: "HonestSchedulers.swift") import ReferenceEngine
@_private(sourceFile: "MainScheduler.swift") import ReferenceEngine
@_private(sourceFile: "Session+Writing.swift") import ReferenceEngine
@_private(sourceFile: "WriteRequests.swift") import ReferenceEngine

// The eighth set: homes, and what is asynchronous.

extension Session {
  @_dynamicReplacement(for:homeEnds())
  func eighthHomeEnds() {
    if breaks(.writesEndWithTheirThread), isInWrite { return }
    homeEnds()
  }
}

extension MainScheduler {
  @_dynamicReplacement(for:isHereByThread)
  var eighthIsHereByThread: Bool {
    if breaks(.theMainQueueIsAtHomeAnywhere) { return rb_thread_is_main() }
    if breaks(.mainThreadStaysMain), let queue = rb_queue_current(),
      UInt(bitPattern: queue) != mainQueue
    {
      return false
    }
    return isHereByThread
  }
}

private let schedulersByExecutor = Mutex<[UInt: ActorScheduler]>([:])

extension HonestSchedulers {
  @_dynamicReplacement(for:actor(_:))
  func eighthActor(_ actor: any Actor) -> any Scheduler {
    let executor = Executor(actor.unownedExecutor)
    guard breaks(.actorsOnOneExecutorAreTwo), actor !== MainActor.shared, !executor.isDefault else {
      return self.actor(actor)
    }
    let made = ActorScheduler(actor)
    return schedulersByExecutor.withLock { known in
      if let found = known[executor.identity], found.isAlive { return found }
      known[executor.identity] = made
      return made
    }
  }
}

private let turnsByHome = Mutex<[Home: FirstTurn]>([:])

extension FirstTurn {
  @_dynamicReplacement(for:await(_:))
  static func eighthAwait(_ session: Session) {
    if breaks(.queuesHearOfOthers), case .queue = session.scheduler.home { return }
    guard breaks(.homesTurnForEachFile) else { return `await`(session) }
    let home = session.scheduler.home
    let known = turnsByHome.withLock { $0[home] }
    if let known, known.state.withLock({ $0.hasCome }) { return }
    `await`(session)
    let turn = awaited.withLock { $0.turns[home]?.turn }
    turnsByHome.withLock { $0[home] = turn }
  }
}

extension WriteRequests {
  @_dynamicReplacement(for:hurry(_:))
  func eighthHurry(_ ticket: Ticket) {
    guard breaks(.urgentOnesWakeTheGate) else { return hurry(ticket) }
    state.withLock { state in
      guard let index = state.index(of: ticket.number), state.line[index].granted != nil else {
        return
      }
      state.line[index].isUrgent = true
    }
  }
}
#endif
