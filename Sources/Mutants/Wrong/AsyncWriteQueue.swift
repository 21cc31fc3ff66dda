#if Mutants
@_private(sourceFile: "AsyncWriteQueue.swift") import ReferenceEngine
@_private(sourceFile: "WaitingLine.swift") import ReferenceEngine

extension WaitingLine {
  @_dynamicReplacement(for:removeFirst())
  mutating func wrongRemoveFirst() -> Element? {
    let count = places.count
    let first = removeFirst()
    let wasMovedUp = places.count < count && !isEmpty
    if breaks(.longLinesLoseNobody), wasMovedUp { places[head] = nil }
    return first
  }

  /// The last to have come goes first.
  mutating func removeLast() -> Element? { isEmpty ? nil : places.removeLast() }
}

extension AsyncWriteQueue {
  @_dynamicReplacement(for:isBusy)
  var wrongIsBusy: Bool {
    if breaks(.busyFromTheCallOn) { return phase == .running || phase == .syncing }
    if breaks(.runningWorkIsBusy) {
      return phase == .requested || phase == .syncing || !waiting.isEmpty || !sealed.isEmpty
        || !refused.isEmpty
    }
    if breaks(.commitsOfPlainBeginsAreWork) {
      return phase != .resting || !waiting.isEmpty || !refused.isEmpty
    }
    return isBusy || breaks(.idleWhenAllIsDone) && lastID > 0
  }

  @_dynamicReplacement(for:makeID())
  mutating func wrongMakeID() -> ID {
    if breaks(.idsAreUnique) { lastID = 0 }
    if breaks(.idsGoOn), !isBusy { lastID = 0 }
    return makeID()
  }

  @_dynamicReplacement(for:cancel(_:))
  mutating func wrongCancel(_ id: ID) {
    let isWaiting = waiting.contains(where: { $0.id == id })
    let isSealed = sealed.contains { $0.id == id }
    if breaks(.cancellingDropsTheBlock), isWaiting { return }
    if breaks(.cancellingSilencesTheCompletion), isSealed { return }
    if breaks(.silencedCommitsKeepTheirPlace), isSealed { return sealed.removeAll { $0.id == id } }
    if breaks(.unknownIdsNameNothing), !isWaiting, !isSealed {
      _ = waiting.removeLast()
      return
    }
    if breaks(.idsNameOneCommit), !isWaiting, !isSealed,
      let next = sealed.firstIndex(where: { $0.id > id })
    {
      sealed[next].completion = nil
      return
    }
    if breaks(.endedIdsNameNothing), phase == .running, !isWaiting, !isSealed, id != 0,
      id < lastID, !waiting.isEmpty
    {
      _ = waiting.removeLast()
      return
    }
    cancel(id)
  }

  /// Drops the completions of what is sealed.
  mutating func silence() {
    for index in sealed.indices { sealed[index].completion = nil }
  }

  @_dynamicReplacement(for:putBack(_:_:))
  mutating func wrongPutBack(_ id: ID, _ block: Block) {
    if breaks(.tasksKeepTheirPlace) {
      waiting.append(Waiting(id: id, block: block))
    } else {
      putBack(id, block)
    }
  }

  @_dynamicReplacement(for:next())
  mutating func wrongNext() -> Waiting? {
    if breaks(.blocksRunInOrder), hasNext { return waiting.removeLast() }
    return next()
  }

  @_dynamicReplacement(for:seal(_:allowGrouping:))
  mutating func wrongSeal(_ completion: Completion?, allowGrouping: Bool) -> ID {
    var mayGroup =
      (allowGrouping || breaks(.ungroupedCommitsAreBarriers)) && !breaks(.groupsShareTheirFlushes)
    if breaks(.barriersStandBehindGroups), !sealed.isEmpty { mayGroup = true }
    if breaks(.commitsHaveTheirOwnIDs), lastID > 0 {
      sealed.append(Sealed(id: lastID, completion: completion))
      if !mayGroup { self.mayGroup = false }
      return lastID
    }
    return seal(completion, allowGrouping: mayGroup)
  }

  @_dynamicReplacement(for:synced(_:))
  mutating func wrongSynced(_ count: Int? = nil) -> [Ended] {
    let completions = synced(count)
    if breaks(.allOfAGroupComplete) { return Array(completions.suffix(1)) }
    return breaks(.completionsComeInOrder) ? completions.reversed() : completions
  }
}
#endif
