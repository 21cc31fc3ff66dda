import EngineUnderTest
import Foundation
import Harness

/// What lies beside a file: nothing but what belongs to it, whatever has been done to it.
enum Beside {
  /// What a file was put through.
  private enum Deed: String, CaseIterable {
    case written = "a write"
    case compacted = "a compaction"
    case notCompacted = "a compaction that was not wanted"
    case copied = "a copy of it"
    case notCopied = "a copy to where something lies already"
    case seeded = "being made from another"
    case migrated = "a migration"
    case failedMigration = "a migration that failed"

    func run(_ stage: Stage, _ configuration: Realm.Configuration) throws {
      var configuration = configuration
      switch self {
      case .written:
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.account(1).balance = 7 }
      case .compacted, .notCompacted:
        let realm = try Realm(configuration: configuration)
        try realm.write {
          for id in 10..<400 { realm.add(Account(id: id, note: "\(id)".padded(300))) }
        }
        try realm.write { realm.delete(realm.objects(Account.self).where { $0.id > 9 }) }
      case .copied, .notCopied:
        let url = stage.directory.appendingPathComponent("copies/copy.realm")
        if self == .notCopied { try Data("mine".utf8).write(to: url) }
        do {
          try Realm(configuration: configuration).writeCopy(toFile: url)
          stage.expect(self == .copied, "something was there, and no copy is made")
        } catch {
          stage.expect(self == .notCopied, "a copy is made", observed: "\(error)")
        }
        try FileManager.default.removeItem(at: url)
      case .seeded:
        configuration.seedFilePath = configuration.fileURL
        configuration.fileURL = stage.directory.appendingPathComponent("place/seeded.realm")
        use(try Realm(configuration: configuration).account(1).balance)
      case .migrated:
        configuration.schemaVersion = 1
        use(try Realm(configuration: configuration).account(1).balance)
      case .failedMigration:
        configuration.schemaVersion = 1
        configuration.objectTypes = [AccountByBalance.self]
        let asked = configuration
        stage.refused("a migration to a key that several have") {
          _ = try Realm(configuration: asked)
        }
      }
    }
  }

  private static func lying(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  static let kept: [Probe] = Deed.allCases.map { deed in
    Probe("nothing lies beside a file that is not its own, after \(deed.rawValue), nor stays") {
      stage in
      Backstage.hooks?.skipFlushes()
      let folder = stage.directory.appendingPathComponent("place")
      for name in ["place", "copies"] {
        try FileManager.default.createDirectory(
          at: stage.directory.appendingPathComponent(name), withIntermediateDirectories: false)
      }
      var configuration = stage.configuration()
      configuration.fileURL = folder.appendingPathComponent("file.realm")
      let asked = configuration
      try stage.elsewhere {
        let realm = try Realm(configuration: asked)
        try realm.write { for id in 1...3 { realm.add(Account(id: id)) } }
      }
      for round in 1...2 {
        try stage.elsewhere { try deed.run(stage, asked) }
        // The next to open is the one that compacts.
        var opening = asked
        if deed == .compacted { opening.shouldCompactOnLaunch = { _, _ in true } }
        if deed == .notCompacted { opening.shouldCompactOnLaunch = { _, _ in false } }
        if deed == .migrated { opening.schemaVersion = 1 }
        let last = opening
        try stage.elsewhere {
          stage.equal(
            try Realm(configuration: last).objects(Account.self).count, 3,
            "the accounts after \(deed.rawValue), round \(round)")
        }
        let names = deed == .seeded ? ["file.realm", "seeded.realm"] : ["file.realm"]
        let strangers = try lying(in: folder).filter { found in
          !names.contains { found == $0 || found.hasPrefix("\($0).") }
        }
        stage.equal(strangers, [], "what is not the file's own, round \(round)")
        if deed == .migrated { break }
      }
      for url in [asked.fileURL!, folder.appendingPathComponent("seeded.realm")] {
        var gone = asked
        gone.fileURL = url
        use(try Realm.deleteFiles(for: gone))
      }
      stage.equal(try lying(in: folder), [], "what is left when the files were deleted")
      stage.equal(
        try lying(in: stage.directory.appendingPathComponent("copies")), [],
        "what copies have left")
    }
  }
}

/// A class that no file can be opened with.
final class AccountOfNoKey: Object {
  @Persisted var balance: String

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Account" }
}

/// The same by another key, which all have the same of.
final class AccountByBalance: Object {
  @Persisted(primaryKey: true) var balance: Int

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  override class func _realmObjectName() -> String? { "Account" }
}

extension String {
  fileprivate func padded(_ length: Int) -> String {
    self + String(repeating: "·", count: max(0, length - count))
  }
}
