import EngineUnderTest
import Foundation
import Harness

extension Rules.Confine {
  static let allowing: [Rule] = [
    confine06, confine07, confine08, confine09, confine16, confine18,
  ]

  static let confine06 = Rule(
    "CONFINE-06", .implementation,
    "Unmanaged objects MUST NOT be confined: create on one thread, read, mutate, and add on "
      + "another.",
    source: "RS/ThreadSafeReference.swift:33-38; ref error text.",
    broken: "binds to the creating thread",
    probes: [
      Probe("an unmanaged object wanders") { stage in
        var person: Person?
        try stage.elsewhere("maker") {
          person = Person(name: "Dan", age: 1)
          person!.dogs.append(Dog(name: "Rex"))
        }
        person!.age = 2
        try stage.elsewhere("keeper") {
          person!.age += 1
          stage.equal(person!.age, 3, "the age on the third thread")
          let realm = try stage.open()
          try realm.write { realm.add(person!) }
          person = nil
        }
        stage.equal(
          try stage.seen { "\($0.person("Dan").age) \($0.person("Dan").dogs.count)" }, "3 1",
          "what was added")
      }
    ] + [ConfineKinds.unmanaged])

  static let confine07 = Rule(
    "CONFINE-07", .documented,
    "Frozen realms, objects and collections MUST NOT be confined.",
    source: "S0/S1/S3 Frozen Objects.",
    broken: "thread check before frozen check",
    probes: [
      Probe("frozen things are read anywhere") { stage in
        let realm = try stage.stocked()
        let frozenRealm = realm.freeze()
        let ann = realm.person("Ann").freeze()
        let people = realm.objects(Person.self).freeze()
        try stage.elsewhere {
          stage.equal(ann.age, 30, "Ann's age")
          stage.equal(people.count, 3, "the number of people")
          stage.equal(frozenRealm.objects(Dog.self).count, 6, "the number of dogs")
          stage.equal(ann.dogs[0].owners.first?.name, "Ann", "the dog's owner")
        }
      }
    ] + ConfineKinds.frozen)

  static let confine08 = Rule(
    "CONFINE-08", .documented,
    "To work with a file on several threads each thread MUST be able to open its own "
      + "instance from the same configuration value.",
    source: "S0 Communication; S0/S1 Use the Same Realm Across Threads; S3 Communication.",
    broken: "configuration carries the scheduler of its realm (real bug #6574)",
    probes: [
      Probe("a configuration taken from a realm opens the file elsewhere") { stage in
        let realm = try stage.stocked()
        let configuration = realm.configuration
        try stage.elsewhere {
          let own = try Realm(configuration: configuration)
          stage.equal(own.account(1).balance, 100, "the balance there")
          try own.write { own.account(1).balance = 7 }
        }
        realm.refresh()
        stage.equal(realm.account(1).balance, 7, "the balance here")
      }
    ] + ConfineKinds.configurations)

  static let confine09 = Rule(
    "CONFINE-09", .documented,
    "`Realm.configuration`, `isFrozen`, `==`, and the object's `realm`/`objectSchema` MUST "
      + "be callable from any thread.",
    source: "S0 Frozen (\"isFrozen ... always thread-safe\"); TSR extension code reads "
      + "`self.configuration`; (impl) OCT/RealmTests.mm:2038",
    broken: "verify thread in every accessor",
    probes: [
      Probe("what identifies a thing may be asked anywhere") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let again = realm
        try stage.elsewhere {
          stage.expect(realm == again, "a realm equals itself")
          stage.equal(realm.isFrozen, false, "whether the realm is frozen")
          stage.expect(realm.configuration.fileURL != nil, "the configuration has a file")
          stage.equal(ann.isFrozen, false, "whether Ann is frozen")
          stage.equal(ann.objectSchema.className, "Person", "the class name")
          stage.expect(ann.realm != nil, "the object has a realm")
        }
      }
    ] + [ConfineKinds.identities])

  static let confine16 = Rule(
    "CONFINE-16", .implementation,
    "Dropping the last reference on a foreign thread MUST be safe.",
    source: "(impl) OCT/RealmTests.mm:2038.",
    broken: "assertion in deinit",
    probes: [
      Probe("the last reference goes away on another thread") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        for _ in 0..<10 {
          var realm: Realm?
          var ann: Person?
          try stage.elsewhere("owner") {
            realm = try stage.open()
            ann = realm!.person("Ann")
          }
          use(ann == nil)
          ann = nil
          realm = nil
        }
        stage.equal(try stage.seen { $0.objects(Person.self).count }, 3, "the number of people")
      }
    ] + [ConfineKinds.lastReferences])

  static let confine18 = Rule(
    "CONFINE-18", .documented,
    "A loopless thread MUST support all synchronous work (open, read, write, refresh), only "
      + "not observation and async writes.",
    source: "S0/S1/S3 Refreshing (loopless threads refresh manually).",
    broken: "demands a run loop at open",
    probes: [
      Probe("a thread without loop does all synchronous work") { stage in
        try stage.elsewhere("loopless") {
          let realm = try stage.stocked()
          stage.equal(realm.person("Ann").age, 30, "Ann's age")
          try stage.foreign { $0.person("Ann").age = 31 }
          stage.equal(realm.refresh(), true, "whether the refresh advanced")
          stage.equal(realm.person("Ann").age, 31, "Ann's age after the refresh")
          try realm.write { realm.person("Ann").age = 32 }
          stage.equal(realm.freeze().person("Ann").age, 32, "Ann's age, frozen")
          realm.beginWrite()
          realm.person("Ann").age = 0
          realm.cancelWrite()
          stage.equal(realm.person("Ann").age, 32, "Ann's age after a cancellation")
          realm.invalidate()
          stage.equal(realm.person("Ann").age, 32, "Ann's age after invalidate()")
        }
      },
      Probe("a thread without loop does each kind of work, twice") { stage in
        try stage.elsewhere("loopless") {
          let realm = try Vessel.stocked(stage)
          for round in 1...2 {
            for look in Look.all where !look.name.contains("observe") {
              look.prepare(realm.vessel(1)!)()
            }
            for change in Change.all {
              realm.beginWrite()
              change.prepare(realm.vessel(1)!)()
              realm.cancelWrite()
            }
            try realm.write { realm.vessel(1)!.number = round }
            let reference = ThreadSafeReference(to: realm.vessel(1)!)
            stage.equal(realm.resolve(reference)?.number, round, "the number that is resolved")
            stage.equal(realm.freeze().thaw().vessel(1)?.number, round, "the number that is thawed")
            realm.autorefresh = round == 1
            stage.equal(realm.autorefresh, round == 1, "autorefresh")
            let copy = Vessel.configuration(stage, "copy \(round)")
            try realm.writeCopy(configuration: copy)
            stage.equal(
              try Realm(configuration: copy).vessel(1)?.number, round, "the number in a copy")
            struct Trouble: Error {}
            do {
              try realm.write {
                realm.deleteAll()
                throw Trouble()
              }
            } catch is Trouble {}
            stage.equal(realm.objects(Vessel.self).count, 2, "how many there are still")
          }
          try realm.write { realm.deleteAll() }
          stage.equal(realm.isEmpty, true, "whether nothing is left")
        }
      },
    ])
}
