import CRealmCore
import Foundation

/// realm-core's results, and the session they are of.
final class ResultsState {
  let handle: Handle
  let session: Session
  /// The class of its objects; nil for values.
  let bound: BoundClass?

  init(_ handle: Handle, _ session: Session, _ bound: BoundClass?) {
    self.handle = handle
    self.session = session
    self.bound = bound
  }

  deinit { core.realm_release(handle) }

  var isInvalidated: Bool {
    var isValid = false
    check(core.realm_results_is_valid(handle, &isValid))
    return !isValid
  }

  var count: Int {
    var count = 0
    check(core.realm_results_count(handle, &count))
    return count
  }

  func value(at index: Int) -> _Stored {
    if let bound {
      let object = check(core.realm_results_get_object(handle, index))
      return _Stored(.object(session.accessor(object, bound)), session)
    }
    var raw = rc_value()
    check(core.realm_results_get(handle, index, &raw))
    return _Stored(StoredValue(raw), session)
  }

  func index(of value: StoredValue) -> Int? {
    var (index, found) = (0, false)
    if case .object(let object) = value {
      guard let row = object.handle else { return nil }
      session.verifySame(object)
      check(core.realm_results_find_object(handle, row, &index, &found))
    } else {
      check(
        value.withCore { value in
          var value = value
          return core.realm_results_find(handle, &value, &index, &found)
        })
    }
    return found ? index : nil
  }

  /// The members as they are now: a walk goes over these.
  func snapshot() -> ResultsState {
    ResultsState(check(core.realm_results_snapshot(handle)), session, bound)
  }

  /// The same question in another realm of the file.
  func found(in other: Session) -> ResultsState {
    ResultsState(
      check(core.realm_results_resolve_in(handle, other.handle)), other,
      bound.map { other.bound($0.layout.type) })
  }

  func filtered(by text: QueryText) -> ResultsState {
    let query = text.withCore(session) { words, count, arguments in
      check(core.realm_query_parse_for_results(handle, words, count, arguments))
    }
    defer { core.realm_release(query) }
    return ResultsState(check(core.realm_results_filter(handle, query)), session, bound)
  }

  func sorted(by descriptors: [SortDescriptor]) -> ResultsState {
    let words = descriptors.map { "\($0.keyPath) \($0.ascending ? "ASC" : "DESC")" }
      .joined(separator: ", ")
    return ResultsState(check(core.realm_results_sort(handle, words)), session, bound)
  }

  func distinct(by keyPaths: [String]) -> ResultsState {
    ResultsState(
      check(core.realm_results_distinct(handle, keyPaths.joined(separator: ", "))), session, bound)
  }

  func aggregate(_ aggregate: Aggregate, of property: String?) -> StoredValue {
    var column: Int64 = -1
    if let property, let bound {
      guard let known = bound.column(named: property) else {
        Facade.refuse("Property '\(property)' not found in object of type '\(bound.layout.name)'")
      }
      column = known
    }
    var (raw, found) = (rc_value(), false)
    let done =
      switch aggregate {
      case .min: core.realm_results_min(handle, column, &raw, &found)
      case .max: core.realm_results_max(handle, column, &raw, &found)
      case .sum: core.realm_results_sum(handle, column, &raw, &found)
      case .average: core.realm_results_average(handle, column, &raw, &found)
      }
    check(done)
    if !found, aggregate != .sum { return .null }
    return StoredValue(raw)
  }
}

enum Aggregate: String {
  case min = "@min"
  case max = "@max"
  case sum = "@sum"
  case average = "@avg"
}

/// The objects of a class, or the members of a collection, that a query names, in the order it asks
/// for.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
  let state: ResultsState

  init(_ state: ResultsState) { self.state = state }

  public var _source: _CollectionSource { _CollectionSource(state) }
  public var realm: Realm? { Realm(state.session) }
  public var isInvalidated: Bool { state.isInvalidated }
  public var count: Int { state.count }
  public var first: Element? { count > 0 ? self[0] : nil }

  public var last: Element? {
    let count = self.count
    return count > 0 ? self[count - 1] : nil
  }

  public subscript(position: Int) -> Element { Element._rlmDecode(state.value(at: position)) }

  public func index(of object: Element) -> Int? {
    state.index(of: Element._rlmEncode(object).value)
  }

  /// Walks the elements as they were when it began.
  public func makeIterator() -> RLMIterator<Element> { RLMIterator(state) }

  public static func == (left: Results, right: Results) -> Bool { left.state === right.state }

  public var description: String { "Results<\(Element.self)> (\(count) elements)" }
}

/// Walks a collection as it was when the walk began, even while the body changes or deletes
/// members.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  private let state: ResultsState?
  private let count: Int
  private var position = 0

  init(_ results: ResultsState?) {
    state = results?.snapshot()
    count = state?.count ?? 0
  }

  public mutating func next() -> Element? {
    guard let state, position < count else { return nil }
    position += 1
    return Element._rlmDecode(state.value(at: position - 1))
  }
}

/// A collection of a realm whose kind does not matter.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  let members: Results<Element>

  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    members = Results(base._source.state)
  }

  init(members: Results<Element>) { self.members = members }

  public var _source: _CollectionSource { members._source }
  public var realm: Realm? { members.realm }
  public var isInvalidated: Bool { members.isInvalidated }
  public var count: Int { members.count }
  public var first: Element? { members.first }
  public var last: Element? { members.last }
  public subscript(position: Int) -> Element { members[position] }
  public func index(of object: Element) -> Int? { members.index(of: object) }
  public func makeIterator() -> RLMIterator<Element> { members.makeIterator() }
  public var description: String { members.description }

  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    left.members == right.members
  }

  public var isFrozen: Bool { members.isFrozen }
  public func freeze() -> AnyRealmCollection { AnyRealmCollection(members: members.freeze()) }
  public func thaw() -> AnyRealmCollection? {
    members.thaw().map { AnyRealmCollection(members: $0) }
  }
}
