#if Mutants
@_private(sourceFile: "CollectionObserver.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine
@_private(sourceFile: "RowObserver.swift") import ReferenceEngine

extension CollectionObserver {
  @_dynamicReplacement(for:news(since:))
  func wrongNews(since told: Root?) -> (() -> Void)? {
    let call = news(since: told)
    if breaks(.untouchedCollectionsAreSilent), call == nil, !isGone {
      return { [self] in block(RealmCollectionChange(collection, Difference())) }
    }
    if call == nil, !isGone, let told, wasWritten(since: told) {
      return { [self] in block(RealmCollectionChange(collection, Difference())) }
    }
    return call
  }

  @_dynamicReplacement(for:farewell(hasBegun:))
  private func wrongFarewell(hasBegun: Bool) -> (() -> Void)? {
    let call = farewell(hasBegun: hasBegun)
    let isSet = "\(Collection.self)".hasPrefix("MutableSet")
    if breaks(.deletedSetsSayFarewell), isSet { return nil }
    return breaks(.deletedListsSayFarewell) ? nil : call
  }

  @_dynamicReplacement(for:difference(since:))
  private func wrongDifference(since told: Root) -> Difference? {
    if hasHiddenTwinsAlone(since: told) { return nil }
    if breaks(.comingsAndGoingsAlwaysCount), reach.hasKeyPaths,
      let changes = session.listeners?.changes(since: told),
      reach.touched(by: changes, since: told, in: session).isEmpty
    {
      return nil
    }
    return difference(since: told)
  }
}

extension ResultsState {
  @_dynamicReplacement(for:asksOtherRows)
  private var wrongAsksOtherRows: Bool {
    asksOtherRows && !breaks(.othersDecideWhoIsAMember)
  }

  @_dynamicReplacement(for:lastingAnswer())
  func wrongLastingAnswer() -> Answer {
    breaks(.listenersKnowRowsForGood) ? answer() : lastingAnswer()
  }
}

extension RealmCollectionChange {
  @_dynamicReplacement(for:init(_:_:))
  init(wrong collection: CollectionType, _ difference: Difference) {
    guard breaks(.listenersGetTheirCollection), let known = collection as? any Relocatable,
      let session = known.realm?.session, let another = known.found(in: session) as? CollectionType
    else {
      self.init(collection, difference)
      return
    }
    self.init(another, difference)
  }
}

extension RowObserver {
  @_dynamicReplacement(for:before(_:))
  final func wrongBefore(_ told: Root) -> ObjectBase? {
    if breaks(.ownWorkHasNoOldValues) {
      return session.listeners?.frozenSession(of: told)?.object(at: row)
    }
    return breaks(.changesTellTheOldValue) ? nil : before(told)
  }

  @_dynamicReplacement(for:farewell())
  private func wrongFarewell() -> (() -> Void)? {
    if breaks(.deletionIsToldOnce) { return { [self] in block(.deleted) } }
    if breaks(.keyPathsHearOfTheEnd), listensByKeyPaths { refuse(.invalidated) }
    return farewell()
  }
}
#endif
