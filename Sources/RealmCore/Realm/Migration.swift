import CRealmCore

/// What a migration block is handed. Nothing of the data can be reached through it here: rules
/// about that are not asked of realm-core.
public final class Migration {
  init() {}
}

/// Brings a file from an older schema version to the new one.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void
