#if Mutants
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Carrier.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Actor.swift") import ReferenceEngine
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

extension Realm {
  // An asynchronous function cannot be called from what replaces it: this is all of it, with the
  // fault.
  @_dynamicReplacement(for:asyncWrite(_isolation:_:))
  @discardableResult
  func sixteenthAsyncWrite<R>(
    _isolation: isolated any Actor = #isolation, _ block: () throws -> R
  ) async throws -> R {
    if !session.scheduler.isActorIsolated {
      refuse(.needsMainThreadOrActor("asyncWrite"), at: .asyncWrite)
    }
    session.verifyAsyncWrite()
    try await waitForTurn()
    let result: R
    do {
      try Task.checkCancellation()
      try session.startWrite()
      result = try block()
    } catch {
      let hasThrown = session.isInWrite
      if hasThrown { try session.endWrite(after: error) }
      if !breaks(.throwingTasksGiveBackTheTurn) || !hasThrown { session.asyncWrites.returnTurn() }
      throw error
    }
    guard session.isInWrite else {
      session.asyncWrites.returnTurn()
      return result
    }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Swift.Error>) in
      commitAsyncWrite { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
      session.asyncWrites.returnTurn()
    }
    return result
  }
}
#endif
