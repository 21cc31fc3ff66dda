import EngineUnderTest
import Foundation
import Harness

extension Rules.Write {
  static let cancelling: [Rule] = [
    write18, write19, write20, write21,
  ]

  static let write18 = Rule(
    "WRITE-18", .implementation,
    "Cancelling MUST restore every object to its state at the beginning: inserts vanish, "
      + "deletes return, property, link, list, set and map changes are undone.",
    source: "RS/Realm.swift:339-370; OCT/RealmTests.mm:1076-1205",
    broken: "undo log misses collections or links or back-links",
    probes: [
      Probe("a cancellation brings everything back") { stage in
        let realm = try stage.stocked()
        try realm.write {
          let all = realm.create(Everything.self)
          all.fill(7)
          all.numbers.append(objectsIn: [1, 2, 3])
          all.words.insert("one")
          all.scores["a"] = 1
          all.link = realm.person("Ann").dogs[0]
          all.dogs.append(realm.person("Ann").dogs[1])
        }
        func golden(_ realm: Realm) -> String {
          let people = realm.objects(Person.self).sorted(byKeyPath: "name").map {
            "\($0.name) \($0.age) \($0.dogs.map(\.name)) \($0.best?.name ?? "nil")"
          }
          let dogs = realm.objects(Dog.self).sorted(byKeyPath: "name").map {
            "\($0.name) \($0.owners.map(\.name).sorted())"
          }
          return "\(people) \(dogs) \(realm.objects(Everything.self).first!.dump)"
        }
        let before = golden(realm)
        realm.beginWrite()
        let all = realm.objects(Everything.self).first!
        all.fill(8)
        all.numbers.remove(at: 0)
        all.numbers.append(9)
        all.words.removeAll()
        all.words.insert("two")
        all.scores["a"] = nil
        all.scores["b"] = 2
        all.link = nil
        all.dogs.removeAll()
        realm.person("Ann").dogs.append(Dog(name: "new"))
        realm.person("Bob").age = 0
        realm.delete(realm.person("Cid").dogs)
        realm.delete(realm.person("Cid"))
        realm.add(Person(name: "Dan"))
        stage.expect(golden(realm) != before, "the write changed something")
        realm.cancelWrite()
        stage.equal(golden(realm), before, "the realm after the cancellation")
        stage.equal(try stage.seen { golden($0) }, before, "the file seen by another thread")
      }
    ] + [KindsMoved.byItself("cancelled"), Probe.changesTakenBack, Taken.probe]
      + [HeldThrough.cancelled]
      + RealmMake.allCases.filter(\.isWritable).map { .changesInStates($0) })

  static let write19 = Rule(
    "WRITE-19", .implementation,
    "After a cancel, objects which were added in the transaction MUST be invalidated (not "
      + "unmanaged again).",
    source: "RS/Realm.swift:347-349.",
    broken: "object silently reverts to unmanaged with its values",
    probes: [
      Programs.added.probe,
      Probe("an object added in a cancelled write is invalidated") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        let person = Person(name: "Dan")
        realm.add(person)
        realm.cancelWrite()
        stage.equal(person.isInvalidated, true, "whether the object is invalidated")
      },
      Probe.dies("a read of an object added in a cancelled write", saying: Words.invalidated) {
        stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        let person = Person(name: "Dan")
        realm.add(person)
        realm.cancelWrite()
        stage.act { use(person.name) }
      },
    ] + [Lost.probe, Lost.replacing, .addedBehindMuch] + Lost.belongings)

  static let write20 = Rule(
    "WRITE-20", .implementation,
    "After a cancel, the accessor of an object deleted in the transaction is usable again.",
    source: "(impl) OCT/RealmTests.mm:1087-1100 asserts `isInvalidated == false` and the value.",
    broken: "accessor marked dead forever",
    probes: [
      Programs.cancelled.probe,
      Probe("an object deleted in a cancelled write is back") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        realm.beginWrite()
        realm.delete(ann)
        stage.equal(realm.objects(Person.self).count, 2, "the people in the write")
        realm.cancelWrite()
        stage.equal(ann.isInvalidated, false, "whether it is invalidated afterwards")
        stage.equal(ann.age, 30, "Ann's age")
      },
      .whoWasUpdated,
    ] + [Bygones.cancelled] + Revenants.cancelled + Beyond.cancels + Masses.probes)

  static let write21 = Rule(
    "WRITE-21", .implementation,
    "A write transaction without changes MUST still commit as a new version and send "
      + "realm-level notifications, but no collection or object notifications.",
    source: "(impl) test_shared.cpp:2600; RS/Realm.swift:301-309",
    broken: "empty commit elided; or spurious collection callbacks",
    probes: [
      Probe("an empty write is told to realm observers only") { stage in
        let realm = try stage.stocked()
        let listeners = Listeners(realm)
        try stage.settle(realm)
        try realm.write {}
        stage.equal(listeners.told, ["realm"], "who was told of the empty write")
        try realm.write { realm.account(1).balance = 7 }
        try stage.spin(
          until: { listeners.told.contains("collection") && listeners.told.contains("object") },
          "a real change")
        stage.equal(listeners.told.count { $0 != "realm" }, 2, "how often the others were told")
        listeners.end()
      }
    ] + Probe.emptyCommits)
}
