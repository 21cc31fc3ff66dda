import Foundation
import Testing

@testable import ReferenceEngine

/// One class before and after: other properties, other indexes, collections that go and come.
private enum Before {
  class Guest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var nick: String?
    @Persisted var notes: List<String>
    @Persisted var friends: List<Guest>
    @Persisted var marks: Map<String, Int>
    @Persisted var age: Int
    @Persisted(indexed: true) var town: String
    @Persisted var any: AnyRealmValue
    override class func _realmObjectName() -> String? { "Guest" }
  }
  class Attic: Object {
    @Persisted var text: String
    @Persisted var guest: Guest?
    override class func _realmObjectName() -> String? { "Attic" }
  }
}

private enum After {
  class Guest: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var nick: String
    @Persisted var remarks: List<String>
    @Persisted var friends: List<Guest>
    @Persisted var friend: Guest?
    @Persisted(indexed: true) var age: Int?
    @Persisted var town: String
    @Persisted var at: Date
    @Persisted var price: Decimal128
    @Persisted var scores: Map<String, Int>
    @Persisted(originProperty: "friend") var admirers: LinkingObjects<Guest>
    override class func _realmObjectName() -> String? { "Guest" }
  }
}

/// Migrations that change rows while their columns come and go: in the order of the rows and in no
/// order, one by one and many.
struct MigratedRowsTests {
  private let scratch = Scratch()

  private func fill(_ count: Int) throws {
    let types = [Before.Guest.self, Before.Attic.self] as [ObjectBase.Type]
    let realm = try Realm(configuration: scratch.configuration(types))
    try realm.write {
      for id in 0..<count {
        let guest = realm.create(
          Before.Guest.self,
          value: [
            "id": id, "nick": "nick \(id)", "notes": ["a", "b \(id)"], "marks": ["k": id],
            "age": id % 90, "town": "town \(id % 5)",
          ])
        guest.any = .string("any \(id)")
        if id > 0 {
          guest.friends.append(realm.object(ofType: Before.Guest.self, forPrimaryKey: id / 2)!)
        }
        if id % 3 == 0 {
          realm.create(Before.Attic.self, value: ["text": "box \(id)"]).guest = guest
        }
      }
    }
  }

  @Test(arguments: [1, 2, 40, 300])
  func `rows are changed, go and come while their class gets another form`(count: Int) throws {
    try fill(count)
    let come = 500
    let ids = (count..<(count + come)).map { count + ($0 - count) * 7919 % come }
    let configuration = scratch.configuration([After.Guest.self], version: 1) { migration, _ in
      var new: [MigrationObject] = []
      migration.enumerateObjects(ofType: "Guest") { was, now in
        guard let was, let now else { return }
        now["friend"] = new.last
        now["nick"] = "\(was["nick"] as? String ?? "") of \(was["any"] as? String ?? "")"
        now["price"] = Decimal128(was["age"] as? Int ?? 0)
        new.append(now)
      }
      migration.renameProperty(onType: "Guest", from: "notes", to: "remarks")
      migration.renameProperty(onType: "Guest", from: "marks", to: "scores")
      for id in ids {
        let made = migration.create("Guest", value: ["id": id, "nick": "came \(id)"])
        if id % 2 == 0 { made["friend"] = new[0] }
        if id % 5 == 0 { migration.delete(made) }
      }
      migration.enumerateObjects(ofType: "Guest") { was, now in
        guard let now, let id = was?["id"] as? Int, id % 4 == 1 else { return }
        migration.delete(now)
      }
      migration.enumerateObjects(ofType: "Attic") { was, now in
        if now != nil || was?["text"] == nil { fatalError("there is an attic") }
      }
      if !migration.deleteData(forType: "Attic") { fatalError("there was no attic") }
    }
    for _ in 0..<2 {
      let realm = try Realm(configuration: configuration)
      let guests = realm.objects(After.Guest.self)
      let old = (0..<count).filter { $0 % 4 != 1 }
      let came = (count..<(count + come)).filter { $0 % 5 != 0 }
      #expect(guests.map(\.id) == old + came)
      for id in old {
        let guest = realm.object(ofType: After.Guest.self, forPrimaryKey: id)!
        #expect(guest.nick == "nick \(id) of any \(id)")
        #expect(Array(guest.remarks) == ["a", "b \(id)"] && guest.scores["k"] == id)
        #expect(guest.age == id % 90 && guest.town == "town \(id % 5)")
        #expect(guest.price == Decimal128(id % 90))
        #expect(guest.at == Date(timeIntervalSince1970: 0))
        #expect(guest.friend?.id == (id == 0 || (id - 1) % 4 == 1 ? nil : id - 1))
        #expect(guest.friends.map(\.id) == (id == 0 || id / 2 % 4 == 1 ? [] : [id / 2]))
        #expect(guests.filter("nick == %@", guest.nick).map(\.id) == [id])
      }
      for id in came.prefix(40) {
        let guest = realm.object(ofType: After.Guest.self, forPrimaryKey: id)!
        #expect(guest.nick == "came \(id)" && guest.age == nil && guest.remarks.isEmpty)
      }
      let admirers = guests[0].admirers.filter("id >= \(count)").map(\.id)
      #expect(admirers.sorted() == came.filter { $0 % 2 == 0 })
      #expect(guests.filter("age == 7").count == old.filter { $0 % 90 == 7 }.count)
      #expect(guests.filter("age == nil").count == came.count)
      _ = try realm.session.coordinator.checkEverything()
    }
  }
}
