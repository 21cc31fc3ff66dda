import EngineUnderTest
import Foundation
import Harness

extension Rules.Freeze {
  static let thawing: [Rule] = [
    freeze25, freeze26, freeze27, freeze28, freeze29, freeze30, freeze31, freeze33, freeze43,
  ]

  static let freeze25 = Rule(
    "FREEZE-25", .documented,
    "`thaw()` MUST return a live view of the same entity, bound to the current thread, "
      + "whose realm is live (also thaws the realm).",
    source: "S0/S1 Modify a Frozen Object (+code asserts).",
    broken: "thaw returns a copy; `realm` still frozen",
    probes: [
      Programs.thawing.probe,
      Probe("a thawed object is live") { stage in
        let realm = try stage.stocked()
        let frozen = realm.person("Ann").freeze()
        try realm.write { realm.person("Ann").age = 31 }
        let thawed = frozen.thaw()!
        stage.equal(thawed.isFrozen, false, "whether it is frozen")
        stage.equal(thawed.realm!.isFrozen, false, "whether its realm is frozen")
        stage.equal(thawed.age, 31, "the age")
        stage.equal(frozen.isFrozen, true, "whether the frozen one still is")
        let people = realm.objects(Person.self).freeze().thaw()!
        stage.equal(people.isFrozen, false, "whether the results are frozen")
        stage.equal(people.count, 3, "their count")
        stage.equal(realm.freeze().thaw().isFrozen, false, "whether the realm is frozen")
      },
    ] + Probe.thawedNeighbours + [FreezeKinds.byRealms])

