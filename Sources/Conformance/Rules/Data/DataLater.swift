import EngineUnderTest
import Foundation
import Harness

extension Probe {
  /// A realm with few classes deletes what objects of other classes hold, which came after its own
  /// first deletion.
  static let classesOfOthers = Probe(
    "deleting takes an object out of classes that only others know"
  ) { stage in
    let file = stage.directory.appendingPathComponent("others.realm")
    let few = try Realm(configuration: .init(fileURL: file, objectTypes: [Dog.self]))
    try few.write { for age in 0..<4 { few.add(Dog(name: "\(age)", age: age)) } }
    // What is worked out for a deletion is worked out by now.
    try few.write { few.delete(few.objects(Dog.self).where { $0.age == 0 }.first!) }
    try stage.elsewhere {
      let all = try Realm(configuration: .init(fileURL: file, objectTypes: Models.all))
      try all.write {
        for age in 1..<4 {
          let person = Person(name: "\(age)")
          all.add(person)
          let dog = all.objects(Dog.self).where { $0.age == age }.first!
          person.best = dog
          for _ in 0..<2 { person.dogs.append(dog) }
        }
      }
    }
    few.refresh()
    try few.write { few.delete(few.objects(Dog.self).where { $0.age == 2 }) }
    try stage.elsewhere {
      let all = try Realm(configuration: .init(fileURL: file, objectTypes: Models.all))
      stage.equal(
        all.objects(Person.self).sorted(byKeyPath: "name").map {
          "\($0.name) \($0.best?.name ?? "nobody") \($0.dogs.count)"
        },
        ["1 1 2", "2 nobody 0", "3 3 2"], "who holds whom")
    }
  }

  /// Classes whose first object comes when objects of others have been deleted already.
  static let laterClasses = ["a link", "a list", "a mixed value", "an embedded object"].map { way in
    Probe("deleting takes an object out of a class that came later: \(way)") { stage in
      let realm = try stage.open()
      try realm.write {
        for number in 0..<4 { realm.add(Dog(name: "dog", age: number)) }
        for id in 0..<4 { realm.add(Account(id: id)) }
      }
      // What is worked out for a deletion is worked out by now.
      try realm.write {
        realm.delete(realm.objects(Dog.self).where { $0.age == 0 }.first!)
        realm.delete(realm.account(0))
      }
      for round in 1...3 {
        let dog = realm.objects(Dog.self).where { $0.age == round }.first!
        switch way {
        case "a link":
          try realm.write {
            let person = Person(name: "\(round)")
            realm.add(person)
            person.best = dog
          }
          try realm.write { realm.delete(dog) }
          stage.expect(realm.person("\(round)").best == nil, "no link is left", observed: "one is")
        case "a list":
          try realm.write {
            let person = Person(name: "\(round)")
            realm.add(person)
            for _ in 0..<2 { person.dogs.append(dog) }
          }
          try realm.write { realm.delete(dog) }
          stage.equal(realm.person("\(round)").dogs.count, 0, "the members that are left")
        case "a mixed value":
          try realm.write {
            let all = realm.create(Everything.self)
            all.int = round
            all.any = .object(dog)
          }
          try realm.write { realm.delete(dog) }
          let all = realm.objects(Everything.self).where { $0.int == round }.first!
          stage.expect(all.any == .none, "no link is left", observed: "\(all.any)")
        default:
          try realm.write {
            let all = realm.create(Everything.self)
            all.int = round
            all.embedded = Address()
            all.link = dog
          }
          try realm.write { realm.delete(dog) }
          let all = realm.objects(Everything.self).where { $0.int == round }.first!
          stage.expect(all.link == nil, "no link is left", observed: "one is")
          stage.expect(all.embedded != nil, "the embedded object is left", observed: "it is gone")
        }
      }
      stage.equal(realm.objects(Dog.self).count, 0, "the dogs that are left")
    }
  }

  /// Ways to give a list its members, some of them twice.
  static let repeatedMembers = Probe("an object is among the linking ones as often as it links") {
    stage in
    let realm = try Realm(configuration: stage.specimens())
    try realm.write { for id in 0..<3 { realm.add(Specimen(id: id)) } }
    let ways: [(String, (Specimen, [Specimen]) -> Void)] = [
      ("appended", { one, members in for member in members { one.members.append(member) } }),
      ("appended at once", { $0.members.append(objectsIn: $1) }),
      (
        "assigned",
        { one, members in
          let list = List<Specimen>()
          list.append(objectsIn: members)
          one.members = list
        }
      ),
      ("set by name", { one, members in one.setValue(members, forKey: "members") }),
      ("inserted", { $0.members.insert(contentsOf: $1, at: 0) }),
      ("assigned in place", { $0.members.assign($1) }),
    ]
    func look(_ id: Int, _ count: Int, _ moment: String) {
      stage.equal(
        realm.specimen(1)!.throughMembers.map(\.id), [Int](repeating: id, count: count),
        "what links, \(moment)")
      stage.equal(realm.specimen(1)!.throughMembers.count, count, "how many link, \(moment)")
    }
    for (name, way) in ways {
      for count in [1, 2, 3] {
        let (one, member) = (realm.specimen(0)!, realm.specimen(1)!)
        try realm.write { way(one, [Specimen](repeating: member, count: count)) }
        look(0, count, "\(name) \(count) times")
        while !one.members.isEmpty {
          try realm.write { one.members.remove(at: one.members.count - 1) }
          look(0, one.members.count, "\(name) \(count) times, some removed")
        }
      }
    }
    try realm.write {
      let fresh = Specimen(id: 7)
      for _ in 0..<2 { fresh.members.append(realm.specimen(1)!) }
      realm.add(fresh)
    }
    look(7, 2, "added with the object")
    try realm.write { realm.delete(realm.specimen(7)!) }
    let values = [realm.specimen(1)!, realm.specimen(1)!]
    try realm.write { realm.create(Specimen.self, value: ["id": 8, "members": values]) }
    look(8, 2, "created with the object")
  }

  /// Policies hold for the call that they are given to.
  static let policiesEnd: [Probe] = [
    "add(update: .modified)", "add(update: .all)", "add of several", "create(update: .modified)",
    "a cancelled write",
  ].flatMap { before in
    ["a link", "a list", "an addition"].map { way in
      Probe.refuses(
        "after \(before), a key that is there is refused again: \(way)",
        saying: "existing primary key value"
      ) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        switch before {
        case "add(update: .modified)": realm.add(Account(id: 1, balance: 8), update: .modified)
        case "add(update: .all)": realm.add(Account(id: 1, balance: 8), update: .all)
        case "add of several":
          realm.add([Account(id: 1, balance: 8), Account(id: 2)], update: .modified)
        case "create(update: .modified)":
          realm.create(Account.self, value: ["id": 1, "balance": 8], update: .modified)
        default:
          realm.add(Account(id: 1, balance: 8), update: .modified)
          realm.cancelWrite()
          realm.beginWrite()
        }
        let account = realm.account(3)
        stage.act {
          switch way {
          case "a link": account.previous = Account(id: 2, balance: 9)
          case "a list":
            realm.create(Account.self, value: ["id": 9, "previous": ["id": 2]] as [String: Any])
          default: realm.add(Account(id: 2, balance: 9))
          }
        }
      }
    }
  }
}
