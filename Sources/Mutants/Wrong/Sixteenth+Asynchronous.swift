#if Mutants
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Carrier.swift") import ReferenceEngine
@_private(sourceFile: "WaitingLine.swift") import ReferenceEngine

// The sixteenth set: asynchronous writes.

extension Carrier {
  @_dynamicReplacement(for:carryApart(_:))
  private func sixteenthCarryApart(_ flush: Flush) {
    guard breaks(.spareFlushesEndAtHome) else { return carryApart(flush) }
    let (coordinator, home) = (session.coordinator, Handed(session))
    spare.run {
      flush.run(at: coordinator)
      home.value.asyncWrites.finish(through: flush)
    }
  }
}

extension AsyncWrites {
  @_dynamicReplacement(for:writeFailed())
  func sixteenthWriteFailed() {
    guard breaks(.failedWritesWakeWhoWaits) else { return writeFailed() }
    finishFlushes()
  }

  @_dynamicReplacement(for:add(_:))
  func sixteenthAdd(_ work: Work) -> AsyncTransactionId {
    guard breaks(.listenersWritesAskAtOnce), session.listeners?.isTelling == true else {
      return add(work)
    }
    _ = machine.add(work, inWrite: true)
    return machine.lastID
  }

  @_dynamicReplacement(for:complete(_:_:))
  private func sixteenthComplete(
    _ completions: [AsyncMachine<Parts>.Queue.Ended], _ error: (any Error)?
  ) {
    guard breaks(.groupsAllHearOfTheFailure), error != nil, completions.count > 1 else {
      return complete(completions, error)
    }
    complete([completions[0]], error)
    complete(Array(completions.dropFirst()), nil)
  }

  @_dynamicReplacement(for:returnTurn())
  func sixteenthReturnTurn() {
    // Of a task that leaves nothing for the disk, as one whose block has thrown.
    if breaks(.throwingTasksGiveBackTheTurn), machine.openGroup == 0, !machine.share.isOpen {
      return
    }
    returnTurn()
  }

  @_dynamicReplacement(for:tryBegin(for:))
  private func sixteenthTryBegin(for ticket: WriteRequests.Ticket) throws -> WriteTransaction? {
    guard breaks(.asynchronousWritesKnowTheLimit) else { return try tryBegin(for: ticket) }
    return try session.coordinator.tryBeginWrite(for: ticket)
  }

  @_dynamicReplacement(for:continueGroup())
  private func sixteenthContinueGroup() throws -> WriteTransaction {
    guard breaks(.asynchronousWritesKnowTheLimit) else { return try continueGroup() }
    return try session.coordinator.continueGroup()
  }

  @_dynamicReplacement(for:admitted(_:))
  private func sixteenthAdmitted(_ held: HeldWrite) throws -> HeldWrite {
    if breaks(.asynchronousWritesKnowTheLimit) { return held }
    return try admitted(held)
  }
}

extension WaitingLine {
  @_dynamicReplacement(for:prepend(_:))
  mutating func sixteenthPrepend(_ element: Element) {
    if breaks(.lateTasksKeepTheirPlace) { return append(element) }
    prepend(element)
  }
}
#endif
