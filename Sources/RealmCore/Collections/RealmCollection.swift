import Foundation

/// What all collections of a realm have in common as Swift collections.
public protocol RealmCollectionBase: RandomAccessCollection, CustomStringConvertible
where Element: RealmCollectionValue, Index == Int {
  typealias ElementType = Element
}

/// A collection of objects or values that a realm keeps up to date: `Results`, `List`,
/// `MutableSet`, `LinkingObjects` and what erases their types.
///
/// A conformer says where its members come from (`_source`); asking for some of them, in some
/// order, or for a number computed from them, is done here once for all.
public protocol RealmCollection: RealmCollectionBase, Equatable, ThreadConfined {
  /// Where the members come from; refuses for a collection that no realm manages.
  var _source: _CollectionSource { get }

  var count: Int { get }
  var first: Element? { get }
  var last: Element? { get }
  func index(of object: Element) -> Int?
}

/// Where the members of a collection come from, so that a query can be asked of them.
public struct _CollectionSource {
  let state: ResultsState

  init(_ state: ResultsState) { self.state = state }
}

extension RealmCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public func index(after i: Int) -> Int { i + 1 }
  public func index(before i: Int) -> Int { i - 1 }
  public var isEmpty: Bool { count == 0 }

  /// Whether the collection has the element; for objects, one of the same row.
  public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}

// MARK: - Some of them

extension RealmCollection {
  /// The members that satisfy a typed query.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    Results(_source.state.filtered(by: isIncluded(Query<Element>()).condition))
  }

  /// The members that satisfy a filter string; `%@` and `%K` in it stand for the arguments.
  public func filter(_ format: String, _ arguments: Any...) -> Results<Element> {
    Results(_source.state.filtered(by: QueryText(format: format, arguments)))
  }

  /// Not askable: the C interface has no function for it.
  public func index(matching format: String, _ arguments: Any...) -> Int? {
    Facade.notAskable("the first member that satisfies: the C interface has no function for it")
  }

  /// Not askable: the C interface has no function for it.
  public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
    Facade.notAskable("the first member that satisfies: the C interface has no function for it")
  }

  /// The members at those positions.
  public func objects(at indexes: IndexSet) -> [Element] { indexes.map { self[$0] } }
}

// MARK: - In an order

extension RealmCollection {
  /// The members in the order of a property, or of several: the first decides, the others break
  /// ties.
  public func sorted<S: Sequence>(by descriptors: S) -> Results<Element>
  where S.Element == SortDescriptor {
    Results(_source.state.sorted(by: Array(descriptors)))
  }

  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The members that are the first with their values of those properties.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Element == String {
    Results(_source.state.distinct(by: Array(keyPaths)))
  }
}

extension RealmCollection where Element: ObjectBase {
  public func sorted<Value>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
  where S.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { propertyName(of: $0, in: Element.self) })
  }
}

extension RealmCollection where Element: SortableType {
  /// The values in their own order.
  public func sorted(ascending: Bool = true) -> Results<Element> {
    sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)])
  }
}

extension RealmCollection {
  /// Every value once, where it stands first.
  public func distinct() -> Results<Element> { distinct(by: ["self"]) }
}

// MARK: - Numbers

/// A type whose values have a least and a greatest.
public protocol MinMaxType: _StoredConvertible {}
/// A type whose values can be summed.
public protocol AddableType: _StoredConvertible {}
/// A type whose values have an order.
public protocol SortableType: _StoredConvertible {}

extension Int: MinMaxType, AddableType, SortableType {}
extension Int8: MinMaxType, AddableType, SortableType {}
extension Int16: MinMaxType, AddableType, SortableType {}
extension Int32: MinMaxType, AddableType, SortableType {}
extension Int64: MinMaxType, AddableType, SortableType {}
extension Float: MinMaxType, AddableType, SortableType {}
extension Double: MinMaxType, AddableType, SortableType {}
extension Decimal128: MinMaxType, AddableType, SortableType {}
extension AnyRealmValue: MinMaxType, AddableType {}
extension Date: MinMaxType, SortableType {}
extension String: SortableType {}
extension Bool: SortableType {}
extension Data: SortableType {}
extension ObjectId: SortableType {}
extension UUID: SortableType {}
extension Optional: SortableType where Wrapped: SortableType & _OptionalPersistable {}

