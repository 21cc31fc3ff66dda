import Foundation

// Values by the names of properties, and by paths of names.

/// What answers to the name of a property: an object, or a collection for all its members.
protocol KeyedByName {
  func value(forKey key: String) -> Any?
  func setValue(_ value: Any?, forKey key: String)
}

extension ObjectBase: KeyedByName {}

/// Goes along a path of names; a step that leads nowhere ends it with nil.
///
/// In a collection `@count`, `@sum.age`, `@min`, `@max`, `@avg` and `@unionOfObjects.name` compute
/// of its members.
func valueByName(_ path: String, in start: any KeyedByName) -> Any? {
  let (first, rest) = split(path)
  if first.hasPrefix("@"), let collection = start as? any ComputedByName {
    return collection.computed(first, of: rest)
  }
  let value = start.value(forKey: first)
  guard let rest else { return value }
  if let next = value as? any KeyedByName { return valueByName(rest, in: next) }
  // What a collection has for each member.
  guard let values = value as? [Any] else { return nil }
  return values.compactMap { value -> Any? in
    guard let next = value as? any KeyedByName else { return nil }
    return valueByName(rest, in: next) ?? NSNull()
  }
}

/// Sets what the last name of a path names, in the object or the collection that the others lead
/// to.
func setValueByName(_ value: Any?, _ path: String, in start: any KeyedByName) {
  guard let dot = path.lastIndex(of: ".") else { return start.setValue(value, forKey: path) }
  let owner = valueByName(String(path[..<dot]), in: start)
  (owner as? any KeyedByName)?.setValue(value, forKey: String(path[path.index(after: dot)...]))
}

private func split(_ path: String) -> (first: String, rest: String?) {
  guard let dot = path.firstIndex(of: ".") else { return (path, nil) }
  return (String(path[..<dot]), String(path[path.index(after: dot)...]))
}

extension ObjectBase {
  /// The value at the end of a path of names, such as `dog.name`; nil if a link on the way leads
  /// nowhere.
  public func value(forKeyPath keyPath: String) -> Any? { valueByName(keyPath, in: self) }

  /// Sets the property at the end of a path of names; nothing if a link on the way leads nowhere.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    setValueByName(value, keyPath, in: self)
  }
}

// MARK: - Collections

/// A collection that computes something of its members, such as the sum of a property by its name.
protocol ComputedByName: KeyedByName {
  var computedFrom: _CollectionSource { get }
}

extension ComputedByName {
  /// What an operator such as `@sum` makes of a property of the members.
  fileprivate func computed(_ word: String, of rest: String?) -> Any? {
    let path = PropertyPath(dotted: rest ?? "self")
    switch word {
    case "@count": return value(forKey: word)
    case "@unionOfObjects", "@distinctUnionOfObjects":
      guard let rest, let values = valueByName(rest, in: self) as? [Any] else { return nil }
      if word == "@unionOfObjects" { return values }
      var seen: Set<AnyHashable> = []
      return values.filter { ($0 as? AnyHashable).map { seen.insert($0).inserted } ?? true }
    default:
      guard let aggregate = Aggregate(rawValue: word) else {
        refuseQuery("Unsupported KVC collection operator found in key path '\(word)'")
      }
      let found: AnyRealmValue? = computedFrom.aggregate(aggregate, path)
      return found?.content
    }
  }
}

extension RealmCollection {
  /// The values of a property, one for each member, with NSNull for nil; `self` is the members
  /// themselves.
  ///
  /// Of objects nil if there is no such property.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "self", "@self": return map { byName($0) ?? NSNull() }
    case "@count": return count
    case "invalidated", "isInvalidated": return isInvalidated
    default: break
    }
    var values: [Any] = []
    for member in self {
      guard let object = member as? ObjectBase, object.layout.index(of: key) != nil else {
        return nil
      }
      values.append(object.value(forKey: key) ?? NSNull())
    }
    return values
  }

  /// Writes a property of every member, as they are when it begins; `self` writes the members of a
  /// list of values.
  public func setValue(_ value: Any?, forKey key: String) {
    if key == "self", let list = self as? any SetAsWhole { return list.setAll(value) }
    for case let object as ObjectBase in Array(self) { object[key] = value }
  }

  /// The value at the end of a path of names, such as `dog.name` or `@sum.age`; of a property one
  /// for each member.
  public func value(forKeyPath keyPath: String) -> Any? {
    valueByName(keyPath, in: MembersByName(self))
  }

  /// Sets the property at the end of a path of names in every member.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard keyPath.contains(".") else { return setValue(value, forKey: keyPath) }
    for case let object as ObjectBase in Array(self) { object.setValue(value, forKeyPath: keyPath) }
  }
}

/// A collection of any type, as one that answers to names.
private struct MembersByName<Base: RealmCollection>: ComputedByName {
  let base: Base
  init(_ base: Base) { self.base = base }
  func value(forKey key: String) -> Any? { base.value(forKey: key) }
  func setValue(_ value: Any?, forKey key: String) { base.setValue(value, forKey: key) }
  var computedFrom: _CollectionSource { base._source }
}

extension List: ComputedByName {
  var computedFrom: _CollectionSource { _source }
}

extension MutableSet: ComputedByName {
  var computedFrom: _CollectionSource { _source }
}

extension LinkingObjects: ComputedByName {
  var computedFrom: _CollectionSource { _source }
}

extension Results: ComputedByName {
  var computedFrom: _CollectionSource { _source }
}

/// A collection of values that can all be set to one.
private protocol SetAsWhole {
  func setAll(_ value: Any?)
}

extension List: SetAsWhole {
  fileprivate func setAll(_ value: Any?) {
    let given = value ?? Any?.none as Any
    guard let element = Element._rlmCoerce(given) else {
      refuse(.invalidElement(given, of: "\(Element.self)"))
    }
    for position in indices { self[position] = element }
  }
}

extension Violation {
  static func invalidElement(_ value: Any, of type: String) -> Violation {
    Violation(
      "Invalid value '\(value)' of type '\(Swift.type(of: value))' for expected type '\(type)'.")
  }
}

// MARK: - Maps

extension Map: KeyedByName, ComputedByName where Key == String {
  var computedFrom: _CollectionSource { source }

  /// The value of a key; nil if the map has no such key.
  public func value(forKey key: String) -> Any? {
    switch key {
    case "@allKeys": return keys
    case "@allValues": return values.map { byName($0) ?? NSNull() }
    case "@count": return count
    case "invalidated", "isInvalidated": return isInvalidated
    default: return self[key].flatMap { byName($0) }
    }
  }

  /// Sets the value of a key; nil removes the key, or is its value where values are optional.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value, !isAbsent(value) else {
      self[key] = Value._rlmCoerce(NSNull())
      return
    }
    guard let coerced = Value._rlmCoerce(value) else {
      refuse(.invalidElement(value, of: "\(Value.self)"))
    }
    self[key] = coerced
  }

  /// The value at the end of a path that begins with a key, or what `@sum.age` and the like compute
  /// of all values.
  public func value(forKeyPath keyPath: String) -> Any? { valueByName(keyPath, in: self) }
}
