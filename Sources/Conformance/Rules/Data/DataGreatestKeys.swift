import EngineUnderTest
import Foundation
import Harness

/// A class whose key is a number, and the same without a key.
private enum Ends {
  final class Keyed: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var note: String
    override class func _realmObjectName() -> String? { "Numbered" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }
  final class Keyless: Object {
    @Persisted var number: Int
    @Persisted var note: String
    override class func _realmObjectName() -> String? { "Numbered" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  /// Numbers at both ends of what there is, and beside zero.
  static let numbers = [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]

  static func configuration(
    _ stage: Stage, _ type: Object.Type, version: UInt64, _ block: MigrationBlock? = nil
  ) -> Realm.Configuration {
    var configuration = stage.configuration("numbered")
    (configuration.objectTypes, configuration.schemaVersion) = ([type], version)
    configuration.migrationBlock = block
    return configuration
  }
}

extension Probe {
  /// Migrations of a class with objects of the least and the greatest keys there are.
  static let keysAtTheEnds = Probe("a migration makes objects beside those of the greatest keys") {
    stage in
    let added = Array(100..<140)
    try stage.elsewhere {
      let realm = try Realm(
        configuration: Ends.configuration(stage, Ends.Keyed.self, version: 0))
      try realm.write {
        for number in Ends.numbers {
          realm.create(Ends.Keyed.self, value: ["number": number, "note": "\(number)"])
        }
      }
    }
    try stage.elsewhere {
      let realm = try Realm(
        configuration: Ends.configuration(stage, Ends.Keyed.self, version: 1) {
          migration, _ in
          for number in added {
            migration.create("Numbered", value: ["number": number, "note": "\(number)"])
          }
        })
      let all = (Ends.numbers + added).sorted()
      let found = realm.objects(Ends.Keyed.self).sorted(byKeyPath: "number")
      stage.equal(found.map(\.number), all, "the keys behind the migration")
      stage.equal(found.map(\.note), all.map { "\($0)" }, "what their objects have")
      for number in all {
        stage.equal(
          realm.object(ofType: Ends.Keyed.self, forPrimaryKey: number)?.note, "\(number)",
          "who is found by \(number)")
      }
    }
    try stage.elsewhere {
      let realm = try Realm(
        configuration: Ends.configuration(stage, Ends.Keyless.self, version: 2))
      try realm.write {
        for number in added {
          realm.create(Ends.Keyless.self, value: ["number": -number, "note": "\(-number)"])
        }
      }
      let all = (Ends.numbers + added + added.map { -$0 }).sorted()
      let found = realm.objects(Ends.Keyless.self).sorted(byKeyPath: "number")
      stage.equal(found.map(\.number), all, "the numbers of those that have no key any more")
      stage.equal(found.map(\.note), all.map { "\($0)" }, "what they have")
    }
  }
}
