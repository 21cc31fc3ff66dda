/// An object whose class is known by name alone: its properties are asked by name.
@dynamicMemberLookup
public final class DynamicObject: Object {
  public required init() { super.init() }

  /// The value of a property by name.
  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }
}

/// What a migration hands out: objects by name.
public typealias MigrationObject = DynamicObject
