import EngineUnderTest
import Foundation
import Harness

extension Rules.Freeze {
  static let views: [Rule] = [
    freeze01, freeze02, freeze03, freeze04, freeze05, freeze06, freeze07, freeze08, freeze09,
    freeze10, freeze11, freeze41,
  ]

  static let freeze01 = Rule(
    "FREEZE-01", .documented,
    "`freeze()` MUST be available on realms, objects (also embedded), List, MutableSet, "
      + "Map, Results, LinkingObjects, AnyRealmCollection, projections and sectioned results, "
      + "and return the same type.",
    source: "S0/S1/S3 Frozen Objects (\"specific object, collection, or realm\").",
    broken: "type-erased return; missing on one collection type",
    probes: [
      Programs.freezing.probe,
      ClassLists.freeze,
      Probe("everything can be frozen and keeps its type") { stage in
        let realm = try stage.stocked()
        try realm.write {
          let all = realm.create(Everything.self)
          all.fill(1)
          all.embedded = Address()
          all.embedded!.street = "Main"
        }
        let all = realm.objects(Everything.self).first!
        let frozenRealm: Realm = realm.freeze()
        let object: Person = realm.person("Ann").freeze()
        let embedded: Address = all.embedded!.freeze()
        let list: List<Dog> = realm.person("Ann").dogs.freeze()
        let set: MutableSet<String> = all.words.freeze()
        let map: Map<String, Int> = all.scores.freeze()
        let results: Results<Person> = realm.objects(Person.self).freeze()
        let owners: LinkingObjects<Person> = realm.person("Ann").dogs[0].owners.freeze()
        let erased: AnyRealmCollection<Dog> = AnyRealmCollection(realm.person("Ann").dogs).freeze()
        let view: PersonView = PersonView(projecting: realm.person("Ann")).freeze()
        let sections: SectionedResults<Int, Person> = realm.objects(Person.self)
          .sectioned(by: \.age).freeze()
        stage.equal(frozenRealm.isFrozen, true, "the realm")
        stage.equal(object.isFrozen, true, "the object")
        stage.equal(embedded.isFrozen, true, "the embedded object")
        stage.equal(list.isFrozen, true, "the list")
        stage.equal(set.isFrozen, true, "the set")
        stage.equal(map.isFrozen, true, "the map")
        stage.equal(results.isFrozen, true, "the results")
        stage.equal(owners.isFrozen, true, "the linking objects")
        stage.equal(erased.isFrozen, true, "the collection of any kind")
        stage.equal(view.isFrozen, true, "the projection")
        stage.equal(sections.isFrozen, true, "the sections")
      },
    ] + [KindsMoved.frozen] + [.partsFreeze] + [FreezeKinds.byRealms, FreezeReadOnly.probe]
      + FreezeMigrations.firstOnes + FrozenBehindDeaths.probes)

