/// What reflection asks a linking-objects property without knowing the class at the other end.
protocol LinkingObjectsProtocol {
  var originProperty: String { get }
}

/// The objects of a class that link to an object through one of their properties.
///
/// An object whose list or map links several times is there as often.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: LinkingObjectsProtocol {
  let originProperty: String
  /// The object that is linked to, once it is in a realm.
  let managed: ManagedCollection?
  /// What a free one shows: nothing, but where a key path is followed through it.
  private let probed: [Element]

  /// The links backwards, of the class's property `property`.
  public init(fromType _: Element.Type, property: String) {
    originProperty = property
    managed = nil
    probed = []
  }

  private init(probing elements: [Element]) {
    originProperty = ""
    managed = nil
    probed = elements
  }

  init(_ managed: ManagedCollection, originProperty: String) {
    self.managed = managed
    self.originProperty = originProperty
    probed = []
  }

  public var realm: Realm? { managed?.realm }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }

  public var count: Int { managed?.linkers().keys.count ?? probed.count }

  public subscript(position: Int) -> Element {
    guard let managed else {
      checkIndex(position, below: probed.count)
      return probed[position]
    }
    let linkers = managed.linkers()
    checkIndex(position, below: linkers.keys.count)
    return Element._rlmDecode(_Stored(.link(linkers.row(at: position)), managed.session))
  }
}

extension LinkingObjects: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var first: Element? { isEmpty ? nil : self[0] }
  public var last: Element? { isEmpty ? nil : self[count - 1] }

  public func index(of element: Element) -> Int? {
    guard let managed, element._header.pointee.session === managed.session,
      managed.session.isThere(element._header)
    else { return nil }
    return managed.linkers().position(of: element._header.pointee.key)
  }

  /// Walks the objects as they were when it began.
  public func makeIterator() -> IndexingIterator<[Element]> {
    guard let managed else { return probed.makeIterator() }
    return managed.linkers().rows.map { Element._rlmDecode(_Stored(.link($0), managed.session)) }
      .makeIterator()
  }
}

extension LinkingObjects: Equatable {
  public static func == (left: LinkingObjects, right: LinkingObjects) -> Bool {
    guard let one = left.managed, let other = right.managed else {
      return left.managed == nil && right.managed == nil
        && left.originProperty == right.originProperty
    }
    return one.isSame(as: other) && left.originProperty == right.originProperty
  }
}

extension LinkingObjects: CustomStringConvertible {
  public var description: String { describe(depth: Description.mostLevels) }
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
  public static func _rlmIsStored(_ value: LinkingObjects, _ cell: _Cell) -> Bool { true }
  public static func _rlmCoerceProperty(_ any: Any) -> LinkingObjects? {
    (any as? LinkingObjects) ?? (any as? [Element]).map { LinkingObjects(probing: $0) }
  }
}
