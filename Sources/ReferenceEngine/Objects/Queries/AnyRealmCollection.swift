/// A collection of a realm whose kind does not matter: `Results`, `List`, `MutableSet` or
/// `LinkingObjects`.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
  private let members: Results<Element>

  public init<C: RealmCollection>(_ base: C) where C.Element == Element {
    members = Results(base._source.state)
  }

  private init(members: Results<Element>) { self.members = members }

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

  /// Whether both are views of the same collection.
  public static func == (left: AnyRealmCollection, right: AnyRealmCollection) -> Bool {
    let (one, other) = (left.members.state, right.members.state)
    if one === other { return true }
    guard case .collection(let a) = one.origin, case .collection(let b) = other.origin else {
      return false
    }
    return a.isSame(as: b) && one.isPlain && other.isPlain
  }
}

extension AnyRealmCollection: ThreadConfined, Relocatable {
  public var isFrozen: Bool { members.isFrozen }
  public func freeze() -> AnyRealmCollection { AnyRealmCollection(members: members.freeze()) }
  public func thaw() -> AnyRealmCollection? {
    members.thaw().map { AnyRealmCollection(members: $0) }
  }

  static var referencesPin: Bool { true }

  func found(in other: Session) -> AnyRealmCollection? {
    members.found(in: other).map { AnyRealmCollection(members: $0) }
  }

  func finder() -> Finder {
    let question = members.state.question
    return { session in
      question.asked(in: session).map { AnyRealmCollection(members: Results<Element>($0)) }
    }
  }
}

extension ResultsState {
  /// Whether nothing is asked but for the members as they are.
  var isPlain: Bool { predicate.isEverything && orderings.isEmpty }
}
