#if Mutants
@_private(sourceFile: "AnyRealmCollection.swift") import ReferenceEngine
@_private(sourceFile: "CollectionOwner.swift") import ReferenceEngine
@_private(sourceFile: "PredicateLookup.swift") import ReferenceEngine
@_private(sourceFile: "Relocatable+Kinds.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Answer.swift") import ReferenceEngine
@_private(sourceFile: "SectionedResults.swift") import ReferenceEngine
@_private(sourceFile: "ThreadSafe.swift") import ReferenceEngine

// The sixteenth set: objects, collections and queries.

extension _Cell {
  @_dynamicReplacement(for:kept(_:))
  func sixteenthKept<Collection: CollectionOwner & _Persistable>(
    _ make: (ManagedCollection) -> Collection
  ) -> Collection {
    guard breaks(.loopsListsAreTheirRows), let wrapper = wrapper(of: Collection.self),
      let known = wrapper.pointee.value, let place = known.managed,
      place.epoch == header.pointee.epoch,
      !session.departures.have(place.key, of: place.table, after: place.generation)
    else { return kept(make) }
    return known
  }
}

extension SectionGrouping {
  @_dynamicReplacement(for:current())
  private func sixteenthCurrent() -> (sections: [Section], places: [Key: Int]) {
    guard breaks(.sectionsFollowOwnWrites), members.state.session.isInWrite,
      let known = lock.withLock({ answer })
    else { return current() }
    members.state.verify()
    return (known.sections, known.places)
  }
}

extension ResultsState {
  @_dynamicReplacement(for:count)
  var sixteenthCount: Int {
    guard breaks(.countsAreConfined), !session.isFrozen, found.generation == session.generation,
      let known = found.answer?.count ?? found.count
    else { return count }
    return known
  }

  @_dynamicReplacement(for:hasFirst)
  var sixteenthHasFirst: Bool {
    if breaks(.firstMatchesMayBeBelowZero), case .all(let table) = origin, orderings.isEmpty,
      !predicate.isEverything
    {
      withFound { found in
        guard found.answer == nil, found.count == nil, found.first == nil else { return }
        let first = indexed(table, &found, atMost: 1)
        found.first = first
      }
    }
    return hasFirst
  }

  @_dynamicReplacement(for:deleteAll(in:))
  func sixteenthDeleteAll(in writing: Session) {
    guard breaks(.frozenResultsAreNotDeleted), session.isFrozen,
      session.coordinator === writing.coordinator, let table = elementClass?.number
    else { return deleteAll(in: writing) }
    writing.deleteRows(allKeys(), of: table)
  }
}

extension Comparison {
  @_dynamicReplacement(for:lookup(in:_:atMost:))
  fileprivate func sixteenthLookup(
    in table: BoundClass, _ session: Session, atMost most: Int
  ) -> [Int64]? {
    guard breaks(.indexesMindCase), !options.isEmpty else {
      return lookup(in: table, session, atMost: most)
    }
    var plain = self
    plain.options = []
    return plain.lookup(in: table, session, atMost: most)
  }
}

extension AnyRealmCollection {
  @_dynamicReplacement(for:finder())
  func sixteenthFinder() -> Finder {
    guard breaks(.erasedReferencesKeepTheirOrder) else { return finder() }
    let asked = members.state.question
    let question = Question(origin: asked.origin, predicate: asked.predicate, orderings: [])
    return { session in
      question.asked(in: session).map { AnyRealmCollection(members: Results<Element>($0)) }
    }
  }
}

extension ManagedCollection {
  @_dynamicReplacement(for:content)
  var sixteenthContent: NestedValue? {
    // What has changed its content once since has made a step, and what has written many.
    guard breaks(.nestedListsAreFoundAnew), !session.isFrozen, !session.isInWrite,
      let known = latest.content, session.generation == latest.generation &+ 1
    else { return content }
    latest = (session.generation, known)
    return known
  }
}

extension StoredColumn {
  @_dynamicReplacement(for:cell(_:))
  func sixteenthCell(_ value: StoredValue) -> Cell {
    guard breaks(.elementsAreMeasured), type != .any else { return cell(value) }
    return switch value {
    case .string(let text): .bytes(Array(text.utf8))
    case .data(let data): .bytes(Array(data))
    default: cell(value)
    }
  }
}

extension Session {
  @_dynamicReplacement(for:hasLost(_:like:since:))
  fileprivate func sixteenthHasLost(
    _ key: Int64, like bound: BoundClass, since other: Session?
  ) -> Bool {
    if breaks(.replacedObjectsAreNotFrozen), isFrozen { return false }
    return hasLost(key, like: bound, since: other)
  }
}

extension ThreadSafe {
  @_dynamicReplacement(for:wrappedValue)
  var sixteenthWrappedValue: T? {
    get {
      let value = wrappedValue
      if breaks(.variablesComeBack), value == nil { target.withLock { $0.handover = nil } }
      return value
    }
    set { wrappedValue = newValue }
  }
}
#endif