extension RealmCollection {
  /// The least value of a property; nil without any.
  public func min<T: MinMaxType>(ofProperty property: String) -> T? {
    _source.aggregate(.min, property)
  }
  /// The greatest value of a property; nil without any.
  public func max<T: MinMaxType>(ofProperty property: String) -> T? {
    _source.aggregate(.max, property)
  }
  /// The sum of a property; zero without any.
  public func sum<T: AddableType>(ofProperty property: String) -> T {
    _source.sum(property)
  }
  /// The mean of a property; nil without any.
  public func average<T: AddableType>(ofProperty property: String) -> T? {
    _source.aggregate(.average, property)
  }
}

extension RealmCollection where Element: ObjectBase {
  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    min(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func min<T: MinMaxType>(of keyPath: KeyPath<Element, T?>) -> T? {
    min(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T>) -> T? {
    max(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func max<T: MinMaxType>(of keyPath: KeyPath<Element, T?>) -> T? {
    max(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T>) -> T {
    sum(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func sum<T: AddableType>(of keyPath: KeyPath<Element, T?>) -> T {
    sum(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T>) -> Double? {
    average(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
  public func average<T: AddableType>(of keyPath: KeyPath<Element, T?>) -> Double? {
    average(ofProperty: propertyName(of: keyPath, in: Element.self))
  }
}

extension RealmCollection where Element: MinMaxType {
  public func min() -> Element? { _source.aggregate(.min, nil) }
  public func max() -> Element? { _source.aggregate(.max, nil) }
}

extension RealmCollection where Element: OptionalProtocol, Element.Wrapped: MinMaxType {
  public func min() -> Element.Wrapped? { _source.aggregate(.min, nil) }
  public func max() -> Element.Wrapped? { _source.aggregate(.max, nil) }
}

extension RealmCollection where Element: AddableType {
  public func sum() -> Element { _source.sum(nil) }
  public func average<T: AddableType>() -> T? { _source.aggregate(.average, nil) }
}

extension RealmCollection where Element: OptionalProtocol, Element.Wrapped: AddableType {
  public func sum() -> Element.Wrapped { _source.sum(nil) }
  public func average<T: AddableType>() -> T? { _source.aggregate(.average, nil) }
}

extension _CollectionSource {
  func aggregate<T: _StoredConvertible>(_ aggregate: Aggregate, _ property: String?) -> T? {
    let value = state.aggregate(aggregate, of: property)
    if value == .null { return nil }
    return taken(value)
  }

  func sum<T: AddableType>(_ property: String?) -> T {
    taken(state.aggregate(.sum, of: property))
  }

  /// A number as the type that was asked for: itself where it is one of them, else the one with its
  /// value.
  private func taken<T: _StoredConvertible>(_ value: StoredValue) -> T {
    switch (T._rlmType, value) {
    case (.any, _), (.decimal128, .decimal): break
    case (_, .int(let number)): if let taken = T._rlmCoerce(number) { return taken }
    default: if let taken = value.doubleValue.flatMap({ T._rlmCoerce($0) }) { return taken }
    }
    return T._rlmDecode(_Stored(value, state.session))
  }
}

// MARK: - Keyed

/// A collection of values by key: `Map`.
public protocol RealmKeyedCollection {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue
}

extension Map: RealmKeyedCollection {}
extension Map: Countable {}
extension List: Countable {}
extension MutableSet: Countable {}
extension LinkingObjects: Countable {}

// MARK: - Conformers

extension List: RealmCollection {
  public var _source: _CollectionSource { _CollectionSource(managed, "RLMArray") }
}

extension MutableSet: RealmCollection {
  public var _source: _CollectionSource { _CollectionSource(managed, "RLMSet") }
}

extension LinkingObjects: RealmCollection {
  public var _source: _CollectionSource { _CollectionSource(state) }
}

extension _CollectionSource {
  init(_ managed: ManagedCollection?, _ word: String) {
    guard let managed else {
      Facade.refuse(
        "This method may only be called on \(word) instances retrieved from an RLMRealm")
    }
    self.init(managed.results())
  }
}
