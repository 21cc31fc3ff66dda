/// A type that a realm can store, in a property or in a collection.
public protocol _HasPersistedType {
  static var _rlmType: PropertyType { get }
  static var _rlmIsOptional: Bool { get }
  /// The class at the other end, for links.
  static var _rlmLinkedClass: ObjectBase.Type? { get }
  /// The value with lists and dictionaries of its own where it is, or has, a mixed one that holds
  /// such.
  static func _rlmCopied(_ value: Self) -> Self
}

extension _HasPersistedType {
  public static func _rlmCopied(_ value: Self) -> Self { value }
  public static var _rlmIsOptional: Bool { false }
  public static var _rlmLinkedClass: ObjectBase.Type? { nil }
}

/// A single value that can be turned into what the file keeps and back.
public protocol _StoredConvertible: _HasPersistedType {
  static func _rlmDecode(_ stored: _Stored) -> Self
  static func _rlmEncode(_ value: Self) -> _Stored
  /// The value if `any` is one, or can be taken for one as `init(value:)` does: 1 for 1.0, an array
  /// for an object.
  static func _rlmCoerce(_ any: Any) -> Self?
}

/// A type that `@Persisted` accepts.
public protocol _Persistable: _HasPersistedType {
  /// 0 for a single value, 1 a list, 2 a set, 3 a map.
  static var _rlmShape: UInt8 { get }
  static func _rlmDefaultValue() -> Self
  static func _rlmRead(_ cell: _Cell) -> Self
  static func _rlmWrite(_ value: Self, _ cell: _Cell)
  static func _rlmCoerceProperty(_ any: Any) -> Self?
  /// Writes the value of an object that becomes managed; a collection becomes managed with it.
  static func _rlmAdopt(_ value: Self, _ cell: _Cell)
  /// Whether that is what is stored already.
  static func _rlmIsStored(_ value: Self, _ cell: _Cell) -> Bool
  /// The value as it is stored; nil for collections.
  static func _rlmStored(_ value: Self) -> _Stored?
}

extension _Persistable {
  public static func _rlmAdopt(_ value: Self, _ cell: _Cell) { _rlmWrite(value, cell) }
  public static func _rlmIsStored(_ value: Self, _ cell: _Cell) -> Bool { false }
  public static func _rlmStored(_ value: Self) -> _Stored? { nil }
}

/// A type that may stand in a `List`, `MutableSet` or `Map`.
public protocol RealmCollectionValue: Hashable, _StoredConvertible {
  /// Whether it is a view of an object, and not one itself.
  static var _rlmIsProjection: Bool { get }
}

extension RealmCollectionValue {
  public static var _rlmIsProjection: Bool { false }
}

/// A type that `Realm.objects` can be asked for.
public protocol RealmFetchable: RealmCollectionValue {}

/// A value that may be left out: `nil` is stored as null.
public protocol _OptionalPersistable: _StoredConvertible {
  static func _rlmReadOptional(_ cell: _Cell) -> Self?
}

extension _OptionalPersistable {
  public static func _rlmReadOptional(_ cell: _Cell) -> Self? {
    let stored = cell.load()
    if case .null = stored.value { return nil }
    return _rlmDecode(stored)
  }
}

/// `Optional`, named so that generic code can ask for it.
public protocol OptionalProtocol {
  associatedtype Wrapped
  init(_ wrapped: Wrapped)
  var _rlmOptional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  public var _rlmOptional: Wrapped? { self }
}

/// Where a property of a managed object lies: its row, and the column.
@frozen
public struct _Cell {
  @usableFromInline let header: UnsafeMutablePointer<ObjectHeader>
  @usableFromInline let column: UInt32

  @inlinable @inline(__always)
  init(_ header: UnsafeMutablePointer<ObjectHeader>, _ column: UInt32) {
    self.header = header
    self.column = column
  }
}

/// A value as the file keeps it, and the session that resolves its links.
public struct _Stored {
  let value: StoredValue
  let session: Session?

  init(_ value: StoredValue, _ session: Session? = nil) {
    self.value = value
    self.session = session
  }
}
