#if Mutants
@_private(sourceFile: "AsyncMachine.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "WriteRequests.swift") import ReferenceEngine

// The seventeenth set: asynchronous writes.

extension AsyncWrites {
  /// Calls what is due, wherever the realm is.
  func callDue() {
    if !machine.flushes.isEmpty { finishFlushes() }
  }

  /// Loses the open group, and says that it is on the disk.
  func takeBack(_ count: Int) {
    TakenBack.all.keep(false, of: session)
    let flush = makeFlush(of: count)
    flush.end(nil)
    carryOut(on(.flushing(flush, count: count)))
    session.loseGroup()
    let lost = session.leaveLost()
    session.coordinator.giveUpGroup()
    let home = Handed(session)
    session.scheduler.run { home.value.asyncWrites.finish(through: flush) }
    session.didStep(from: lost)
  }
}

extension WriteRequests {
  @_dynamicReplacement(for:ask(for:_:orLater:))
  func seventeenthAsk(
    for ticket: Ticket, _ granted: @escaping Granted, orLater later: () -> Send
  ) -> Bool {
    let isLost =
      breaks(.waitersAreAllSent)
      && state.withLock { state in
        guard state.standing > 0, let index = state.index(of: ticket.number) else { return false }
        state.line[index].granted = granted
        return true
      }
    return isLost ? false : ask(for: ticket, granted, orLater: later)
  }
}
#endif
