#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "Map+Observe.swift") import ReferenceEngine
@_private(sourceFile: "SectionedResults+Observe.swift") import ReferenceEngine

// The fifteenth set: listeners.

extension Listeners {
  @_dynamicReplacement(for:tellObservers())
  func fifteenthTellObservers() {
    guard breaks(.endsTakeNobodysTurn), !observers.isEmpty else { return tellObservers() }
    telling {
      let last = observers.count
      var place = 0
      while place < min(last, observers.count) {
        observers[place].deliver()
        place += 1
      }
    }
  }
}

extension Map {
  @_dynamicReplacement(for:observer(_:_:))
  private static func fifteenthObserver(
    _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
  ) -> Registration.Make<Map> {
    guard breaks(.mapsAreToldAsThemselves) else { return observer(keyPaths, block) }
    func another(_ map: Map) -> Map { map.managed.map { Map($0) } ?? map }
    return observer(keyPaths) { change in
      switch change {
      case .initial(let map): block(.initial(another(map)))
      case .update(let map, let deletions, let insertions, let modifications):
        block(
          .update(
            another(map), deletions: deletions, insertions: insertions,
            modifications: modifications))
      case .error(let error): block(.error(error))
      }
    }
  }

  // An asynchronous function cannot be called from what replaces it: this is all of it, with the
  // fault.
  @_dynamicReplacement(for:observe(keyPaths:on:_isolation:_:))
  func fifteenthObserve<A: Actor, Member: ObjectBase>(
    keyPaths: [PartialKeyPath<Member>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
  ) async -> NotificationToken where Value == Member? {
    var names: [String]? = keyPaths.map { propertyName(of: $0, in: Member.self) }
    if breaks(.typedPathsOfMapsCount) { names = nil }
    return await observe(keyPaths: names, on: actor, block)
  }
}

extension ResultsSection {
  @_dynamicReplacement(for:observer(_:_:))
  private static func fifteenthObserver(
    _ keyPaths: [String]?, _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> Registration.Make<ResultsSection> {
    guard breaks(.sectionsHearOfThemselves) else { return observer(keyPaths, block) }
    return { section, session, _ in
      SectionObserver(section, of: section.grouping, in: session, keyPaths: keyPaths, block)
    }
  }
}
#endif
