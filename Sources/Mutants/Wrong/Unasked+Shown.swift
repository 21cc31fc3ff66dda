#if Mutants
import Dispatch
@_private(sourceFile: "ProjectedCollection.swift") import ReferenceEngine
@_private(sourceFile: "ProjectedCollection+Observe.swift") import ReferenceEngine
@_private(sourceFile: "BoundPredicate.swift") import ReferenceEngine

// Calls of projections, maps and types of the app's own that the suite did not make.

extension ProjectedMembersOf {
  @_dynamicReplacement(for:freeze())
  func unaskedFreeze() -> ProjectedMembers<Element> {
    breaks(.shownMembersFreeze) ? self : freeze()
  }

  @_dynamicReplacement(for:observe(on:_:))
  func unaskedObserve(
    on queue: DispatchQueue?,
    _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
  ) -> NotificationToken {
    guard breaks(.shownMembersHideTheRest) else { return observe(on: queue, block) }
    let shown = self.shown
    return collection.observe(on: queue) { block($0.mapped(shown)) }
  }
}

extension ProjectionObservable {
  @_dynamicReplacement(for:property(of:))
  static func unaskedProperty(of keyPath: PartialKeyPath<Self>) -> ProjectionSchema.Property {
    let right = property(of: keyPath)
    return breaks(.projectionsAreAskedByName)
      ? ProjectionSchema.of(Self.self).properties[0] : right
  }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: MinMaxType {
  @_dynamicReplacement(for:min())
  public func unaskedMin() -> Value.Wrapped? {
    if breaks(.mapsLeaveOutNulls), values.contains(where: { $0._rlmOptional == nil }) {
      return nil
    }
    return min()
  }
}

extension BoundOperand {
  @_dynamicReplacement(for:computed(of:))
  private func unaskedComputed(of subject: Subject) -> StoredValue {
    if sumsOverNoObject(of: subject) { return .null }
    guard breaks(.computedOfEachPlace), case .aggregate(let path, let aggregate, let of) = self,
      aggregate != .count, !of.links.isEmpty
    else { return computed(of: subject) }
    var summary = Summary(of.type)
    var seen: Set<Int64> = []
    path.contains(from: subject) { member in
      if case .link(let link) = member, seen.insert(link.key).inserted {
        of.contains(from: .row(link.key)) {
          summary.add($0)
          return false
        }
      }
      return false
    }
    return summary.result(aggregate)
  }
}

extension _CustomPersistable {
  @_dynamicReplacement(for:_rlmCoerce(_:))
  public static func unaskedCoerce(_ any: Any) -> Self? {
    // Written whole: the name of a protocol's requirement leads here again.
    if breaks(.storedFormsAreTaken) { return any as? Self }
    return (any as? Self) ?? PersistedType._rlmCoerce(any).map(_rlmRestored)
  }
}
#endif
