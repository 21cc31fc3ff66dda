/// What belongs to a realm and may only be used where that realm lives: objects and collections.
public protocol ThreadConfined {
  /// The realm that manages the value, nil if none does.
  var realm: Realm? { get }
  /// Whether the value can no longer be used: deleted, or its realm invalidated.
  var isInvalidated: Bool { get }
  /// Whether the value is a snapshot that never changes.
  var isFrozen: Bool { get }
  /// A snapshot of the value at the version its realm is on.
  func freeze() -> Self
  /// The live value of a snapshot; nil if it is no longer there.
  func thaw() -> Self?
}
