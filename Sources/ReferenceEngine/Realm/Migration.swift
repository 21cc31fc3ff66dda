/// The way of a file from one schema version to another.
///
/// Old objects come from a snapshot of the file as it was, new ones from the write that brings it
/// into shape; both are known by name alone.
public final class Migration {
  /// The schema the file was written with.
  public let oldSchema: Schema
  /// The schema it is getting.
  public let newSchema: Schema

  private let old: Session
  private let new: Session
  /// What got a name that is no property's, as on the way through several schema versions.
  private var interims: [PropertyPlace: StoredColumn] = [:]

  init(old: Session, new: Session, newSchema: Schema) {
    self.old = old
    self.new = new
    oldSchema = Schema(old.stored.tables.filter { !$0.isDropped }.map(\.schema))
    self.newSchema = newSchema
  }

  /// Calls the block with each object of a class, as it was and as it is now; one of them is nil
  /// where only the other schema has the class.
  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void
  ) {
    guard let oldTable = old.stored.index(of: typeName) else { return }
    let oldClass = old.dynamicClass(typeName)
    // The table of a class that goes is there still, for `deleteData`.
    let newClass =
      newSchema[typeName] == nil || new.stored.index(of: typeName) == nil
      ? nil : new.dynamicClass(typeName)
    for key in old.store.allKeys(of: oldTable) {
      let oldObject = old.accessor(oldClass, key) as? DynamicObject
      let newObject = newClass.flatMap { newClass -> DynamicObject? in
        new.hasRow(key, of: newClass) ? new.accessor(newClass, key) as? DynamicObject : nil
      }
      if newClass != nil, newObject == nil { continue }
      block(oldObject, newObject)
    }
  }

  /// Makes an object of the new schema.
  @discardableResult
  public func create(
    _ typeName: String, value: Any = [String: Any]()
  ) -> MigrationObject {
    unsafeDowncast(
      new.create(new.dynamicClass(typeName), from: value, update: .error),
      to: MigrationObject.self)
  }

  /// Removes an object of the new schema.
  public func delete(_ object: MigrationObject) { new.delete(object) }

  /// Removes all objects of a class, and the class if the new schema does not have it.
  ///
  /// A class that goes must not be linked to from another one.
  ///
  /// - Returns: whether there was such a class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    guard let table = new.stored.index(of: typeName) else { return false }
    let goes = !isKept(typeName)
    if goes {
      let linking = new.store.linkingColumns(to: table, in: new.stored)
      if linking.contains(where: { $0.0 != table }) { refuse(.removesLinked(typeName)) }
    }
    for key in new.store.allKeys(of: table) { new.deleteRow(RowLink(table: table, key: key)) }
    if goes { new.dropTable(table) }
    return true
  }

  /// Whether the new schema has a class: that of a configuration which lists none has those that
  /// are loaded, besides what is in the file.
  private func isKept(_ typeName: String) -> Bool {
    new.configuration.classes == nil
      ? LoadedClasses.all.layout(named: typeName) != nil : newSchema[typeName] != nil
  }

  /// Keeps a property's values under its new name, which a later call may change again.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    guard let oldTable = old.stored.index(of: typeName) else {
      refuse(.cannotRename("properties for type '\(typeName)' because it does not exist."))
    }
    guard newSchema[typeName] != nil, let newTable = new.stored.index(of: typeName) else {
      refuse(
        .cannotRename(
          "properties for type '\(typeName)' because it has been removed from the Realm."))
    }
    let path = "property '\(typeName).\(oldName)'"
    if new.stored.tables[newTable].column(named: oldName) != nil {
      refuse(.cannotRename("\(path) to '\(newName)' because the source property still exists."))
    }
    let interim = PropertyPlace(typeName: typeName, name: oldName)
    guard
      let source = interims.removeValue(forKey: interim)
        ?? old.stored.tables[oldTable].column(named: oldName)
    else { refuse(.cannotRename("\(path) because it does not exist.")) }
    guard let target = new.stored.tables[newTable].column(named: newName) else {
      interims[PropertyPlace(typeName: typeName, name: newName)] = source
      return
    }
    guard source.type == target.type, source.shape == target.shape, source.target == target.target
    else {
      refuse(
        .cannotRename(
          "\(path) to '\(newName)' because it would change from type "
            + "'\(source.property.typeWords)' to '\(target.property.typeWords)'."))
    }
    if source.isOptional, !target.isOptional {
      refuse(
        .cannotRename(
          "\(path) to '\(newName)' because it would change from optional to required."))
    }
    for key in old.store.allKeys(of: oldTable)
    where new.store.locate(key, of: newTable) != nil {
      new.store.copyValue(
        key, of: oldTable, source, from: old.store, to: key, of: newTable, target)
    }
  }

  /// Complains of a new name that is neither a property's nor was changed again.
  func verifyNames() throws {
    let names = interims.keys.map { "\($0.typeName).\($0.name)" }
    guard let name = names.min() else { return }
    throw Realm.Error(.fail, "Renamed property '\(name)' does not exist.")
  }
}

/// A property of a class, by name.
private struct PropertyPlace: Hashable {
  let typeName: String
  let name: String
}

extension Violation {
  static func cannotRename(_ what: String) -> Violation { Violation("Cannot rename \(what)") }
  static func removesLinked(_ name: String) -> Violation {
    Violation("Cannot remove class_\(name) that is target of outside links")
  }
}
