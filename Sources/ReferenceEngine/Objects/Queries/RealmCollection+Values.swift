// The properties of all members at once, by name.

extension RealmCollection where Element: ObjectBase {
  /// The values of a property, one for each member; nil if there is no such property.
  public func value(forKey key: String) -> Any? {
    if key == "self" || key == "@self" { return Array(self) }
    var values: [Any] = []
    for object in self {
      guard let value = object.dynamicValue(of: key) else { return nil }
      values.append(value)
    }
    return values
  }

  /// Writes a property of every member, as they are when it begins.
  public func setValue(_ value: Any?, forKey key: String) {
    for object in Array(self) { object[key] = value }
  }
}
