// Least, greatest, sum and mean of a map's values: of its results, as of a list's.

extension Map {
  private var source: _CollectionSource { _CollectionSource(managed, "RLMDictionary") }

  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    source.aggregate(.min, property)
  }
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    source.aggregate(.max, property)
  }
  public func sum<T: AddableType>(ofProperty property: String) -> T { source.sum(property) }
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    source.aggregate(.average, property)
  }
}

extension Map where Value: MinMaxType {
  public func min() -> Value? { source.aggregate(.min, nil) }
  public func max() -> Value? { source.aggregate(.max, nil) }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: MinMaxType {
  public func min() -> Value.Wrapped? { source.aggregate(.min, nil) }
  public func max() -> Value.Wrapped? { source.aggregate(.max, nil) }
}

extension Map where Value: AddableType {
  public func sum() -> Value { source.sum(nil) }
  public func average<T: AddableType>() -> T? { source.aggregate(.average, nil) }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: AddableType {
  public func sum() -> Value.Wrapped { source.sum(nil) }
  public func average<T: AddableType>() -> T? { source.aggregate(.average, nil) }
}
