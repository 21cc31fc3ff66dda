import CShims

/// Makes a property of a model class persistent.
///
/// The value lives in the wrapper until the object is added to a realm; then every access goes to
/// the row. The wrapper's first word is the property's column, written when the object becomes
/// managed.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
  @usableFromInline var column: UInt32
  @usableFromInline var attributes: UInt32
  @usableFromInline var value: Value?

  @usableFromInline static var primaryKeyBit: UInt32 { 1 }
  @usableFromInline static var indexedBit: UInt32 { 2 }
  /// Set with the column once a realm manages the object.
  static var managedBit: UInt32 { 4 }

  @inlinable
  init(attributes: UInt32, value: Value?) {
    column = 0
    self.attributes = attributes
    self.value = value
  }

  @inlinable public init() { self.init(attributes: 0, value: nil) }

  @inlinable public init(wrappedValue: Value) { self.init(attributes: 0, value: wrappedValue) }

  /// The property identifies the object.
  @inlinable public init(primaryKey: Bool) {
    self.init(attributes: primaryKey ? Self.primaryKeyBit : 0, value: nil)
  }

  @inlinable public init(wrappedValue: Value, primaryKey: Bool) {
    self.init(attributes: primaryKey ? Self.primaryKeyBit : 0, value: wrappedValue)
  }

  /// Queries by the property's value use an index.
  @inlinable public init(indexed: Bool) {
    self.init(attributes: indexed ? Self.indexedBit : 0, value: nil)
  }

  @inlinable public init(wrappedValue: Value, indexed: Bool) {
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
    // Inlined always: the key paths are then literals to the compiler, and vanish; made at run time
    // they cost 75 ns.
    @inlinable @inline(__always) get {
      // The column is read before the check, and nothing opaque is called while the wrapper is
      // open: so the compiler needs neither an exclusivity check nor a retain.
      let column = object[keyPath: storage].column
      if _fastPath(!rb_object_is_free(object._header)) {
        return Value._rlmRead(_Cell(object._checked(), column))
      }
      if column != 0 { object[keyPath: storage].column = KeyPathProbe.noted(column) }
      if let value = object[keyPath: storage].value { return value }
      let value = Value._rlmDefaultValue()
      object[keyPath: storage].value = value
      return value
    }
    @inlinable @inline(__always) set {
      let column = object[keyPath: storage].column
      if object._header.pointee.place != nil {
        Value._rlmWrite(newValue, _Cell(object._header, column))
      } else {
        object[keyPath: storage].value = newValue
      }
    }
  }
}

/// Finds out which property a key path names, by following it on an object whose getters take
/// notes.
///
/// A key path cannot be asked: it describes itself as `<computed 0x…>`.
@usableFromInline
enum KeyPathProbe {
  // Only touched by `column`, which runs alone on its thread; every thread has its own.
  @TaskLocal static var notes: Notes?

  final class Notes: Sendable {
    nonisolated(unsafe) var columns: [UInt32] = []
  }

  /// Takes a note, and returns what it noted.
  ///
  /// Declared to be read-only although it notes: the getter, whose object is nobody else's then,
  /// needs no retain for it.
  @_effects(readonly) @usableFromInline @inline(never)
  static func noted(_ column: UInt32) -> UInt32 {
    notes?.columns.append(column)
    return column
  }
}
