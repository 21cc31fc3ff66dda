/// A collection as a query sees it: something whose members can be counted and compared.
///
/// `List`, `MutableSet`, `Map` and `LinkingObjects` are; so a path knows where it enters a collection.
public protocol Countable {}

extension Query where T: RealmCollection {
  /// The number of members.
  public var count: Query<Int> { Query<Int>(.aggregate(path, .count, of: PropertyPath())) }

  /// True if `value` is a member.
  public func contains(_ value: T.Element) -> Query<Bool> {
    compared(.equal, with: value)
  }

  /// True if at least one of `collection` is a member.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Element {
    compared(.in, with: .values(collection.map { StoredValue(expecting: $0) }))
  }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  public func contains(_ range: Range<T.Element>) -> Query<Bool> {
    memberWithin(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> {
    memberWithin(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query
where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> {
    memberWithin(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> {
    memberWithin(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query {
  /// One and the same member must lie in the range, so a half-open one is asked as a sub-query.
  func memberWithin(_ lower: Any, _ upper: Any, closed: Bool) -> Query<Bool> {
    guard !closed else { return within(lower, upper, closed: true) }
    let member = Query<Bool>().within(lower, upper, closed: false).predicate
    return Query<Bool>(.subqueryCount(path, member)).compared(
      .greater, with: .value(.int(0)))
  }
}

extension Query where T: RealmCollection, T.Element: _QueryNumeric {
  public var min: Query<T.Element> { aggregate(.min) }
  public var max: Query<T.Element> { aggregate(.max) }
  public var sum: Query<T.Element> { aggregate(.sum) }
  public var avg: Query<T.Element> { aggregate(.average) }
}

/// Aggregates of a property of a collection's members: `$0.dogs.age.sum`.
extension Query where T: _QueryNumeric {
  public var min: Query<T> { aggregate(.min) }
  public var max: Query<T> { aggregate(.max) }
  public var sum: Query<T> { aggregate(.sum) }
  public var avg: Query<T> { aggregate(.average) }
}

extension Query {
  func aggregate<V>(_ aggregate: Aggregate) -> Query<V> {
    let whole = path
    guard let depth = whole.collectionDepth else {
      refuseQuery("\(aggregate.rawValue) needs a collection, \(whole) is none.")
    }
    let collection = PropertyPath(Array(whole.steps.prefix(depth)), collectionDepth: depth)
    return Query<V>(.aggregate(collection, aggregate, of: whole.dropping(depth)))
  }
}

// MARK: - Maps

extension Query where T: RealmKeyedCollection {
  /// The number of entries.
  public var count: Query<Int> { Query<Int>(.aggregate(path, .count, of: PropertyPath())) }

  /// The keys of the map.
  public var keys: Query<T.Key> { appending(.allKeys) }

  /// The values of the map.
  public var values: Query<T.Value> { appending(.allValues) }

  /// The value of one key; null where the map has no such key.
  public subscript(key: T.Key) -> Query<T.Value> {
    guard case .string(let name) = StoredValue(expecting: key) else {
      refuseQuery("Maps have keys of type String.")
    }
    return appending(.key(name))
  }

  public func contains(_ value: T.Value) -> Query<Bool> {
    let values: Query<T.Value> = appending(.allValues)
    return values == value
  }

  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Value {
    let values: Query<T.Value> = appending(.allValues)
    return values.in(collection)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    let values: Query<T.Value> = appending(.allValues)
    return values.memberWithin(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    let values: Query<T.Value> = appending(.allValues)
    return values.memberWithin(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> {
    appending(.property(propertyName(of: member, in: T.Value.Wrapped.self)))
  }
}

extension Query where T: RealmKeyedCollection, T.Value: _QueryNumeric {
  public var min: Query<T.Value> { aggregate(.min) }
  public var max: Query<T.Value> { aggregate(.max) }
  public var sum: Query<T.Value> { aggregate(.sum) }
  public var avg: Query<T.Value> { aggregate(.average) }
}

// MARK: - Sub-queries

extension Predicate {
  /// The one collection all paths of this condition go through.
  var commonCollection: PropertyPath? {
    var found: PropertyPath?
    let agree = everyPath { path in
      guard let depth = path.collectionDepth else { return false }
      let collection = PropertyPath(Array(path.steps.prefix(depth)), collectionDepth: depth)
      if found == nil { found = collection }
      return found == collection
    }
    return agree ? found : nil
  }

  private func everyPath(_ isFine: (PropertyPath) -> Bool) -> Bool {
    switch self {
    case .constant: true
    case .not(let inner): inner.everyPath(isFine)
    case .all(let parts), .any(let parts): parts.allSatisfy { $0.everyPath(isFine) }
    case .comparison(let comparison):
      [comparison.left, comparison.right].allSatisfy { operand in
        switch operand {
        case .value, .values: true
        case .path(let path), .aggregate(let path, _, _), .subqueryCount(let path, _): isFine(path)
        }
      }
    }
  }

  /// The same condition seen from a member of the collection that `depth` steps lead to.
  func relative(to depth: Int) -> Predicate {
    switch self {
    case .constant: return self
    case .not(let inner): return .not(inner.relative(to: depth))
    case .all(let parts): return .all(parts.map { $0.relative(to: depth) })
    case .any(let parts): return .any(parts.map { $0.relative(to: depth) })
    case .comparison(var comparison):
      comparison.left = comparison.left.relative(to: depth)
      comparison.right = comparison.right.relative(to: depth)
      return .comparison(comparison)
    }
  }
}

extension Operand {
  fileprivate func relative(to depth: Int) -> Operand {
    switch self {
    case .value, .values: self
    case .path(let path): .path(path.dropping(depth))
    case .aggregate(let path, let aggregate, let of):
      .aggregate(path.dropping(depth), aggregate, of: of)
    case .subqueryCount(let path, let inner): .subqueryCount(path.dropping(depth), inner)
    }
  }
}
