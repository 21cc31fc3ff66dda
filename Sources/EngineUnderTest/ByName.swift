/// Properties and members by their names, as key-value coding has them; an engine whose interface
/// knows names of objects' properties alone is asked for those.
package enum ByName {
  package static func set<C: RealmCollection>(_ value: Any?, _ key: String, in members: C) {
    #if RealmCore
    for case let object as ObjectBase in Array(members) { object.setValue(value, forKey: key) }
    #else
    members.setValue(value, forKey: key)
    #endif
  }

  package static func set<Value: RealmCollectionValue>(
    _ value: Value, _ key: String, in map: Map<String, Value>
  ) {
    #if RealmCore
    map[key] = value
    #else
    map.setValue(value, forKey: key)
    #endif
  }

  /// What each member has under a name, null as `NSNull`; nil where the engine has no such
  /// question.
  package static func values<C: RealmCollection>(_ key: String, of members: C) -> [Any]? {
    #if RealmCore
    nil
    #else
    members.value(forKey: key) as? [Any] ?? []
    #endif
  }

  package static func value(_ key: String, of object: ObjectBase) -> Any? {
    #if RealmCore
    object.value(forKey: key)
    #else
    object[key]
    #endif
  }

  package static func set(_ value: Any?, _ key: String, of object: ObjectBase) {
    #if RealmCore
    object.setValue(value, forKey: key)
    #else
    object[key] = value
    #endif
  }
}
