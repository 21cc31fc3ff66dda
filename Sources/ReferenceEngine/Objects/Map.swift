/// What may be the key of a `Map`.
public protocol _MapKey: Hashable, _StoredConvertible {}

extension String: _MapKey {}

/// Values or objects by key: a property of an object, or free of any realm.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
  /// The entries while no realm manages the map.
  var elements: [Key: Value] = [:]
  /// Where the map lies once one does.
  var managed: ManagedCollection?

  public init() {}

  init(_ managed: ManagedCollection) { self.managed = managed }
}

extension Map: _Persistable {
  public static var _rlmType: PropertyType { Value._rlmType }
  public static var _rlmIsOptional: Bool { Value._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Value._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 3 }
  public static func _rlmDefaultValue() -> Map { Map() }
  public static func _rlmRead(_ cell: _Cell) -> Map { Map(cell.collection) }
}

extension Map {
  /// Replaces the entries of the row's map.
  public static func _rlmWrite(_ value: Map, _ cell: _Cell) {
    cell.collection.replaceAll(
      withEntries: value.elements.map { (Key._rlmEncode($0).value, Value._rlmEncode($1).value) })
  }

  public static func _rlmCoerceProperty(_ any: Any) -> Map? {
    if let same = any as? Map { return same }
    guard let dictionary = any as? [String: Any] else { return nil }
    let made = Map()
    for (key, value) in dictionary {
      guard let key = Key._rlmCoerce(key), let value = Value._rlmCoerce(value) else { return nil }
      made.elements[key] = value
    }
    return made
  }
}
