import Foundation

@testable import ReferenceEngine

/// A directory for one test, removed with it; realms opened through it are at home on the test's
/// thread.
final class Scratch {
  let directory: URL

  private static let prefix = "realm-tests-"

  /// Tests that end their process leave theirs behind; whoever comes next takes it away.
  private static let sweep: Void = {
    let place = FileManager.default.temporaryDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      guard let owner = name.dropFirst(prefix.count).split(separator: "-").first,
        let process = pid_t(owner), kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: place.appendingPathComponent(name))
    }
  }()

  init() {
    Scratch.sweep
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(Scratch.prefix)\(getpid())-\(UUID().uuidString.prefix(8))")
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
