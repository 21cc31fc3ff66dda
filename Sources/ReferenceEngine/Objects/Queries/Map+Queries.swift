// A map is queried as the collection of its values.

extension Map {
  var source: _CollectionSource {
    _CollectionSource(managed, free: FreeMembers(elements.values, "RLMDictionary"))
  }

  private var found: Results<Value> { Results(source.state) }

  /// The values that satisfy a typed query.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    found.where(isIncluded)
  }

  /// The values that satisfy a filter string; `%@` and `%K` in it stand for the arguments.
  public func filter(_ format: String, _ arguments: Any...) -> Results<Value> {
    found.filter(format, arguments: arguments)
  }

  /// The values in the order of a property, or of several: the first decides, the others break
  /// ties.
  public func sorted<S: Sequence>(by descriptors: S) -> Results<Value>
  where S.Element == SortDescriptor {
    found.sorted(by: descriptors)
  }

  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    found.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The values that are the first with their values of those properties.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Value> where S.Element == String {
    found.distinct(by: keyPaths)
  }

  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    source.aggregate(.min, PropertyPath(dotted: property))
  }

  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    source.aggregate(.max, PropertyPath(dotted: property))
  }

  public func sum<T: AddableType>(ofProperty property: String) -> T {
    source.sum(PropertyPath(dotted: property))
  }

  public func average<T: AddableType>(ofProperty property: String) -> T? {
    source.aggregate(.average, PropertyPath(dotted: property))
  }
}

extension Map where Value: SortableType {
  /// The values in their own order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    found.sorted(ascending: ascending)
  }
}

extension Map where Value: MinMaxType {
  public func min() -> Value? { source.aggregate(.min, PropertyPath()) }
  public func max() -> Value? { source.aggregate(.max, PropertyPath()) }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: MinMaxType {
  public func min() -> Value.Wrapped? { source.aggregate(.min, PropertyPath()) }
  public func max() -> Value.Wrapped? { source.aggregate(.max, PropertyPath()) }
}

extension Map where Value: AddableType {
  public func sum() -> Value { source.sum(PropertyPath()) }
  public func average<T: AddableType>() -> T? { source.aggregate(.average, PropertyPath()) }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: AddableType {
  public func sum() -> Value.Wrapped { source.sum(PropertyPath()) }
  public func average<T: AddableType>() -> T? { source.aggregate(.average, PropertyPath()) }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The objects in the order of a property.
  public func sorted<T>(
    by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true
  ) -> Results<Value> {
    sorted(byKeyPath: propertyName(of: keyPath, in: Value.Wrapped.self), ascending: ascending)
  }

  /// The objects that are the first with their values of those properties.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Value>
  where S.Element == PartialKeyPath<Value.Wrapped> {
    distinct(by: keyPaths.map { propertyName(of: $0, in: Value.Wrapped.self) })
  }

  public func min<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    min(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func min<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T? {
    min(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func max<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? {
    max(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func max<T: MinMaxType>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T? {
    max(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func sum<T: AddableType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T {
    sum(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func sum<T: AddableType>(of keyPath: KeyPath<Value.Wrapped, T?>) -> T {
    sum(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func average<T: AddableType>(of keyPath: KeyPath<Value.Wrapped, T>) -> Double? {
    average(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
  public func average<T: AddableType>(of keyPath: KeyPath<Value.Wrapped, T?>) -> Double? {
    average(ofProperty: propertyName(of: keyPath, in: Value.Wrapped.self))
  }
}

extension Map {
  /// Every value once.
  public func distinct() -> Results<Value> { distinct(by: ["self"]) }

  /// Whether an entry satisfies a condition.
  public func contains(
    where predicate: (_ key: Key, _ value: Value) throws -> Bool
  ) rethrows -> Bool {
    try all.contains { try predicate($0.key, $0.value) }
  }

  /// The entries that satisfy a condition.
  public func filter(
    _ isIncluded: (_ key: Key, _ value: Value) throws -> Bool
  ) rethrows -> [(key: Key, value: Value)] {
    try all.filter { try isIncluded($0.key, $0.value) }
  }
}
