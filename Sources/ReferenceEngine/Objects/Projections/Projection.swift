/// What every projection has: an object behind it, and a way to be made from one.
public protocol ProjectionObservable: AnyObject, ThreadConfined {
  associatedtype Root: ObjectBase & ThreadConfined
  /// The object that is projected.
  var rootObject: Root { get }
  init(projecting object: Root)
}

/// A part of an object under names of its own, for code that shall see no more: a view, not a copy.
///
/// Subclasses name what they show by `@Projected`. A projection lives, freezes and dies with its
/// object, belongs where that belongs, and can be fetched by `Realm.objects` in the object's stead.
open class Projection<Root: ObjectBase & RealmCollectionValue & ThreadConfined>:
  ProjectionObservable, RealmFetchable
{
  public let rootObject: Root

  public required init(projecting object: Root) {
    rootObject = object
    // Found now, so that what is wrong with the class is told where it is first used.
    if !ProjectionProbe.isSampling { _ = ProjectionSchema.of(Self.self) }
  }

  public static var _rlmType: PropertyType { .object }
  public static var _rlmLinkedClass: ObjectBase.Type? { Root.self }
  public static var _rlmIsProjection: Bool { true }

  public class func _rlmDecode(_ stored: _Stored) -> Self {
    self.init(projecting: Root._rlmDecode(stored))
  }
  public class func _rlmEncode(_ value: Projection) -> _Stored { Root._rlmEncode(value.rootObject) }
  public class func _rlmCoerce(_ any: Any) -> Self? { any as? Self }

  /// Whether both show the same object in the same way.
  public static func == (left: Projection, right: Projection) -> Bool {
    type(of: left) == type(of: right) && left.rootObject.isSameObject(as: right.rootObject)
  }

  public func hash(into hasher: inout Hasher) {
    let header = rootObject._header
    if header.pointee.session == nil {
      hasher.combine(ObjectIdentifier(rootObject))
    } else {
      hasher.combine(header.pointee.key)
    }
  }
}

extension ProjectionObservable {
  public var realm: Realm? { rootObject.realm }
  public var isInvalidated: Bool { rootObject.isInvalidated }
  public var isFrozen: Bool { rootObject.isFrozen }

  /// A snapshot, to be read on any thread.
  public func freeze() -> Self { Self(projecting: rootObject.freeze()) }
  /// The live one of a snapshot; nil if its object is no longer there.
  public func thaw() -> Self? { rootObject.thaw().map { Self(projecting: $0) } }
}

extension Projection: View {
  var shownThing: Any { rootObject }
}

extension Projection: Relocatable {
  func found(in session: Session) -> Self? {
    rootObject.found(in: session).map { Self(projecting: $0) }
  }

  func finder() -> Finder {
    let find = rootObject.finder()
    return { session in (find(session) as? Root).map { Self(projecting: $0) } }
  }
}

extension Projection: CustomStringConvertible {
  /// The class, and what the projected properties show.
  public var description: String {
    if rootObject.isInvalidated { return "[invalid object]" }
    let lines = ProjectionSchema.of(Self.self).properties.map { property in
      let value = property.projected.told(of: rootObject) ?? rootObject[keyPath: property.keyPath]
      return "\t\(property.label)(\\.\(property.path)) = \(value ?? "nil");"
    }
    let place = address(of: rootObject)
    return "\(type(of: self))<\(type(of: rootObject))> <\(place)> {\n\t"
      + lines.joined(separator: "\n") + "\n}"
  }
}
