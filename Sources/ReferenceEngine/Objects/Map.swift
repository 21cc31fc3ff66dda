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

  deinit {
    if managed != nil || Value.self != AnyRealmValue.self { return }
    var values = Array(elements.values)
    elements = [:]
    Remains.take(&values)
  }

  public var realm: Realm? { managed?.realm }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }

  public var count: Int { managed?.count ?? elements.count }
  public var isEmpty: Bool { count == 0 }

  /// All entries, by key in a managed map.
  var all: [(key: Key, value: Value)] {
    guard let managed else { return elements.map { ($0.key, $0.value) } }
    return managed.allEntries().map {
      (
        Key._rlmDecode(_Stored($0.key, managed.session)),
        Value._rlmDecode(_Stored($0.value, managed.session))
      )
    }
  }

  public var keys: [Key] { all.map(\.key) }
  public var values: [Value] { all.map(\.value) }

  /// The value of a key; setting nil removes the key.
  public subscript(key: Key) -> Value? {
    get {
      guard let managed else { return elements[key] }
      guard let found = managed.value(forKey: Key._rlmEncode(key).value) else { return nil }
      return Value._rlmDecode(_Stored(found, managed.session))
    }
    set {
      checkKey(key)
      guard let managed else {
        elements[key] = newValue
        return
      }
      let key = Key._rlmEncode(key).value
      if let newValue {
        managed.set(Value._rlmEncode(newValue).value, forKey: key)
      } else {
        managed.remove(key: key)
      }
    }
  }

  /// The value of a key, or another where the map has none; changing it in place sets it.
  public subscript(key: Key, default other: @autoclosure () -> Value) -> Value {
    get { self[key] ?? other() }
    set { self[key] = newValue }
  }

  public func updateValue(_ value: Value, forKey key: Key) { self[key] = value }

  public func removeObject(for key: Key) { self[key] = nil }

  public func removeAll() {
    guard let managed else { return elements.removeAll() }
    managed.removeAll()
  }

  /// Takes the entries of another map; `combine` decides where both have the key.
  public func merge<S: Sequence>(
    _ other: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in other { self[key] = try self[key].map { try combine($0, value) } ?? value }
  }

  public func merge(
    _ other: Map, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows { try merge(other.all, uniquingKeysWith: combine) }

  private func checkKey(_ key: Key) {
    if let name = key as? String { checkMapKey(name) }
  }
}

/// Stops whoever takes a name as key that a path could not name.
func checkMapKey(_ name: String) {
  if name.contains(".") || name.hasPrefix("$") { refuse(.badMapKey(name)) }
}

/// A map whose type is not known.
protocol NamedEntries {
  var entriesByName: [String: Any] { get }
}

extension Map: NamedEntries {
  var entriesByName: [String: Any] {
    Dictionary(all.map { ("\($0.key)", $0.value as Any) }, uniquingKeysWith: { first, _ in first })
  }
}

/// One entry of a `Map`.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
  public let key: Key
  public let value: Value
}

extension Map {
  /// The entries as pairs, as they were when it was asked.
  public func asKeyValueSequence() -> [(key: Key, value: Value)] { all }
}

extension Map: Sequence {
  /// Walks the entries as they were when it began.
  public func makeIterator() -> AnyIterator<SingleMapEntry<Key, Value>> {
    var rest = all.makeIterator()
    return AnyIterator { rest.next().map { SingleMapEntry(key: $0.key, value: $0.value) } }
  }
}

extension Map: Equatable {
  public static func == (left: Map, right: Map) -> Bool {
    if left === right { return true }
    if let one = left.managed, let other = right.managed { return one.isSame(as: other) }
    return left.managed == nil && right.managed == nil && left.elements == right.elements
  }
}

extension Map: CustomStringConvertible {
  public var description: String { describe(depth: Description.mostLevels) }
}

extension Map: ExpressibleByDictionaryLiteral {
  public convenience init(dictionaryLiteral elements: (Key, Value)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension Map: Encodable where Key == String, Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(all.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
      .encode(to: encoder)
  }
}

extension Map: Decodable where Key == String, Value: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    elements = try [String: Value](from: decoder)
  }
}

extension Map: _Persistable {
  public static var _rlmType: PropertyType { Value._rlmType }
  public static var _rlmIsOptional: Bool { Value._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { Value._rlmLinkedClass }
  public static var _rlmShape: UInt8 { 3 }
  public static func _rlmDefaultValue() -> Map { Map() }
  public static func _rlmRead(_ cell: _Cell) -> Map { cell.kept { Map($0) } }

  public static func _rlmAdopt(_ value: Map, _ cell: _Cell) {
    _rlmWrite(value, cell)
    if value.managed == nil {
      value.managed = cell.collection
      value.elements = [:]
      cell.keep(value)
    }
  }

  public static func _rlmWrite(_ value: Map, _ cell: _Cell) {
    let target = cell.writtenCollection
    if let source = value.managed, source.isSame(as: target) { return }
    let new = value.all.map { (Key._rlmEncode($0.key).value, Value._rlmEncode($0.value).value) }
    target.removeAll()
    for (key, value) in new { target.set(value, forKey: key) }
  }

  public static func _rlmCopied(_ value: Map) -> Map {
    let copy = Map()
    for (key, value) in value.all { copy.elements[key] = Value._rlmCopied(value) }
    return copy
  }

  public static func _rlmCoerceProperty(_ any: Any) -> Map? {
    let made = Map()
    if let same = any as? Map {
      for (key, value) in same.all { made.elements[key] = value }
      return made
    }
    if isAbsent(any) { return made }
    guard let dictionary = any as? [String: Any] else { return nil }
    for (key, value) in dictionary {
      guard let key = Key._rlmCoerce(key), let value = Value._rlmCoerce(value) else { return nil }
      made.checkKey(key)
      made.elements[key] = value
    }
    return made
  }
}

extension Violation {
  static func badMapKey(_ key: String) -> Violation {
    Violation("Map keys cannot contain the character '.' or begin with '$': '\(key)'.")
  }
}
