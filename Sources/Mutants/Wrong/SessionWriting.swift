#if Mutants
@_private(sourceFile: "BoundClass.swift") import ReferenceEngine
@_private(sourceFile: "Session+Writing.swift") import ReferenceEngine
@_private(sourceFile: "OwnWrites.swift") import ReferenceEngine
@_private(sourceFile: "Session+Creating.swift") import ReferenceEngine
@_private(sourceFile: "Writer.swift") import ReferenceEngine
@_private(sourceFile: "AsyncWrites.swift") import ReferenceEngine

extension OwnWrites {
  @_dynamicReplacement(for:sweep(_:))
  mutating func wrongSweep(_ rows: (Int) -> RowTree?) {
    let wasRunning = isRunning
    if breaks(.forgettingSparesTheRunningWrite) { isRunning = false }
    sweep(rows)
    isRunning = wasRunning
  }

  @_dynamicReplacement(for:takeBack(_:through:))
  private mutating func wrongTakeBack(
    _ writes: [(span: Span, changes: [RowChange])], through last: UInt32
  ) {
    guard breaks(.neighboursStayInvalid) else { return takeBack(writes, through: last) }
    takeBack(
      writes.map { span, changes in
        (
          span,
          changes.map {
            var one = $0
            one.count = 1
            return one
          }
        )
      }, through: last)
  }
}

extension Session {
  @_dynamicReplacement(for:tryToBeginWrite())
  func wrongTryToBeginWrite() throws {
    if breaks(.listenersMayWrite), listeners?.isTelling == true {
      refuse(.alreadyInWrite, at: .beginWrite)
    }
    if breaks(.completionsMayWrite), pendingWrites?.isCompleting == true {
      refuse(.beginInCompletion, at: .beginWrite)
    }
    if breaks(.blocksAreOneWrite), isInWrite, pendingWrites?.machine.isRunning == true { return }
    if breaks(.plainWritesGoFirst), write == nil { pendingWrites?.beginTurn() }
    if breaks(.asyncWritesBeginOnTheNewest) { Noted.note(self) }
    try waitForShortWrites()
    try tryToBeginWrite()
  }

  @_dynamicReplacement(for:begin(_:))
  func wrongBegin(_ transaction: WriteTransaction) {
    EachWrite.begins(in: self)
    if breaks(.beginsInCallsAreTold), let listeners, listeners.isTelling {
      let all = listeners.takeObservers()
      begin(transaction)
      return listeners.putBack(all)
    }
    if breaks(.completionsComeOutsideWrites) {
      begin(transaction)
      pendingWrites?.callDue()
      return
    }
    let before = departures
    if breaks(.cancelledWritesStay) { ShownBefore.note(self, before: transaction) }
    if breaks(.asyncWritesBeginOnTheNewest), !Noted.take(self), let root {
      begin(transaction.moved(to: root))
    } else if breaks(.writesBeginOnTheNewest), let root {
      begin(transaction.moved(to: root))
    } else {
      begin(transaction)
    }
    if breaks(.writesReadDeletions) { departures = before }
  }

  @_dynamicReplacement(for:startWrite())
  func wrongStartWrite() throws {
    try startWrite()
    if breaks(.blocksRunInTheWrite) { cancelWrite() }
  }

  @_dynamicReplacement(for:goOn(from:))
  private func wrongGoOn(from committed: Root) {
    guard breaks(.commitsLeadToThemselves) else { return goOn(from: committed) }
    showNewest()
    followDeletions(since: committed.version)
  }

