#if Mutants
@_private(sourceFile: "Realm+Actor.swift") import ReferenceEngine

// An asynchronous function cannot be called from what replaces it: these are whole ones, with their
// faults.

extension Realm {
  @_dynamicReplacement(for:asyncWrite(_isolation:_:))
  @discardableResult
  func wrongAsyncWrite<R>(
    _isolation: isolated any Actor = #isolation, _ block: () throws -> R
  ) async throws -> R {
    if !session.scheduler.isActorIsolated {
      refuse(.needsMainThreadOrActor("asyncWrite"), at: .asyncWrite)
    }
    session.verifyAsyncWrite()
    do { try await waitForTurn() } catch {
      throw breaks(.cancelledTasksSaySo) ? Realm.Error(error) : error
    }
    let result: R
    do {
      if !breaks(.cancelledTasksWriteNothing) { try Task.checkCancellation() }
      try session.startWrite()
      let begun = session.write
      result = try block()
      if breaks(.begunAnewIsCommitted), session.isInWrite, session.write !== begun {
        session.cancelWrite()
      }
    } catch {
      if session.isInWrite { try session.endWrite(after: error) }
      if !breaks(.thrownBlocksReturnTheTurn) { session.asyncWrites.returnTurn() }
      throw error
    }
    guard session.isInWrite || breaks(.endedWritesAreLeftAlone) else {
      if !breaks(.endedBlocksReturnTheTurn) { session.asyncWrites.returnTurn() }
      return result
    }
    if breaks(.asyncWriteWaitsForTheDisk) {
      commitAsyncWrite()
      session.asyncWrites.returnTurn()
      return result
    }
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Swift.Error>) in
      commitAsyncWrite { error in
        if let error, !breaks(.tasksHearOfFailures) {
          continuation.resume(throwing: error)
        } else {
          continuation.resume()
        }
      }
      session.asyncWrites.returnTurn()
    }
    if breaks(.lateCancelsPass) { try Task.checkCancellation() }
    return result
  }

  @_dynamicReplacement(for:waitForTurn(_isolation:))
  private func wrongWaitForTurn(_isolation: isolated any Actor = #isolation) async throws {
    if !breaks(.cancelledTasksWriteNothing) { try Task.checkCancellation() }
    let request = TurnRequest(session: session)
    while true {
      await withTaskCancellationHandler {
        _ = _isolation
        await withCheckedContinuation { continuation in request.start(continuation) }
      } onCancel: {
        if !breaks(.cancelledTasksWriteNothing) { request.cancel() }
      }
      if try request.takeTurn() { return }
    }
  }

  @_dynamicReplacement(for:asyncRefresh(_isolation:))
  @discardableResult
  func wrongAsyncRefresh(_isolation: isolated any Actor = #isolation) async -> Bool {
    if session.isFrozen { return false }
    if !session.scheduler.isActorIsolated {
      refuse(.needsMainThreadOrActor("asyncRefresh"), at: .asyncRefresh)
    }
    session.verify(at: .asyncRefresh)
    if breaks(.memoryIsRefreshedByActors), session.configuration.inMemoryIdentifier != nil {
      return false
    }
    if breaks(.unreadRealmsAreNotRefreshed), !session.configuration.readOnly, session.root == nil {
      session.read()
      return true
    }
    if session.isFrozen || session.configuration.readOnly || session.root == nil { return false }
    if breaks(.asyncRefreshNeedsNothing), !session.isAutorefreshing { return false }
    if Task.isCancelled { return breaks(.cancelledRefreshesAreFalse) }
    if breaks(.refreshesEndWithoutNews), session.isNewest, let shown = session.version {
      while session.coordinator.newestVersion <= shown, !Task.isCancelled {
        try? await Task.sleep(nanoseconds: 2_000_000)
      }
      return session.refreshIfPossible() || session.hasMoved(from: shown)
    }
    if breaks(.asyncRefreshTells), session.isNewest { return false }
    if session.isNewest, session.listeners?.hasObservers != true {
      return breaks(.refreshTellsWhetherItMoved)
    }
    if breaks(.refreshesMayMeet) {
      if Noted.has(self.session) { return false }
      Noted.note(self.session)
    }
    defer { if breaks(.refreshesMayMeet) { _ = Noted.take(self.session) } }
    let waiter = RefreshWaiter()
    let before = session.version
    let session = Handed(session)
    return await withTaskCancellationHandler {
      _ = _isolation
      return await withCheckedContinuation { continuation in
        waiter.start(continuation)
        session.value.scheduler.run {
          waiter.end { session.value.refreshIfPossible() || session.value.hasMoved(from: before) }
        }
      }
    } onCancel: {
      waiter.end { breaks(.cancelledRefreshesAreFalse) }
    }
  }
}

extension Session {
  @_dynamicReplacement(for:openFile(_:))
  private static func wrongOpenFile(
    _ configuration: Realm.Configuration
  ) async throws -> Coordinator? {
    if SessionCache.isOpen(configuration.path) { return nil }
    if breaks(.openingHappensOffTheActor) { return nil }
    return try await Task.detached { try Session.prepareFile(configuration) }.value
  }
}

extension TurnRequest {
  @_dynamicReplacement(for:cancelHere())
  private func wrongCancelHere() {
    if breaks(.cancelledTasksLeaveTheLine), id != nil, continuation != nil {
      return end(CancellationError())
    }
    if !breaks(.cancelledTasksWriteNothing) { cancelHere() }
  }
}
#endif
