#if Mutants
import Foundation
@_private(sourceFile: "Realm+AsyncWrite.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine

extension Realm {
  @_dynamicReplacement(for:writeAsync(_:onComplete:))
  @discardableResult
  func wrongWriteAsync(
    _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    if breaks(.nestedBlocksWait), session.scheduler.isHere, session.isInWrite,
      let running = session.pendingWrites, running.machine.isRunning
    {
      block()
      let (session, told) = (Handed(session), Handed(onComplete))
      session.value.scheduler.run {
        told.value?(nil)
        withExtendedLifetime(session) {}
      }
      return running.machine.makeID()
    }
    if breaks(.unchangedBlocksComplete) {
      let session = session
      return session.addAsyncWrite(
        .block(
          run: {
            block()
            guard let write = session.write else { return }
            Realm(session).commitAsyncWrite(write.changes.isEmpty ? nil : onComplete)
          }, fail: { onComplete?($0) }))
    }
    if breaks(.groupingIsAskedFor) {
      let session = session
      return session.addAsyncWrite(
        .block(
          run: {
            block()
            guard session.isInWrite else { return }
            Realm(session).commitAsyncWrite(allowGrouping: true, onComplete)
          }, fail: { onComplete?($0) }))
    }
    if breaks(.endedBlocksAreToldNothing) {
      let session = session
      return writeAsync(
        {
          block()
          if !session.isInWrite { onComplete?(nil) }
        }, onComplete: onComplete)
    }
    let endsAlways = breaks(.endedWritesAreLeftAlone)
    guard endsAlways || breaks(.pendingWorkKeepsTheRealm) else {
      return writeAsync(block, onComplete: onComplete)
    }
    let tie = session.tie
    return session.addAsyncWrite(
      .block(
        run: {
          guard let session = tie.session else { return }
          block()
          if session.isInWrite || endsAlways { Realm(session).commitAsyncWrite(onComplete) }
        },
        fail: { error in onComplete?(error) }))
  }

  @_dynamicReplacement(for:commitAsyncWrite(allowGrouping:_:))
  @discardableResult
  func wrongCommitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    if breaks(.groupedCommitsNeedAWrite), allowGrouping, !session.isInWrite { return 0 }
    if breaks(.memoryCompletesLater), session.configuration.inMemoryIdentifier != nil,
      session.scheduler.isHere, session.isInWrite, let onComplete
    {
      let id = commitAsyncWrite(allowGrouping: allowGrouping, nil)
      onComplete(nil)
      return id
    }
    if breaks(.completionsCommitAtOnce), session.scheduler.isHere, session.isInWrite,
      session.asyncWrites.isCompleting
    {
      return session.commitAsyncWrite(allowGrouping: allowGrouping, onComplete)
    }
    if session.isInWrite {
      if breaks(.asyncCommitsEndAnyWrite), !session.asyncWrites.machine.isRunning {
        refuse(.noWriteToCommit, at: .commitAsyncWrite)
      }
      if breaks(.completionsComeAfterTheWrite) { onComplete?(nil) }
    }
    return commitAsyncWrite(allowGrouping: allowGrouping, onComplete)
  }

  @_dynamicReplacement(for:cancelAsyncWrite(_:))
  func wrongCancelAsyncWrite(_ id: AsyncTransactionId) throws {
    if breaks(.strangersIDsAreNoErrors), !session.asyncWrites.isBusy {
      session.verify(at: .cancelAsyncWrite)
      throw Realm.Error(.invalidInput, "There is no asynchronous operation \(id).")
    }
    if breaks(.workIsCancelledInWrites), session.scheduler.isHere, session.isInWrite,
      session.pendingWrites?.machine.isRunning != true
    {
      return
    }
    if breaks(.zeroIsNobody), id == 0 {
      session.verify(at: .cancelAsyncWrite)
      let work = session.asyncWrites
      for one in work.machine.queue.waiting.all { work.cancel(one.id) }
      for one in work.machine.queue.sealed { work.cancel(one.id) }
      return
    }
    if breaks(.cancelledInWrites), session.isInWrite { return }
    if breaks(.workIsCancelledAtHome) { return session.asyncWrites.cancel(id) }
    if breaks(.runningBlocksCannotBeCancelled), session.isInWrite { session.cancelWrite() }
    try cancelAsyncWrite(id)
  }

  @_dynamicReplacement(for:isPerformingAsynchronousWriteOperations)
  var wrongIsPerformingAsynchronousWriteOperations: Bool {
    if breaks(.workIsAskedForAtHome) { return session.pendingWrites?.isBusy ?? false }
    if breaks(.plainWritesAreNotAsynchronous), session.isInWrite { return true }
    return isPerformingAsynchronousWriteOperations
  }
}

extension Session {
  @_dynamicReplacement(for:verifyAsyncWrite())
  func wrongVerifyAsyncWrite() {
    verifyAsyncWrite()
    if breaks(.visitorsMayListen), case .queue = scheduler.home, Thread.isMainThread {
      refuse(.noRunLoopForAsyncWrite, at: .beginAsyncWrite)
    }
    if breaks(.queuesWriteAsynchronously), case .queue = scheduler.home {
      refuse(.noRunLoopForAsyncWrite, at: .beginAsyncWrite)
    }
    if breaks(.listenersMayWrite), listeners?.isTelling == true {
      refuse(.alreadyInWrite, at: .beginAsyncWrite)
    }
    if breaks(.writesMayBeQueuedInWrites), isInWrite {
      refuse(.alreadyInWrite, at: .beginAsyncWrite)
    }
  }
}
#endif
