// A map is queried as the collection of its values.

extension Map {
  private var found: Results<Value> { Results(_CollectionSource(managed, "RLMDictionary").state) }

  /// The values that satisfy a typed query.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    found.where(isIncluded)
  }

  /// The values that satisfy a filter string; `%@` and `%K` in it stand for the arguments.
  public func filter(_ format: String, _ arguments: Any...) -> Results<Value> {
    found.filter(format, arguments: arguments)
  }

  /// The values in the order of a property, or of several: the first decides, the others break ties.
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
    found.min(ofProperty: property)
  }

  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    found.max(ofProperty: property)
  }

  public func sum<T: AddableType>(ofProperty property: String) -> T {
    found.sum(ofProperty: property)
  }

  public func average<T: AddableType>(ofProperty property: String) -> T? {
    found.average(ofProperty: property)
  }
}

extension Map where Value: SortableType {
  /// The values in their own order.
  public func sorted(ascending: Bool = true) -> Results<Value> {
    found.sorted(ascending: ascending)
  }
}

extension Map where Value: MinMaxType {
  public func min() -> Value? { found.min() }
  public func max() -> Value? { found.max() }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: MinMaxType {
  public func min() -> Value.Wrapped? { found.min() }
  public func max() -> Value.Wrapped? { found.max() }
}

extension Map where Value: AddableType {
  public func sum() -> Value { found.sum() }
  public func average<T: AddableType>() -> T? { found.average() }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: AddableType {
  public func sum() -> Value.Wrapped { found.sum() }
  public func average<T: AddableType>() -> T? { found.average() }
}
