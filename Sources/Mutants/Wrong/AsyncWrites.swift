#if Mutants
@_private(sourceFile: "AsyncMachine.swift") import ReferenceEngine
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
    if breaks(.listenersWritesAskAtOnce), session.listeners?.isTelling == true {
      _ = machine.add(work, inWrite: true)
      return machine.lastID
    }
    if breaks(.asyncWritesNeedNoAutorefresh), !session.isAutorefreshing { return machine.makeID() }
    if breaks(.callsTakeNoLock), machine.share.isNothing, !session.isInWrite {
      (try? session.coordinator.beginWrite())?.cancel()
    }
    return add(work)
  }

  @_dynamicReplacement(for:ask())
  private func wrongAsk() -> Event? {
    guard breaks(.pendingWorkKeepsTheRealm) else { return ask() }
    let known = Handed(session.tie)
    session.scheduler.run { known.value.session?.asyncWrites.beginTurn() }
    return nil
  }

  @_dynamicReplacement(for:lend(_:_:))
  private func wrongLend(_ write: WriteTransaction, _ resume: Completion) -> Event? {
    if breaks(.lentTurnsEnd) {
      _ = myTicket()
      carryOut(on(.lent(HeldWrite(write))))
      resume(nil)
      return nil
    }
    let event = lend(write, resume)
    // The turn goes on as if the task had written.
    return breaks(.tasksTakeTurns) ? .taskLeft : event
  }

  @_dynamicReplacement(for:takeTurn(_:))
  func wrongTakeTurn(_ id: AsyncTransactionId?) -> Bool {
    if breaks(.writtenRealmsAreLetGo) { KeptRealms.keep(session) }
    if breaks(.tasksTakeTurns) { return true }
    return takeTurn(id)
  }

  @_dynamicReplacement(for:run(_:_:))
  private func wrongRun(_ block: () -> Void, _ fail: @escaping Completion) {
    let before = machine.queue.sealed.count
    run(
      {
        if breaks(.blocksSeeTheCallersObjects) { session.beginAnotherLife() }
        block()
        if breaks(.leftBlocksAreRolledBack), machine.openGroup > 0, session.isInWrite {
          _ = session.commitAsyncWrite(allowGrouping: true, nil)
        }
      }, fail)
    if breaks(.queueOutlivesCancelledBlocks), machine.queue.sealed.count == before {
      machine.queue.dropWaiting()
    }
  }

  @_dynamicReplacement(for:startFlush(of:))
  private func wrongStartFlush(of count: Int) {
    if TakenBack.all.value(of: session) == true { return takeBack(count) }
    guard breaks(.flushesGoOnElsewhere) else { return startFlush(of: count) }
    let flush = makeFlush(of: count)
    carryOut(on(.flushing(flush, count: count)))
    _ = place(for: flush)
    flush.run(at: session.coordinator)
    finish(through: flush)
  }

  @_dynamicReplacement(for:complete(_:_:))
  private func wrongComplete(
    _ completions: [AsyncMachine<Parts>.Queue.Ended], _ error: (any Error)?
  ) {
    if breaks(.groupsAllHearOfTheFailure), error != nil, completions.count > 1 {
      complete([completions[0]], error)
      return complete(Array(completions.dropFirst()), nil)
    }
    if breaks(.unheardFailuresPass), completions.isEmpty, let error {
      fatalError("a commit failed: \(error)")
    }
    if breaks(.writingCompletionsKeepTheOrder) {
      machine.completing += 1
      for one in completions { one.completion(error.map { Realm.Error($0) }) }
      machine.completing -= 1
      return
    }
    let heard =
      breaks(.everyoneOfAGroupHears) && error != nil ? completions.prefix(1) : completions[...]
    if breaks(.queuesHearOfErrors), case .queue = session.scheduler.home {
      return complete(Array(heard), nil)
    }
    complete(Array(heard), error)
  }

  @_dynamicReplacement(for:failTurn(of:_:))
  private func wrongFailTurn(of work: Work?, _ error: any Error) {
    if breaks(.failedBeginsAreCompletions), case .block(_, let fail)? = work {
      return fail(Realm.Error(error))
    }
    if !breaks(.failedBeginsAreTold) { failTurn(of: work, error) }
  }

  @_dynamicReplacement(for:transaction())
  func wrongTransaction() throws -> WriteTransaction {
    if breaks(.beginsWaitForTheFlush), !machine.flushes.isEmpty, machine.guest == nil,
      !machine.share.isOpen, machine.openGroup == 0
    {
      refuse(.alreadyInWrite, at: .beginWrite)
    }
    return try transaction()
  }

  /// Whether a group has gone to the disk with a plain commit.
  nonisolated(unsafe) private static var tookGroup = false
  /// Whether a plain commit is telling completions.
  nonisolated(unsafe) static var isInPlainCommit = false
  /// Whether a commit runs that names listeners which are not to be told.
  nonisolated(unsafe) static var skipsListeners = false

  @_dynamicReplacement(for:endGroup(_:))
  @discardableResult
  func wrongEndGroup(_ error: (any Error)? = nil) -> Flush? {
    let flush = endGroup(error)
    AsyncWrites.tookGroup = flush != nil
    return flush
  }

  @_dynamicReplacement(for:writeEnded(isDurable:))
  func wrongWriteEnded(isDurable: Bool) {
    if breaks(.cancelledWritesWakeOthers), !isDurable { return }
    if breaks(.plainCommitsTellOfGroups), isDurable, AsyncWrites.tookGroup {
      AsyncWrites.tookGroup = false
      return writeEnded(isDurable: false)
    }
    if breaks(.silencedCommitsComplete), isDurable, AsyncWrites.skipsListeners {
      return writeEnded(isDurable: false)
    }
    AsyncWrites.isInPlainCommit = isDurable
    defer { AsyncWrites.isInPlainCommit = false }
    writeEnded(isDurable: isDurable && !breaks(.plainCommitsFinishEarlierOnes))
  }

  @_dynamicReplacement(for:refused(_:_:))
  func wrongRefused(_ completion: Completion?, _ error: any Error) -> AsyncTransactionId {
    if breaks(.unheardFailuresPass), completion == nil { fatalError("a commit failed: \(error)") }
    return refused(completion, error)
  }

  @_dynamicReplacement(for:close())
  func wrongClose() {
    if breaks(.invalidateCallsCompletions), machine.isCompleting {
      machine.due.called = machine.due.completions.count
    }
    if breaks(.droppedBlocksAreSilent) {
      let dropped = machine.queue.waiting.all.map(\.block)
      close()
      for case .block(_, let fail) in dropped { fail(CancellationError()) }
      return
    }
    if breaks(.brokenTurnsComplete), machine.isRunning {
      machine.queue.silence()
    }
    if breaks(.waitingTasksEnd) { machine.queue.dropWaiting() }
    if breaks(.lentTurnsComeBack), let guest = machine.guest,
      case .task(let resume) = guest.block
    {
      machine.guest = nil
      resume(CancellationError())
    }
    if breaks(.closingTakesTheLockBack), machine.share.takeWait() != nil {
      machine.queue.returned()
    }
    if breaks(.closingDropsWhatWaits) {
      close(.request)
      requestTurn()
      return carryOut(on(.needsFlushes))
    }
    if breaks(.closingFinishesCommits) {
      machine.queue.dropWaiting()
      return close(.request)
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
