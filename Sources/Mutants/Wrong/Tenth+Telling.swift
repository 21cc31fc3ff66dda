#if Mutants
@_private(sourceFile: "Listeners.swift") import ReferenceEngine
@_private(sourceFile: "ObjectObserver.swift") import ReferenceEngine
@_private(sourceFile: "Registration.swift") import ReferenceEngine
@_private(sourceFile: "ResultsState+Following.swift") import ReferenceEngine

// The tenth set: listeners.

extension Answer {
  @_dynamicReplacement(for:positions(of:))
  func tenthPositions(of range: ClosedRange<Int64>) -> Range<Int> {
    let right = positions(of: range)
    guard breaks(.runsAreToldToTheirEnd), position(of: range.upperBound) != nil else {
      return right
    }
    return right.dropLast()
  }
}

extension ObjectObserver {
  @_dynamicReplacement(for:propertyChanges(by:since:))
  func tenthPropertyChanges(by changes: ChangeSet, since told: Root) -> [PropertyChange]? {
    let right = propertyChanges(by: changes, since: told)
    if breaks(.propertiesHaveTheirNames) || breaks(.nilIsAnOldValue) {
      return right?.map { retold($0, since: told) }
    }
    if breaks(.setOftenIsToldOnce), let right { return toldForEachCommit(right, since: told) }
    if breaks(.rowsAreOfAClass), right == nil { return toldOfOthers(changes) }
    guard breaks(.collectionsHaveNoNewValue) else { return right }
    return right?.map { one in
      guard let index = bound.layout.index(of: one.name),
        bound.layout.fields[index].property.shape != .single
      else { return one }
      return PropertyChange(
        name: one.name, oldValue: one.oldValue, newValue: object.value(forKey: one.name))
    }
  }
}

extension Listeners {
  @_dynamicReplacement(for:knock())
  func tenthKnock() {
    if breaks(.callsMayAddListeners), isTelling { return }
    knock()
  }
}

extension RealmCollection where Element: ObjectBase {
  // An asynchronous function cannot be called from what replaces it: this is all of it, with the
  // fault.
  @_dynamicReplacement(for:observe(keyPaths:on:_isolation:_:))
  func tenthObserve<A: Actor>(
    keyPaths: [PartialKeyPath<Element>], on actor: A,
    _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
  ) async -> NotificationToken {
    var names: [String]? = keyPaths.map { propertyName(of: $0, in: Element.self) }
    if breaks(.typedPathsOfMembersCount) { names = nil }
    return await observe(keyPaths: names, on: actor, block)
  }
}

extension Transfer {
  @_dynamicReplacement(for:init(_:from:))
  init<Thing: ThreadConfined>(tenth thing: Thing, from session: Session) {
    if breaks(.frozenThingsAreHeardNowhere), session.isFrozen, let live = thing.thaw(),
      let home = live.realm?.session
    {
      self.init(live, from: home)
      return
    }
    let forgiven = Fault.forgives
    if breaks(.handingOverAsksForTheHome) {
      Fault.forgives = Forgives(Violation.wrongThread, at: ["observe"])
    }
    self.init(thing, from: session)
    Fault.forgives = forgiven
  }
}
#endif
