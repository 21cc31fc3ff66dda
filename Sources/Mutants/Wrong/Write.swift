#if Mutants
import Foundation
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine
@_private(sourceFile: "Realm+Write.swift") import ReferenceEngine

extension Realm {
  @_dynamicReplacement(for:write(withoutNotifying:_:))
  func wrongWrite<R>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> R
  ) throws -> R {
    if breaks(.writeCommitsItsBlock) {
      beginWrite()
      return try block()
    }
    if breaks(.endedWritesAreLeftAlone) {
      beginWrite()
      let result = try block()
      try commitWrite(withoutNotifying: tokens)
      return result
    }
    if breaks(.endedBlocksMayThrow) {
      beginWrite()
      let result: R
      do {
        result = try block()
      } catch {
        cancelWrite()
        throw error
      }
      if session.isInWrite { try commitWrite(withoutNotifying: tokens) }
      return result
    }
    if breaks(.cancelledWritesSkipNobody) {
      let all = tokens + LeftTokens.take(of: session)
      do {
        return try write(withoutNotifying: all, block)
      } catch {
        LeftTokens.keep(all, of: session)
        throw error
      }
    }
    if breaks(.thrownBlocksEndWhatTheyBegan) { _ = Noted.take(session) }
    return try write(withoutNotifying: tokens, block)
  }

  @_dynamicReplacement(for:commitWrite(withoutNotifying:))
  func wrongCommitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    if breaks(.strayCommitsAreTold), !session.isInWrite { return }
    if breaks(.commitsUnderWayAreNoWrites), !session.isInWrite,
      isPerformingAsynchronousWriteOperations
    {
      return
    }
    if breaks(.blocksMayCommitPlainly), session.isInWrite,
      session.pendingWrites?.machine.isRunning == true
    {
      throw Realm.Error(.fail, Violation.noWriteToCommit.sentence)
    }
    AsyncWrites.skipsListeners = !tokens.isEmpty
    defer { AsyncWrites.skipsListeners = false }
    try commitWrite(withoutNotifying: tokens)
    if breaks(.thrownBlocksEndWhatTheyBegan) { Noted.note(session) }
  }

  @_dynamicReplacement(for:isInWriteTransaction)
  var wrongIsInWriteTransaction: Bool {
    if breaks(.writesAreTheirRealmsOwn) { return session.coordinator.hasWriter }
    if breaks(.flushesAreNoWrites), session.pendingWrites?.isBusy == true { return true }
    if breaks(.frozenRealmsAreInNoWrite), session.isFrozen {
      return SessionCache.sessions(of: session.configuration.path)
        .contains { $0.scheduler.isHere && $0.isInWrite }
    }
    let isInWrite = isInWriteTransaction
    if breaks(.writesEndBeforeTheirNews), UntoldWrites.all.value(of: session) == true {
      return true
    }
    return isInWrite
  }
}

extension Session {
  @_dynamicReplacement(for:endWrite(after:))
  func wrongEndWrite(after error: any Swift.Error) throws {
    if breaks(.emptyWritesCanBeCancelled), !hasChangesInWrite {
      refuse(.noWriteToCancel, at: .cancelWrite)
    }
    if breaks(.thrownWritesWakeOthers) {
      let pending = pendingWrites
      pendingWrites = nil
      defer { pendingWrites = pending }
      return try endWrite(after: error)
    }
    if breaks(.thrownBlocksEndWhatTheyBegan), Noted.take(self) { return }
    if breaks(.errorsEndTasksWrites), pendingWrites?.machine.isRunning == true { return }
    if breaks(.errorsComeAsTheyAre) {
      try endWrite(after: error)
      throw Realm.Error(error)
    }
    if breaks(.errorsCancelTheWrite) { try commitWrite() } else { try endWrite(after: error) }
  }
}
#endif
