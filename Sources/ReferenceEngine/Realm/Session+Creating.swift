import Foundation

extension Session {
  // MARK: - Creating

  /// A new object with the given values, or one that is there with those values written over.
  func create(
    _ bound: BoundClass, from value: Any, update: Realm.UpdatePolicy,
    embeddedIn parent: Bool = false
  ) -> ObjectBase {
    if bound.isEmbedded && !parent { refuse(.addedEmbedded(bound.name)) }
    if update != .error, !parent, let own = value as? ObjectBase,
      own._header.pointee.session === self, own._header.pointee.table === bound
    {
      if !isThere(own._header) { refuse(.invalidated) }
      return own
    }
    prepare(bound)
    let free = (value as? ObjectBase).flatMap {
      $0._header.pointee.session == nil && !parent ? $0 : nil
    }
    if let free, let copy = copies?[ObjectIdentifier(free)] { return copy }
    let isOutermost = copies == nil
    if isOutermost { copies = [:] }
    defer { if isOutermost { copies = nil } }
    let before = updatePolicy
    updatePolicy = update
    defer { updatePolicy = before }
    let source = ValueSource(value, for: bound.layout)
    let object = bound.layout.type.init()
    let raw = Unmanaged.passUnretained(object).toOpaque()
    let fields = bound.layout.fields
    var (key, isNew): (Int64, Bool)
    if let index = bound.layout.primaryKey {
      let field = fields[index]
      let id: StoredValue
      if let given = source.value(of: index, field) {
        guard let coerced = StoredValue(given, for: field.property) else {
          refuse(.invalidValue(given, for: field.property, of: bound.name))
        }
        id = coerced
      } else {
        id = field.storedValue(at: raw)
      }
      if !isMigrating, let known = find(bound, id) {
        if update == .error { refuse(.existingKey(bound.name, id.text)) }
        (key, isNew) = (known, false)
      } else {
        (key, isNew) = (newRow(bound, primaryKey: id).key, true)
      }
    } else {
      (key, isNew) = (newRow(bound).key, true)
    }
    guard let table = bound.table, let spot = store.locate(key, of: table) else {
      refuse(.invalidated)
    }
    attach(object, to: bound, key, spot)
    if let free { copies?[ObjectIdentifier(free)] = object }
    for (index, field) in fields.enumerated() where index != bound.layout.primaryKey {
      let cell = _Cell(object._header, bound.columns[index])
      if let given = source.value(of: index, field) {
        write(given, to: cell, field, update, isNew: isNew)
      } else if isNew {
        field.persistDefault(at: raw, to: cell)
      }
    }
    return object
  }

  /// Writes a value as the caller gave it: an object may be described by a dictionary, here and in collections.
  func write(
    _ given: Any, to cell: _Cell, _ field: ClassLayout.Field, _ update: Realm.UpdatePolicy,
    isNew: Bool
  ) {
    let property = field.property
    if property.type == .object, let target = property.objectClassName.flatMap({ bound(named: $0) })
    {
      if property.shape == .single { return writeLink(given, to: cell, target, update, property) }
      return writeLinks(given, to: cell, target, update, property)
    }
    guard let write = field.wrapper.write(of: given) else {
      refuse(.invalidValue(given, for: property, of: cell.table.name))
    }
    if !isNew, update == .modified, write.isUnchanged(cell) { return }
    write.perform(cell)
  }

  private func writeLink(
    _ given: Any, to cell: _Cell, _ target: BoundClass, _ update: Realm.UpdatePolicy,
    _ property: Property
  ) {
    guard let given = present(given) else { return cell.store(_Stored(.null)) }
    guard let made = linkable(given, target, update) else {
      refuse(.invalidValue(given, for: property, of: cell.table.name))
    }
    cell.store(_Stored(.object(made)), adopting: target.isEmbedded)
  }

  private func writeLinks(
    _ given: Any, to cell: _Cell, _ target: BoundClass, _ update: Realm.UpdatePolicy,
    _ property: Property
  ) {
    let collection = cell.collection
    func element(_ value: Any) -> StoredValue {
      if property.shape == .map, present(value) == nil { return .null }
      guard let value = present(value), let made = linkable(value, target, update) else {
        refuse(.invalidValue(given, for: property, of: cell.table.name))
      }
      return .object(made)
    }
    switch (property.shape, given) {
    case (.map, let named as any NamedEntries):
      collection.replaceEntries(
        with: named.entriesByName.mapValues(element), adopting: target.isEmbedded)
    case (.map, let entries as [String: Any]):
      collection.replaceEntries(with: entries.mapValues(element), adopting: target.isEmbedded)
    case (.list, let elements as any Sequence):
      collection.replaceAll(with: elements.map { element($0) }, adopting: target.isEmbedded)
    case (.set, let elements as any Sequence):
      collection.replaceMembers(with: elements.map { element($0) })
    default: refuse(.invalidValue(given, for: property, of: cell.table.name))
    }
  }

  /// The value without the optionals around it; nil if there is none.
  private func present(_ given: Any) -> Any? {
    if let optional = given as? any OptionalProtocol { return optional.anyValue.flatMap(present) }
    return isNull(given) ? nil : given
  }

  /// The object that a link is to lead to: one of this realm itself; any other, what describes one, and one that belongs to
  /// another object already, as a copy.
  private func linkable(
    _ given: Any, _ target: BoundClass, _ update: Realm.UpdatePolicy
  ) -> ObjectBase? {
    switch given {
    case let object as ObjectBase:
      if object.layout.name != target.name { return nil }
      if object._header.pointee.session === self, !target.isEmbedded { return object }
      return create(target, from: object, update: update, embeddedIn: target.isEmbedded)
    case is [String: Any], is [Any]:
      return create(target, from: given, update: update, embeddedIn: target.isEmbedded)
    default: return nil
    }
  }
}
