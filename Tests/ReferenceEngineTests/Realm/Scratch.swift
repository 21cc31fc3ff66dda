import Foundation

@testable import ReferenceEngine

/// A directory for one test, removed with it; realms opened through it are at home on the test's
/// thread.
final class Scratch {
  let directory: URL

  init() {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "realm-tests-\(UUID().uuidString.prefix(8))")
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func configuration(
    _ types: [ObjectBase.Type]? = nil, version: UInt64 = 0, migration: MigrationBlock? = nil
  ) -> Realm.Configuration {
    Realm.Configuration(
      fileURL: directory.appendingPathComponent("test.realm"), schemaVersion: version,
      migrationBlock: migration, objectTypes: types)
  }

  func realm() throws -> Realm { try Realm(configuration: configuration()) }
}
