import Foundation
import Testing

@testable import ReferenceEngine

class Guest: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = "nobody"
  @Persisted var age = 7
  @Persisted var friend: Guest?
  @Persisted var friends: List<Guest>
  @Persisted var rivals: MutableSet<Guest>
  @Persisted var byRole: Map<String, Guest?>
}

class Optionally: Object {
  @Persisted(primaryKey: true) var id: Int?
  @Persisted var name = ""
}

/// What `create` makes of the dictionaries and objects inside the value it is given.
struct CreatingTests {
  let realm: Realm = {
    let name = UUID().uuidString
    return try! Realm(configuration: Realm.Configuration(inMemoryIdentifier: name))
  }()

  @Test func `a dictionary in a collection changes only what it gives`() throws {
    try realm.write {
      for id in 1...4 { realm.create(Guest.self, value: ["id": id, "name": "kept", "age": id]) }
      let guest = realm.create(
        Guest.self,
        value: [
          "id": 1, "friend": ["id": 2, "age": 20], "friends": [["id": 3, "age": 30], ["id": 5]],
          "rivals": [["id": 4, "age": 40]], "byRole": ["host": ["id": 2, "age": 21], "none": nil],
        ] as [String: Any], update: .modified)
      #expect(guest.friends.map(\.id) == [3, 5] && guest.friends.map(\.age) == [30, 7])
      #expect(guest.friends[0].name == "kept" && guest.friends[1].name == "nobody")
      #expect(guest.rivals[0].name == "kept" && guest.rivals[0].age == 40)
      #expect(guest.byRole["host"]??.name == "kept" && guest.friend?.age == 21)
      #expect(guest.byRole.count == 2 && realm.objects(Guest.self).count == 5)
    }
  }

  @Test func `unmanaged objects given to create are copied with all they link to`() throws {
    let (one, two) = (Guest(value: ["id": 1]), Guest(value: ["id": 2, "name": "two"]))
    one.friend = two
    one.friends.append(objectsIn: [two, one])
    one.byRole["self"] = one
    try realm.write {
      let copy = realm.create(Guest.self, value: one)
      #expect(copy.friend?.name == "two" && copy.friends.map(\.id) == [2, 1])
      #expect(copy.byRole["self"]??.id == 1)
      let other = realm.create(Guest.self, value: ["id": 3, "friends": [two]], update: .modified)
      #expect(other.friends[0] == copy.friend)
    }
    #expect(one.realm == nil && two.realm == nil && one.friends.realm == nil)
    #expect(one.friend === two && realm.objects(Guest.self).count == 3)
  }

  @Test func `what an object owns is copied with it, also from another realm`() throws {
    let other = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString))
    let source = try other.write {
      other.create(
        Everything.self,
        value: ["address": ["street": "A"], "addresses": [["street": "B"], ["street": "C"]]])
    }
    try realm.write {
      let copy = realm.create(Everything.self, value: source)
      #expect(copy.address?.street == "A" && copy.addresses.map(\.street) == ["B", "C"])
      let again = realm.create(Everything.self, value: copy)
      #expect(again.address?.street == "A" && again.addresses.map(\.street) == ["B", "C"])
      #expect(copy.addresses.count == 2 && realm.dynamicObjects("Address").count == 6)
      let guest = realm.create(Guest.self, value: ["id": 1])
      #expect(realm.create(Guest.self, value: guest, update: .modified) === guest)
    }
  }

  @Test func `an optional number as primary key tells nil from 0`() throws {
    try realm.write {
      let none = realm.create(
        Optionally.self, value: ["id": nil, "name": "none"] as [String: Any?])
      let zero = realm.create(Optionally.self, value: ["id": 0, "name": "zero"])
      realm.add(Optionally(value: ["id": 7, "name": "seven"]))
      realm.create(Optionally.self, value: ["id": 7, "name": "changed"], update: .modified)
      #expect(realm.object(ofType: Optionally.self, forPrimaryKey: 0) == zero)
      #expect(realm.object(ofType: Optionally.self, forPrimaryKey: nil as Int?) == none)
      #expect(realm.object(ofType: Optionally.self, forPrimaryKey: 7)?.name == "changed")
      #expect(realm.object(ofType: Optionally.self, forPrimaryKey: 1) == nil)
      realm.delete(zero)
      #expect(realm.objects(Optionally.self).where { $0.id == 7 }.count == 1)
      #expect(realm.objects(Optionally.self).filter("id == 0").isEmpty)
    }
  }

  @Test func `deleting what was deleted already changes nothing`() throws {
    try realm.write {
      let guest = realm.create(Guest.self, value: ["id": 1])
      let same = realm.objects(Guest.self)[0]
      realm.delete([guest, same, guest])
      #expect(guest.isInvalidated && same.isInvalidated && realm.objects(Guest.self).isEmpty)
      realm.delete(same)
    }
  }

  @Test func `deleting what was read before invalidating changes nothing`() throws {
    let guest = try realm.write { realm.create(Guest.self, value: ["id": 1]) }
    let list = guest.friends
    realm.invalidate()
    try realm.write {
      realm.delete(guest)
      realm.delete([guest])
    }
    #expect(realm.objects(Guest.self).count == 1)
    #expect(guest.isInvalidated && list.isInvalidated)
  }

  @Test func `an object of another class is refused as a link`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      try realm.write { _ = realm.create(Guest.self, value: ["id": 1, "friend": Dog()]) }
    }
    #expect(said(result, "for 'Guest?' property 'Guest.friend'"))
  }

  @Test func `creating with an update policy needs a primary key`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      try realm.write { _ = realm.create(Dog.self, value: ["age": 1], update: .modified) }
    }
    #expect(said(result, "'Dog' does not have a primary key and can not be updated"))
  }

  @Test func `a map's keys are looked at wherever its entries come from`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scratch = Scratch()
      defer { withExtendedLifetime(scratch) {} }
      let realm = try scratch.realm()
      try realm.write { _ = realm.create(Everything.self, value: ["intMap": ["a.b": 1]]) }
    }
    #expect(said(result, "Map keys cannot contain the character '.' or begin with '$': 'a.b'."))
  }

  private func said(_ result: ExitTest.Result?, _ words: String) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(words)
  }
}
