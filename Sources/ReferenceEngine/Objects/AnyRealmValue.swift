import Foundation

/// A value of any single type that a realm can store.
public enum AnyRealmValue: Hashable {
  case none
  case int(Int)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case object(Object)
  case objectId(ObjectId)
  case decimal128(Decimal128)
  case uuid(UUID)
  case dictionary(Map<String, AnyRealmValue>)
  case list(List<AnyRealmValue>)

  public init() { self = .none }

  public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
  public var objectIdValue: ObjectId? { if case .objectId(let value) = self { value } else { nil } }
  public var decimal128Value: Decimal128? {
    if case .decimal128(let value) = self { value } else { nil }
  }
  public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }

  public var dictionaryValue: Map<String, AnyRealmValue>? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  public var listValue: List<AnyRealmValue>? {
    if case .list(let value) = self { value } else { nil }
  }

  /// A dictionary of mixed values, which may hold more of them.
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    let map = Map<String, AnyRealmValue>()
    for (key, value) in dictionary { map[key] = value }
    return .dictionary(map)
  }

  /// A list of mixed values, which may hold more of them.
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue { .list(List(array)) }

  /// What it holds; nil for none.
  var content: Any? {
    switch self {
    case .none: nil
    case .int(let value): value
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .string(let value): value
    case .data(let value): value
    case .date(let value): value
    case .object(let value): value
    case .objectId(let value): value
    case .decimal128(let value): value
    case .uuid(let value): value
    case .dictionary(let value): value
    case .list(let value): value
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: hasher.combine(0)
    case .int(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    case .objectId(let value): hasher.combine(value)
    case .decimal128(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    // What is in a collection may change while the value is somebody's key.
    case .dictionary: hasher.combine(1)
    case .list: hasher.combine(2)
    }
  }

  /// The object by name alone, if it is a managed one.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self, object._header.pointee.session != nil else { return nil }
    return DynamicObject._rlmDecode(_Stored(.object(object)))
  }

  /// The object, if it is one of that class.
  public func object<T: Object>(_ type: T.Type) -> T? {
    if case .object(let value) = self { value as? T } else { nil }
  }
}

extension AnyRealmValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int) { self = .int(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .none }
}

extension AnyRealmValue: _Persistable, RealmCollectionValue {
  public static var _rlmType: PropertyType { .any }
  public static var _rlmIsOptional: Bool { true }
  public static func _rlmDefaultValue() -> AnyRealmValue { .none }

  public static func _rlmDecode(_ stored: _Stored) -> AnyRealmValue {
    switch stored.value {
    case .null: .none
    case .int(let value): .int(Int(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    case .objectId(let value): .objectId(value)
    case .uuid(let value): .uuid(value)
    case .decimal(let value): .decimal128(value)
    case .link, .instance:
      (stored.resolvedObject as? Object).map(AnyRealmValue.object) ?? AnyRealmValue.none
    case .nested(let nested): decode(nested, stored.session)
    }
  }

  private static func decode(_ nested: NestedValue, _ session: Session?) -> AnyRealmValue {
    if let place = nested.collection {
      let collection = ManagedCollection(nested, of: place)
      return nested.isList ? .list(List(collection)) : .dictionary(Map(collection))
    }
    let elements = nested.elements.map { _rlmDecode(_Stored($0, session)) }
    guard let keys = nested.keys else { return .list(List(elements)) }
    let map = Map<String, AnyRealmValue>()
    for (key, value) in zip(keys, elements) { map.elements[key] = value }
    return .dictionary(map)
  }

  public static func _rlmRead(_ cell: _Cell) -> AnyRealmValue {
    let stored = cell.load()
    guard case .nested(let nested) = stored.value else { return _rlmDecode(stored) }
    return _rlmDecode(_Stored(.nested(nested.placed(in: cell.collection)), stored.session))
  }

  public static func _rlmEncode(_ value: AnyRealmValue) -> _Stored { encode(value, 1) }

  private static func encode(_ value: AnyRealmValue, _ level: Int) -> _Stored {
    if level > NestedValue.mostLevels + 1 { refuse(.tooManyLevels, at: .writeProperty) }
    return switch value {
    case .none: _Stored(.null)
    case .int(let value): _Stored(.int(Int64(value)))
    case .bool(let value): _Stored(.bool(value))
    case .float(let value): _Stored(.float(value))
    case .double(let value): _Stored(.double(value))
    case .string(let value): _Stored(.string(value))
    case .data(let value): _Stored(.data(value))
    case .date(let value): _Stored(.date(value))
    case .object(let value): _Stored(.object(value))
    case .objectId(let value): _Stored(.objectId(value))
    case .decimal128(let value): _Stored(.decimal(value))
    case .uuid(let value): _Stored(.uuid(value))
    case .list(let list):
      _Stored(.nested(NestedValue(keys: nil, list.all.map { encode($0, level + 1).value })))
    case .dictionary(let map):
      _Stored(
        .nested(
          NestedValue(
            entries: map.all.map { (key: $0.key, value: encode($0.value, level + 1).value) })))
    }
  }

  public static func _rlmCoerce(_ any: Any) -> AnyRealmValue? {
    switch any {
    case let value as AnyRealmValue: return value
    case _ where isAbsent(any): return AnyRealmValue.none
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(value)
    case let value as Float: return .float(value)
    case let value as Double: return .double(value)
    case let value as String: return .string(value)
    case let value as Data: return .data(value)
    case let value as Date: return .date(value)
    case let value as Object: return .object(value)
    case let value as ObjectId: return .objectId(value)
    case let value as Decimal128: return .decimal128(value)
    case let value as UUID: return .uuid(value)
    case let value as any BinaryInteger: return .int(Int(value))
    case let value as Map<String, AnyRealmValue>: return .dictionary(value)
    case let value as List<AnyRealmValue>: return .list(value)
    case let value as [String: Any]:
      let map = Map<String, AnyRealmValue>()
      for (key, value) in value {
        guard let value = _rlmCoerce(value) else { return nil }
        map[key] = value
      }
      return .dictionary(map)
    case let value as [Any]:
      let list = List<AnyRealmValue>()
      for value in value {
        guard let value = _rlmCoerce(value) else { return nil }
        list.elements.append(value)
      }
      return .list(list)
    default: return nil
    }
  }
}
