import Foundation

/// Makes a property of a model class persistent.
///
/// The value lives in the wrapper until the object is added to a realm; then every access goes to
/// realm-core. The wrapper's first word is the property's place in its class, counted from 1, once
/// a realm manages the object.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  var column: UInt32
  var attributes: UInt32
  var value: Value?

  static var primaryKeyBit: UInt32 { 1 }
  static var indexedBit: UInt32 { 2 }

  init(attributes: UInt32, value: Value?) {
    column = 0
    self.attributes = attributes
    self.value = value
  }

  public init() { self.init(attributes: 0, value: nil) }

  public init(wrappedValue: Value) { self.init(attributes: 0, value: wrappedValue) }

  /// The property identifies the object.
  public init(primaryKey: Bool) {
    self.init(attributes: primaryKey ? Self.primaryKeyBit : 0, value: nil)
  }

  public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(attributes: primaryKey ? Self.primaryKeyBit : 0, value: wrappedValue)
  }

  /// Queries by the property's value use an index.
  public init(indexed: Bool) {
    self.init(attributes: indexed ? Self.indexedBit : 0, value: nil)
  }

  public init(wrappedValue: Value, indexed: Bool) {
    self.init(attributes: indexed ? Self.indexedBit : 0, value: wrappedValue)
  }

  @available(*, unavailable, message: "@Persisted can only be used as a property of an Object")
  public var wrappedValue: Value {
    get { fatalError("called wrappedValue getter") }
    set { fatalError("called wrappedValue setter") }
  }

  public static subscript<EnclosingSelf: ObjectBase>(
    _enclosingInstance object: EnclosingSelf,
    wrapped _: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
  ) -> Value {
    get {
      let column = object[keyPath: storage].column
      if let cell = object.cell(Int(column) - 1) { return Value._rlmRead(cell) }
      if column != 0 { KeyPathProbe.notes?.columns.append(column) }
      if let value = object[keyPath: storage].value { return value }
      let value = Value._rlmDefaultValue()
      object[keyPath: storage].value = value
      return value
    }
    set {
      let column = object[keyPath: storage].column
      if let cell = object.cell(Int(column) - 1) { return Value._rlmWrite(newValue, cell) }
      object[keyPath: storage].value = newValue
    }
  }
}

/// Finds out which property a key path names, by following it on an object whose getters take
/// notes.
///
/// A key path cannot be asked: it describes itself as `<computed 0x…>`.
enum KeyPathProbe {
  @TaskLocal static var notes: Notes?

  final class Notes: Sendable {
    // Touched only by the thread that follows the key path.
    nonisolated(unsafe) var columns: [UInt32] = []
  }
}
