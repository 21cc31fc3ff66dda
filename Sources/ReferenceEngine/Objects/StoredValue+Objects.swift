// What the values of lower floors are to objects and collections.

extension StoredValue {
  /// An object on its way into a realm.
  static func object(_ object: ObjectBase) -> StoredValue { .instance(ObjectValue(object: object)) }

  /// The object, if it is one on its way into a realm.
  var object: ObjectBase? { if case .instance(let value) = self { value.base } else { nil } }
}

extension ObjectValue {
  // Nothing else is made one.
  var base: ObjectBase { unsafeDowncast(object, to: ObjectBase.self) }
}

extension ObjectBase: ComparedObject {
  func isEqual(to other: any ComparedObject) -> Bool {
    self == unsafeDowncast(other, to: ObjectBase.self)
  }
}

extension NestedValue {
  /// The property whose row it was read from; nil on its way there.
  var collection: ManagedCollection? {
    place.map { unsafeDowncast($0, to: ManagedCollection.self) }
  }
}
