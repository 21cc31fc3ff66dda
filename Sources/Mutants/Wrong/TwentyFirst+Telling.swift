#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "RealmCollectionChange.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine
@_private(sourceFile: "SectionedResults+Observe.swift") import ReferenceEngine

// The twenty-first set: what listeners are told.

extension Listeners {
  @_dynamicReplacement(for:didBegin(_:))
  func twentyFirstDidBegin(_ session: Session) {
    if !breaks(.beginsTellWhatCameBefore) { didBegin(session) }
  }

  @_dynamicReplacement(for:isOwnWork(since:))
  func twentyFirstIsOwnWork(since root: Root) -> Bool {
    guard breaks(.ownWritesTellNoOldValues) else { return isOwnWork(since: root) }
    return ownSince.map { root.version > $0 } ?? false
  }
}

extension Predicate {
  @_dynamicReplacement(for:asksOtherRows(_:))
  fileprivate func twentyFirstAsksOtherRows(_ layout: ClassLayout?) -> Bool {
    guard breaks(.bothSidesAskOtherRows), case .comparison(let comparison) = self else {
      return asksOtherRows(layout)
    }
    return comparison.left.asksOtherRows(layout)
  }
}

extension RealmCollectionChange {
  @_dynamicReplacement(for:mapped(_:))
  func twentyFirstMapped<Other>(
    _ view: (CollectionType) -> Other
  ) -> RealmCollectionChange<Other> {
    guard breaks(.projectedInsertionsAreNoModifications),
      case .update(let collection, let deletions, let insertions, _) = self
    else { return mapped(view) }
    return .update(
      view(collection), deletions: deletions, insertions: insertions, modifications: insertions)
  }
}

extension RealmSectionedResult where SectionElement: ObjectBase {
  @_dynamicReplacement(for:observe(keyPaths:on:_isolation:_:))
  func twentyFirstObserve<A: Actor>(
    keyPaths: [PartialKeyPath<SectionElement>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, SectionedResultsChange<Self>) -> Void
  ) async -> NotificationToken {
    var names: [String]? = keyPaths.map { propertyName(of: $0, in: SectionElement.self) }
    if breaks(.sectionsKeepKeyPathsOnActors) { names = nil }
    return await observe(keyPaths: names, on: actor, _isolation: _isolation, block)
  }
}
#endif
