import Foundation

/// The storage of a `@Persisted` property, asked without knowing its type.
protocol PersistedStorage {
  static var valueType: any _Persistable.Type { get }
  static func attributes(at raw: UnsafeMutableRawPointer) -> PersistedAttributes
  /// The value an unmanaged object holds.
  static func unmanagedValue(at raw: UnsafeMutableRawPointer) -> Any
  static func setUnmanagedValue(_ value: Any, at raw: UnsafeMutableRawPointer) -> Bool
  /// The value that a row has.
  static func managedValue(_ cell: _Cell) -> Any
  /// Writes the value of an unmanaged object to its new row, and lets go of it.
  static func persist(at raw: UnsafeMutableRawPointer, to cell: _Cell, onlyIfChanged: Bool)
  /// Writes a value as a caller gave it; false if the property cannot hold it.
  static func write(_ value: Any, to cell: _Cell, onlyIfChanged: Bool) -> Bool
  /// The primary key of an unmanaged object as it is stored.
  static func stored(at raw: UnsafeMutableRawPointer) -> StoredValue
  /// A caller's value as it is stored; nil if the property cannot hold it.
  static func stored(_ value: Any) -> StoredValue?
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
      originProperty: (wrapper.pointee.value as? any LinkingObjectsProtocol)?.originProperty)
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

  static func managedValue(_ cell: _Cell) -> Any { Value._rlmRead(cell) }

  static func persist(at raw: UnsafeMutableRawPointer, to cell: _Cell, onlyIfChanged: Bool) {
    let wrapper = wrapper(raw)
    let value = wrapper.pointee.value ?? Value._rlmDefaultValue()
    wrapper.pointee.value = nil
    if onlyIfChanged, Value._rlmIsStored(value, cell) { return }
    Value._rlmAdopt(value, cell)
  }

  static func write(_ value: Any, to cell: _Cell, onlyIfChanged: Bool) -> Bool {
    guard let value = Value._rlmCoerceProperty(value) else { return false }
    if !onlyIfChanged || !Value._rlmIsStored(value, cell) { Value._rlmWrite(value, cell) }
    return true
  }

  static func stored(at raw: UnsafeMutableRawPointer) -> StoredValue {
    encoded(value(at: raw)) ?? .null
  }

  static func stored(_ value: Any) -> StoredValue? {
    guard let value = Value._rlmCoerceProperty(value) else { return nil }
    return encoded(value)
  }

  private static func encoded(_ value: Value) -> StoredValue? {
    (value as? any _StoredConvertible)?.encoded
  }
}

extension _StoredConvertible {
  /// The value as it is stored.
  var encoded: StoredValue { Self._rlmEncode(self).value }
}