  static let freeze26 = Rule(
    "FREEZE-26", .documented,
    "`thaw()` of a live realm, object or collection MUST return itself.",
    source: "S0/S1.",
    broken: "new accessor on another instance",
    probes: [
      Probe("thawing what is live gives itself") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        stage.expect(ann.thaw() === ann, "the object itself")
        stage.expect(realm.thaw() == realm, "the realm itself")
        let dogs = ann.dogs
        stage.expect(dogs.thaw() === dogs, "the list itself")
      }
    ] + [FreezeKinds.ofThemselves])

  static let freeze27 = Rule(
    "FREEZE-27", .documented,
    "`thaw()` of an object which no longer exists in the live version MUST return nil.",
    source: "RST:2033; S0 code uses optional.",
    broken: "invalidated object; resurrection",
    probes: [
      Programs.thawingTheDead.probe,
      Probe("what is gone thaws to nil") { stage in
        let realm = try stage.stocked()
        let frozen = realm.account(1).freeze()
        try realm.write { realm.delete(realm.account(1)) }
        stage.expect(frozen.thaw() == nil, "thaw() is nil", observed: "an object")
        stage.equal(frozen.balance, 100, "the frozen one's balance")
      },
    ] + [Bygones.thawed] + Revenants.probes(.frozen) + [Lives.ofFrozen.probe]
      + Lifetimes.probes + Newcomers.probes + Namesakes.behind)

  static let freeze28 = Rule(
    "FREEZE-28", .implementation,
    "`thaw()` of a collection whose parent object was deleted yields an invalidated or "
      + "empty live view, while Results thaw to a (possibly empty) live query.",
    source: "(impl) RST/RealmCollectionTypeTests.swift:1143, 1265.",
    broken: "returns live view with stale members",
    probes: [
      Probe("collections of a deleted parent") { stage in
        let realm = try stage.stocked()
        let dogs = realm.person("Ann").dogs.freeze()
        let people = realm.objects(Person.self).freeze()
        try realm.write {
          realm.delete(realm.person("Ann").dogs)
          realm.delete(realm.objects(Person.self))
        }
        let thawed = dogs.thaw()
        stage.expect(
          thawed == nil || thawed!.isInvalidated || thawed!.isEmpty, "an invalidated or empty list",
          observed: "a list of \(thawed?.count ?? 0)")
        stage.equal(people.thaw()!.count, 0, "the count of the thawed results")
        stage.equal(dogs.count, 2, "the count of the frozen list")
      }
    ] + Namesakes.ahead)

  static let freeze29 = Rule(
    "FREEZE-29", .implementation,
    "A thawed view MUST show the live realm's current version of that thread, which may be "
      + "newer or older than the frozen one.",
    source: "(impl) RST/RealmCollectionTypeTests.swift:1158-1262; OCT ObjectTests.m "
      + "testThawCreatedOnDifferentThread.",
    broken: "thaw refreshes implicitly",
    probes: [
      Probe("a thaw does not refresh") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        use(realm.account(1).balance)
        var old: Account?
        var new: Account?
        try stage.elsewhere {
          let other = try stage.open()
          try other.write {
            other.account(1).balance = 7
            other.add(Account(id: 9, balance: 9))
          }
          old = other.account(1).freeze()
          new = other.account(9).freeze()
        }
        stage.equal(old!.balance, 7, "the frozen balance")
        stage.equal(old!.thaw()?.balance, 100, "the thawed balance, on the old version")
        stage.expect(new!.thaw() == nil, "an object that is not there yet thaws to nil")
        realm.refresh()
        stage.equal(old!.thaw()?.balance, 7, "the thawed balance after the refresh")
        stage.equal(new!.thaw()?.balance, 9, "the new object's balance after the refresh")
      },
      Probe("what others delete later is there until the refresh") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        for isReplaced in [false, true] {
          let id = isReplaced ? 2 : 1
          let frozen = realm.account(id).freeze()
          // What is shown is newer than what is frozen, and older than the deletion.
          try realm.write { realm.account(3).balance += 1 }
          try stage.foreign { other in
            other.delete(other.account(id))
            if isReplaced { other.add(Account(id: id, balance: 7)) }
          }
          stage.equal(frozen.thaw()?.balance, id * 100, "the thawed balance before the refresh")
          realm.refresh()
          stage.expect(frozen.thaw() == nil, "nil after the refresh")
        }
      },
    ] + Namesakes.behind)

  static let freeze30 = Rule(
    "FREEZE-30", .implementation,
    "Thaw on a thread that already has the realm open MUST use that instance; otherwise "
      + "open one.",
    source: "(impl) OCT/RealmTests.mm:2589.",
    broken: "always opens an uncached instance",
    probes: [
      Probe("a thaw uses the thread's realm") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        stage.expect(frozen.thaw() == realm, "the realm that is open here")
        stage.expect(
          frozen.person("Ann").thaw()!.realm == realm, "the object's realm is the one open here")
        try stage.elsewhere {
          let own = try stage.open()
          stage.expect(frozen.thaw() == own, "the other thread's own realm")
        }
        try stage.elsewhere {
          stage.equal(frozen.thaw().account(1).balance, 100, "the balance in a new one")
        }
      }
    ] + [FreezeKinds.thawedAnywhere])

  static let freeze31 = Rule(
    "FREEZE-31", .documented,
    "A thawed object MUST be writable in a write of its live realm and the change visible "
      + "to others; the frozen one stays unchanged.",
    source: "S0/S1 code.",
    broken: "write lands in the frozen copy only",
    probes: [
      Probe("a thawed object is written, the frozen one stays") { stage in
        let realm = try stage.stocked()
        let frozen = realm.person("Ann").freeze()
        let thawed = frozen.thaw()!
        try thawed.realm!.write { thawed.age = 31 }
        stage.equal(frozen.age, 30, "the frozen age")
        stage.equal(try stage.seen { $0.person("Ann").age }, 31, "the age elsewhere")
      }
    ] + [FreezeKinds.thawedChanges])

  static let freeze33 = Rule(
    "FREEZE-33", .documented,
    "Querying the live realm for the same object MUST be an equivalent alternative to thaw.",
    source: "S0/S1 (\"query for it on an unfrozen realm\"); S3 (the only way).",
    broken: "primary-key lookup on live returns frozen",
    probes: [
      Probe("a query of the live realm is as good as a thaw") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze().account(1)
        let live = realm.object(ofType: Account.self, forPrimaryKey: frozen.id)!
        stage.equal(live.isFrozen, false, "whether it is frozen")
        try realm.write { live.balance = 7 }
        stage.equal(frozen.balance, 100, "the frozen balance")
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance elsewhere")
      }
    ])

  static let freeze43 = Rule(
    "FREEZE-43", .documented,
    "`thaw()` is not an actor tool: on a custom actor it would bind to the current thread "
      + "instead of the actor.",
    level: .informative,
    source: "S0 Tip (\"does not currently support using thaw() with Swift Actors\").",
    broken: "(none: informative)",
    probes: [
      Probe.task("the documented way from a frozen object to an actor") { stage in
        let keeper = try await Keeper(stage.configuration())
        try await keeper.add(Account.self, id: 1)
        let reference = try stage.elsewhere {
          ThreadSafeReference(to: try stage.open().account(1))
        }
        try await keeper.run { _, realm in
          try await realm.asyncWrite { realm.resolve(reference)?.balance = 7 }
        }
        stage.equal(try stage.seen { $0.account(1).balance }, 7, "the balance")
      }
    ])
}
