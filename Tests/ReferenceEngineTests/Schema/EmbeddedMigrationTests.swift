import Foundation
import Testing

@testable import ReferenceEngine

/// Classes of one name, before and after the one became embedded in the other.
private enum Before {
  class Cargo: Object {
    @Persisted var weight: Int
    override class func _realmObjectName() -> String? { "Cargo" }
  }
  class Ship: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var cargo: Cargo?
    @Persisted var hold: List<Cargo>
    @Persisted var any: AnyRealmValue
    override class func _realmObjectName() -> String? { "Ship" }
  }
}

private enum After {
  class Cargo: EmbeddedObject {
    @Persisted var weight: Int
    override class func _realmObjectName() -> String? { "Cargo" }
  }
  class Ship: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var cargo: Cargo?
    @Persisted var hold: List<Cargo>
    @Persisted var any: AnyRealmValue
    override class func _realmObjectName() -> String? { "Ship" }
  }
}

/// A class that becomes embedded, whatever holds its objects.
///
/// What broke: it was taken as it was. What nobody held could never be reached again, and two
/// holders had one object, which went with either of them.
struct EmbeddedMigrationTests {
  let scratch = Scratch()

  private func fill(_ body: (Realm) -> Void) throws {
    do {
      let realm = try Realm(configuration: before(1))
      try realm.write { body(realm) }
    }
  }

  private func before(_ version: UInt64) -> Realm.Configuration {
    scratch.configuration([Before.Ship.self, Before.Cargo.self], version: version)
  }

  private func after(_ version: UInt64, _ block: MigrationBlock? = nil) -> Realm.Configuration {
    scratch.configuration(
      [After.Ship.self, After.Cargo.self], version: version, migration: block)
  }

  private func migrate(_ block: MigrationBlock? = nil) throws -> Realm {
    try Realm(configuration: after(2, block))
  }

  private func refusal(_ block: MigrationBlock? = nil) -> String {
    do {
      _ = try migrate(block)
      return "it was migrated"
    } catch {
      return (error as? Realm.Error).map { "\($0.code): \($0.message)" } ?? "\(error)"
    }
  }

  @Test(arguments: ["none", "two", "twice", "mixed", "nested"])
  func `what has not one holder is not made embedded`(holders: String) throws {
    try fill { realm in
      let cargo = realm.create(Before.Cargo.self, value: ["weight": 9])
      // One that is as it has to be comes after it.
      realm.create(Before.Ship.self, value: ["id": 9, "cargo": ["weight": 1]])
      if holders == "none" { return }
      let ship = realm.create(Before.Ship.self, value: ["id": 1, "cargo": cargo])
      switch holders {
      case "two": realm.create(Before.Ship.self, value: ["id": 2, "hold": [cargo]])
      case "twice":
        ship.cargo = nil
        ship.hold.append(objectsIn: [cargo, cargo])
      case "mixed": ship.any = .object(cargo)
      default: ship.any = .fromArray([.object(cargo)])
      }
    }
    let reason =
      switch holders {
      case "none": "at least one object has no incoming links and would be deleted."
      case "two", "twice": "at least one object has more than one incoming link."
      default:
        "there is an incoming link from the Mixed property 'Ship.any', which does not support "
          + "linking to embedded objects."
      }
    #expect(refusal() == "fail: Cannot convert 'Cargo' to embedded: \(reason)")
    // Nothing has changed.
    let realm = try Realm(configuration: before(1))
    #expect(realm.objects(Before.Cargo.self).map(\.weight).sorted() == [1, 9])
    #expect(try schemaVersionAtURL(try #require(realm.configuration.fileURL)) == 1)
  }

  @Test func `what has one holder goes with that from then on`() throws {
    try fill { realm in
      realm.create(Before.Ship.self, value: ["id": 1, "cargo": ["weight": 3]])
      realm.create(Before.Ship.self, value: ["id": 2, "hold": [["weight": 4], ["weight": 5]]])
    }
    let realm = try migrate()
    #expect(realm.object(ofType: After.Ship.self, forPrimaryKey: 1)?.cargo?.weight == 3)
    let second = try #require(realm.object(ofType: After.Ship.self, forPrimaryKey: 2))
    #expect(second.hold.map(\.weight) == [4, 5])
    try realm.write { realm.delete(second) }
    #expect(realm.dynamicObjects("Cargo").count == 1)
  }

  /// Until the block is done its objects are as they were: of two holders one may go.
  @Test func `a block may give each object its one holder`() throws {
    try fill { realm in
      realm.create(Before.Cargo.self, value: ["weight": 1])
      realm.create(Before.Cargo.self, value: ["weight": 2])
      let cargo = realm.create(Before.Cargo.self, value: ["weight": 3])
      for id in 1...2 { realm.create(Before.Ship.self, value: ["id": id, "cargo": cargo]) }
    }
    let realm = try migrate { migration, _ in
      migration.enumerateObjects(ofType: "Cargo") { old, new in
        guard let new else { return }
        switch old?["weight"] as? Int {
        case 1: migration.delete(new)
        case 2: migration.create("Ship", value: ["id": 3, "cargo": new])
        default: break
        }
      }
      migration.enumerateObjects(ofType: "Ship") { old, new in
        if let new, old?["id"] as? Int == 1 { migration.delete(new) }
      }
    }
    let found = realm.objects(After.Ship.self).sorted(by: \.id)
    #expect(found.map(\.id) == [2, 3])
    #expect(found.map { $0.cargo?.weight } == [3, 2])
    #expect(realm.dynamicObjects("Cargo").count == 2)
  }

  @Test func `a class that is embedded no more keeps its objects`() throws {
    do {
      let realm = try Realm(configuration: after(1))
      try realm.write { realm.create(After.Ship.self, value: ["id": 1, "cargo": ["weight": 3]]) }
    }
    let realm = try Realm(configuration: before(2))
    let ship = try #require(realm.objects(Before.Ship.self).first)
    try realm.write { realm.delete(ship) }
    #expect(realm.objects(Before.Cargo.self).map(\.weight) == [3])
  }
}
