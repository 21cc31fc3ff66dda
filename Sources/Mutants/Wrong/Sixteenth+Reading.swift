#if Mutants
@_private(sourceFile: "AnyRealmCollection.swift") import ReferenceEngine
@_private(sourceFile: "CollectionOwner.swift") import ReferenceEngine
@_private(sourceFile: "PredicateLookup.swift") import ReferenceEngine

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

extension ResultsState {
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
#endif
