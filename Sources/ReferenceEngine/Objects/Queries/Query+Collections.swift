/// A collection as a query sees it: something whose members can be counted and compared.
///
/// `List`, `MutableSet`, `Map` and `LinkingObjects` conform to it, so a path can tell where it
/// enters a collection.
public protocol Countable {}

extension Query where T: RealmCollection {
  /// The number of members.
  public var count: Query<Int> { Query<Int>(.aggregate(path, .count, of: PropertyPath())) }

  /// True if `value` is a member.
  public func contains(_ value: T.Element) -> Query<Bool> {
    compared(.equal, with: value)
  }

  /// True if a member equals the value.
  public static func == (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.equal, with: right)
  }

  /// True if a member is another than the value.
  public static func != (left: Query, right: T.Element) -> Query<Bool> {
    left.compared(.notEqual, with: right)
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
  /// Whether all members lie in the range: the least and the greatest do.
  func memberWithin(_ lower: Any, _ upper: Any, closed: Bool) -> Query<Bool> {
    let (least, greatest): (Query<Bool>, Query<Bool>) = (aggregate(.min), aggregate(.max))
    return least.compared(.greaterOrEqual, with: lower)
      && greatest.compared(closed ? .lessOrEqual : .less, with: upper)
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
    // Of a collection's own values, wherever the collection lies.
    if T.self is any Countable.Type {
      return Query<V>(.aggregate(whole, aggregate, of: PropertyPath()))
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

  /// True if a value of the map equals the one given.
  public static func == (left: Query, right: T.Value) -> Query<Bool> { left.values == right }

  /// True if a value of the map is another than the one given.
  public static func != (left: Query, right: T.Value) -> Query<Bool> { left.values != right }

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
    memberWithin(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    memberWithin(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query
where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: _QueriedObject {
  public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V> {
    following(member, of: T.Value.Wrapped.self)
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
  /// The one collection that paths of this condition lead into; those that do not are about the
  /// object around it.
  var commonCollection: PropertyPath? {
    var found: [PropertyPath] = []
    forEachOperand { operand in
      guard let collection = operand.enteredCollection, !found.contains(collection) else { return }
      found.append(collection)
    }
    return found.count == 1 ? found[0] : nil
  }

  private func forEachOperand(_ body: (Operand) -> Void) {
    switch self {
    case .constant: break
    case .not(let inner): inner.forEachOperand(body)
    case .all(let parts), .any(let parts): for part in parts { part.forEachOperand(body) }
    case .comparison(let comparison):
      body(comparison.left)
      body(comparison.right)
    }
  }

  /// The same condition seen from a member of a collection.
  ///
  /// - Parameter level: How many sub-queries of the condition itself are around the place.
  func relative(to collection: PropertyPath, level: Int = 0) -> Predicate {
    switch self {
    case .constant: return self
    case .not(let inner): return .not(inner.relative(to: collection, level: level))
    case .all(let parts): return .all(parts.map { $0.relative(to: collection, level: level) })
    case .any(let parts): return .any(parts.map { $0.relative(to: collection, level: level) })
    case .comparison(var comparison):
      comparison.left = comparison.left.relative(to: collection, level: level)
      comparison.right = comparison.right.relative(to: collection, level: level)
      return .comparison(comparison)
    }
  }

  /// Whether something in a sub-query's condition is about an object around its members.
  func looksAround(from level: Int = 0) -> Bool {
    var found = false
    forEachOperand { operand in
      switch operand {
      case .value, .values: break
      case .path(let path), .aggregate(let path, _, _): found = found || path.outer > level
      case .subqueryCount(let path, let inner):
        found = found || path.outer > level || inner.looksAround(from: level + 1)
      }
    }
    return found
  }
}

extension Operand {
  /// The collection that a path leads into. What is counted or computed of all its members is not
  /// about one of them.
  fileprivate var enteredCollection: PropertyPath? {
    switch self {
    case .value, .values: return nil
    case .path(let path): return path.firstCollection
    case .aggregate(let path, _, _), .subqueryCount(let path, _):
      guard let collection = path.firstCollection, collection.steps.count < path.steps.count else {
        return nil
      }
      return collection
    }
  }

  fileprivate func relative(to collection: PropertyPath, level: Int) -> Operand {
    switch self {
    case .value, .values: self
    case .path(let path): .path(path.relative(to: collection, level: level, isWhole: false))
    case .aggregate(let path, let aggregate, let of):
      .aggregate(path.relative(to: collection, level: level, isWhole: true), aggregate, of: of)
    case .subqueryCount(let path, let inner):
      .subqueryCount(
        path.relative(to: collection, level: level, isWhole: true),
        inner.relative(to: collection, level: level + 1))
    }
  }
}

extension PropertyPath {
  /// The path up to and including the first collection on it.
  fileprivate var firstCollection: PropertyPath? {
    collectionDepth.map { PropertyPath(Array(steps.prefix($0)), collectionDepth: $0) }
  }

  /// - Parameter isWhole: Whether the path means a collection as a whole: then one that is no
  ///   longer than `collection` is it as the object around has it.
  fileprivate func relative(
    to collection: PropertyPath, level: Int, isWhole: Bool
  ) -> PropertyPath {
    guard outer == level else { return self }
    let depth = collection.steps.count
    let leadsIn = isWhole ? steps.count > depth : steps.count >= depth
    if leadsIn, Array(steps.prefix(depth)) == collection.steps {
      var inner = dropping(depth)
      inner.outer = level
      return inner
    }
    var around = self
    around.outer = level + 1
    return around
  }
}
