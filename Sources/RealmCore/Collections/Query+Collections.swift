/// A collection as a query sees it: something whose members can be counted and compared.
///
/// `List`, `MutableSet`, `Map` and `LinkingObjects` are; so a path knows where it enters a
/// collection.
public protocol Countable {}

extension Query where T: RealmCollection {
  /// The number of members.
  public var count: Query<Int> { appending("@count") }

  /// True if `value` is a member.
  public func contains(_ value: T.Element) -> Query<Bool> {
    compared("==", with: value)
  }

  /// True if at least one of `collection` is a member.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Element {
    compared("IN", with: QueryText(values: collection.map { StoredValue(expecting: $0) }))
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
  /// One and the same member must lie in the range.
  func memberWithin(_ lower: Any, _ upper: Any, closed: Bool) -> Query<Bool> {
    within(lower, upper, closed: closed)
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
    guard let collection else { Facade.refuse("\(aggregate.rawValue) needs a collection: \(path)") }
    let rest = path.dropFirst(collection.count)
    return Query<V>(
      path: collection + "." + aggregate.rawValue + rest, collection: nil)
  }
}

// MARK: - Maps

extension Query where T: RealmKeyedCollection {
  /// The number of entries.
  public var count: Query<Int> { appending("@count") }

  /// The keys of the map.
  public var keys: Query<T.Key> { appending("@keys") }

  /// The values of the map.
  public var values: Query<T.Value> { appending("@values") }

  /// The value of one key; null where the map has no such key.
  public subscript(key: T.Key) -> Query<T.Value> {
    guard case .string(let name) = StoredValue(expecting: key) else {
      Facade.refuse("Maps have keys of type String.")
    }
    return appending("['\(name)']")
  }

  public func contains(_ value: T.Value) -> Query<Bool> {
    let values: Query<T.Value> = appending("@values")
    return values == value
  }

  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool>
  where U.Element == T.Value {
    let values: Query<T.Value> = appending("@values")
    return values.in(collection)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  public func contains(_ range: Range<T.Value>) -> Query<Bool> {
    let values: Query<T.Value> = appending("@values")
    return values.memberWithin(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    let values: Query<T.Value> = appending("@values")
    return values.memberWithin(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> {
    appending(propertyName(of: member, in: T.Value.Wrapped.self))
  }
}

extension Query where T: RealmKeyedCollection, T.Value: _QueryNumeric {
  public var min: Query<T.Value> { aggregate(.min) }
  public var max: Query<T.Value> { aggregate(.max) }
  public var sum: Query<T.Value> { aggregate(.sum) }
  public var avg: Query<T.Value> { aggregate(.average) }
}
