import Foundation

/// An object that is copied: as itself while no realm manages it, else as its row.
enum Original: Hashable {
  case free(ObjectIdentifier)
  case row(RowLink, of: ObjectIdentifier)

  init(_ object: ObjectBase) {
    let header = object._header.pointee
    guard let session = header.session else {
      self = .free(ObjectIdentifier(object))
      return
    }
    self = .row(
      RowLink(table: header.table?.number ?? -1, key: header.key), of: ObjectIdentifier(session))
  }
}

extension Session {
  // MARK: - Creating

  /// A new object with the given values, or one that is there with those values written over.
  func create(
    _ bound: BoundClass, from value: Any, update: Realm.UpdatePolicy,
    embeddedIn parent: Bool = false
  ) -> ObjectBase {
    if bound.isEmbedded && !parent { refuse(.addedEmbedded) }
    if update != .error, !parent, let own = value as? ObjectBase,
      own._header.pointee.session === self, bound.isSame(as: own._header.pointee.table)
    {
      if !isThere(own._header) { refuse(.invalidated) }
      return own
    }
    prepare(bound)
    let original = parent ? nil : (value as? ObjectBase).map(Original.init)
    if let original, let copy = copies?[original] { return copy }
    let isOutermost = copies == nil
    if isOutermost { copies = [:] }
    defer { if isOutermost { copies = nil } }
    let before = updatePolicy
    updatePolicy = update
    defer { updatePolicy = before }
    let source = ValueSource(value, for: bound.layout)
    let object = bound.layout.type.init()
    let (key, isNew) = row(for: object, of: bound, from: source, update)
    guard let table = bound.number, let spot = store.locate(key, of: table) else {
      refuse(.invalidated)
    }
    attach(object, to: bound, key, spot)
    if let original { copies?[original] = object }
    if descent.enter() {
      write(source, to: object, of: bound, update, isNew: isNew)
      comeBack()
    } else {
      putOff(object) { self.write(source, to: object, of: bound, update, isNew: isNew) }
    }
    return object
  }

  /// The row of an object that is created: the one that has its primary key, or a new one.
  private func row(
    for object: ObjectBase, of bound: BoundClass, from source: ValueSource,
    _ update: Realm.UpdatePolicy
  ) -> (key: Int64, isNew: Bool) {
    guard let index = bound.layout.primaryKey else { return (newRow(bound).key, true) }
    let id = primaryKey(index, of: object, bound, from: source)
    if !isMigrating, let known = find(bound, id) {
      if update == .error { refuse(.existingKey(bound.name, id.text)) }
      return (known, false)
    }
    return (newRow(bound, primaryKey: id).key, true)
  }

  /// The primary key that was given for an object, or the one that its class gives it.
  private func primaryKey(
    _ index: Int, of object: ObjectBase, _ bound: BoundClass, from source: ValueSource
  ) -> StoredValue {
    let field = bound.layout.fields[index]
    guard let given = source.value(of: index, field) else {
      return field.storedValue(at: Unmanaged.passUnretained(object).toOpaque())
    }
    guard let id = StoredValue(given, for: field.property) else {
      refuse(.invalidValue(given, for: field.property, of: bound.name))
    }
    return id
  }

  /// Writes the values that were given for an object; if it is new, the others as its class has
  /// them.
  private func write(
    _ source: ValueSource, to object: ObjectBase, of bound: BoundClass,
    _ update: Realm.UpdatePolicy, isNew: Bool
  ) {
    let raw = Unmanaged.passUnretained(object).toOpaque()
    for (index, field) in bound.layout.fields.enumerated()
    where index != bound.layout.primaryKey {
      let cell = _Cell(object._header, bound.columns[index])
      if let given = source.value(of: index, field) {
        write(given, to: cell, field, update, isNew: isNew)
      } else if isNew {
        field.persistDefault(at: raw, to: cell)
      }
    }
  }

  /// Writes the given values over those of an embedded object, which stays where it is.
  private func modify(_ object: ObjectBase, of bound: BoundClass, from value: Any) {
    let source = ValueSource(value, for: bound.layout)
    if descent.enter() {
      modify(object, of: bound, source)
      comeBack()
    } else {
      putOff(object) { self.modify(object, of: bound, source) }
    }
  }

  private func modify(_ object: ObjectBase, of bound: BoundClass, _ source: ValueSource) {
    for (index, field) in bound.layout.fields.enumerated() {
      guard let given = source.value(of: index, field) else { continue }
      let cell = _Cell(object._header, bound.columns[index])
      write(given, to: cell, field, .modified, isNew: false)
    }
  }

  /// Whether a value describes an embedded object: then one that is there can be changed as it
  /// says.
  private func describes(_ value: Any, _ target: BoundClass) -> Bool {
    if let object = value as? ObjectBase { return object.layout.name == target.name }
    return value is [String: Any] || value is [Any]
  }

  /// Writes a value as the caller gave it: an object may be described by a dictionary, here and in
  /// collections.
  ///
  /// - Parameter promoting: Whether free objects that are given become the realm's, instead of
  ///   copies of them.
  func write(
    _ given: Any, to cell: _Cell, _ field: ClassLayout.Field, _ update: Realm.UpdatePolicy,
    isNew: Bool, promoting: Bool = false
  ) {
    let property = field.property
    if property.type == .object, let target = property.objectClassName.flatMap({ bound(named: $0) })
    {
      let wanted = Linking(
        target: target, update: update, property: property, isNew: isNew, promotes: promoting)
      if property.shape == .single { return writeLink(given, to: cell, wanted) }
      return writeLinks(given, to: cell, wanted)
    }
    guard let write = field.wrapper.write(of: given) else {
      refuse(.invalidValue(given, for: property, of: cell.table.name))
    }
    if !isNew, update == .modified, write.isUnchanged(cell) { return }
    write.perform(cell)
  }

