import Foundation

// Links: an object as the value of a property or an element of a collection.

extension ObjectBase: _OptionalPersistable {
  public class var _rlmType: PropertyType { .object }
  public class var _rlmLinkedClass: ObjectBase.Type? { self }

  public class func _rlmDecode(_ stored: _Stored) -> Self {
    guard let object = stored.resolvedObject else { refuse(.invalidated) }
    return unsafeDowncast(object, to: self)
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
    case .object(let object): object
    case .link(let link): session?.object(at: link)
    default: nil
    }
  }
}
