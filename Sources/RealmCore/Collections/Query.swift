import Foundation

/// Stands for an object, one of its properties, or a condition on them, inside `where`.
///
///     people.where { $0.name == "Ada" && $0.dogs.age > 3 }
///
/// What is built is a query in realm-core's own language. Comparing a property that lies behind a
/// collection is true if any member agrees.
@dynamicMemberLookup
public struct Query<T> {
  let text: QueryText
  /// How much of the path leads up to and including the first collection.
  let collection: String?
  /// Whether the text is a condition, and no path or value.
  let isCondition: Bool

  /// The object (or the primitive element) that a query is about.
  init() { self.init(path: "", collection: nil) }

  init(path: String, collection: String?) {
    text = QueryText(path)
    self.collection = collection
    isCondition = false
  }

  init(condition: QueryText, collection: String? = nil) {
    text = condition
    self.collection = collection
    isCondition = true
  }

  var path: String { text.plain }

  /// The path as an operand; the object itself has no name of its own.
  var operand: QueryText { path.isEmpty && !isCondition ? QueryText("SELF") : text }

  /// The condition this query states. A Bool property on its own asks whether it is true.
  var condition: QueryText {
    isCondition ? text : text + QueryText(" == ") + QueryText(value: .bool(true))
  }

  func compared(
    _ operation: String, with right: QueryText, options: StringOptions = []
  ) -> Query<Bool> {
    Query<Bool>(
      condition: operand + QueryText(" \(operation)\(options.words) ") + right,
      collection: collection)
  }

  func compared(
    _ operation: String, with value: Any, options: StringOptions = []
  ) -> Query<Bool> {
    compared(operation, with: QueryText(value: StoredValue(expecting: value)), options: options)
  }

  func appending<V>(_ step: String, isCollection: Bool = false) -> Query<V> {
    let longer = path.isEmpty || step.hasPrefix("[") ? path + step : path + "." + step
    return Query<V>(path: longer, collection: collection ?? (isCollection ? longer : nil))
  }
}

// MARK: - Properties

extension Query where T: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> {
    appending(
      propertyName(of: member, in: T.self), isCollection: V.self is any Countable.Type)
  }
}

extension Query where T: OptionalProtocol, T.Wrapped: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> {
    appending(
      propertyName(of: member, in: T.Wrapped.self),
      isCollection: V.self is any Countable.Type)
  }
}

extension Query where T: RealmCollection, T.Element: ObjectBase {
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> {
    appending(
      propertyName(of: member, in: T.Element.self),
      isCollection: V.self is any Countable.Type)
  }
}

// MARK: - Comparison

extension Query {
  public static func == (left: Query, right: T) -> Query<Bool> {
    left.compared("==", with: right)
  }
  public static func == (left: Query, right: Query) -> Query<Bool> {
    left.compared("==", with: right.operand)
  }
  public static func != (left: Query, right: T) -> Query<Bool> {
    left.compared("!=", with: right)
  }
  public static func != (left: Query, right: Query) -> Query<Bool> {
    left.compared("!=", with: right.operand)
  }

  /// True for rows whose value is one of `collection`.
  public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
    compared("IN", with: QueryText(values: collection.map { StoredValue(expecting: $0) }))
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
    left.compared(">", with: right)
  }
  public static func > (left: Query, right: Query) -> Query<Bool> {
    left.compared(">", with: right.operand)
  }
  public static func >= (left: Query, right: T) -> Query<Bool> {
    left.compared(">=", with: right)
  }
  public static func >= (left: Query, right: Query) -> Query<Bool> {
    left.compared(">=", with: right.operand)
  }
  public static func < (left: Query, right: T) -> Query<Bool> {
    left.compared("<", with: right)
  }
  public static func < (left: Query, right: Query) -> Query<Bool> {
    left.compared("<", with: right.operand)
  }
  public static func <= (left: Query, right: T) -> Query<Bool> {
    left.compared("<=", with: right)
  }
  public static func <= (left: Query, right: Query) -> Query<Bool> {
    left.compared("<=", with: right.operand)
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
    let from = compared(">=", with: lower)
    let to = compared(closed ? "<=" : "<", with: upper)
    return from && to
  }
}

// MARK: - Logic

extension Query where T == Bool {
  public static prefix func ! (query: Query) -> Query {
    Query(
      condition: QueryText("NOT (") + query.condition + QueryText(")"),
      collection: query.collection)
  }
  public static func && (left: Query, right: Query) -> Query { left.joined("AND", right) }
  public static func || (left: Query, right: Query) -> Query { left.joined("OR", right) }

  private func joined(_ word: String, _ right: Query) -> Query {
    Query(
      condition: QueryText("(") + condition + QueryText(") \(word) (") + right.condition
        + QueryText(")"),
      collection: collection ?? right.collection)
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
    compared("BEGINSWITH", with: value, options: options)
  }
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compared("ENDSWITH", with: value, options: options)
  }
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared("CONTAINS", with: value, options: options)
  }
  /// Compares with a pattern in which `?` stands for one character and `*` for any number.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compared("LIKE", with: value, options: caseInsensitive ? .caseInsensitive : [])
  }
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared("==", with: value, options: options)
  }
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compared("!=", with: value, options: options)
  }
  public func starts(with other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared("BEGINSWITH", with: other.operand, options: options)
  }
  public func ends(with other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared("ENDSWITH", with: other.operand, options: options)
  }
  public func contains(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared("CONTAINS", with: other.operand, options: options)
  }
  public func like(_ other: Query<T>, caseInsensitive: Bool = false) -> Query<Bool> {
    compared("LIKE", with: other.operand, options: caseInsensitive ? .caseInsensitive : [])
  }
  public func equals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared("==", with: other.operand, options: options)
  }
  public func notEquals(_ other: Query<T>, options: StringOptions = []) -> Query<Bool> {
    compared("!=", with: other.operand, options: options)
  }
}
