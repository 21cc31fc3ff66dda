// Projections in an order and in sections, by what they show.

extension RealmCollection where Element: ProjectionObservable {
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(byKeyPath: Element.property(of: keyPath).path, ascending: ascending)
  }

  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
  where S.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { Element.property(of: $0).path })
  }

  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    min(ofProperty: Element.property(of: keyPath).path)
  }
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    max(ofProperty: Element.property(of: keyPath).path)
  }
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
    sum(ofProperty: Element.property(of: keyPath).path)
  }
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> Double? {
    average(ofProperty: Element.property(of: keyPath).path)
  }

  /// The projections in sections by a property, sorted by it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    let path = Element.property(of: keyPath).path
    return sectioned(
      by: keyPath, sortDescriptors: [SortDescriptor(keyPath: path, ascending: ascending)])
  }

  /// The projections in sections by a property, in an order that begins with it.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    if let first = sortDescriptors.first, first.keyPath != Element.property(of: keyPath).path {
      refuse(.sectionedOtherwise)
    }
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }
}
