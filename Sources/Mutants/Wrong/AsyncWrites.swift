#if Mutants
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "WriteRequests.swift") import ReferenceEngine
@_private(sourceFile: "GateWait.swift") import ReferenceEngine

extension ActorScheduler {
  @_dynamicReplacement(for:anchor)
  var wrongAnchor: AnyObject? { breaks(.waitingKeepsTheActor) ? nil : anchor }
}

extension AsyncWrites {
  @_dynamicReplacement(for:add(_:))
  func wrongAdd(_ work: Work) -> AsyncTransactionId {
    if breaks(.asyncWritesNeedNoAutorefresh), !session.isAutorefreshing { return queue.makeID() }
    if breaks(.callsTakeNoLock), share.isNothing, !session.isInWrite {
      (try? session.coordinator.beginWrite())?.cancel()
    }
    return add(work)
  }

  @_dynamicReplacement(for:requestTurn())
  func wrongRequestTurn() {
    guard breaks(.pendingWorkKeepsTheRealm) else { return requestTurn() }
    guard flushes.isEmpty, queue.shouldRequest(inWrite: session.isInWrite) else { return }
    let known = Handed(session.tie)
    session.scheduler.run { known.value.session?.asyncWrites.beginTurn() }
  }

  @_dynamicReplacement(for:continueTurn())
  private func wrongContinueTurn() {
    guard breaks(.tasksTakeTurns) else { return continueTurn() }
    while queue.hasNext, !isGroupBeforeTask, takeGate(), let next = queue.next() {
      switch next.block {
      case .block(let run, let fail): self.run(run, fail)
      case .task(let resume): lend(to: next.id, resume)
      }
    }
    endTurn()
  }

  @_dynamicReplacement(for:takeTurn(_:))
  func wrongTakeTurn(_ id: AsyncTransactionId?) -> Bool {
    if breaks(.tasksTakeTurns) { return true }
    return takeTurn(id)
  }

  @_dynamicReplacement(for:run(_:_:))
  private func wrongRun(_ block: () -> Void, _ fail: @escaping Completion) {
    let before = queue.sealed.count
    run(
      {
        if breaks(.blocksSeeTheCallersObjects) { session.beginAnotherLife() }
        block()
      }, fail)
    if breaks(.queueOutlivesCancelledBlocks), queue.sealed.count == before { queue.dropWaiting() }
  }

  @_dynamicReplacement(for:startFlush())
  private func wrongStartFlush() {
    guard breaks(.flushesGoOnElsewhere) else { return startFlush() }
    let flush = makeFlush(of: takeGroup())
    flushes.append(flush)
    _ = place(for: flush)
    flush.run(at: session.coordinator)
    finish(through: flush)
  }

  @_dynamicReplacement(for:complete(_:_:))
  private func wrongComplete(_ completions: [Completion], _ error: (any Error)?) {
    if breaks(.unheardFailuresPass), completions.isEmpty, let error {
      fatalError("a commit failed: \(error)")
    }
    if breaks(.writingCompletionsKeepTheOrder) {
      let before = isCompleting
      isCompleting = true
      for completion in completions { completion(error.map { Realm.Error($0) }) }
      isCompleting = before
      return
    }
    let heard =
      breaks(.everyoneOfAGroupHears) && error != nil ? completions.prefix(1) : completions[...]
    complete(Array(heard), error)
  }

  @_dynamicReplacement(for:failTurn(_:))
  private func wrongFailTurn(_ error: any Error) {
    guard breaks(.failedBeginsAreTold) else { return failTurn(error) }
    queue.granted()
    _ = queue.next()
    _ = queue.endTurn()
    requestTurn()
  }

  @_dynamicReplacement(for:transaction())
  func wrongTransaction() throws -> WriteTransaction {
    if breaks(.beginsWaitForTheFlush), !flushes.isEmpty, guest == nil, !share.isOpen,
      openGroup == 0
    {
      refuse(.alreadyInWrite, at: .beginWrite)
    }
    return try transaction()
  }

  @_dynamicReplacement(for:writeEnded(isDurable:))
  func wrongWriteEnded(isDurable: Bool) {
    writeEnded(isDurable: isDurable && !breaks(.plainCommitsFinishEarlierOnes))
  }

  @_dynamicReplacement(for:refused(_:_:))
  func wrongRefused(_ completion: Completion?, _ error: any Error) -> AsyncTransactionId {
    if breaks(.unheardFailuresPass), completion == nil { fatalError("a commit failed: \(error)") }
    return refused(completion, error)
  }

  @_dynamicReplacement(for:close())
  func wrongClose() {
    if breaks(.brokenTurnsComplete), queue.phase == .running {
      queue.silence()
    }
    if breaks(.waitingTasksEnd) { queue.dropWaiting() }
    if breaks(.lentTurnsComeBack), let guest {
      self.guest = nil
      guest.resume(CancellationError())
    }
    if breaks(.closingTakesTheLockBack), share.takeWait() != nil {
      queue.returned()
    }
    if breaks(.closingDropsWhatWaits) {
      if queue.phase == .requested { giveTurnBack() }
      requestTurn()
      return finishAll()
    }
    if breaks(.closingFinishesCommits) {
      queue.dropWaiting()
      if queue.phase == .requested { giveTurnBack() }
      return
    }
    close()
  }
}

extension Coordinator {
  @_dynamicReplacement(for:tryBeginWrite(for:))
  func wrongTryBeginWrite(for ticket: WriteRequests.Ticket) throws -> WriteTransaction? {
    if breaks(.beginsWaitElsewhere) { return try beginWrite() }
    return try tryBeginWrite(for: ticket)
  }
}

extension WriteTransaction {
  @_dynamicReplacement(for:knowsSpace)
  var wrongKnowsSpace: Bool { breaks(.beginsWaitElsewhere) ? true : knowsSpace }
}

extension HeldWriteWatch {
  @_dynamicReplacement(for:leave(_:after:on:))
  func wrongLeave(_ held: HeldWrite, after patience: Int, on errands: any Errands) {
    if !breaks(.gateStaysOpenForBusyHomes) { leave(held, after: patience, on: errands) }
  }
}

extension HeldWrite {
  @_dynamicReplacement(for:leave(after:on:))
  func wrongLeave(after patience: Int, on errands: any Errands) {
    if !breaks(.gateStaysOpenForBusyHomes) { leave(after: patience, on: errands) }
  }
}

extension WriteRequests.State {
  @_dynamicReplacement(for:next)
  var wrongNext: Int? {
    if breaks(.lateHomesKeepTheirPlace) { return line.firstIndex { $0.granted != nil } }
    return next
  }
}
#endif
