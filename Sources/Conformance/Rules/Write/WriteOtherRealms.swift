import EngineUnderTest
import Foundation
import Harness

extension Rules.Write {
  static let otherRealms: [Rule] = [
    write30, write31,
  ]

  static let write30 = Rule(
    "WRITE-30", .documented,
    "Adding an object that another realm (or another thread's instance, or a frozen realm) "
      + "manages MUST die; adding one already managed by the same realm is a no-op.",
    source: "S0 Append to a Frozen Collection (\"Realm throws an error\").",
    broken: "silent deep copy",
    probes: [
      Probe.dies("an object of another file", saying: Words.managedElsewhere) { stage in
        let one = try stage.stocked("one")
        let two = try stage.stocked("two")
        let ann = one.person("Ann")
        two.beginWrite()
        stage.act { two.add(ann) }
      },
      Probe.dies("a frozen object", saying: Words.managedElsewhere) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann").freeze()
        realm.beginWrite()
        stage.act { realm.add(ann) }
      },
      Probe("an object of the same realm is left as it is") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        try realm.write { realm.add(ann) }
        stage.equal(realm.objects(Person.self).count, 3, "the number of people")
        stage.equal(ann.age, 30, "Ann's age")
      },
    ] + Probe.strangeGifts + Probe.goneGifts + [
      Probe.ownGifts, Probe.presentOnes, Probe.addedAgain,
    ])

  static let write31 = Rule(
    "WRITE-31", .implementation,
    "`delete` of an object of another realm MUST die.",
    source: "(impl).",
    broken: "deletes by key in the wrong realm",
    probes: [
      Probe.dies("an object of another file", saying: Words.deletedElsewhere) { stage in
        let one = try stage.stocked("one")
        let two = try stage.stocked("two")
        let ann = one.person("Ann")
        two.beginWrite()
        stage.act { two.delete(ann) }
      }
    ] + Probe.deletesOfOthers + Probe.deletesOfFreeOnes)
}
