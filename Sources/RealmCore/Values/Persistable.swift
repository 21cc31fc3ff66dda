import CRealmCore
import Foundation

/// A type that a realm can store, in a property or in a collection.
public protocol _HasPersistedType {
  static var _rlmType: PropertyType { get }
  static var _rlmIsOptional: Bool { get }
  /// The class at the other end, for links.
  static var _rlmLinkedClass: ObjectBase.Type? { get }
}

extension _HasPersistedType {
  public static var _rlmIsOptional: Bool { false }
  public static var _rlmLinkedClass: ObjectBase.Type? { nil }
}

/// A single value that can be turned into what realm-core takes and back.
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
}

extension _Persistable {
  public static func _rlmAdopt(_ value: Self, _ cell: _Cell) { _rlmWrite(value, cell) }
  public static func _rlmIsStored(_ value: Self, _ cell: _Cell) -> Bool { false }
}

/// A type that may stand in a `List`, `MutableSet` or `Map`.
public protocol RealmCollectionValue: Hashable, _StoredConvertible {}

/// A type that `Realm.objects` can be asked for.
public protocol RealmFetchable: RealmCollectionValue {}

/// A value that may be left out: `nil` is stored as null.
public protocol _OptionalPersistable: _StoredConvertible {}

/// `Optional`, named so that generic code can ask for it.
public protocol OptionalProtocol {
  associatedtype Wrapped
  init(_ wrapped: Wrapped)
  var _rlmOptional: Wrapped? { get }
}

extension Optional: OptionalProtocol {
  public var _rlmOptional: Wrapped? { self }
}

/// A property of a managed object: its row, and the column.
public struct _Cell {
  let object: ObjectBase
  let handle: Handle
  let session: Session
  let bound: BoundClass
  /// The property's place among the class's.
  let index: Int

  var column: Int64 { bound.columns[index] }
  var field: ClassLayout.Field { bound.layout.fields[index] }

  func load() -> _Stored {
    var raw = rc_value()
    check(core.realm_get_value(handle, column, &raw))
    return _Stored(StoredValue(raw), session)
  }

  func store(_ stored: _Stored) {
    if case .object(let given) = stored.value, given is EmbeddedObject {
      return session.embed(
        given, check(core.realm_set_embedded(handle, column), .modifying, session.handle))
    }
    let value = session.entering(stored.value)
    check(
      value.withCore { core.realm_set_value(handle, column, $0, false) }, .modifying,
      session.handle)
    if !core.realm_is_writable(session.handle) {
      Facade.notAskable(
        "writing outside of a write what is there already: realm-core lets it pass, and RealmSwift "
          + "refuses above it")
    }
  }

  /// The collection that the property is.
  var collection: ManagedCollection {
    ManagedCollection(of: self)
  }
}
