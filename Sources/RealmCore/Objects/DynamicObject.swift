// RealmSwift makes a class while the program runs for an object that has none here; this module
// does not. The type is here for code that names it; there is no way to get one.

/// An object read by the names of its properties. Not offered by this module.
@dynamicMemberLookup
public final class DynamicObject: Object {
  public subscript(key: String) -> Any? {
    get { Facade.notAskable(withoutClasses) }
    set { Facade.notAskable(withoutClasses) }
  }

  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }
}

extension ObjectBase {
  public func dynamicList(_ name: String) -> List<DynamicObject> {
    Facade.notAskable(withoutClasses)
  }

  public func dynamicMutableSet(_ name: String) -> MutableSet<DynamicObject> {
    Facade.notAskable(withoutClasses)
  }

  public func dynamicMap<Key: _MapKey>(_ name: String) -> Map<Key, DynamicObject?> {
    Facade.notAskable(withoutClasses)
  }
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

  /// Not askable: this module binds objects to classes alone.
  @discardableResult
  public func dynamicCreate(
    _ name: String, value: Any = [String: Any](), update: UpdatePolicy = .error
  ) -> DynamicObject { Facade.notAskable(withoutClasses) }
}