  static let freeze02 = Rule(
    "FREEZE-02", .documented,
    "A frozen view MUST show the data of the moment of freezing for ever: no live update, "
      + "no change on refresh, foreign or own commit.",
    source: "S0/S1/S3 (\"not live and do not automatically update ... snapshots\").",
    broken: "freeze copies lazily at first access; links followed into the live realm",
    probes: [
      Probe("a frozen view stays what it was, whatever happens") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        let ann = realm.person("Ann").freeze()
        let grown = realm.objects(Person.self).where { $0.age > 35 }.freeze()
        func look() -> String {
          let sum: Int = frozen.objects(Person.self).sum(ofProperty: "age")
          return "\(ann.name) \(ann.age) \(ann.dogs.map(\.name)) \(ann.best?.name ?? "nil") "
            + "\(ann.dogs[0].owners.map(\.name)) \(grown.map(\.name).sorted()) \(sum) "
            + "\(frozen.objects(Dog.self).where { $0.age == 2 }.count) \(frozen.account(1).balance)"
        }
        let before = look()
        for round in 1...100 {
          let change: (Realm) throws -> Void = { realm in
            realm.person("Ann").age = round
            realm.account(1).balance = round
            realm.person("Ann").dogs.append(Dog(name: "new \(round)", age: 2))
          }
          if round % 10 == 0 {
            try stage.foreign { try change($0) }
          } else {
            try realm.write { try change(realm) }
          }
        }
        realm.refresh()
        try realm.write {
          realm.delete(realm.objects(Person.self))
          realm.delete(realm.objects(Dog.self))
        }
        stage.equal(look(), before, "what the frozen view shows")
      }
    ] + [Probe.changesBesideOlderVersions, HeldThrough.frozen, FreezeMigrations.oldOnes]
      + InGroups.frozen
      + RealmMake.allCases.map { .freezingInStates($0) })

  static let freeze03 = Rule(
    "FREEZE-03", .implementation,
    "The live original MUST remain live and unaffected by freezing.",
    source: "RST/ObjectTests.swift:1854.",
    broken: "freezes in place",
    probes: [
      Probe("the live original stays live") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let people = realm.objects(Person.self)
        use(realm.freeze())
        use(ann.freeze())
        use(people.freeze())
        stage.equal(realm.isFrozen, false, "whether the realm is frozen")
        stage.equal(ann.isFrozen, false, "whether the object is frozen")
        stage.equal(people.isFrozen, false, "whether the results are frozen")
        try realm.write {
          ann.age = 31
          realm.add(Person(name: "Dan"))
        }
        stage.equal(ann.age, 31, "Ann's age")
        stage.equal(people.count, 4, "the number of people")
        let frozen = realm.freeze()
        try stage.foreign { $0.person("Ann").age = 32 }
        stage.equal(realm.refresh(), true, "whether a refresh advanced")
        stage.equal(ann.age, 32, "Ann's age after the refresh")
        use(frozen)
      }
    ] + [FreezeKinds.ofFrozenRealms])

  static let freeze04 = Rule(
    "FREEZE-04", .documented,
    "Frozen views MUST be readable from any thread, several at once, without "
      + "synchronisation.",
    source: "S0/S1/S3 (\"freely share ... without concern for thread issues\").",
    broken: "lazily built shared cache without lock (real bug #7237)",
    probes: [
      Probe("threads read and query the same frozen things at once") { stage in
        let realm = try stage.open()
        try realm.write { for id in 0..<200 { realm.add(Account(id: id, balance: id % 10)) } }
        let frozen = realm.freeze()
        let accounts = frozen.objects(Account.self)
        let sorted = accounts.sorted(byKeyPath: "balance")
        let some = accounts.where { $0.balance == 3 }
        let one = accounts.where { $0.id == 7 }.first!
        let start = Latch("the start")
        for number in 0..<4 {
          stage.thread("reader \(number)") {
            try stage.wait(for: start)
            for _ in 0..<50 {
              let sum: Int = accounts.sum(ofProperty: "balance")
              let seen =
                "\(sum) \(some.count) \(sorted.first!.balance) \(sorted.last!.balance) "
                + "\(one.balance) \(accounts.where { $0.balance > 5 }.count)"
              guard seen == "900 20 0 9 7 80" else {
                return stage.fail(expected: "900 20 0 9 7 80", observed: seen)
              }
            }
            stage.expect(true, "reader \(number) saw the frozen state")
          }
        }
        start.open()
        try stage.joinAll()
      },
      .lookedUpAtOnce,
    ])

  static let freeze05 = Rule(
    "FREEZE-05", .documented,
    "Freezing MUST NOT deep-copy: cost and memory independent of the data size.",
    source: "S0/S1/S3 (\"still exists on disk and does not need to be deeply copied\"); S0 Summary "
      + "(\"shallow copies around efficiently\").",
    broken: "deep copy at freeze",
    probes: [
      Probe("freezing a large realm takes no memory to speak of") { stage in
        let realm = try stage.open()
        try realm.write {
          for id in 0..<30_000 {
            realm.add(Account(id: id, balance: id, note: "account number \(id)"))
          }
        }
        let accounts = realm.objects(Account.self)
        use(accounts.count)
        let before = Stage.residentBytes()
        let frozen = realm.freeze()
        let all = accounts.freeze()
        let used = Stage.residentBytes() - before
        stage.expect(used < 1 << 20, "less than a MiB", observed: "\(used) bytes")
        stage.equal(all.count, 30_000, "the frozen accounts")
        stage.equal(frozen.account(29_999).balance, 29_999, "the last balance")
      }
    ])

  static let freeze06 = Rule(
    "FREEZE-06", .documented,
    "Freezing a realm MUST freeze everything obtained from it: objects, their links, lists, "
      + "sets, maps, results, linking objects.",
    source: "S0/S1/S3 (\"its child objects also become frozen\"); S0 code asserts.",
    broken: "link target live",
    probes: [
      Probe("everything reached through a frozen realm is frozen") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        let ann = frozen.person("Ann")
        stage.equal(ann.isFrozen, true, "an object")
        stage.equal(ann.realm!.isFrozen, true, "its realm")
        stage.equal(ann.best!.isFrozen, true, "a link's target")
        stage.equal(ann.dogs.isFrozen, true, "a list")
        stage.equal(ann.dogs[0].isFrozen, true, "a list's element")
        stage.equal(ann.dogs[0].realm!.isFrozen, true, "the realm of a list's element")
        stage.equal(ann.dogs[0].owners.isFrozen, true, "linking objects")
        stage.equal(ann.dogs[0].owners[0].isFrozen, true, "an owner")
        stage.equal(frozen.objects(Person.self).isFrozen, true, "results")
        stage.equal(
          frozen.objects(Person.self).where { $0.age > 1 }[0].isFrozen, true, "a found object")
        stage.equal(frozen.account(1).isFrozen, true, "an object found by its key")
      }
    ] + Probe.unusedClasses)

  static let freeze07 = Rule(
    "FREEZE-07", .documented,
    "Freezing an object or a collection MUST give a view whose `realm` is frozen, likewise "
      + "for all reachable children.",
    source: "S0 code (\"Frozen objects have a reference to a frozen realm\").",
    broken: "frozen object with live realm",
    probes: [
      Probe("everything reached through a frozen object is frozen") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann").freeze()
        let people = realm.objects(Person.self).freeze()
        let dogs = realm.person("Ann").dogs.freeze()
        stage.equal(ann.realm!.isFrozen, true, "the object's realm")
        stage.equal(ann.dogs.realm!.isFrozen, true, "its list's realm")
        stage.equal(ann.best!.isFrozen, true, "its link's target")
        stage.equal(people.realm!.isFrozen, true, "the results' realm")
        stage.equal(people[0].dogs[0].isFrozen, true, "a dog reached through the results")
        stage.equal(dogs.realm!.isFrozen, true, "the list's realm")
        stage.equal(dogs[0].owners[0].isFrozen, true, "an owner reached through the list")
      }
    ] + [FreezeKinds.ofFrozenRealms])

  static let freeze08 = Rule(
    "FREEZE-08", .documented,
    "Already existing live objects of a realm MUST NOT become frozen by `realm.freeze()`.",
    source: "S0 code (`assert(!person.realm!.isFrozen)` after `realm.freeze()`).",
    broken: "flag on shared realm",
    probes: [
      Probe("the documented asserts, in their order") { stage in
        let realm = try stage.stocked()
        let people = realm.objects(Person.self)
        let person = people.first!
        stage.expect(!person.realm!.isFrozen, "the live object's realm is live")
        let frozenRealm = realm.freeze()
        stage.expect(frozenRealm.isFrozen, "the frozen realm is frozen")
        let frozenPeople = frozenRealm.objects(Person.self)
        stage.expect(!person.realm!.isFrozen, "the live object's realm is still live")
        stage.expect(!person.isFrozen, "the live object is still live")
        stage.expect(frozenPeople.isFrozen, "its collection is frozen")
        stage.expect(frozenPeople.realm!.isFrozen, "the collection's realm is frozen")
        let frozenPerson = frozenPeople.first!
        stage.expect(frozenPerson.isFrozen, "its object is frozen")
        stage.expect(frozenPerson.realm!.isFrozen, "the object's realm is frozen")
        try realm.write { person.age = 1 }
        stage.equal(person.age, 1, "the live object after a write")
      }
    ])

  static let freeze09 = Rule(
    "FREEZE-09", .documented,
    "Frozen collections and realms MUST be queryable: `objects`, `filter`, `where`, "
      + "`sorted`, `distinct`, aggregates, `object(ofType:forPrimaryKey:)`; results are frozen.",
    source: "S0 code (\"You can still read from frozen realms\"); RST:1300.",
    broken: "queries on frozen go to the live head",
    probes: [
      Probe("frozen things answer queries about then") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        let people = realm.objects(Person.self).freeze()
        try realm.write {
          realm.person("Ann").age = 99
          realm.delete(realm.person("Bob"))
          realm.account(1).balance = 0
        }
        stage.equal(
          frozen.objects(Person.self).where { $0.age > 35 }.map(\.name).sorted(), ["Bob", "Cid"],
          "where")
        stage.equal(people.filter("age > 35").count, 2, "filter")
        stage.equal(
          people.sorted(byKeyPath: "age", ascending: false).map(\.name), ["Cid", "Bob", "Ann"],
          "sorted")
        let sum: Int = people.sum(ofProperty: "age")
        let most: Int? = people.max(ofProperty: "age")
        stage.equal(sum, 120, "the sum")
        stage.equal(most, 50, "the maximum")
        stage.equal(frozen.account(1).balance, 100, "an object found by its key")
        stage.equal(
          people.where { $0.age > 35 }.isFrozen, true, "whether the found ones are frozen")
        stage.equal(people.distinct(by: ["name"]).count, 3, "distinct")
      }
    ] + Probe.frozenLaterClasses)

  static let freeze10 = Rule(
    "FREEZE-10", .documented,
    "`isFrozen` MUST be right and callable on any thread for live and frozen realm, object "
      + "and collection, without death.",
    source: "S0/S1/S3 (\"always thread-safe\").",
    broken: "verifies thread",
    probes: [
      Probe("isFrozen is answered on any thread") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let people = realm.objects(Person.self)
        let dogs = ann.dogs
        let frozen = (realm.freeze(), ann.freeze(), people.freeze(), dogs.freeze())
        try stage.elsewhere {
          stage.equal(realm.isFrozen, false, "the live realm's answer")
          stage.equal(ann.isFrozen, false, "the live object's answer")
          stage.equal(people.isFrozen, false, "the live results' answer")
          stage.equal(dogs.isFrozen, false, "the live list's answer")
          stage.equal(frozen.0.isFrozen, true, "the frozen realm's answer")
          stage.equal(frozen.1.isFrozen, true, "the frozen object's answer")
          stage.equal(frozen.2.isFrozen, true, "the frozen results' answer")
          stage.equal(frozen.3.isFrozen, true, "the frozen list's answer")
        }
      }
    ] + [FreezeKinds.answers])

  static let freeze11 = Rule(
    "FREEZE-11", .implementation,
    "`isFrozen` of unmanaged objects and collections MUST be false.",
    source: "RST/ObjectTests.swift:1854.",
    broken: "true or death for unmanaged",
    probes: [
      Probe("unmanaged things are not frozen") { stage in
        stage.equal(Person(name: "x").isFrozen, false, "an object's answer")
        stage.equal(List<Int>().isFrozen, false, "a list's answer")
        stage.equal(Person(name: "x").dogs.isFrozen, false, "the answer of an object's list")
      }
    ] + [FreezeKinds.unmanaged])

  static let freeze41 = Rule(
    "FREEZE-41", .implementation,
    "All property types MUST be readable on frozen objects with the same values.",
    source: "RST:1899.",
    broken: "missing case for a type (optional, Decimal128, UUID, Any, embedded ...)",
    probes: [
      Probe("a frozen object of every kind of property") { stage in
        let realm = try stage.stocked()
        try realm.write {
          let all = realm.create(Everything.self)
          all.fill(8)
          all.numbers.append(objectsIn: [3, 1, 2])
          all.words.insert("w")
          all.scores["k"] = 5
          all.link = realm.person("Ann").dogs[0]
          all.embedded = Address()
          all.embedded!.street = "Main"
          all.dogs.append(realm.person("Bob").dogs[0])
        }
        let live = realm.objects(Everything.self).first!
        let before = live.dump
        let frozen = live.freeze()
        stage.equal(frozen.dump, before, "the frozen object")
        try realm.write {
          live.fill(11)
          live.numbers.removeAll()
          live.scores["k"] = 6
        }
        stage.equal(frozen.dump, before, "the frozen object after a write")
      }
    ])
}
