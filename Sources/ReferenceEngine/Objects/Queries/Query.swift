import Foundation

/// Stands for an object, one of its properties, or a condition on them, inside `where`.
///
///     people.where { $0.name == "Ada" && $0.dogs.age > 3 }
///
/// Naming a property builds a path, comparing builds a predicate; nothing is read before the
/// `Results` that comes out is. Comparing a property that lies behind a collection is true if any
/// member agrees.
@dynamicMemberLookup
public struct Query<T> {
  enum Term {
    case operand(Operand)
    case predicate(Predicate)
  }

  let term: Term

  /// The object (or the primitive element) that a query is about.
  init() { term = .operand(.path(PropertyPath())) }
  init(_ operand: Operand) { term = .operand(operand) }
  init(_ predicate: Predicate) { term = .predicate(predicate) }

  var operand: Operand {
    switch term {
    case .operand(let operand): operand
    case .predicate(let predicate):
      refuseQuery("A condition (\(predicate)) cannot be compared with a value.")
    }
  }

  var path: PropertyPath {
    guard case .operand(.path(let path)) = term else {
      refuseQuery("Only a property can be followed by a property, found \(self).")
    }
    return path
  }

  /// The condition this query states. A Bool property on its own asks whether it is true.
  var predicate: Predicate {
    switch term {
    case .predicate(let predicate): predicate
    case .operand(let operand):
      .comparison(Comparison(left: operand, operation: .equal, right: .value(.bool(true))))
    }
  }

  func compared(
    _ operation: Comparison.Operation, with right: Operand, options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(
      .comparison(
        Comparison(left: operand, operation: operation, right: right, options: options)))
  }

  func compared<Value>(
    _ operation: Comparison.Operation, with value: Value, options: StringOptions = []
  ) -> Query<Bool> {
    compared(operation, with: .value(StoredValue(expecting: value)), options: options)
  }

  func appending<V>(_ step: PropertyPath.Step, isCollection: Bool = false) -> Query<V> {
    var longer = path.appending(step)
    if isCollection, longer.collectionDepth == nil { longer.collectionDepth = longer.steps.count }
    return Query<V>(.path(longer))
  }
}

/// Ends the process: the query itself is wrong, as Realm's exceptions about queries say.
func refuseQuery(_ sentence: String) -> Never { fatalError(sentence) }

// MARK: - Properties

/// What a query can follow by the names of properties: an object. A protocol, because the compiler
/// lets dynamic members of any type through where the constraint is a class.
public protocol _QueriedObject: AnyObject {}

extension ObjectBase: _QueriedObject {}

extension Query where T: _QueriedObject {
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    following(member, of: T.self)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: _QueriedObject {
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
    following(member, of: T.Wrapped.self)
  }
}

extension Query where T: RealmCollection, T.Element: _QueriedObject {
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
    following(member, of: T.Element.self)
  }
}

extension Query {
  func following<Root, V>(_ member: KeyPath<Root, V>, of root: Root.Type) -> Query<V> {
    guard var type = root as? ObjectBase.Type else {
      refuseQuery("\(root) is no class of objects")
    }
    let whole = propertyName(of: member, in: type)
    if !whole.utf8.contains(UInt8(ascii: ".")) {
      let layout = ClassLayout.of(type)
      return appending(
        .property(whole),
        isCollection: layout.index(of: whole).map { layout.fields[$0].isCollection } ?? false)
    }
    // A path may pass several properties at once: `\.dog!.name`.
    var longer: Query<V>?
    for name in whole.split(separator: ".").map(String.init) {
      let layout = ClassLayout.of(type)
      let field = layout.index(of: name).map { layout.fields[$0] }
      let path = longer.map { Query<T>($0.operand) } ?? self
      longer = path.appending(.property(name), isCollection: field?.isCollection ?? false)
      type = field?.linked ?? type
    }
    return longer ?? Query<V>(operand)
  }
}

extension ClassLayout.Field {
  /// Whether a path that passes it may lead to many.
  fileprivate var isCollection: Bool { property.shape != .single || !property.isStored }
}

extension Query where T: PersistableEnum {
  /// What is stored of an enumeration.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(operand) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// What is stored of an enumeration; nil where there is none.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(operand) }
}

extension Query where T == AnyRealmValue {
  /// The element at a position of a list among mixed values; null where there is none.
  public subscript(position: Int) -> Query<AnyRealmValue> { appending(.index(position)) }

  /// The value of a key of a dictionary among mixed values; null where there is none.
  public subscript(key: String) -> Query<AnyRealmValue> { appending(.key(key)) }

  /// Any element of a list or a dictionary among mixed values.
  public var any: Query<AnyRealmValue> { appending(.anyElement) }
}

// MARK: - Comparison

extension Query {
  public static func == (left: Query, right: T) -> Query<Bool> {
    left.compared(.equal, with: right)
  }
  public static func == (left: Query, right: Query) -> Query<Bool> {
    left.compared(.equal, with: right.operand)
  }
  public static func != (left: Query, right: T) -> Query<Bool> {
    left.compared(.notEqual, with: right)
  }
  public static func != (left: Query, right: Query) -> Query<Bool> {
    left.compared(.notEqual, with: right.operand)
  }

