import Foundation
import Testing

@testable import ReferenceEngine

struct WritingTests {
  let scratch = Scratch()

  @Test func `an added object is read back, also after reopening`() throws {
    do {
      let realm = try scratch.realm()
      let jane = Person(name: "Jane")
      jane.age = 33
      try realm.write { realm.add(jane) }
      #expect(jane.name == "Jane" && jane.age == 33 && jane.email == nil)
      #expect(jane.realm == realm)
      try realm.write {
        jane.age += 1
        jane.email = "jane@example.org"
      }
      #expect(jane.age == 34)
    }
    let realm = try scratch.realm()
    let table = realm.session.bound(Person.self)
    #expect(realm.session.store.count(of: table.number ?? -1) == 1)
    let person = unsafeDowncast(realm.session.accessor(table, 0), to: Person.self)
    #expect(person.name == "Jane" && person.age == 34 && person.email == "jane@example.org")
  }

  @Test func `an object of every type keeps its values`() throws {
    let realm = try scratch.realm()
    let date = Date(timeIntervalSince1970: 1_700_000_000.125)
    let uuid = UUID()
    let id = ObjectId.generate()
    let made = try realm.write {
      realm.create(
        Everything.self,
        value: [
          "bool": true, "int": -5, "int8": Int8.min, "int16": Int16.max, "int32": Int32.min,
          "int64": Int64.max, "float": Float(1.5), "double": -2.25, "string": "héllo wörld, longer",
          "data": Data([1, 2, 3]), "date": date, "objectId": id, "uuid": uuid,
          "decimal": Decimal128("123.456"), "any": AnyRealmValue.string("any"), "mood": Mood.sad,
          "intOptional": 7, "stringOptional": "s", "dateOptional": date, "uuidOptional": uuid,
          "moodOptional": Mood.sad, "address": ["street": "Main"], "ints": [1, 2, 3],
          "strings": ["a", nil, "c"], "addresses": [["street": "A"], ["street": "B"]],
          "intSet": [3, 1, 3, 2], "stringSet": ["b", "a"], "intMap": ["x": 1, "y": 2],
        ])
    }
    #expect(made.bool && made.int == -5 && made.int8 == .min && made.int16 == .max)
    #expect(made.int32 == .min && made.int64 == .max && made.float == 1.5 && made.double == -2.25)
    #expect(made.string == "héllo wörld, longer" && made.data == Data([1, 2, 3]))
    #expect(made.date == date && made.objectId == id && made.uuid == uuid)
    #expect(made.decimal == Decimal128("123.456") && made.any == .string("any"))
    #expect(made.mood == .sad && made.moodOptional == .sad)
    #expect(made.boolOptional == nil && made.intOptional == 7 && made.stringOptional == "s")
    #expect(made.floatOptional == nil && made.doubleOptional == nil && made.dataOptional == nil)
    #expect(made.dateOptional == date && made.uuidOptional == uuid)
    #expect(made.objectIdOptional == nil && made.decimalOptional == nil && made.link == nil)
    #expect(made.address?.street == "Main")
    #expect(Array(made.ints) == [1, 2, 3] && Array(made.strings) == ["a", nil, "c"])
    #expect(made.addresses.map(\.street) == ["A", "B"])
    #expect(Array(made.intSet) == [1, 2, 3] && Array(made.stringSet) == ["a", "b"])
    #expect(made.intMap["x"] == 1 && made.intMap["y"] == 2 && made.intMap["z"] == nil)
    try realm.write {
      made.link = made
      made.linkSet.insert(made)
      made.linkMap["me"] = made
    }
    #expect(made.link?.int == -5 && made.linkers.count == 1 && made.linkers[0].int == -5)
    #expect(made.linkSet.count == 1 && made.linkMap["me"]??.int == -5)
  }