  /// How given objects become what a property links to.
  private struct Linking {
    let target: BoundClass
    let update: Realm.UpdatePolicy
    let property: Property
    let isNew: Bool
    let promotes: Bool

    /// Whether an embedded object that is there is changed, and not replaced.
    var modifies: Bool { target.isEmbedded && update == .modified && !isNew }
  }

  private func writeLink(_ given: Any, to cell: _Cell, _ wanted: Linking) {
    guard let given = present(given) else { return cell.store(_Stored(.null)) }
    if wanted.target.isEmbedded, let known = cell.current.load().resolvedObject {
      if let object = given as? ObjectBase, object.isSameRow(as: known) { return }
      if wanted.modifies, describes(given, wanted.target) {
        return modify(known, of: wanted.target, from: given)
      }
    }
    guard let made = linkable(given, wanted) else {
      refuse(.invalidValue(given, for: wanted.property, of: cell.table.name))
    }
    cell.store(_Stored(.object(made)), adopting: wanted.target.isEmbedded)
  }

  private func writeLinks(_ given: Any, to cell: _Cell, _ wanted: Linking) {
    let (collection, adopting) = (cell.collection, wanted.target.isEmbedded)
    func element(_ value: Any) -> StoredValue {
      if wanted.property.shape == .map, present(value) == nil { return .null }
      guard let value = present(value), let made = linkable(value, wanted) else {
        refuse(.invalidValue(given, for: wanted.property, of: cell.table.name))
      }
      return .object(made)
    }
    if let place = (given as? any CollectionOwner)?.managed, place.isSame(as: collection) { return }
    switch (wanted.property.shape, present(given)) {
    case (_, nil): collection.removeAll()
    case (.map, let named as any NamedEntries):
      collection.replaceEntries(with: named.entriesByName.mapValues(element), adopting: adopting)
    case (.map, let entries as [String: Any]) where wanted.modifies:
      modifyEntries(of: collection, entries, wanted.target, element)
    case (.map, let entries as [String: Any]):
      collection.replaceEntries(with: entries.mapValues(element), adopting: adopting)
    case (.list, let elements as any Sequence) where wanted.modifies:
      modifyElements(of: collection, elements, wanted.target, element)
    case (.list, let elements as any Sequence):
      collection.replaceAll(with: elements.map { element($0) }, adopting: adopting)
    case (.set, let elements as any Sequence):
      collection.replaceMembers(with: elements.map { element($0) })
    default: refuse(.invalidValue(given, for: wanted.property, of: cell.table.name))
    }
  }

  /// Changes the embedded objects of a list, one after the other, and adds or removes at its end.
  private func modifyElements(
    of list: ManagedCollection, _ elements: any Sequence, _ target: BoundClass,
    _ made: (Any) -> StoredValue
  ) {
    var count = 0
    for element in elements {
      defer { count += 1 }
      if count < list.count, let known = list.checkedElement(at: count).resolvedObject,
        describes(element, target)
      {
        modify(known, of: target, from: element)
      } else {
        list.append(made(element), adopting: true)
      }
    }
    while list.count > count { list.remove(at: list.count - 1) }
  }

  /// Changes the embedded objects of a map key by key, and adds or removes the others.
  private func modifyEntries(
    of map: ManagedCollection, _ entries: [String: Any], _ target: BoundClass,
    _ made: (Any) -> StoredValue
  ) {
    for (key, _) in map.allEntries() {
      if case .string(let name) = key, entries[name] == nil { map.remove(key: key) }
    }
    for (name, value) in entries {
      checkMapKey(name)
      let key = StoredValue.string(name)
      if let known = map.value(forKey: key).flatMap({ _Stored($0, self).resolvedObject }),
        describes(value, target)
      {
        modify(known, of: target, from: value)
      } else {
        map.set(made(value), forKey: key, adopting: true)
      }
    }
  }

  /// The value without the optionals around it; nil if there is none.
  private func present(_ given: Any) -> Any? {
    if let custom = given as? any _CustomPersistable { return custom.persisted }
    if let optional = given as? any OptionalProtocol { return optional.anyValue.flatMap(present) }
    return isNull(given) ? nil : given
  }

  /// The object that a link is to lead to: one of this realm itself; a free one itself if it is to
  /// be promoted; any other, what describes one, and one that belongs to another object already, as
  /// a copy.
  private func linkable(_ given: Any, _ wanted: Linking) -> ObjectBase? {
    let target = wanted.target
    switch given {
    case let object as ObjectBase:
      if object.layout.name != target.name { return nil }
      if object._header.pointee.session === self, !target.isEmbedded { return object }
      if wanted.promotes, object._header.pointee.session == nil { return object }
      return create(target, from: object, update: wanted.update, embeddedIn: target.isEmbedded)
    case is [String: Any], is [Any]:
      return create(target, from: given, update: wanted.update, embeddedIn: target.isEmbedded)
    default: return nil
    }
  }
}
