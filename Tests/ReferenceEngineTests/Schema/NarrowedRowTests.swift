import Foundation
import Testing

@testable import ReferenceEngine

/// One class before and after: collections that go, and more properties than there were.
private enum Before {
  class Guest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var nick: String?
    @Persisted var notes: List<String>
    @Persisted var marks: Map<String, Int>
    override class func _realmObjectName() -> String? { "Guest" }
  }
  class Attic: Object {
    @Persisted var text: String
  }
}

private enum After {
  class Guest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var nick: String
    @Persisted var remarks: List<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var one: String
    @Persisted var two: String
    @Persisted var three: String
    @Persisted var four: String
    @Persisted var five: String
    @Persisted var six: String
    override class func _realmObjectName() -> String? { "Guest" }
  }
}

struct NarrowedRowTests {
  let scratch = Scratch()

  /// What was opened to take its collections away was written with columns it had no room for.
  @Test(arguments: [1, 2, 33])
  func `a row whose collections went gets the columns that come`(count: Int) throws {
    do {
      let realm = try Realm(configuration: scratch.configuration([Before.Guest.self]))
      try realm.write {
        for id in 1...count {
          realm.create(
            Before.Guest.self,
            value: ["id": id, "nick": "nick \(id)", "notes": ["a"], "marks": ["k": 1]])
        }
      }
    }
    let configuration = scratch.configuration([After.Guest.self], version: 1) { migration, _ in
      migration.renameProperty(onType: "Guest", from: "notes", to: "remarks")
    }
    let realm = try Realm(configuration: configuration)
    let guests = realm.objects(After.Guest.self)
    #expect(guests.map(\.nick) == (1...count).map { "nick \($0)" })
    #expect(guests.allSatisfy { Array($0.remarks) == ["a"] && $0.six.isEmpty })
  }

  @Test func `a class that goes is shown as it was alone`() throws {
    let types = [Before.Guest.self, Before.Attic.self] as [ObjectBase.Type]
    do {
      let realm = try Realm(configuration: scratch.configuration(types))
      try realm.write { realm.create(Before.Attic.self, value: ["text": "box"]) }
    }
    let configuration = scratch.configuration([Before.Guest.self], version: 1) { migration, _ in
      #expect(migration.newSchema["Attic"] == nil)
      migration.enumerateObjects(ofType: "Attic") { old, new in
        #expect(old?["text"] as? String == "box" && new == nil)
      }
    }
    _ = try Realm(configuration: configuration)
  }
}
