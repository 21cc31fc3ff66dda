import CRealmCore
import Foundation

/// A configuration as realm-core takes it.
final class CoreConfiguration {
  let handle: Handle
  private let schema: CoreSchema?

  init(_ configuration: Realm.Configuration, home: Home?, _ layouts: [ClassLayout]) {
    let handle = check(core.realm_config_new())
    self.handle = handle
    core.realm_config_set_path(handle, configuration.corePath)
    core.realm_config_set_cached(handle, true)
    if let home { core.realm_config_set_scheduler(handle, home.scheduler) }
    if configuration.inMemoryIdentifier != nil { core.realm_config_set_in_memory(handle, true) }
    if let key = configuration.encryptionKey {
      check(
        key.withUnsafeBytes {
          core.realm_config_set_encryption_key(
            handle, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
        })
    }
    if let limit = configuration.maximumNumberOfActiveVersions {
      core.realm_config_set_max_number_of_active_versions(handle, UInt64(limit))
    }
    // The mode that RealmSwift chooses: automatic, immutable for files that are only read, or a new
    // file where a migration is due.
    core.realm_config_set_schema_mode(
      handle,
      configuration.readOnly ? 1 : configuration.deleteRealmIfMigrationNeeded ? 3 : 0)
    core.realm_config_set_schema_version(handle, configuration.schemaVersion)
    if layouts.isEmpty {
      schema = nil
    } else {
      let schema = CoreSchema(layouts)
      core.realm_config_set_schema(handle, schema.handle)
      self.schema = schema
    }
    if let block = configuration.shouldCompactOnLaunch {
      let box = Box(block)
      core.realm_config_set_should_compact_on_launch_function(
        handle,
        { data, total, used in
          Box<@Sendable (Int, Int) -> Bool>.of(data).value(Int(total), Int(used))
        }, box.handedOver, Box<@Sendable (Int, Int) -> Bool>.free)
    }
    if let block = configuration.migrationBlock {
      let box = Box(block)
      core.realm_config_set_migration_function(
        handle,
        { data, old, _, _ in
          Facade.decides()
          let oldVersion = core.realm_get_schema_version(old)
          Box<MigrationBlock>.of(data).value(Migration(), oldVersion)
          return true
        }, box.handedOver, Box<MigrationBlock>.free)
    }
  }

  deinit { core.realm_release(handle) }
}

/// A value with an address, for callbacks; freed by the function that realm-core is given for it.
final class Box<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }

  var handedOver: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  static func of(_ data: UnsafeMutableRawPointer?) -> Box {
    Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue()
  }

  static var free: @convention(c) (UnsafeMutableRawPointer?) -> Void {
    { data in Unmanaged<AnyObject>.fromOpaque(data!).release() }
  }
}
