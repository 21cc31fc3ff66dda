import Foundation

// Every plain value persists alike: one property, one column.

extension _Persistable where Self: _StoredConvertible {
  public static var _rlmShape: UInt8 { 0 }
  public static func _rlmRead(_ cell: _Cell) -> Self { _rlmDecode(cell.load()) }
  public static func _rlmWrite(_ value: Self, _ cell: _Cell) { cell.store(_rlmEncode(value)) }
  public static func _rlmCoerceProperty(_ any: Any) -> Self? { _rlmCoerce(any) }
  public static func _rlmStored(_ value: Self) -> _Stored? { _rlmEncode(value) }
  public static func _rlmIsStored(_ value: Self, _ cell: _Cell) -> Bool {
    let (new, old) = (_rlmEncode(value).value, cell.load().value)
    if let object = new.object, case .link(let link) = old {
      let header = object._header
      return header.pointee.session === cell.session && header.pointee.key == link.key
        && header.pointee.table?.number == link.table
    }
    return new.isStored(as: old)
  }
}

extension Bool: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .bool }
  @inlinable public static func _rlmDefaultValue() -> Bool { false }
  public static func _rlmDecode(_ stored: _Stored) -> Bool {
    if case .bool(let value) = stored.value { value } else { false }
  }
  public static func _rlmEncode(_ value: Bool) -> _Stored { _Stored(.bool(value)) }
  public static func _rlmCoerce(_ any: Any) -> Bool? {
    if let value = any as? Bool { return value }
    if let value = any as? Int, value == 0 || value == 1 { return value == 1 }
    if let value = any as? NSNumber, value == 0 || value == 1 { return value.boolValue }
    return nil
  }
}

/// The integers of all widths: all are kept as `Int64`.
public protocol _IntegerPersistable: _Persistable, RealmCollectionValue, _OptionalPersistable,
  FixedWidthInteger
{}

extension _IntegerPersistable {
  public static var _rlmType: PropertyType { .int }
  @inlinable public static func _rlmDefaultValue() -> Self { 0 }
  public static func _rlmDecode(_ stored: _Stored) -> Self {
    if case .int(let value) = stored.value { Self(truncatingIfNeeded: value) } else { 0 }
  }
  public static func _rlmEncode(_ value: Self) -> _Stored { _Stored(.int(Int64(value))) }
  public static func _rlmCoerce(_ any: Any) -> Self? {
    if let value = any as? Self { return value }
    if let value = any as? any BinaryInteger { return Self(exactly: value) }
    if let value = any as? any BinaryFloatingPoint { return Self(exactly: Double(value)) }
    if let value = any as? NSNumber { return Self(exactly: value.doubleValue) }
    return nil
  }
}

extension Int: _IntegerPersistable {}
extension Int8: _IntegerPersistable {}
extension Int16: _IntegerPersistable {}
extension Int32: _IntegerPersistable {}
extension Int64: _IntegerPersistable {}

extension Float: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .float }
  @inlinable public static func _rlmDefaultValue() -> Float { 0 }
  public static func _rlmDecode(_ stored: _Stored) -> Float {
    if case .float(let value) = stored.value { value } else { 0 }
  }
  public static func _rlmEncode(_ value: Float) -> _Stored { _Stored(.float(value)) }
  public static func _rlmCoerce(_ any: Any) -> Float? {
    if let value = any as? Float { return value }
    if let value = any as? any BinaryFloatingPoint { return Float(value) }
    if let value = any as? any BinaryInteger { return Float(value) }
    if let value = any as? NSNumber { return value.floatValue }
    return nil
  }
}

extension Double: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .double }
  @inlinable public static func _rlmDefaultValue() -> Double { 0 }
  public static func _rlmDecode(_ stored: _Stored) -> Double {
    if case .double(let value) = stored.value { value } else { 0 }
  }
  public static func _rlmEncode(_ value: Double) -> _Stored { _Stored(.double(value)) }
  public static func _rlmCoerce(_ any: Any) -> Double? {
    if let value = any as? Double { return value }
    if let value = any as? any BinaryFloatingPoint { return Double(value) }
    if let value = any as? any BinaryInteger { return Double(value) }
    if let value = any as? NSNumber { return value.doubleValue }
    return nil
  }
}

extension String: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .string }
  @inlinable public static func _rlmDefaultValue() -> String { "" }
  public static func _rlmDecode(_ stored: _Stored) -> String {
    if case .string(let value) = stored.value { value } else { "" }
  }
  public static func _rlmEncode(_ value: String) -> _Stored { _Stored(.string(value)) }
  public static func _rlmCoerce(_ any: Any) -> String? { any as? String }
}

extension Data: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .data }
  public static func _rlmDefaultValue() -> Data { Data() }
  public static func _rlmDecode(_ stored: _Stored) -> Data {
    if case .data(let value) = stored.value { value } else { Data() }
  }
  public static func _rlmEncode(_ value: Data) -> _Stored { _Stored(.data(value)) }
  public static func _rlmCoerce(_ any: Any) -> Data? { any as? Data }
}

