import EngineUnderTest
import Foundation

/// Configurations of which each setting has been set: opened twice in one place they give one
/// realm, whatever they say.
enum ConfineSettings {
  private static let settings:
    [(name: String, set: @Sendable (inout Realm.Configuration) -> Void)] = [
      ("with a migration block", { $0.migrationBlock = { _, _ in } }),
      (
        "with a block that decides about compacting",
        { $0.shouldCompactOnLaunch = { _, _ in false } }
      ),
      ("with a schema version", { $0.schemaVersion = 3 }),
      ("that may delete its file", { $0.deleteRealmIfMigrationNeeded = true }),
      ("with a limit of versions", { $0.maximumNumberOfActiveVersions = 50 }),
      (
        "with all of these",
        {
          $0.schemaVersion = 3
          $0.migrationBlock = { _, _ in }
          $0.shouldCompactOnLaunch = { _, _ in false }
          $0.maximumNumberOfActiveVersions = 50
        }
      ),
    ]

  static let probes: [Probe] = settings.map { name, set in
    Probe("a configuration \(name) opens one realm in each place") { stage in
      try stage.elsewhere { _ = try stage.stocked() }
      func configuration() -> Realm.Configuration {
        var configuration = stage.configuration()
        set(&configuration)
        return configuration
      }
      func look(_ place: String, _ queue: DispatchQueue?) throws {
        let kept = configuration()
        let first = try Realm(configuration: kept, queue: queue)
        for (again, asked) in [("again", kept), ("made anew", configuration())] {
          let other = try Realm(configuration: asked, queue: queue)
          stage.expect(first == other, "\(place), \(again): the same realm")
          first.beginWrite()
          stage.equal(other.isInWriteTransaction, true, "\(place), \(again): whether it writes")
          first.account(1).balance = 77
          stage.equal(other.account(1).balance, 77, "\(place), \(again): what it shows")
          first.cancelWrite()
        }
      }
      try look("on the main thread", nil)
      try stage.elsewhere { try look("on another thread", nil) }
      let queue = DispatchQueue(label: "home")
      try stage.on(queue) { try look("on a queue", queue) }
    }
  }
}
