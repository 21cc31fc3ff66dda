/// Values or objects in an order of their own: a property of an object, or free of any realm.
public final class List<Element: RealmCollectionValue> {
  /// The elements while no realm manages the list.
  var elements: [Element] = []
  /// Where the list lies once one does.
  var managed: ManagedCollection?

  public init() {}

  init(_ managed: ManagedCollection) { self.managed = managed }

  /// An unmanaged list of the elements.
  public convenience init<S: Sequence>(_ elements: S) where S.Element == Element {
    self.init()
    self.elements = Array(elements)
  }
}

extension List: _Persistable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmIsOptional: Bool { Element._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Element._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 1 }
  public static func _rlmDefaultValue() -> List { List() }
  public static func _rlmRead(_ cell: _Cell) -> List { List(cell.collection) }
}

extension List {
  /// Replaces the elements of the row's collection.
  public static func _rlmWrite(_ value: List, _ cell: _Cell) {
    cell.collection.replaceAll(with: value.elements.map { Element._rlmEncode($0).value })
  }

  public static func _rlmCoerceProperty(_ any: Any) -> List? {
    if let same = any as? List { return same }
    guard let sequence = any as? any Sequence else { return nil }
    let made = List()
    for element in sequence {
      guard let element = Element._rlmCoerce(element) else { return nil }
      made.elements.append(element)
    }
    return made
  }
}
