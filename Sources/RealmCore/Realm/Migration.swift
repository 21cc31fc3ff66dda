import CRealmCore
import Foundation

/// What a migration block is handed. Nothing of the data can be reached through it here: rules
/// about that are not asked of realm-core.
public final class Migration {
  init() {}

  public var oldSchema: Schema { Facade.notAskable(withoutClasses) }
  public var newSchema: Schema { Facade.notAskable(withoutClasses) }

  public func enumerateObjects(
    ofType typeName: String,
    _ block: (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void
  ) { Facade.notAskable(withoutClasses) }

  @discardableResult
  public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
    Facade.notAskable(withoutClasses)
  }

  public func delete(_ object: MigrationObject) { Facade.notAskable(withoutClasses) }

  @discardableResult
  public func deleteData(forType typeName: String) -> Bool { Facade.notAskable(withoutClasses) }

  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    Facade.notAskable(withoutClasses)
  }
}

/// What a migration hands out: objects by name.
public typealias MigrationObject = DynamicObject

/// Brings a file from an older schema version to the new one.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

private let withoutClasses = "what a migration does: what stands for RealmSwift here has no classes"

extension Realm {
  /// Not askable: a migration's block would have nothing to work with.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration
  ) throws { Facade.notAskable(withoutClasses) }
}

/// Not askable: this module does not tell the version of a file.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  Facade.notAskable("a file's schema version: what stands for RealmSwift here does not read it")
}