  /// True for rows whose value is one of `collection`.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
    compared(.in, with: .values(collection.map { StoredValue(expecting: $0) }))
  }
}

/// A type whose values have an order that queries can use.
public protocol _QueryNumeric {}
extension Int: _QueryNumeric {}
extension Int8: _QueryNumeric {}
extension Int16: _QueryNumeric {}
extension Int32: _QueryNumeric {}
extension Int64: _QueryNumeric {}
extension Float: _QueryNumeric {}
extension Double: _QueryNumeric {}
extension Decimal128: _QueryNumeric {}
extension Date: _QueryNumeric {}
extension AnyRealmValue: _QueryNumeric {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}

extension Query {
  public static func > (left: Query, right: T) -> Query<Bool> {
    left.compared(.greater, with: right)
  }
  public static func > (left: Query, right: Query) -> Query<Bool> {
    left.compared(.greater, with: right.operand)
  }
  public static func >= (left: Query, right: T) -> Query<Bool> {
    left.compared(.greaterOrEqual, with: right)
  }
  public static func >= (left: Query, right: Query) -> Query<Bool> {
    left.compared(.greaterOrEqual, with: right.operand)
  }
  public static func < (left: Query, right: T) -> Query<Bool> {
    left.compared(.less, with: right)
  }
  public static func < (left: Query, right: Query) -> Query<Bool> {
    left.compared(.less, with: right.operand)
  }
  public static func <= (left: Query, right: T) -> Query<Bool> {
    left.compared(.lessOrEqual, with: right)
  }
  public static func <= (left: Query, right: Query) -> Query<Bool> {
    left.compared(.lessOrEqual, with: right.operand)
  }
}

extension Query where T: Comparable {
  public func contains(_ range: Range<T>) -> Query<Bool> {
    within(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T>) -> Query<Bool> {
    within(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: Comparable {
  public func contains(_ range: Range<T.Wrapped>) -> Query<Bool> {
    within(range.lowerBound, range.upperBound, closed: false)
  }
  public func contains(_ range: ClosedRange<T.Wrapped>) -> Query<Bool> {
    within(range.lowerBound, range.upperBound, closed: true)
  }
}

extension Query {
  func within(_ lower: Any, _ upper: Any, closed: Bool) -> Query<Bool> {
    let lower = StoredValue(expecting: lower)
    let upper = StoredValue(expecting: upper)
    if closed { return compared(.between, with: .values([lower, upper])) }
    let from = compared(.greaterOrEqual, with: .value(lower))
    let to = compared(.less, with: .value(upper))
    return from && to
  }
}

// MARK: - Logic

extension Query where T == Bool {
  public static prefix func ! (query: Query) -> Query { Query(.not(query.predicate)) }
  public static func && (left: Query, right: Query) -> Query {
    Query(.and(left.predicate, right.predicate))
  }
  public static func || (left: Query, right: Query) -> Query {
    Query(.or(left.predicate, right.predicate))
  }

  /// The number of members that satisfy the whole condition at once: a sub-query.
  ///
  ///     people.where { ($0.dogs.age > 3 && $0.dogs.name == "Rex").count > 1 }
  public var count: Query<Int> {
    guard let collection = predicate.commonCollection else {
      refuseQuery("Subqueries must be about exactly one collection: \(predicate)")
    }
    return Query<Int>(.subqueryCount(collection, predicate.relative(to: collection)))
  }
}

// MARK: - Strings

/// A type that string functions apply to.
public protocol _QueryString {}
extension String: _QueryString {}
extension Data: _QueryString {}
extension AnyRealmValue: _QueryString {}
extension Optional: _QueryString where Wrapped: _QueryString {}

extension Query where T: _QueryString {
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, with: value, options: options)
  }
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, with: value, options: options)
  }
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, with: value, options: options)
  }
  /// Compares with a pattern in which `?` stands for one character and `*` for any number.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, with: value, options: caseInsensitive ? .caseInsensitive : [])
  }
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, with: value, options: options)
  }
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, with: value, options: options)
  }
  public func starts(with other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared(.beginsWith, with: other.operand, options: options)
  }
  public func ends(with other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared(.endsWith, with: other.operand, options: options)
  }
  public func contains(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared(.contains, with: other.operand, options: options)
  }
  public func like(_ other: Query<T>, caseInsensitive: Bool = false) -> Query<Bool> {
    compared(.like, with: other.operand, options: caseInsensitive ? .caseInsensitive : [])
  }
  public func equals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared(.equal, with: other.operand, options: options)
  }
  public func notEquals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared(.notEqual, with: other.operand, options: options)
  }
}

// MARK: - Words

extension Query: CustomStringConvertible {
  /// The filter string that means this query.
  public var description: String {
    switch term {
    case .predicate(let predicate): predicate.description
    case .operand(.path(let path)): path.description
    case .operand(let operand): "\(operand)"
    }
  }
}
