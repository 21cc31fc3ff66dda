import EngineUnderTest
import Foundation
import Harness
import Synchronization

extension Probe {
  /// Whoever dies in a migration's block has migrated nothing: neither the schema nor its version
  /// nor what the block had done.
  static let killedInMigration = Probe(
    "a process that is killed in a migration leaves the file as it was",
    companions: [
      "migrator": { stage in
        var configuration = stage.configuration()
        configuration.schemaVersion = 5
        configuration.objectTypes = Models.all + [Bare.self]
        configuration.migrationBlock = { migration, _ in
          migration.enumerateObjects(ofType: Account.className()) { _, new in
            new?["balance"] = -1
          }
          stage.tell("inside")
          _ = stage.hear()
        }
        _ = try Realm(configuration: configuration)
      }
    ]
  ) { stage in
    try stage.elsewhere { _ = try stage.stocked() }
    for round in 0..<3 {
      let migrator = try stage.companion("migrator")
      _ = try stage.hear(migrator, "inside")
      migrator.signal(SIGKILL)
      use(migrator.remains())
      stage.equal(
        try schemaVersionAtURL(stage.file("probe")), 0, "the schema's version after death \(round)")
      let balances = try stage.seen { realm in [1, 2, 3].map { realm.account($0).balance } }
      stage.equal(balances, [100, 200, 300], "the balances after death \(round)")
    }
    let told = Atomic<UInt64>(99)
    var configuration = stage.configuration()
    configuration.schemaVersion = 5
    configuration.migrationBlock = { _, old in told.store(old, ordering: .relaxed) }
    let realm = try Realm(configuration: configuration)
    stage.equal(told.load(ordering: .relaxed), 0, "the version that the next migration begins with")
    stage.equal(realm.account(1).balance, 100, "the balance in the end")
  }
}