extension Date: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .date }
  public static func _rlmDefaultValue() -> Date { Date(timeIntervalSince1970: 0) }
  public static func _rlmDecode(_ stored: _Stored) -> Date {
    if case .date(let value) = stored.value { value } else { _rlmDefaultValue() }
  }
  public static func _rlmEncode(_ value: Date) -> _Stored { _Stored(.date(value)) }
  public static func _rlmCoerce(_ any: Any) -> Date? { any as? Date }
}

extension ObjectId: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .objectId }
  /// A fresh one: a key that nobody gave is one that nobody has.
  public static func _rlmDefaultValue() -> ObjectId { .generate() }
  public static func _rlmDecode(_ stored: _Stored) -> ObjectId {
    if case .objectId(let value) = stored.value { value } else { ObjectId() }
  }
  public static func _rlmEncode(_ value: ObjectId) -> _Stored { _Stored(.objectId(value)) }
  public static func _rlmCoerce(_ any: Any) -> ObjectId? {
    (any as? ObjectId) ?? (any as? String).flatMap { try? ObjectId(string: $0) }
  }
}

extension UUID: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .UUID }
  public static func _rlmDefaultValue() -> UUID { UUID() }
  public static func _rlmDecode(_ stored: _Stored) -> UUID {
    if case .uuid(let value) = stored.value { value } else { UUID(uuid: zeroUUID) }
  }
  public static func _rlmEncode(_ value: UUID) -> _Stored { _Stored(.uuid(value)) }
  public static func _rlmCoerce(_ any: Any) -> UUID? {
    (any as? UUID) ?? (any as? String).flatMap(UUID.init(uuidString:))
  }
}

private let zeroUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

extension Decimal128: _Persistable, RealmCollectionValue, _OptionalPersistable {
  public static var _rlmType: PropertyType { .decimal128 }
  public static func _rlmDefaultValue() -> Decimal128 { Decimal128() }
  public static func _rlmDecode(_ stored: _Stored) -> Decimal128 {
    if case .decimal(let value) = stored.value { value } else { Decimal128() }
  }
  public static func _rlmEncode(_ value: Decimal128) -> _Stored { _Stored(.decimal(value)) }
  public static func _rlmCoerce(_ any: Any) -> Decimal128? {
    if let value = any as? Decimal128 { return value }
    if let value = any as? String { return try? Decimal128(string: value) }
    if let value = any as? any BinaryInteger { return Int64(exactly: value).map { Decimal128($0) } }
    if let value = any as? any BinaryFloatingPoint { return Decimal128(Double(value)) }
    if let value = any as? NSNumber { return Decimal128(number: value) }
    return nil
  }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
  public static var _rlmType: PropertyType { Wrapped._rlmType }
  public static var _rlmIsOptional: Bool { true }
  public static var _rlmLinkedClass: ObjectBase.Type? { Wrapped._rlmLinkedClass }
}

extension Optional: _StoredConvertible where Wrapped: _OptionalPersistable {
  public static func _rlmDecode(_ stored: _Stored) -> Wrapped? {
    if case .null = stored.value { nil } else { Wrapped._rlmDecode(stored) }
  }
  public static func _rlmEncode(_ value: Wrapped?) -> _Stored {
    value.map(Wrapped._rlmEncode) ?? _Stored(.null)
  }
  public static func _rlmCoerce(_ any: Any) -> Wrapped?? {
    if any is NSNull { return .some(nil) }
    if let optional = any as? any OptionalProtocol {
      guard let inner = optional.anyValue else { return .some(nil) }
      return Wrapped._rlmCoerce(inner).map { .some($0) }
    }
    return Wrapped._rlmCoerce(any).map { .some($0) }
  }
}

extension OptionalProtocol {
  var anyValue: Any? { _rlmOptional }
}

extension Optional: _Persistable where Wrapped: _OptionalPersistable {
  @inlinable public static func _rlmDefaultValue() -> Wrapped? { nil }

  @inlinable @inline(__always)
  public static func _rlmRead(_ cell: _Cell) -> Wrapped? { Wrapped._rlmReadOptional(cell) }
}

extension Optional: RealmCollectionValue where Wrapped: _OptionalPersistable & Hashable {}

/// An enumeration whose raw values are stored.
public protocol PersistableEnum: _Persistable, RealmCollectionValue, _OptionalPersistable,
  RawRepresentable, CaseIterable
where RawValue: _StoredConvertible {}

/// The name generic code knows enumerations by.
public typealias RealmEnum = PersistableEnum

extension PersistableEnum {
  public static var _rlmType: PropertyType { RawValue._rlmType }
  // An enum without cases has no values, so this is never asked of one.
  public static func _rlmDefaultValue() -> Self { allCases.first! }
  public static func _rlmDecode(_ stored: _Stored) -> Self {
    Self(rawValue: RawValue._rlmDecode(stored)) ?? _rlmDefaultValue()
  }
  public static func _rlmEncode(_ value: Self) -> _Stored { RawValue._rlmEncode(value.rawValue) }
  public static func _rlmCoerce(_ any: Any) -> Self? {
    (any as? Self) ?? RawValue._rlmCoerce(any).flatMap(Self.init(rawValue:))
  }
}
