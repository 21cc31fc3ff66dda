// Types of the app's own are RealmSwift's own layer: what is stored of them is realm-core's.

/// A type of the app's own that is stored as one of those that a realm knows.
public protocol _CustomPersistable: _Persistable, RealmCollectionValue, _OptionalPersistable {
  /// What is stored.
  associatedtype PersistedType: RealmCollectionValue & _OptionalPersistable
  var persistableValue: PersistedType { get }
  /// The value of what is stored; nil if there is none.
  static func _rlmRestored(_ stored: PersistedType) -> Self?
}

/// A type of which every stored value makes an instance.
public protocol CustomPersistable: _CustomPersistable {
  init(persistedValue: PersistedType)
}

/// A type that only some stored values have one of.
public protocol FailableCustomPersistable: _CustomPersistable {
  init?(persistedValue: PersistedType)
}

extension CustomPersistable {
  public static func _rlmRestored(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension FailableCustomPersistable {
  public static func _rlmRestored(_ stored: PersistedType) -> Self? { Self(persistedValue: stored) }
}

extension _CustomPersistable {
  public static var _rlmType: PropertyType { PersistedType._rlmType }
  public static var _rlmIsOptional: Bool { PersistedType._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { PersistedType._rlmLinkedClass }

  public static func _rlmDefaultValue() -> Self {
    func standard<Value: _Persistable>(of type: Value.Type) -> Any { type._rlmDefaultValue() }
    let made =
      (PersistedType.self as? ObjectBase.Type)?.init() as? PersistedType
      ?? (PersistedType.self as? any _Persistable.Type).map { standard(of: $0) } as? PersistedType
    return _rlmMade(made ?? PersistedType._rlmDecode(_Stored(.null)))
  }

  public static func _rlmDecode(_ stored: _Stored) -> Self {
    _rlmMade(PersistedType._rlmDecode(stored))
  }

  public static func _rlmEncode(_ value: Self) -> _Stored {
    PersistedType._rlmEncode(value.persistableValue)
  }

  public static func _rlmCoerce(_ any: Any) -> Self? {
    (any as? Self) ?? PersistedType._rlmCoerce(any).flatMap(_rlmRestored)
  }

  private static func _rlmMade(_ stored: PersistedType) -> Self {
    guard let made = _rlmRestored(stored) else {
      Facade.refuse("Could not convert value '\(stored)' to type '\(Self.self)'.")
    }
    return made
  }
}

extension Query where T: _CustomPersistable {
  /// What is stored of the value.
  public var persistableValue: Query<T.PersistedType> {
    Query<T.PersistedType>(path: path, collection: collection)
  }
}
