// RealmSwift makes a class while the program runs for an object that has none here; this module
// does not. The type is here for code that names it; there is no way to get one.

/// An object read by the names of its properties. Not offered by this module.
public final class DynamicObject: Object {
  public subscript(key: String) -> Any? { Facade.notAskable(withoutClasses) }
}

private let withoutClasses = "objects without a class: what stands for RealmSwift here has none"

extension Realm {
  /// Not askable: this module binds objects to classes alone.
  public func dynamicObject(ofType name: String, forPrimaryKey key: Any) -> DynamicObject? {
    Facade.notAskable(withoutClasses)
  }

  /// Not askable: this module binds objects to classes alone.
  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> {
    Facade.notAskable(withoutClasses)
  }
}
