import CRealmCore

// Projections are RealmSwift's own layer, in Swift above everything else: what they show is
// realm-core's, that they do is not.

/// What every projection has: an object behind it, and a way to be made from one.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  associatedtype Root: ObjectBase
  /// The object that is projected.
  var rootObject: Root { get }
  init(projecting object: Root)
}

/// A projection whose class is not known.
protocol AnyProjection {
  var handedOver: ObjectBase.HandedOver { get }
}

/// A part of an object under names of its own: a view, not a copy.
open class Projection<Root: ObjectBase & RealmCollectionValue>: ProjectionObservable, RealmFetchable
{
  public let rootObject: Root

  public required init(projecting object: Root) { rootObject = object }

  public static var _rlmType: PropertyType { .object }
  public static var _rlmLinkedClass: ObjectBase.Type? { Root.self }

  public class func _rlmDecode(_ stored: _Stored) -> Self {
    self.init(projecting: Root._rlmDecode(stored))
  }
  public class func _rlmEncode(_ value: Projection) -> _Stored { Root._rlmEncode(value.rootObject) }
  public class func _rlmCoerce(_ any: Any) -> Self? { any as? Self }

  /// Whether both show the same object in the same way.
  public static func == (left: Projection, right: Projection) -> Bool {
    type(of: left) == type(of: right) && left.rootObject == right.rootObject
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rootObject) }
}

extension ProjectionObservable {
  public var realm: Realm? { rootObject.realm }
  public var isInvalidated: Bool { rootObject.isInvalidated }
  public var isFrozen: Bool { rootObject.isFrozen }
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }
}

extension Projection: AnyProjection {
  var handedOver: ObjectBase.HandedOver {
    let (configuration, reference, resolver) = rootObject.handedOver
    let type = type(of: self)
    return (
      configuration, reference,
      { (resolver($0, $1) as? Root).map { type.init(projecting: $0) } }
    )
  }
}

/// A property of a projection: what a key path of the projected object leads to.
@propertyWrapper
public struct Projected<Root: ObjectBase, Value> {
  fileprivate let keyPath: KeyPath<Root, Value>

  public init(_ keyPath: KeyPath<Root, Value>) { self.keyPath = keyPath }

  @available(*, unavailable, message: "@Projected can only be used in a class that is a Projection")
  public var wrappedValue: Value {
    get { fatalError("unreachable: the compiler goes through the subscript") }
    set { fatalError("unreachable: the compiler goes through the subscript") }
  }

  public static subscript<View: ProjectionObservable>(
    _enclosingInstance view: View,
    wrapped _: ReferenceWritableKeyPath<View, Value>,
    storage storage: ReferenceWritableKeyPath<View, Self>
  ) -> Value where View.Root == Root {
    get {
      Facade.decides()
      return view.rootObject[keyPath: view[keyPath: storage].keyPath]
    }
    set {
      Facade.decides()
      guard
        let keyPath = view[keyPath: storage].keyPath as? ReferenceWritableKeyPath<Root, Value>
      else { Facade.refuse("Cannot set a projected property whose key path is read-only.") }
      view.rootObject[keyPath: keyPath] = newValue
    }
  }
}

/// One property of each member of a collection of objects, in the collection's order.
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection {
  fileprivate let size: () -> Int
  fileprivate let element: (Int) -> Element

  public var startIndex: Int { 0 }
  public var endIndex: Int { size() }
  public subscript(position: Int) -> Element {
    get { element(position) }
    nonmutating set { Facade.notAskable("writing through what is shown of members") }
  }
}

/// Turns a collection of objects into one of a property of theirs, for key paths:
/// `\Person.dogs.projectTo.name`.
@dynamicMemberLookup
public struct CollectionElementMapper<Base: RealmCollection> where Base.Element: ObjectBase {
  fileprivate let collection: Base

  public subscript<Value: RealmCollectionValue>(
    dynamicMember member: KeyPath<Base.Element, Value>
  ) -> ProjectedCollection<Value> {
    let collection = collection
    return ProjectedCollection(
      size: { collection.count }, element: { collection[$0][keyPath: member] })
  }
}

extension RealmCollection where Element: ObjectBase {
  /// Where a projection's key path goes on into the members.
  public var projectTo: CollectionElementMapper<Self> {
    CollectionElementMapper(collection: self)
  }
}
