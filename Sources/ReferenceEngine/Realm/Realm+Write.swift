extension Realm {
  /// Changes data: all of the block, or nothing if it throws.
  ///
  /// Waits for the file's other writers, and begins on the newest version. The block may commit or
  /// cancel by itself.
  @discardableResult
  public func write<R>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> R
  ) throws -> R {
    try session.beginWriteOfBlock()
    let result: R
    do {
      result = try block()
    } catch {
      if session.isInWrite { try session.endWrite(after: error) }
      throw error
    }
    if session.isInWrite { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write on the newest version, once it is this realm's turn. It cannot tell that the
  /// disk does not let it, and ends the process then, where `write` throws.
  public func beginWrite() {
    session.verify(at: .beginWrite)
    session.beginWrite()
  }

  /// Makes the write durable and visible to others.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    session.verify(at: .commitWrite)
    guard session.isInWrite else {
      throw Realm.Error(.fail, Violation.noWriteToCommit.sentence)
    }
    try session.commitWrite(withoutNotifying: tokens)
  }

  /// Undoes everything since the write began.
  public func cancelWrite() {
    session.verify(at: .cancelWrite)
    if session.asyncWrites.isCompleting { refuse(.cancelInCompletion, at: .cancelWrite) }
    if !session.isInWrite {
      refuse(.noWriteToCancel, at: .cancelWrite)
      return
    }
    session.cancelWrite()
  }

  /// Whether this realm is between the begin and the end of a write.
  public var isInWriteTransaction: Bool {
    session.verify(at: .readRealm)
    return session.isInWrite
  }
}

extension Session {
  /// Begins the write for a block. What the disk refuses is told like what it refuses of the
  /// commit: a commit that was given up may be still to be finished, which takes the disk, too.
  func beginWriteOfBlock() throws {
    verify(at: .beginWrite)
    do { try tryToBeginWrite() } catch {
      let failure = Realm.Error(error)
      guard let error = error as? StorageError, error.isOfDisk else { fatalError(failure.message) }
      Logger.tell(.error, "Write cannot begin: \(failure.message)")
      throw failure
    }
  }

  /// Ends a write whose block threw.
  func endWrite(after error: any Swift.Error) throws {
    cancelWrite()
  }
}
