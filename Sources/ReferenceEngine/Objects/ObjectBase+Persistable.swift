import Foundation

// Links: an object as the value of a property or an element of a collection.

extension ObjectBase: _OptionalPersistable {
  public class var _rlmType: PropertyType { .object }
  public class var _rlmLinkedClass: ObjectBase.Type? { self }

  public class func _rlmDecode(_ stored: _Stored) -> Self {
    guard let object = stored.resolvedObject else {
      guard let session = stored.session else { refuse(.invalidated) }
      if case .link(let link) = stored.value { session.refuseLost(link.key) }
      session.refuseLost()
    }
    if _fastPath(type(of: object) == self) { return unsafeDowncast(object, to: self) }
    return another(object)
  }

  /// The same row as an object of this class, where it was found as one of another: of the same
  /// name, or of none.
  private class func another(_ object: ObjectBase) -> Self {
    if self != DynamicObject.self, let object = object as? Self { return object }
    let header = object._header
    guard let session = header.pointee.session, let table = header.pointee.table else {
      refuse(.invalidated)
    }
    let bound = self == DynamicObject.self ? session.dynamicClass(table.name) : session.bound(self)
    guard bound.number == table.number else { refuse(.invalidated) }
    return unsafeDowncast(session.accessor(bound, header.pointee.key), to: self)
  }

  public class func _rlmEncode(_ value: ObjectBase) -> _Stored { _Stored(.object(value)) }

  public class func _rlmCoerce(_ any: Any) -> Self? {
    if let object = any as? Self { return object }
    if any is ObjectBase || any is String || any is NSNull { return nil }
    guard any is [String: Any] || any is [Any] else { return nil }
    let object = self.init()
    object.initialize(from: any)
    return object
  }
}

extension _Stored {
  /// The object at the end of a link.
  var resolvedObject: ObjectBase? {
    switch value {
    case .instance(let value): value.base
    case .link(let link): session?.object(at: link)
    default: nil
    }
  }
}
