import Foundation

/// The storage of a `@Persisted` property, asked without knowing its type.
protocol PersistedStorage {
  static var valueType: any _Persistable.Type { get }
  static func attributes(at raw: UnsafeMutableRawPointer) -> PersistedAttributes
  /// The attributes as a wrapper of a managed object has them.
  static func managedAttributes(of property: Property) -> UInt32
  /// The value an unmanaged object holds.
  static func unmanagedValue(at raw: UnsafeMutableRawPointer) -> Any
  static func setUnmanagedValue(_ value: Any, at raw: UnsafeMutableRawPointer) -> Bool
  /// Gives the value that an unmanaged object holds collections of its own in mixed values.
  static func copyContent(at raw: UnsafeMutableRawPointer)
  /// Lets go of the value an unmanaged object holds.
  static func clear(at raw: UnsafeMutableRawPointer)
  /// Moves that value to others that are let go of.
  static func take(at raw: UnsafeMutableRawPointer, into others: inout [Any])
  /// The same as it is stored; nil for collections.
  static func storedValue(at raw: UnsafeMutableRawPointer) -> StoredValue?
  /// The value that a row has.
  static func managedValue(_ cell: _Cell) -> Any
  /// Writes the value of an unmanaged object to its new row, and lets go of it.
  static func persist(at raw: UnsafeMutableRawPointer, to cell: _Cell)
  /// Writes the value a property has when nobody gives one.
  static func persistDefault(to cell: _Cell)
  /// Whether the row has the value that an unmanaged object holds.
  static func isUnchanged(at raw: UnsafeMutableRawPointer, _ cell: _Cell) -> Bool
  /// A value as a caller gave it, ready to be written; nil if the property cannot hold it.
  static func write(of value: Any) -> (any PropertyWrite)?
}

/// A value of the right type on its way into a property.
protocol PropertyWrite {
  func perform(_ cell: _Cell)
  func isUnchanged(_ cell: _Cell) -> Bool
}

/// What a model says about a property beside its type.
struct PersistedAttributes {
  let isPrimaryKey: Bool
  let isIndexed: Bool
  let originProperty: String?
}

extension Persisted: PersistedStorage {
  static var valueType: any _Persistable.Type { Value.self }

  private static func wrapper(
    _ raw: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Persisted<Value>> { raw.assumingMemoryBound(to: Persisted<Value>.self) }

  static func attributes(at raw: UnsafeMutableRawPointer) -> PersistedAttributes {
    let wrapper = wrapper(raw)
    return PersistedAttributes(
      isPrimaryKey: wrapper.pointee.attributes & primaryKeyBit != 0,
      isIndexed: wrapper.pointee.attributes & indexedBit != 0,
      // To ask any other value whether it is one, the runtime searches all that is loaded.
      originProperty: Value._rlmType == .linkingObjects
        ? (wrapper.pointee.value as? any LinkingObjectsProtocol)?.originProperty : nil)
  }

  static func managedAttributes(of property: Property) -> UInt32 {
    managedBit | (property.isPrimaryKey ? primaryKeyBit : 0)
      | (property.isIndexed ? indexedBit : 0)
  }

  private static func value(at raw: UnsafeMutableRawPointer) -> Value {
    let wrapper = wrapper(raw)
    if let value = wrapper.pointee.value { return value }
    let value = Value._rlmDefaultValue()
    wrapper.pointee.value = value
    return value
  }

  static func unmanagedValue(at raw: UnsafeMutableRawPointer) -> Any { value(at: raw) }

  static func setUnmanagedValue(_ value: Any, at raw: UnsafeMutableRawPointer) -> Bool {
    guard let value = Value._rlmCoerceProperty(value) else { return false }
    wrapper(raw).pointee.value = value
    return true
  }

  static func copyContent(at raw: UnsafeMutableRawPointer) {
    guard let value = wrapper(raw).pointee.value else { return }
    wrapper(raw).pointee.value = Value._rlmCopied(value)
  }

  static func clear(at raw: UnsafeMutableRawPointer) { wrapper(raw).pointee.value = nil }

  static func take(at raw: UnsafeMutableRawPointer, into others: inout [Any]) {
    guard let value = wrapper(raw).pointee.value else { return }
    wrapper(raw).pointee.value = nil
    others.append(value)
  }

  static func storedValue(at raw: UnsafeMutableRawPointer) -> StoredValue? {
    Value._rlmStored(value(at: raw))?.value
  }

  static func managedValue(_ cell: _Cell) -> Any { Value._rlmRead(cell) }

  static func persist(at raw: UnsafeMutableRawPointer, to cell: _Cell) {
    let wrapper = wrapper(raw)
    let value = wrapper.pointee.value ?? Value._rlmDefaultValue()
    wrapper.pointee.value = nil
    Value._rlmAdopt(value, cell)
  }

  static func persistDefault(to cell: _Cell) { Value._rlmWrite(Value._rlmDefaultValue(), cell) }

  static func isUnchanged(at raw: UnsafeMutableRawPointer, _ cell: _Cell) -> Bool {
    Value._rlmIsStored(value(at: raw), cell.current)
  }

  static func write(of value: Any) -> (any PropertyWrite)? {
    Value._rlmCoerceProperty(value).map { TypedWrite(value: $0) }
  }
}

private struct TypedWrite<Value: _Persistable>: PropertyWrite {
  let value: Value
  func perform(_ cell: _Cell) { Value._rlmWrite(value, cell) }
  func isUnchanged(_ cell: _Cell) -> Bool { Value._rlmIsStored(value, cell.current) }
}

extension ClassLayout.Field {
  /// Writes the value that a new object has if nobody gives one: what its class says, or the type's
  /// own.
  func persistDefault(at raw: UnsafeMutableRawPointer, to cell: _Cell) {
    if offset < 0 {
      wrapper.persistDefault(to: cell)
    } else {
      wrapper.persist(at: raw + offset, to: cell)
    }
  }

