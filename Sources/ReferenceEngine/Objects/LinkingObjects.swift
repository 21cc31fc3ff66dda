/// What reflection asks a linking-objects property without knowing the class at the other end.
protocol LinkingObjectsProtocol {
  var originProperty: String { get }
}

/// The objects of a class that link to an object through one of their properties.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: LinkingObjectsProtocol {
  let originProperty: String
  /// The object that is linked to, once it is in a realm.
  let managed: ManagedCollection?

  /// The links backwards, of the class's property `property`.
  public init(fromType _: Element.Type, property: String) {
    originProperty = property
    managed = nil
  }

  init(_ managed: ManagedCollection, originProperty: String) {
    self.managed = managed
    self.originProperty = originProperty
  }
}

extension Persisted {
  /// The objects whose `originProperty` links to this one.
  public init<Element>(originProperty: String) where Value == LinkingObjects<Element> {
    self.init(
      attributes: 0, value: LinkingObjects(fromType: Element.self, property: originProperty))
  }
}

extension LinkingObjects: _Persistable {
  public static var _rlmType: PropertyType { .linkingObjects }
  public static var _rlmShape: UInt8 { 0 }
  public static var _rlmLinkedClass: ObjectBase.Type? { Element.self }
  public static func _rlmDefaultValue() -> LinkingObjects {
    LinkingObjects(fromType: Element.self, property: "")
  }
  public static func _rlmRead(_ cell: _Cell) -> LinkingObjects {
    LinkingObjects(cell.collection, originProperty: cell.property.linkOriginPropertyName ?? "")
  }
  /// Links backwards are made by the links forwards.
  public static func _rlmWrite(_ value: LinkingObjects, _ cell: _Cell) {}
  public static func _rlmCoerceProperty(_ any: Any) -> LinkingObjects? { nil }
}
