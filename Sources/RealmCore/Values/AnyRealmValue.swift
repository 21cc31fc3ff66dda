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

  /// The object, if it is one of that class.
  public func object<T: Object>(_ type: T.Type) -> T? {
    if case .object(let value) = self { value as? T } else { nil }
  }
}

/// Lists and dictionaries in a mixed value: this module knows none, so that nothing here has one.
extension AnyRealmValue {
  public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
    Facade.notAskable(nesting)
  }
  public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
    Facade.notAskable(nesting)
  }
  public var dictionaryValue: Map<String, AnyRealmValue>? { nil }
  public var listValue: List<AnyRealmValue>? { nil }
}

private let nesting = "lists in mixed values: what stands for RealmSwift here has none"

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
    case .link, .object:
      (stored.object(as: Object.self) as? Object).map(AnyRealmValue.object) ?? AnyRealmValue.none
    }
  }

  public static func _rlmEncode(_ value: AnyRealmValue) -> _Stored {
    switch value {
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
    }
  }

  public static func _rlmCoerce(_ any: Any) -> AnyRealmValue? {
    switch any {
    case let value as AnyRealmValue: return value
    case is NSNull: return AnyRealmValue.none
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
    default: return nil
    }
  }
}
