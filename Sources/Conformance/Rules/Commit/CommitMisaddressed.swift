import EngineUnderTest
import Foundation

/// A sound file that somebody opens with settings it cannot be opened with: it stays as it is.
enum Misaddressed {
  private static let ways: [(name: String, set: @Sendable (inout Realm.Configuration) -> Void)] = [
    ("with an encryption key", { $0.encryptionKey = Data(repeating: 7, count: 64) }),
    (
      "with an encryption key, to be deleted if it does not fit",
      {
        $0.encryptionKey = Data(repeating: 7, count: 64)
        $0.deleteRealmIfMigrationNeeded = true
      }
    ),
    (
      "with an encryption key, to be compacted",
      {
        $0.encryptionKey = Data(repeating: 7, count: 64)
        $0.shouldCompactOnLaunch = { _, _ in true }
      }
    ),
    ("with classes that do not fit", { $0.objectTypes = [AccountOfNoKey.self] }),
    (
      "read-only, with classes that do not fit",
      {
        $0.objectTypes = [AccountOfNoKey.self]
        $0.readOnly = true
      }
    ),
    (
      "to be compacted, with classes that do not fit",
      {
        $0.objectTypes = [AccountOfNoKey.self]
        $0.shouldCompactOnLaunch = { _, _ in false }
      }
    ),
    ("with an older schema version", { $0.schemaVersion = 1 }),
  ]

  static let left: [Probe] = ways.map { way in
    Probe("a file that cannot be opened \(way.name) stays as it is") { stage in
      var sound = stage.configuration()
      sound.schemaVersion = 2
      let asked = sound
      try stage.elsewhere {
        let realm = try Realm(configuration: asked)
        try realm.write { for id in 1...3 { realm.add(Account(id: id, balance: id)) } }
      }
      let before = try Data(contentsOf: stage.file("probe"))
      for round in 1...2 {
        var wrong = asked
        way.set(&wrong)
        let other = wrong
        try stage.elsewhere {
          stage.refused("opening it \(way.name), round \(round)") {
            _ = try Realm(configuration: other)
          }
        }
        stage.expect(
          try Data(contentsOf: stage.file("probe")) == before,
          "the file is as it was, byte for byte, round \(round)")
      }
      let balances = try stage.elsewhere {
        try Realm(configuration: asked).objects(Account.self).map(\.balance).sorted()
      }
      stage.equal(balances, [1, 2, 3], "the balances")
    }
  }
}
