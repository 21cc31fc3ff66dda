/// Names an asynchronous write or commit for `cancelAsyncWrite`.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Runs a block in a write transaction, later and where the realm is at home, and commits it.
  ///
  /// Returns at once: neither the wait for other writers nor the disk holds up the caller. Objects
  /// of the realm can be used in the block as they are. The block may end the write itself; then
  /// nothing more is committed.
  ///
  /// - Parameter onComplete: Called where the realm is at home when the write is on the disk, or
  ///   with the error that kept it from getting there.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let (session, home) = (session, session.scheduler.anchor)
    return session.addAsyncWrite(
      .block(
        run: {
          block()
          if session.isInWrite { Realm(session).commitAsyncWrite(onComplete) }
          withExtendedLifetime(home) {}
        },
        fail: { error in onComplete?(error) }))
  }

  /// Runs a block in a write transaction, later and where the realm is at home.
  ///
  /// The block has to end the write with `commitAsyncWrite` or `commitWrite`; if it does not, the
  /// write is cancelled.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    session.addAsyncWrite(.block(run: block, fail: { _ in }))
  }

  /// Commits the write and brings it to the disk in the background.
  ///
  /// - Parameters:
  ///   - allowGrouping: Whether it may go to the disk together with the next ones: all or none of a
  ///     group survive a crash.
  ///   - onComplete: Called where the realm is at home when the write is on the disk, or with the
  ///     error that kept it from getting there.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: ((Swift.Error?) -> Void)? = nil
  ) -> AsyncTransactionId {
    session.verify(at: .commitAsyncWrite)
    if session.asyncWrites.isCompleting { refuse(.commitInCompletion, at: .commitAsyncWrite) }
    guard session.isInWrite else {
      refuse(.noWriteToCommit, at: .commitAsyncWrite)
      return 0
    }
    return session.commitAsyncWrite(allowGrouping: allowGrouping, onComplete)
  }

  /// Drops an asynchronous write that has not begun, or the completion of a commit; anything else
  /// is left alone.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
    session.verify(at: .cancelAsyncWrite)
    session.asyncWrites.cancel(id)
  }

  /// Whether asynchronous writes or commits are under way or wait.
  public var isPerformingAsynchronousWriteOperations: Bool {
    session.verify(at: .asyncWrite)
    return session.asyncWrites.isBusy
  }
}

extension Session {
  func addAsyncWrite(_ work: AsyncWrites.Work) -> AsyncTransactionId {
    verifyAsyncWrite()
    return asyncWrites.add(work)
  }

  /// Stops whoever begins an asynchronous write where none can be.
  func verifyAsyncWrite() {
    verify(at: .beginAsyncWrite)
    if configuration.readOnly { refuse(.writeInReadOnly, at: .beginAsyncWrite) }
    if isFrozen { refuse(.writeInFrozen, at: .beginAsyncWrite) }
    if asyncWrites.isCompleting { refuse(.beginInCompletion, at: .beginAsyncWrite) }
    if !scheduler.canDeliver { refuse(.noRunLoopForAsyncWrite, at: .beginAsyncWrite) }
  }
}
