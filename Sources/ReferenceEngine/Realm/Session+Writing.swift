/// How a session writes: the begin, the commit, the cancelling, each once for all ways to ask for
/// it.
extension Session {
  func beginWrite() {
    do { try tryToBeginWrite() } catch { fatalError(Realm.Error(error).message) }
  }

  /// The same for who can be told that it cannot begin.
  func tryToBeginWrite() throws {
    verifyMayWrite()
    if isInWrite {
      refuse(.alreadyInWrite, at: .beginWrite)
      return
    }
    do {
      begin(try pendingWrites?.transaction() ?? beginHere())
    } catch {
      // A turn that was asked for may have been given back for it.
      pendingWrites?.requestTurn()
      throw error
    }
  }

  /// A realm without listeners may begin on top of what other threads are just committing; not so
  /// one that limits how many versions there may be, and has to count them.
  private func beginHere() throws -> WriteTransaction {
    let mayShare =
      listeners?.isEmpty == true && configuration.maximumNumberOfActiveVersions == nil
    return try admitted(mayShare ? coordinator.beginSharedWrite() : coordinator.beginWrite())
  }

  /// A write that has begun, if no more versions are alive than this realm allows: whoever else has
  /// the file open may allow more, or less. If it throws, the write has ended.
  func admitted(_ write: WriteTransaction) throws -> WriteTransaction {
    do { try requireFewVersions() } catch {
      write.cancel()
      throw error
    }
    return write
  }

  /// - Parameter inGroup: Whether it goes on with a group of its own.
  func requireFewVersions(inGroup: Bool = false) throws {
    guard let limit = configuration.maximumNumberOfActiveVersions else { return }
    try coordinator.requireVersions(atMost: limit, inGroup: inGroup)
  }

  /// Stops whoever begins a write in a realm that has none.
  func verifyMayWrite() {
    if isFrozen { refuse(.writeInFrozen, at: .beginWrite) }
    if configuration.readOnly { refuse(.writeInReadOnly, at: .beginWrite) }
  }

  /// Enters a write that was begun elsewhere, and moves to the version it is based on.
  func begin(_ transaction: WriteTransaction) {
    if isFrozen { refuse(.writeInFrozen) }
    let old = isOn(transaction.base) ? nil : willStep()
    writes.begin()
    enter(transaction, from: old)
    didStep(from: old)
    // A listener may have ended it.
    if write === transaction { listeners?.didBegin(self) }
  }

  /// The asynchronous writes of the session.
  var asyncWrites: AsyncWrites {
    if let pendingWrites { return pendingWrites }
    let made = AsyncWrites(of: self)
    pendingWrites = made
    return made
  }

