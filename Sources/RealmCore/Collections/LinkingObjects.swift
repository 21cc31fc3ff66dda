import CRealmCore

/// What reflection asks a linking-objects property without knowing the class at the other end.
protocol LinkingObjectsProtocol {
  var originProperty: String { get }
}

/// The objects of a class that link to an object through one of their properties.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: LinkingObjectsProtocol {
  let originProperty: String
  /// What links to the object, once it is in a realm.
  let managed: ResultsState?

  public init(fromType _: Element.Type, property: String) {
    originProperty = property
    managed = nil
  }

  init(_ managed: ResultsState, originProperty: String) {
    self.managed = managed
    self.originProperty = originProperty
  }

  var state: ResultsState {
    guard let managed else {
      Facade.refuse(
        "This method may only be called on RLMLinkingObjects instances retrieved from an RLMRealm")
    }
    return managed
  }

  public var realm: Realm? { managed.map { Realm($0.session) } }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  public var count: Int { managed?.count ?? 0 }
  public var first: Element? { isEmpty ? nil : self[0] }
  public var last: Element? { isEmpty ? nil : self[count - 1] }
  public subscript(position: Int) -> Element { Element._rlmDecode(state.value(at: position)) }
  public func index(of element: Element) -> Int? { managed?.index(of: .object(element)) }

  /// Walks the objects as they were when it began.
  public func makeIterator() -> RLMIterator<Element> { RLMIterator(managed) }
}

extension LinkingObjects: Equatable {
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    left.originProperty == right.originProperty && left.managed === right.managed
  }
}

extension LinkingObjects: CustomStringConvertible {
  public var description: String { "LinkingObjects<\(Element.self)> (\(count) objects)" }
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
    let origin = cell.field.property.linkOriginPropertyName ?? ""
    let source = cell.session.bound(Element.self)
    guard let column = source.column(named: origin) else {
      Facade.refuse("'\(origin)' is no property of \(Element.self)")
    }
    let handle = check(core.realm_get_backlinks(cell.handle, source.key, column))
    return LinkingObjects(
      ResultsState(handle, cell.session, source), originProperty: origin)
  }
  /// Links backwards are made by the links forwards.
  public static func _rlmWrite(_ value: LinkingObjects, _ cell: _Cell) {}
  public static func _rlmIsStored(_ value: LinkingObjects, _ cell: _Cell) -> Bool { true }
  public static func _rlmCoerceProperty(_ any: Any) -> LinkingObjects? { any as? LinkingObjects }
}