  @_dynamicReplacement(for:commitWrite(_:withoutNotifying:))
  func wrongCommitWrite(
    _ commitProtocol: CommitProtocol?, withoutNotifying tokens: [NotificationToken] = []
  ) throws {
    if breaks(.emptyWritesAreCommitted), let write, write.changes.isEmpty { return cancelWrite() }
    if breaks(.failuresAreForgotten), let error = Failures.all.value(of: self) {
      cancelWrite()
      throw error
    }
    var commitProtocol = commitProtocol
    if breaks(.commitsBehindCancelledOnesAreFlushed), Noted.take(self) {
      commitProtocol = CommitProtocol.none
    }
    if breaks(.silencedCommitsAreFlushed), !tokens.isEmpty { commitProtocol = CommitProtocol.none }
    let before = version
    do {
      try commitWrite(commitProtocol, withoutNotifying: tokens)
      if breaks(.silentCommitsLeadToThemselves), !tokens.isEmpty { _ = advance() }
      if breaks(.cancelledWritesStay) { ShownBefore.all.forget(tie) }
      FrozenBefore.follow(from: before, self)
    } catch {
      if breaks(.failedCommitsEndTheirWrite), !isInWrite,
        let again = try? coordinator.beginWrite()
      {
        begin(again)
      }
      if breaks(.failedCommitsUndoTheirObjects) { writes.taken = [:] }
      if breaks(.failuresAreForgotten) { Failures.all.keep(error, of: self) }
      throw error
    }
  }

  @_dynamicReplacement(for:commitAsyncWrite(allowGrouping:_:))
  func wrongCommitAsyncWrite(
    allowGrouping: Bool, _ completion: AsyncWrites.Completion?
  ) -> AsyncTransactionId {
    if breaks(.groupsTellInTheCall), allowGrouping {
      LateNews.begin(self)
      defer { LateNews.end(self) }
      return commitAsyncWrite(allowGrouping: allowGrouping, completion)
    }
    if breaks(.completionsAreCalledOnce), let completion {
      let (scheduler, again) = (scheduler, Handed(completion))
      return commitAsyncWrite(allowGrouping: allowGrouping) { error in
        completion(error)
        let failure = Handed(error)
        if AsyncWrites.isInPlainCommit { scheduler.run { again.value(failure.value) } }
      }
    }
    if breaks(.emptyAsyncCommitsAreTold), let write, write.changes.isEmpty {
      Noted.note(self)
      defer { _ = Noted.take(self) }
      return commitAsyncWrite(allowGrouping: allowGrouping, completion)
    }
    guard breaks(.listenersFindCommitsUnderWay), let old = root,
      let sealed = try? sealWrite(before: allowGrouping && asyncWrites.goesOn)
    else { return commitAsyncWrite(allowGrouping: allowGrouping, completion) }
    listeners?.didCommit(self, from: old, to: sealed)
    return asyncWrites.sealed(completion, allowGrouping: allowGrouping)
  }

  @_dynamicReplacement(for:cancelWrite())
  func wrongCancelWrite() {
    guard breaks(.cancellingUndoes), write != nil else {
      if breaks(.commitsBehindCancelledOnesAreFlushed) { Noted.note(self) }
      if breaks(.invalidatedRealmsUndo), write != nil, !isFrozen, epoch > 1 {
        try? commitWrite()
        return
      }
      if breaks(.memoryUndoes), write != nil, configuration.inMemoryIdentifier != nil {
        try? commitWrite()
        return
      }
      if breaks(.countsAreOfTheVersion) { WritersCounts.forget(self) }
      let updated = breaks(.updatesAreNoAdditions) ? UpdatedOnes.take(of: write, in: self) : []
      defer { for object in updated { object._header.pointee.epoch = 0 } }
      let before = generation
      let isWriting = write != nil
      cancelWrite()
      if isWriting { EachWrite.wasCancelled(in: self) }
      if isWriting { CancelledContent.note(before, self) }
      if breaks(.cancelledWritesStay) { ShownBefore.show(in: self) }
      if breaks(.cancelledAnswersAreForgotten) { CancelledStates.note(since: before, self) }
      return
    }
    try? commitWrite()
  }

  // MARK: Rows

  @_dynamicReplacement(for:store(_:_:of:column:adopting:))
  func wrongStore(
    _ value: StoredValue, _ key: Int64, of bound: BoundClass, column number: UInt32,
    adopting: Bool = false
  ) {
    if breaks(.sameValuesCountAsChanges), let column = bound.column(number),
      let table = bound.number, load(key, column, of: table) == value
    {
      return
    }
    let before = generation
    store(value, key, of: bound, column: number, adopting: adopting)
    if value == .null { NilSteps.note(from: before, self) }
    if breaks(.writesAreOneCommit) {
      try? commitWrite()
      beginWrite()
    }
  }

