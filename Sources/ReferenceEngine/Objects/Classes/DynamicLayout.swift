import Foundation

// A class without a Swift type: its properties as the file or another class describes them. Each
// gets the Swift type that holds it, so that the same code reads and writes them; they have no
// storage in an instance.

extension ClassLayout {
  convenience init(dynamic schema: ObjectSchema) {
    self.init(
      type: DynamicObject.self, name: schema.className, schema: schema,
      fields: schema.all.map {
        Field(property: $0, offset: -1, wrapper: $0.storageType, linked: nil)
      })
  }
}

extension Property {
  /// The wrapper that would hold the property's values in a class.
  fileprivate var storageType: any PersistedStorage.Type {
    switch type {
    case .int: of(Int.self)
    case .bool: of(Bool.self)
    case .string: of(String.self)
    case .data: of(Data.self)
    case .date: of(Date.self)
    case .float: of(Float.self)
    case .double: of(Double.self)
    case .objectId: of(ObjectId.self)
    case .decimal128: of(Decimal128.self)
    case .UUID: of(UUID.self)
    case .any: shaped(AnyRealmValue.self)
    case .linkingObjects: Persisted<LinkingObjects<DynamicObject>>.self
    case .object:
      switch shape {
      case .single: Persisted<DynamicObject?>.self
      case .list: Persisted<List<DynamicObject>>.self
      case .set: Persisted<MutableSet<DynamicObject>>.self
      case .map: Persisted<Map<String, DynamicObject?>>.self
      }
    }
  }

  private func of<T: RealmCollectionValue & _Persistable & _OptionalPersistable>(
    _: T.Type
  ) -> any PersistedStorage.Type { isOptional ? shaped(T?.self) : shaped(T.self) }

  private func shaped<T: RealmCollectionValue & _Persistable>(_: T.Type)
    -> any PersistedStorage.Type
  {
    switch shape {
    case .single: Persisted<T>.self
    case .list: Persisted<List<T>>.self
    case .set: Persisted<MutableSet<T>>.self
    case .map: Persisted<Map<String, T>>.self
    }
  }
}
