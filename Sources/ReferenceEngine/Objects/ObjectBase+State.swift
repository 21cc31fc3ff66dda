extension ObjectBase {
  /// The realm that manages the object, or did until it was deleted; nil for a free one. May be
  /// asked anywhere.
  public var realm: Realm? { _header.pointee.session.map { Realm($0) } }

  /// Whether the object was deleted, or its realm invalidated: it can no longer be read then.
  public final var isInvalidated: Bool {
    let header = _header
    guard let session = header.pointee.session else { return false }
    session.verify(at: .readProperty)
    return !session.isThere(header)
  }

  /// What the object's class persists.
  public var objectSchema: ObjectSchema { layout.schema }

  /// Whether both are views of the same row of the same realm.
  public func isSameObject(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    return self === other || isSameRow(as: other)
  }
}

// MARK: - By name

extension ObjectBase {
  /// The value of a property by name. Dies for a name the class does not have.
  public func value(forKey name: String) -> Any? {
    guard let index = layout.index(of: name) else { refuse(.noSuchKey(name, layout.name)) }
    return byName(value(of: layout.fields[index], index))
  }

  /// Sets a property by name.
  public func setValue(_ value: Any?, forKey name: String) {
    let layout = self.layout
    guard let index = layout.index(of: name) else { refuse(.noSuchKey(name, layout.name)) }
    let field = layout.fields[index]
    if !field.property.isStored { refuse(.readOnlyProperty(name, layout.name)) }
    let given = value ?? Any?.none as Any
    let header = _header
    if let table = header.pointee.table, let session = header.pointee.session {
      session.verifyWriting(header)
      if field.property.isPrimaryKey, !session.isMigrating {
        refuse(.changedPrimaryKeyByName(given), at: .writeProperty)
        return
      }
      session.write(
        given, to: _Cell(header, table.columns[index]), field, .error, isNew: false,
        promoting: true)
      return
    }
    let raw = Unmanaged.passUnretained(self).toOpaque()
    guard field.wrapper.setUnmanagedValue(given, at: raw + field.offset) else {
      refuse(.invalidValue(given, for: field.property, of: layout.name))
    }
  }

  /// A property by name.
  public subscript(key: String) -> Any? {
    get { value(forKey: key) }
    set { setValue(newValue, forKey: key) }
  }

  /// A list by its property's name, of objects whose class is known by name alone.
  public func dynamicList(_ propertyName: String) -> List<DynamicObject> {
    List(dynamicCollection(propertyName, .list))
  }

  public func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
    MutableSet(dynamicCollection(propertyName, .set))
  }

  public func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
    Map(dynamicCollection(propertyName, .map))
  }

  private func dynamicCollection(_ name: String, _ shape: PropertyShape) -> ManagedCollection {
    let header = _header.pointee.place == nil ? _header : _checked()
    guard let session = header.pointee.session, let table = header.pointee.table,
      let index = table.layout.index(of: name),
      table.layout.fields[index].property.shape == shape
    else { refuse(.noSuchKey(name, layout.name)) }
    let dynamic = session.dynamicClass(table.name)
    guard let place = dynamic.layout.index(of: name) else { refuse(.noSuchKey(name, layout.name)) }
    return ManagedCollection(
      session: session, table: dynamic, key: header.pointee.key, column: dynamic.columns[place])
  }
}

/// A value as it is given to whoever asks by name: without the optional around it, of a mixed one
/// what it holds.
func byName(_ value: Any) -> Any? {
  if let mixed = value as? AnyRealmValue { return mixed.content }
  if let optional = value as? any OptionalProtocol { return optional.anyValue }
  return value
}

extension Violation {
  static func noSuchKey(_ name: String, _ className: String) -> Violation {
    Violation("Invalid property name '\(name)' for class '\(className)'.")
  }
  static func readOnlyProperty(_ name: String, _ className: String) -> Violation {
    Violation("Cannot modify read-only property '\(className).\(name)'")
  }
}

// MARK: - Printing

extension ObjectBase: CustomStringConvertible {
  /// The class and the values of the properties, linked objects and collections included, some
  /// levels deep.
  public var description: String { describe(depth: Description.mostLevels) }
}