  /// The value of an unmanaged object, or the default, as it is stored.
  func storedValue(at raw: UnsafeMutableRawPointer) -> StoredValue {
    if offset >= 0 { return wrapper.storedValue(at: raw + offset) ?? .null }
    let value = wrapper.valueType.anyDefault
    return StoredValue(value, for: property) ?? .null
  }
}

extension _Persistable {
  static var anyDefault: Any { _rlmDefaultValue() }
}

/// Whether a value stands for nothing: what bridges use for it.
///
/// Swift would make Foundation's own collection of one of its own, and of all within, to see that
/// it is none.
func isNull(_ value: Any) -> Bool { value is NSNull }

/// Whether a value is none, be it nil: a collection is empty then.
func isAbsent(_ value: Any) -> Bool {
  if let optional = value as? any OptionalProtocol {
    return optional.anyValue.map(isAbsent) ?? true
  }
  return isNull(value)
}

extension StoredValue {
  /// A caller's value as a property keeps it; nil if it cannot.
  init?(_ any: Any, for property: Property) {
    var value = any
    if let optional = any as? any OptionalProtocol {
      guard let inner = optional.anyValue else {
        guard property.isOptional else { return nil }
        self = .null
        return
      }
      value = inner
    }
    if isNull(value) {
      guard property.isOptional else { return nil }
      self = .null
      return
    }
    if let encodable = value as? any _StoredConvertible {
      let stored = encodable.encoded
      if stored.fits(property.type) {
        self = stored
        return
      }
    }
    let found: StoredValue? =
      switch property.type {
      case .int: Int64._rlmCoerce(value).map { .int($0) }
      case .bool: Bool._rlmCoerce(value).map { .bool($0) }
      case .string: String._rlmCoerce(value).map { .string($0) }
      case .data: Data._rlmCoerce(value).map { .data($0) }
      case .date: Date._rlmCoerce(value).map { .date($0) }
      case .float: Float._rlmCoerce(value).map { .float($0) }
      case .double: Double._rlmCoerce(value).map { .double($0) }
      case .objectId: ObjectId._rlmCoerce(value).map { .objectId($0) }
      case .UUID: UUID._rlmCoerce(value).map { .uuid($0) }
      case .decimal128: Decimal128._rlmCoerce(value).map { .decimal($0) }
      case .any: AnyRealmValue._rlmCoerce(value).map { AnyRealmValue._rlmEncode($0).value }
      case .object, .linkingObjects: nil
      }
    guard let found else { return nil }
    self = found
  }

  private func fits(_ type: PropertyType) -> Bool {
    switch self {
    case .null: false
    case .int: type == .int
    case .bool: type == .bool
    case .float: type == .float
    case .double: type == .double
    case .string: type == .string
    case .data: type == .data
    case .date: type == .date
    case .objectId: type == .objectId
    case .uuid: type == .UUID
    case .decimal: type == .decimal128
    case .link, .instance: type == .object
    case .nested: type == .any
    }
  }

  /// The value as diagnostics print it.
  var text: String {
    switch self {
    case .null: "(null)"
    case .int(let value): "\(value)"
    case .bool(let value): value ? "1" : "0"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .data(let value): "\(value)"
    case .date(let value): "\(value)"
    case .objectId(let value): "\(value)"
    case .uuid(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .link(let value): "\(value)"
    case .instance(let value): "\(value.base)"
    case .nested: "a collection"
    }
  }
}