  @Test func `lists link, and links are found backwards`() throws {
    let realm = try scratch.realm()
    let person = Person(name: "Timmy")
    let dogs = person.dogs
    try realm.write {
      person.dogs.append(Dog(value: ["name": "Lassie", "age": 5]))
      realm.add(person)
    }
    #expect(dogs.realm == realm && dogs.count == 1)
    let lassie = person.dogs[0]
    #expect(lassie.name == "Lassie" && lassie.owners.map(\.name) == ["Timmy"])
    try realm.write {
      person.dogs.append(Dog(value: ["name": "Rex"]))
      person.dogs.append(lassie)
      person.best = lassie
    }
    #expect(person.dogs.map(\.name) == ["Lassie", "Rex", "Lassie"])
    try realm.write { person.dogs.remove(at: 0) }
    #expect(lassie.owners.count == 1, "the list still links to it")
    try realm.write { realm.delete(lassie) }
    #expect(person.dogs.map(\.name) == ["Rex"] && person.best == nil)
    #expect(lassie.isInvalidated && lassie.realm == realm)
  }

  @Test func `WRITE-18: a cancelled write restores everything`() throws {
    let realm = try scratch.realm()
    let jane = Person(name: "Jane")
    let rex = Dog(value: ["name": "Rex", "age": 3])
    try realm.write {
      realm.add(jane)
      jane.dogs.append(rex)
    }
    realm.beginWrite()
    let new = Person(name: "New")
    realm.add(new)
    jane.name = "Changed"
    jane.dogs.removeAll()
    realm.delete(rex)
    #expect(rex.isInvalidated)
    realm.cancelWrite()
    #expect(jane.name == "Jane" && jane.dogs.count == 1)
    #expect(!rex.isInvalidated && rex.age == 3)
    #expect(new.isInvalidated)
    let other = try realm.write { realm.create(Person.self, value: ["name": "Other"]) }
    #expect(new.isInvalidated && !other.isInvalidated, "the key is given again, not the accessor")
  }

  @Test func `primary keys find and update`() throws {
    let realm = try scratch.realm()
    try realm.write {
      for id in 0..<300 { realm.create(Keyed.self, value: ["id": id * 3, "name": "n\(id)"]) }
      for id in 0..<300 { realm.create(Named.self, value: ["id": "key \(id)", "value": id]) }
    }
    #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 30)?.name == "n10")
    #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 31) == nil)
    #expect(realm.object(ofType: Named.self, forPrimaryKey: "key 299")?.value == 299)
    #expect(realm.object(ofType: Named.self, forPrimaryKey: "key") == nil)
    try realm.write {
      realm.create(Named.self, value: ["id": "key 7", "value": 1007], update: .modified)
      realm.add(Keyed(value: ["id": 30, "name": "renamed"]), update: .all)
    }
    #expect(realm.object(ofType: Named.self, forPrimaryKey: "key 7")?.value == 1007)
    #expect(realm.object(ofType: Keyed.self, forPrimaryKey: 30)?.name == "renamed")
    #expect(realm.session.store.count(of: 0) == 300)
  }

  @Test func `a write goes on from the last one only if nothing came between`() throws {
    let (one, other) = (Desk(scratch.configuration()), Desk(scratch.configuration()))
    var names: [String] = []
    func write(_ desk: Desk, _ name: String) {
      desk.commit { $0.add(Person(name: name)) }
      names.append(name)
    }
    func check(_ line: Int = #line) {
      for desk in [one, other] {
        let found = desk.work { realm in
          realm.refresh()
          return realm.objects(Person.self).map(\.name)
        }
        #expect(found == names, "line \(line)")
      }
    }
    for round in 0..<3 {
      write(one, "\(round) first")
      write(one, "\(round) second")
      check()
      one.work { realm in
        realm.beginWrite()
        realm.delete(realm.objects(Person.self))
        realm.add(Person(name: "never"))
        realm.cancelWrite()
      }
      write(one, "\(round) after a cancelled one")
      check()
      write(other, "\(round) between")
      write(one, "\(round) after another's")
      write(other, "\(round) after that")
      check()
      one.commit { $0.create(Dog.self, value: ["name": "Rex \(round)"]) }
      write(one, "\(round) after another class")
      other.commit { realm in
        realm.delete(realm.objects(Person.self).where { $0.name == "\(round) between" })
      }
      names.removeAll { $0 == "\(round) between" }
      write(one, "\(round) after a deletion of another's")
      check()
    }
    let dogs = one.work { $0.objects(Dog.self).map(\.name) }
    #expect(dogs == ["Rex 0", "Rex 1", "Rex 2"])
  }
}
