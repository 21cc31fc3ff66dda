/// A type of the app's own that is stored as one of those that a realm knows.
public protocol _CustomPersistable: _Persistable, RealmCollectionValue, _OptionalPersistable {
  /// What is stored.
  associatedtype PersistedType: RealmCollectionValue & _OptionalPersistable
  var persistableValue: PersistedType { get }
  /// The value of what is stored.
  static func _rlmRestored(_ stored: PersistedType) -> Self
}

/// A type of which every stored value makes an instance.
///
///     struct Path: CustomPersistable {
///       var url: URL
///       init(persistedValue: String) { url = URL(string: persistedValue)! }
///       var persistableValue: String { url.absoluteString }
///     }
public protocol CustomPersistable: _CustomPersistable {
  init(persistedValue: PersistedType)
}

/// A type that only some stored values have one of. Where the others are read as an optional they
/// are nil; where they are not, reading one ends the process.
public protocol FailableCustomPersistable: _CustomPersistable {
  init?(persistedValue: PersistedType)
}

extension CustomPersistable {
  public static func _rlmRestored(_ stored: PersistedType) -> Self { Self(persistedValue: stored) }
}

extension FailableCustomPersistable {
  public static func _rlmRestored(_ stored: PersistedType) -> Self {
    guard let restored = Self(persistedValue: stored) else {
      fatalError("Could not convert value '\(stored)' to type '\(Self.self)'.")
    }
    return restored
  }

  public static func _rlmReadOptional(_ cell: _Cell) -> Self? {
    let stored = cell.load()
    if case .null = stored.value { return nil }
    return Self(persistedValue: PersistedType._rlmDecode(stored))
  }
}

extension _CustomPersistable {
  public static var _rlmType: PropertyType { PersistedType._rlmType }
  public static var _rlmIsOptional: Bool { PersistedType._rlmIsOptional }
  public static var _rlmLinkedClass: ObjectBase.Type? { PersistedType._rlmLinkedClass }

  public static func _rlmDefaultValue() -> Self {
    let standard =
      (PersistedType.self as? ObjectBase.Type)?.init() as? PersistedType
      ?? (PersistedType.self as? any _Persistable.Type)?.anyDefault as? PersistedType
    return _rlmRestored(standard ?? PersistedType._rlmDecode(_Stored(.null)))
  }

  public static func _rlmDecode(_ stored: _Stored) -> Self {
    _rlmRestored(PersistedType._rlmDecode(stored))
  }

  public static func _rlmEncode(_ value: Self) -> _Stored {
    PersistedType._rlmEncode(value.persistableValue)
  }

  public static func _rlmCoerce(_ any: Any) -> Self? {
    (any as? Self) ?? PersistedType._rlmCoerce(any).map(_rlmRestored)
  }
}

extension _CustomPersistable {
  /// What is stored, whatever its type.
  var persisted: Any { persistableValue }
}

extension Query where T: _CustomPersistable {
  /// What is stored of the value.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(operand) }
}
