import EngineUnderTest
import Foundation

/// A configuration is a value: each setting is its own, in each way to set it.
enum Settings {
  /// A setting, and two values of it that differ.
  private struct Setting {
    let name: String
    let set: (inout Realm.Configuration) -> Void
    let isSet: (Realm.Configuration) -> Bool
    /// Whether a configuration with it is another one; blocks cannot be compared.
    var isCompared = true
  }

  private static func settings(_ stage: Stage) -> [Setting] {
    let url = stage.directory.appendingPathComponent("other.realm")
    return [
      Setting(name: "fileURL", set: { $0.fileURL = url }, isSet: { $0.fileURL == url }),
      Setting(
        name: "inMemoryIdentifier", set: { $0.inMemoryIdentifier = "memory" },
        isSet: { $0.inMemoryIdentifier == "memory" }),
      Setting(
        name: "encryptionKey", set: { $0.encryptionKey = Data(count: 64) },
        isSet: { $0.encryptionKey == Data(count: 64) }),
      Setting(name: "readOnly", set: { $0.readOnly = true }, isSet: { $0.readOnly }),
      Setting(
        name: "schemaVersion", set: { $0.schemaVersion = 7 }, isSet: { $0.schemaVersion == 7 }),
      Setting(
        name: "migrationBlock", set: { $0.migrationBlock = { _, _ in } },
        isSet: { $0.migrationBlock != nil }, isCompared: false),
      Setting(
        name: "deleteRealmIfMigrationNeeded", set: { $0.deleteRealmIfMigrationNeeded = true },
        isSet: { $0.deleteRealmIfMigrationNeeded }),
      Setting(
        name: "shouldCompactOnLaunch", set: { $0.shouldCompactOnLaunch = { _, _ in false } },
        isSet: { $0.shouldCompactOnLaunch != nil }, isCompared: false),
      Setting(
        name: "objectTypes", set: { $0.objectTypes = [Dog.self, Person.self] },
        isSet: { $0.objectTypes?.map { "\($0)" }.sorted() == ["Dog", "Person"] }),
      Setting(
        name: "maximumNumberOfActiveVersions", set: { $0.maximumNumberOfActiveVersions = 9 },
        isSet: { $0.maximumNumberOfActiveVersions == 9 }),
    ]
  }

  static let values = Probe("each setting of a configuration is its own, and what a realm tells") {
    stage in
    let settings = settings(stage)
    let plain = Realm.Configuration()
    stage.equal(plain.fileURL?.lastPathComponent, "default.realm", "the file by default")
    for setting in settings {
      if setting.name != "fileURL" {
        stage.expect(!setting.isSet(plain), "\(setting.name) is not set by default")
      }
      // A copy is a value of its own, and one setting says nothing of another.
      var one = plain
      setting.set(&one)
      stage.expect(setting.isSet(one), "\(setting.name) is what was set")
      stage.expect(!setting.isSet(plain), "\(setting.name) of the copy is not the original's")
      for other in settings where other.name != setting.name {
        stage.expect(
          !other.isSet(one), "\(other.name) is as it was when \(setting.name) was set")
        var both = one
        other.set(&both)
        let displaces = Set([setting.name, other.name]) == ["fileURL", "inMemoryIdentifier"]
        stage.expect(
          other.isSet(both) && setting.isSet(both) == !displaces,
          "\(other.name) is set beside \(setting.name), or in its place")
      }
      if setting.isCompared {
        stage.expect(one != plain, "who has another \(setting.name) is not equal")
        var same = plain
        setting.set(&same)
        stage.expect(same == one, "who has the same \(setting.name) is equal")
        stage.expect("\(same)" == "\(one)", "and is described alike, of \(setting.name)")
      }
    }
    stage.expect(plain == Realm.Configuration(), "two that nothing was set of are equal")
    // All at once, by the names of the initializer.
    let url = stage.directory.appendingPathComponent("all.realm")
    let seed = stage.directory.appendingPathComponent("seed.realm")
    let all = Realm.Configuration(
      fileURL: url, inMemoryIdentifier: nil, encryptionKey: Data(count: 64), readOnly: true,
      schemaVersion: 7, migrationBlock: { _, _ in }, deleteRealmIfMigrationNeeded: true,
      shouldCompactOnLaunch: { _, _ in true }, objectTypes: [Person.self, Dog.self],
      seedFilePath: seed)
    stage.equal(all.fileURL, url, "the file of the initializer")
    stage.equal(all.inMemoryIdentifier, nil, "the identifier of the initializer")
    stage.equal(all.seedFilePath, seed, "the seed of the initializer")
    for setting in settings
    where !["fileURL", "inMemoryIdentifier", "maximumNumberOfActiveVersions"]
      .contains(setting.name)
    {
      stage.expect(setting.isSet(all), "\(setting.name) is what the initializer was given")
    }
    let memory = Realm.Configuration(inMemoryIdentifier: "memory")
    stage.equal(memory.fileURL, nil, "the file of one in memory")
    stage.equal(memory.inMemoryIdentifier, "memory", "its identifier")
    // What a realm tells is what it was opened with, and who changes that changes nothing else.
    var given = stage.configuration()
    given.schemaVersion = 3
    given.maximumNumberOfActiveVersions = 40
    given.shouldCompactOnLaunch = { _, _ in false }
    given.migrationBlock = { _, _ in }
    let asked = given
    func look(_ realm: Realm, _ what: String) {
      for round in 1...2 {
        var told = realm.configuration
        stage.equal(told.fileURL, asked.fileURL, "the file, \(what), round \(round)")
        stage.equal(told.schemaVersion, 3, "the version, \(what), round \(round)")
        stage.equal(told.maximumNumberOfActiveVersions, 40, "the limit, \(what), round \(round)")
        stage.equal(told.readOnly, false, "if it is read-only, \(what), round \(round)")
        stage.expect(told.shouldCompactOnLaunch != nil, "who decides is told, \(what)")
        stage.expect(told.migrationBlock != nil, "who migrates is told, \(what)")
        stage.equal(
          told.objectTypes.map { Set($0.map { "\($0)" }) },
          asked.objectTypes.map { Set($0.map { "\($0)" }) }, "the classes, \(what), round \(round)")
        stage.expect(told == asked, "it is the one that was given, \(what), round \(round)")
        told.schemaVersion = 9
        told.fileURL = url
        told.objectTypes = []
      }
    }
    let realm = try Realm(configuration: asked)
    given.schemaVersion = 8
    given.fileURL = url
    look(realm, "of a realm")
    look(realm.freeze(), "of a frozen realm")
    try realm.write { realm.add(Account(id: 1)) }
    look(realm.account(1).realm!, "of an object's realm")
    try stage.elsewhere { look(try Realm(configuration: asked), "on another thread") }
    stage.equal(
      FileManager.default.fileExists(atPath: url.path), false, "whether changing a copy made a file"
    )
  }
}
