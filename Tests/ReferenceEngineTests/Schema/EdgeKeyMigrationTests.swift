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