  @_dynamicReplacement(for:delete(_:))
  func wrongDelete(_ object: ObjectBase) {
    if breaks(.onlyOwnOnesAreDeleted), object._header.pointee.session == nil { return }
    delete(object)
    if breaks(.cancellingRevivesTheDeleted) { object._header.pointee.epoch = 0 }
  }

  @_dynamicReplacement(for:modifyElements(of:_:_:_:))
  private func wrongModifyElements(
    of list: ManagedCollection, _ elements: any Sequence, _ target: BoundClass,
    _ made: (Any) -> StoredValue
  ) {
    guard breaks(.shorterListsEndEarlier) else {
      return modifyElements(of: list, elements, target, made)
    }
    var place = 0
    for element in elements {
      defer { place += 1 }
      if place < list.count, let known = list.checkedElement(at: place).resolvedObject,
        describes(element, target)
      {
        modify(known, of: target, from: element)
      } else {
        list.append(made(element), adopting: true)
      }
    }
  }

  // MARK: Lookups

  /// Whether a broken lookup has to be asked, and not the short way beside it.
  private var breaksLookups: Bool {
    breaks(.lookupsStayOnTheVersion) || breaks(.lookupsInLiveRealmsAreLive)
  }

  @_dynamicReplacement(for:object(_:key:))
  func wrongObject(_ type: ObjectBase.Type, key: Int) -> ObjectBase? {
    if breaks(.lookedForAnew) {
      if isKnownToMiss(key, in: type) { return nil }
      let found = object(type, key: key)
      if found == nil { remember(miss: key, in: type) }
      return found
    }
    return breaksLookups ? object(type, anyKey: key) : object(type, key: key)
  }

  @_dynamicReplacement(for:object(_:key:))
  func wrongObject(_ type: ObjectBase.Type, key: String) -> ObjectBase? {
    if breaks(.textsAreLookedUpAtHome), !scheduler.isHere {
      return objects(like: type, key: key)
    }
    if breaks(.textLookupsBeginARead) {
      _ = self.bound(type)
      if root == nil { return nil }
    }
    if breaks(.textsAreLookedUpAnew) {
      let found = object(type, key: key)
      if let found, TextRows.isElsewhere(found, key, in: self) { return nil }
      return found
    }
    if breaks(.spellingsAreTexts) { return object(type, anyKey: key) }
    return breaksLookups ? object(type, anyKey: key) : object(type, key: key)
  }

  /// The same wherever it is asked.
  private func objects(like type: ObjectBase.Type, key: String) -> ObjectBase? {
    let bound = self.bound(type)
    guard let table = bound.number, bound.keyColumn >= 0,
      let (row, place) = store.row(of: table, whereText: bound.keyColumn, equals: key)
    else { return nil }
    return accessor(bound, row, place)
  }

  @_dynamicReplacement(for:object(_:forPrimaryKey:))
  func wrongObject(_ bound: BoundClass, forPrimaryKey value: Any) -> ObjectBase? {
    if breaks(.lookupsBeginARead), root == nil { return nil }
    if breaks(.lookupsStayOnTheVersion) {
      read()
      _ = advance()
    }
    if breaks(.lookupsInLiveRealmsAreLive), let frozen = lastFrozen {
      return frozen.object(frozen.bound(bound.layout.type), forPrimaryKey: value)
    }
    return object(bound, forPrimaryKey: value)
  }
}

extension BoundClass {
  @_dynamicReplacement(for:connect(to:))
  func wrongConnect(to schema: StoredSchema) {
    connect(to: schema)
    guard breaks(.writesAreOneCommit) || breaks(.sameValuesCountAsChanges) else { return }
    // No property is written on the short way, past the broken `store`.
    isPlain = isPlain.map { _ in false }
    planFilling()
    stamp()
  }
}

extension WriteTransaction {
  /// The same write on another version than the newest.
  func moved(to base: Root) -> WriteTransaction {
    isOpen = false
    return WriteTransaction(coordinator: coordinator, base: base)
  }
}
#endif
