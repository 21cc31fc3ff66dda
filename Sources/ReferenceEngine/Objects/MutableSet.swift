/// Distinct values or objects: a property of an object, or free of any realm.
public final class MutableSet<Element: RealmCollectionValue> {
  /// The elements while no realm manages the set, in the order they came.
  var elements: [Element] = []
  /// Where the set lies once one does.
  var managed: ManagedCollection?

  public init() {}

  init(_ managed: ManagedCollection) { self.managed = managed }
}

extension MutableSet: _Persistable {
  public static var _rlmType: PropertyType { Element._rlmType }
  public static var _rlmIsOptional: Bool { Element._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Element._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 2 }
  public static func _rlmDefaultValue() -> MutableSet { MutableSet() }
  public static func _rlmRead(_ cell: _Cell) -> MutableSet { MutableSet(cell.collection) }
}

extension MutableSet {
  /// Replaces the elements of the row's collection.
  public static func _rlmWrite(_ value: MutableSet, _ cell: _Cell) {
    cell.collection.replaceAll(with: value.elements.map { Element._rlmEncode($0).value })
  }

  public static func _rlmCoerceProperty(_ any: Any) -> MutableSet? {
    if let same = any as? MutableSet { return same }
    guard let sequence = any as? any Sequence else { return nil }
    let made = MutableSet()
    for element in sequence {
      guard let element = Element._rlmCoerce(element) else { return nil }
      made.elements.append(element)
    }
    return made
  }
}