  func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try commitWrite(nil, withoutNotifying: tokens)
  }

  /// Whether it shows the version that a write is based on. The number alone does not say so: when
  /// a version is lost another process may give its number to one of its own. But a version that
  /// waits for its place in the file has another top when it has got that.
  func isOn(_ base: Root) -> Bool {
    guard let root, root.version == base.version else { return false }
    return root.top == base.top || root.isWaiting || base.isWaiting
  }

  /// Commits, and goes on reading what was committed.
  func commitWrite(
    _ commitProtocol: CommitProtocol?, withoutNotifying tokens: [NotificationToken] = []
  ) throws {
    guard let transaction = write, let old = root else { return }
    // Whoever has begun to listen meanwhile is told of versions that there are.
    if transaction.flush != nil, listeners?.isEmpty == false { transaction.settleBase() }
    listeners?.willCommit(self, withoutNotifying: tokens)
    let committed: Root
    foreseeReferred()
    do {
      committed = try transaction.commit(commitProtocol, pinning: pin)
      keepTrees(of: transaction, as: committed)
    } catch {
      undo(transaction)
      // What was sealed before is lost with it.
      var lost: Root?
      if pendingWrites?.endGroup(error) != nil {
        loseGroup()
        // What listeners know of it was kept before the commit; now it has no place any more.
        lost = root
        fallBack()
      } else {
        showBase(of: transaction)
      }
      listeners?.didCancel(self)
      pendingWrites?.writeFailed()
      // A completion that has begun a write has told them.
      if !isInWrite { didStep(from: lost) }
      let failure = Realm.Error(error)
      Logger.tell(.error, "Commit failed: \(failure.message)")
      throw failure
    }
    invariant(
      committed.version > old.version, "\(old.version) was written, and is \(committed.version)")
    endWrite(isKept: true)
    // Durable with it is what was sealed before. A listener that writes now begins anew.
    pendingWrites?.endGroup()
    tellOfCommit(committed)
    goOn(from: committed)
    listeners?.didCommit(self, from: old, to: committed)
    // A listener of the realm may have gone on.
    didStep(from: committed)
    pendingWrites?.writeEnded(isDurable: true)
  }

  /// Reads on from what was committed, whatever others have committed since: that is another step.
  /// It was pinned before anybody could use what it let go.
  private func goOn(from committed: Root) {
    invariant(isPinned(committed), "\(committed.version) was committed, and nothing holds it")
    arrive(at: committed)
  }

  /// The next write may go on with the trees of this one, unless these name nodes of the version
  /// below by where they waited: those have places in the file by now.
  private func keepTrees(of transaction: WriteTransaction, as root: Root) {
    keepTrees(as: transaction.base.isWaiting && !root.isWaiting ? nil : root.version)
  }

  /// Ends a write that could not be committed or sealed; what it was based on is shown after it.
  private func undo(_ transaction: WriteTransaction) {
    keepTrees(as: nil)
    takeBack(transaction)
    endWrite(isKept: false)
    listeners?.didFail()
  }

  /// Takes back what a write has done. Behind a commit that has failed others may write already.
  private func takeBack(_ transaction: WriteTransaction) {
    writes.undo(transaction.noted)
    if transaction.isBaseLost, let lost = transaction.flush?.lostRows { writes.lose(lost) }
    undoReferred()
  }

  /// Shows what a write was based on, which has ended without a commit; if that is lost, what there
  /// is.
  private func showBase(of transaction: WriteTransaction) {
    if transaction.isBaseLost { fallBack() } else { showCommitted() }
  }

  /// Commits, and leaves it to another thread to bring it to the disk.
  func commitAsyncWrite(
    allowGrouping: Bool, _ completion: AsyncWrites.Completion?
  ) -> AsyncTransactionId {
    guard let old = root else { refuse(.noWriteToCommit) }
    let sealed: Root
    do {
      sealed = try sealWrite(before: allowGrouping && asyncWrites.goesOn)
    } catch {
      return asyncWrites.refused(completion, error)
    }
    // Under way before anybody is told: a listener may write, and waits for it then, or goes on in
    // its group.
    let id = asyncWrites.sealed(completion, allowGrouping: allowGrouping)
    // What found no room is lost already, which was told.
    if root?.version == sealed.version { listeners?.didCommit(self, from: old, to: sealed) }
    return id
  }

  /// Ends the write as a member of a group: readable here, durable and visible to others when the
  /// group is.
  ///
  /// - Parameter more: whether others will probably be sealed after it.
  private func sealWrite(before more: Bool) throws -> Root {
    listeners?.willCommit(self, withoutNotifying: [])
    guard let transaction = write, let old = root else { refuse(.noWriteToCommit) }
    // Listeners keep the versions they know, and a version that is kept, or may be asked for
    // elsewhere, has its place.
    let waits = more && listeners?.hasObservers != true && !transaction.isReferredTo
    let sealed: Root
    foreseeReferred()
    do {
      sealed = try transaction.seal(waits: waits, isForLater: true)
      keepTrees(of: transaction, as: sealed)
    } catch {
      undo(transaction)
      // What was sealed before is whole, and stays in its group.
      showBase(of: transaction)
      listeners?.didCancel(self)
      throw Realm.Error(error)
    }
    invariant(sealed.version > old.version, "\(old.version) was sealed as \(sealed.version)")
    writes.seal(
      transaction.noted, as: sealed.version,
      beginsGroup: transaction.base.version <= coordinator.newestVersion)
    departures.seal(writes.number)
    referred.seal(writes.number, on: transaction.base.version)
    endWrite(isKept: true)
    tellOfCommit(sealed)
    show(sealed, unwritten: transaction.composed)
    if !sealed.isWaiting { coordinator.writer.reveal(sealed) }
    return sealed
  }

  func cancelWrite() {
    guard let transaction = write else { return }
    transaction.settleBase()
    takeBack(transaction)
    transaction.cancel()
    endWrite(isKept: false)
    showBase(of: transaction)
    listeners?.didCancel(self)
    pendingWrites?.writeEnded(isDurable: false)
  }

  /// Called at home, for the last time. Somebody may keep the session, its own asynchronous work
  /// among them; what it is in the middle of nobody will go on with, and others wait for it.
  func homeEnds() {
    pendingWrites?.abandon()
    if write != nil { cancelWrite() }
    // What becomes of its commits this one will not hear.
    for version in referred.leaveToAll() {
      if let lost = coordinator.lostVersions.group(of: version) {
        coordinator.rememberedRows.lose(lost)
      }
    }
  }

  private func tellOfCommit(_ version: Root) {
    Logger.tell(.trace, "Commit version \(version.version): \(configuration.path)")
  }

  /// The oldest of the sealed writes, or all, are on the disk, or lost.
  func endSealed(_ count: Int?, areLost: Bool) {
    guard let last = writes.endSealed(count, areLost: areLost) else { return }
    departures.endSealed(through: last, areLost: areLost)
    endSealedReferred(through: last, areLost: areLost)
  }

  /// What is shown is lost, which is found out here before it is told: nothing of it may be taken
  /// for what was there before, which is shown from now on. What another realm has sealed is left
  /// as ever.
  func loseGroup() {
    guard let first = writes.loseGroup(of: version) else { return }
    departures.loseSealed(from: first)
    loseSealedReferred(from: first)
  }

  private func endWrite(isKept: Bool) {
    leaveWrite()
    writes.end()
    departures.endWrite(isKept: isKept)
    referred.end(isKept: isKept)
  }
}
