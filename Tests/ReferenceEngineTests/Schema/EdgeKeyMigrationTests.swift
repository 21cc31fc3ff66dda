import Foundation
import Testing

@testable import ReferenceEngine

private enum Before {
  class Clerk: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

private enum After {
  class Clerk: Object {
    @Persisted var id: Int
    @Persisted var name: String
    override class func _realmObjectName() -> String? { "Clerk" }
  }
}

/// Classes with an object of the greatest number there is as its key: behind it no row has room.
@Suite(.serialized) struct EdgeKeyMigrationTests {
  private static func fill(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in [0, 1, Int.max - 1, Int.max] {
        realm.create(Before.Clerk.self, value: ["id": id, "name": "\(id)"])
      }
    }
  }

  private static func makeBeside() throws {
    let scratch = Scratch()
    try fill(scratch.configuration([Before.Clerk.self]))
    let configuration = scratch.configuration([Before.Clerk.self], version: 1) { migration, _ in
      for id in 2..<600 { migration.create("Clerk", value: ["id": id, "name": "\(id)"]) }
    }
    let realm = try Realm(configuration: configuration)
    let ids = Array(0..<600) + [Int.max - 1, Int.max]
    #expect(realm.objects(Before.Clerk.self).map(\.id) == ids)
    #expect(realm.objects(Before.Clerk.self).map(\.name) == ids.map { "\($0)" })
    _ = try realm.session.coordinator.checkEverything()
  }

  private static func goOn() throws {
    let scratch = Scratch()
    try fill(scratch.configuration([Before.Clerk.self]))
    let realm = try Realm(configuration: scratch.configuration([After.Clerk.self], version: 1))
    try realm.write {
      for id in 2..<600 { realm.create(After.Clerk.self, value: ["id": id, "name": "\(id)"]) }
    }
    let ids = Array(0..<600) + [Int.max - 1, Int.max]
    #expect(realm.objects(After.Clerk.self).map(\.id).sorted() == ids)
    #expect(realm.objects(After.Clerk.self).allSatisfy { $0.name == "\($0.id)" })
    _ = try realm.session.coordinator.checkEverything()
  }

  // migration
  // deletes 1, and makes another
  // asks for all once more: 1 was another one
  private static func makeInTheirPlace(_ type: Object.Type) throws {
    let scratch = Scratch()
    try fill(scratch.configuration([Before.Clerk.self]))
    let seen = Noted<String>()
    let configuration = scratch.configuration([type], version: 1) { migration, _ in
      var gone: MigrationObject?
      migration.enumerateObjects(ofType: "Clerk") { _, new in
        guard let new, new["id"] as? Int == 1 else { return }
        migration.delete(new)
        gone = new
      }
      migration.create("Clerk", value: ["id": 77, "name": "77"])
      seen.add("\(gone?.isInvalidated == true)")
      migration.enumerateObjects(ofType: "Clerk") { old, new in
        guard let old, let new, let id = old["id"] as? Int, let now = new["id"] as? Int else {
          return
        }
        if id != now { seen.add("\(id) is \(now)") }
        new["name"] = "\(id) anew"
      }
    }
    let realm = try Realm(configuration: configuration)
    #expect(seen.all == ["true"])
    let names = realm.dynamicObjects("Clerk").map { $0["name"] as? String ?? "" }.sorted()
    let old = [0, Int.max - 1, Int.max].map { "\($0) anew" }
    #expect(names == (old + ["77"]).sorted())
    _ = try realm.session.coordinator.checkEverything()
  }

  /// What a migration made got the key of what it had deleted, and was taken for that.
  @Test(arguments: [false, true])
  func `what a migration makes is nobody that it has deleted`(losesKey: Bool) async {
    await #expect(processExitsWith: .success) { [losesKey = losesKey as Bool] in
      try EdgeKeyMigrationTests.makeInTheirPlace(
        losesKey ? After.Clerk.self : Before.Clerk.self)
    }
  }

  /// What a migration made was to lie behind all others.
  @Test func `a migration makes objects beside the one of the greatest key`() async {
    await #expect(processExitsWith: .success) {
      try EdgeKeyMigrationTests.makeBeside()
    }
  }

  /// Its rows kept their keys, and the next one had none.
  @Test func `a class that loses its key goes on behind the one of the greatest key`() async {
    await #expect(processExitsWith: .success) {
      try EdgeKeyMigrationTests.goOn()
    }
  }
}
