/// One property of each member of a list, a set or another collection of objects, in the
/// collection's order.
///
/// A view like the projection it belongs to: it shows what the members hold when it is read.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection,
  MutableCollection
{
  let members: ProjectedMembers<Element>

  public var startIndex: Int { 0 }
  public var endIndex: Int { members.count }
  /// A member's value; setting it sets the member's property.
  public subscript(position: Int) -> Element {
    get { members.value(at: position) }
    nonmutating set { members.set(newValue, at: position) }
  }

  public var realm: Realm? { members.base.realm }
  public var isInvalidated: Bool { members.base.isInvalidated }
  public var isFrozen: Bool { members.base.isFrozen }
  public func freeze() -> ProjectedCollection { ProjectedCollection(members: members.freeze()) }
  public func thaw() -> ProjectedCollection? {
    members.thaw().map { ProjectedCollection(members: $0) }
  }
}

extension ProjectedCollection: View {
  var shownThing: Any { members.base }
}

extension ProjectedCollection: Relocatable {
  func found(in session: Session) -> ProjectedCollection? {
    members.found(in: session).map { ProjectedCollection(members: $0) }
  }

  func finder() -> Finder { members.finder() }
}

extension ProjectedCollection: Equatable {
  public static func == (left: ProjectedCollection, right: ProjectedCollection) -> Bool {
    left.elementsEqual(right)
  }
}

extension ProjectedCollection: CustomStringConvertible {
  public var description: String {
    if isInvalidated { return "ProjectedCollection<\(Element.self)> (invalidated)" }
    let lines = enumerated().map { "\t[\($0.offset)] \($0.element)" }
    return (["ProjectedCollection<\(Element.self)> {"] + lines + ["}"]).joined(separator: "\n")
  }
}

/// What a key path asks a projected collection: where in the members its elements lie.
protocol AnyProjectedCollection {
  var memberPath: String { get }
}

extension ProjectedCollection: AnyProjectedCollection {
  var memberPath: String { members.path }
}

/// The members behind a projected collection, whatever kind of collection they are in.
class ProjectedMembers<Element: RealmCollectionValue> {
  var base: any ThreadConfined { fatalError("every kind of members has a collection") }
  var count: Int { fatalError("every kind of members knows its number") }
  var path: String { fatalError("every kind of members knows its path") }
  func value(at position: Int) -> Element { fatalError("every kind of members has values") }
  func set(_ value: Element, at position: Int) { fatalError("every kind of members has values") }
  func freeze() -> ProjectedMembers { fatalError("every kind of members freezes") }
  func thaw() -> ProjectedMembers? { fatalError("every kind of members thaws") }
  func found(in session: Session) -> ProjectedMembers? { fatalError("every kind can be found") }
  /// Finds the collection itself.
  func finder() -> Finder { fatalError("every kind can be found") }
}

/// The members of one kind of collection.
final class ProjectedMembersOf<Base: RealmCollection, Element: RealmCollectionValue>:
  ProjectedMembers<Element>
where Base.Element: ObjectBase {
  let collection: Base
  private let keyPath: KeyPath<Base.Element, Element>

  init(_ collection: Base, _ keyPath: KeyPath<Base.Element, Element>) {
    self.collection = collection
    self.keyPath = keyPath
  }

  override var base: any ThreadConfined { collection }
  override var count: Int { collection.count }
  override var path: String { propertyName(of: keyPath, in: Base.Element.self) }
  override func value(at position: Int) -> Element {
    collection[position][keyPath: keyPath]
  }
  override func set(_ value: Element, at position: Int) {
    guard let writable = keyPath as? ReferenceWritableKeyPath<Base.Element, Element> else {
      refuse(.projectedIsReadOnly(in: "ProjectedCollection<\(Element.self)>"))
    }
    collection[position][keyPath: writable] = value
  }

  override func freeze() -> ProjectedMembers<Element> {
    ProjectedMembersOf(collection.freeze(), keyPath)
  }

  override func thaw() -> ProjectedMembers<Element>? {
    collection.thaw().map { ProjectedMembersOf($0, keyPath) }
  }

  override func found(in session: Session) -> ProjectedMembers<Element>? {
    ((collection as? any Relocatable)?.found(in: session) as? Base).map {
      ProjectedMembersOf($0, keyPath)
    }
  }

  /// What shows a collection of this kind, found anywhere, in the same way.
  var shown: (Any) -> ProjectedCollection<Element> {
    { [keyPath] collection in
      ProjectedCollection(members: ProjectedMembersOf(collection as! Base, keyPath))
    }
  }

  override func finder() -> Finder {
    guard let find = (collection as? any Relocatable)?.finder() else { return { _ in nil } }
    let shown = Handed<(Any) -> Any>(shown)
    return { session in find(session).map(shown.value) }
  }
}

/// Turns a collection of objects into one of a property of theirs, for key paths:
/// `\Person.friends.projectTo.firstName`.
@dynamicMemberLookup
public struct CollectionElementMapper<Base: RealmCollection> where Base.Element: ObjectBase {
  let collection: Base

  public subscript<Value: RealmCollectionValue>(
    dynamicMember member: KeyPath<Base.Element, Value>
  ) -> ProjectedCollection<Value> {
    ProjectedCollection(members: ProjectedMembersOf(collection, member))
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Where a projection's key path goes on into the members.
  public var projectTo: CollectionElementMapper<Self> {
    CollectionElementMapper(collection: self)
  }
}
