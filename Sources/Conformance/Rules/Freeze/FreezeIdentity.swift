import EngineUnderTest
import Foundation
import Harness

extension Rules.Freeze {
  static let identity: [Rule] = [
    freeze18, freeze19, freeze40,
  ]

  static let freeze18 = Rule(
    "FREEZE-18", .implementation,
    "`freeze()` on something frozen MUST return itself.",
    source: "RST/ProjectionTests.swift:1656; OC/RLMObjectBase.mm:521; RS/Realm.swift:934.",
    broken: "new copy each time",
    probes: [
      Probe("freezing what is frozen gives itself") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        let ann = realm.person("Ann").freeze()
        let dogs = ann.dogs
        stage.expect(frozen.freeze() == frozen, "the realm itself")
        stage.expect(ann.freeze() === ann, "the object itself")
        stage.expect(dogs.freeze() === dogs, "the list itself")
      }
    ] + [FreezeKinds.ofThemselves])

  static let freeze19 = Rule(
    "FREEZE-19", .implementation,
    "Freezing the same realm twice at one version MUST give the equal instance; at another "
      + "version a different one.",
    source: "(impl) OCT/RealmTests.mm:2543.",
    broken: "pin per call (GROW-06)",
    probes: [
      Probe("one version, one frozen realm") { stage in
        let realm = try stage.stocked()
        let one = realm.freeze()
        let two = realm.freeze()
        stage.expect(one == two, "two freezes of one version are equal")
        try realm.write { realm.account(1).balance = 7 }
        stage.expect(realm.freeze() != one, "a freeze of another version is another realm")
      }
    ] + [.sameVersion])

  static let freeze40 = Rule(
    "FREEZE-40", .implementation,
    "Two frozen copies of one object at the same version are equal (`==`/hash); at "
      + "different versions, for keyless objects, not.",
    source: "(impl) RST:1799; OCT ObjectTests.m testFrozenObjectEquality/Hashing.",
    broken: "pointer equality only; equality across versions for keyless types",
    probes: [
      Probe("equality of frozen objects") { stage in
        let realm = try stage.stocked()
        let one = realm.person("Ann").freeze()
        let two = realm.freeze().person("Ann")
        stage.expect(one == two, "frozen copies of one version are equal")
        stage.equal(one.hashValue == two.hashValue, true, "whether their hashes are equal")
        stage.expect(one != realm.person("Bob").freeze(), "another object is not equal")
        try realm.write { realm.account(1).balance = 7 }
        let later = realm.person("Ann").freeze()
        stage.expect(one != later, "without a primary key, another version is not equal")
      }
    ] + [FreezeKinds.sameness])
}
