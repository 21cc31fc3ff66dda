import EngineUnderTest
import Foundation
import Harness

extension Rules.Freeze {
  static let refusals: [Rule] = [
    freeze12, freeze13, freeze14, freeze15, freeze16, freeze17, freeze20, freeze21, freeze22,
    freeze23, freeze24, freeze32, freeze34, freeze35,
  ]

  static let freeze12 = Rule(
    "FREEZE-12", .documented,
    "Beginning a write (sync or async, `write`, `beginWrite`, `beginAsyncWrite`, "
      + "`writeAsync`, `asyncWrite`) on a frozen realm MUST die.",
    source: "S0/S1/S3 list of exceptions 1.",
    broken: "writes to a private copy",
    probes: [
      "write", "beginWrite", "beginAsyncWrite", "writeAsync", "write, silencing",
      "write of an object's realm", "write while the live realm writes", "writeAsync elsewhere",
    ].map { verb in
      Probe.dies(verb, saying: Words.frozenWrite) { stage in
        let live = try stage.stocked()
        let frozen = live.freeze()
        if verb.contains("while") { live.beginWrite() }
        if verb.contains("elsewhere") {
          return try stage.elsewhere { stage.act { frozen.writeAsync({}, onComplete: { _ in }) } }
        }
        stage.act {
          switch verb {
          case "write, silencing":
            try frozen.write(withoutNotifying: [live.observe { _, _ in }]) {}
          case "write of an object's realm": try frozen.account(1).realm!.write {}
          case "write while the live realm writes": try frozen.write {}
          case "beginWrite": frozen.beginWrite()
          case "write": try frozen.write {}
          case "beginAsyncWrite": frozen.beginAsyncWrite {}
          default: frozen.writeAsync {}
          }
        }
      }
    })

  static let freeze13 = Rule(
    "FREEZE-13", .documented,
    "Setting a property of a frozen object MUST die, inside and outside a write of the live "
      + "realm.",
    source: "S0/S1/S3 exceptions 2.",
    broken: "falls through to the live row; reports the \"outside of a write\" text",
    probes: [
      Probe.dies("a property of a frozen object", saying: Words.frozenObject) { stage in
        let ann = try stage.stocked().person("Ann").freeze()
        stage.act { ann.age = 7 }
      },
      Probe.dies("the same inside a write of the live realm", saying: Words.frozenObject) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann").freeze()
        realm.beginWrite()
        stage.act { ann.age = 7 }
      },
    ] + Probe.changesOfFrozen([.property, .part]))

  static let freeze14 = Rule(
    "FREEZE-14", .documented,
    "Mutating a frozen List/Set/Map MUST die.",
    source: "S0/S1/S3 exceptions 2.",
    broken: "mutates the live list; silent no-op",
    probes: [
      Probe.dies("a frozen list", saying: Words.outsideWrite, "frozen") { stage in
        let dogs = try stage.stocked().person("Ann").dogs.freeze()
        stage.act { dogs.removeAll() }
      },
      Probe.dies(
        "a frozen list inside a write of the live realm", saying: Words.outsideWrite, "frozen"
      ) { stage in
        let realm = try stage.stocked()
        let dogs = realm.person("Ann").dogs.freeze()
        realm.beginWrite()
        stage.act { dogs.remove(at: 0) }
      },
      Probe.dies("a frozen set", saying: Words.outsideWrite, "frozen") { stage in
        let realm = try stage.open()
        let words = try realm.write { realm.create(Everything.self) }.words.freeze()
        stage.act { words.insert("x") }
      },
      Probe.dies("a frozen map", saying: Words.outsideWrite, "frozen") { stage in
        let realm = try stage.open()
        let scores = try realm.write { realm.create(Everything.self) }.scores.freeze()
        stage.act { scores["x"] = 1 }
      },
    ] + Probe.changesOfFrozen([.collection]))

  static let freeze15 = Rule(
    "FREEZE-15", .documented,
    "Adding an observer to a frozen realm, collection or object MUST die.",
    source: "S0/S1/S3 exceptions 3.",
    broken: "returns a dead token",
    probes: [
      Probe.dies("a frozen realm", saying: Words.frozenNews) { stage in
        let frozen = try stage.stocked().freeze()
        stage.act { use(frozen.observe { _, _ in }) }
      },
      Probe.dies("a frozen object", saying: Words.frozenNews) { stage in
        let ann = try stage.stocked().person("Ann").freeze()
        stage.act { use(ann.observe { _ in }) }
      },
      Probe.dies("frozen results", saying: Words.frozenNews) { stage in
        let people = try stage.stocked().objects(Person.self).freeze()
        stage.act { use(people.observe { _ in }) }
      },
      Probe.dies("a frozen list, with a key path", saying: Words.frozenNews) { stage in
        let dogs = try stage.stocked().person("Ann").dogs.freeze()
        stage.act { use(dogs.observe(keyPaths: ["name"]) { _ in }) }
      },
    ] + Probe.frozenListeners + Probe.frozenListenersOnActors
      + EachToken.ofFrozen)

  static let freeze16 = Rule(
    "FREEZE-16", .documented,
    "Deleting a frozen object, or passing it to `delete`/`add` of the live realm, MUST die.",
    source: "S0 Modify a Frozen Object (\"you must thaw\").",
    broken: "deletes the live row by key",
    probes: [
      Probe.dies("a frozen object is deleted", saying: Words.deletedElsewhere) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann").freeze()
        realm.beginWrite()
        stage.act { realm.delete(ann) }
      },
      Probe.dies("a frozen object is added", saying: Words.managedElsewhere) { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann").freeze()
        realm.beginWrite()
        stage.act { realm.add(ann) }
      },
      Probe.dies("a frozen object is appended", saying: Words.managedElsewhere) { stage in
        let realm = try stage.stocked()
        let dog = realm.person("Ann").dogs[0].freeze()
        realm.beginWrite()
        stage.act { realm.person("Bob").dogs.append(dog) }
      },
    ] + Probe.deletesOfFrozen)

  static let freeze17 = Rule(
    "FREEZE-17", .documented,
    "`refresh()` on frozen returns false; `autorefresh` reads false and setting it true "
      + "dies (REFRESH-07, -14).",
    source: "S0/S1/S3 Frozen Objects (immutable view)",
    broken: "advances",
    probes: [
      Probe("a frozen realm neither refreshes nor would") { stage in
        let realm = try stage.stocked()
        let frozen = realm.freeze()
        try realm.write { realm.account(1).balance = 7 }
        stage.equal(frozen.refresh(), false, "refresh()")
        stage.equal(frozen.autorefresh, false, "autorefresh")
        stage.equal(frozen.account(1).balance, 100, "the balance")
      },
      Probe.dies("autorefresh is set", saying: "Auto-refresh cannot be enabled for frozen Realms") {
        stage in
        let frozen = try stage.stocked().freeze()
        stage.act { frozen.autorefresh = true }
      },
      FreezeKinds.unmoved,
    ])

  static let freeze20 = Rule(
    "FREEZE-20", .implementation,
    "Freezing an unmanaged object MUST die.",
    source:
      "RST:1867. unmanaged collections: `This method may only be called on RLMArray instances "
      + "retrieved from an RLMRealm`.",
    broken: "returns unmanaged self",
    probes: [
      Probe.dies("an unmanaged object", saying: "Unmanaged objects cannot be frozen") { stage in
        let person = Person(name: "x")
        stage.act { use(person.freeze()) }
      }
    ] + FreezeKinds.refusals("freeze"))

  static let freeze21 = Rule(
    "FREEZE-21", .implementation,
    "Freezing a deleted object MUST die.",
    source: "RST/ProjectionTests.swift:1664.",
    broken: "freezes garbage or returns an invalidated object",
    probes: [
      Probe.dies("a deleted object", saying: Words.invalidated) { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        try realm.write { realm.delete(account) }
        stage.act { use(account.freeze()) }
      }
    ] + FreezeKinds.refusalsOfTheGone + Orphans.unfrozen)

  static let freeze22 = Rule(
    "FREEZE-22", .implementation,
    "Freezing a live thing from the wrong thread MUST die.",
    source: "RST/RealmCollectionTypeTests.swift:1278.",
    broken: "unchecked",
    probes: Probe.eachElsewhere(acts: [.init("the realm") { use($0.freeze()) }]) + [
      Probe.dies("an object", saying: Words.wrongThread) { stage in
        let ann = try stage.stocked().person("Ann")
        try stage.elsewhere { stage.act { use(ann.freeze()) } }
      },
      Probe.dies("results", saying: Words.wrongThread) { stage in
        let people = try stage.stocked().objects(Person.self)
        try stage.elsewhere { stage.act { use(people.freeze()) } }
      },
      Probe.dies("a list", saying: Words.wrongThread) { stage in
        let dogs = try stage.stocked().person("Ann").dogs
        try stage.elsewhere { stage.act { use(dogs.freeze()) } }
      },
    ] + Probe.refrozenElsewhere)

  static let freeze23 = Rule(
    "FREEZE-23", .implementation,
    "`freeze()` inside a write MUST give the state as of the *beginning* of that write.",
    source: "(impl) OS/shared_realm.hpp:312-319; OCT/ObjectTests.m ~1508.",
    broken: "sees uncommitted data",
    probes: [
      Probe("a freeze inside a write shows its beginning") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        realm.beginWrite()
        ann.age = 7
        realm.add(Person(name: "Dan"))
        let frozen = realm.freeze()
        stage.equal(frozen.person("Ann").age, 30, "Ann's age in the frozen realm")
        stage.equal(frozen.objects(Person.self).count, 3, "the number of people there")
        stage.equal(ann.freeze().age, 30, "the frozen object's age")
        stage.equal(ann.age, 7, "the live object's age")
        try realm.commitWrite()
        stage.equal(frozen.person("Ann").age, 30, "Ann's age there after the commit")
      }
    ] + FreezeKinds.insideWrites)

  static let freeze24 = Rule(
    "FREEZE-24", .documented,
    "Freezing an object created in the same write MUST die.",
    source: "S0/S1/S3 (snapshot of committed state); (impl) OC/RLMObjectBase.mm:526",
    broken: "frozen object with uncommitted content",
    probes: [
      Probe.dies(
        "an object made in the same write",
        saying: "Cannot freeze an object in the same write transaction as it was created in"
      ) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        let dan = realm.create(Person.self, value: ["name": "Dan"])
        stage.act { use(dan.freeze()) }
      }
    ] + Probe.newInOldPlaces)

  static let freeze32 = Rule(
    "FREEZE-32", .implementation,
    "Thawing an unmanaged object MUST die.",
    source: "(impl) RST/ObjectTests.swift:2029",
    broken: "returns self",
    probes: [
      Probe.dies("an unmanaged object", saying: "Unmanaged objects cannot be thawed") { stage in
        let person = Person(name: "x")
        stage.act { use(person.thaw()) }
      }
    ] + FreezeKinds.refusals("thaw"))

  static let freeze34 = Rule(
    "FREEZE-34", .documented,
    "Appending to a frozen list's thawed version a still frozen object MUST fail; with both "
      + "thawed it MUST succeed.",
    source: "S0 Append to a Frozen Collection.",
    broken: "auto-thaw",
    probes: [
      Probe.dies("a frozen object into a thawed list", saying: Words.managedElsewhere) { stage in
        let realm = try stage.stocked()
        let frozenDog = realm.person("Bob").dogs[0].freeze()
        let list = realm.person("Ann").dogs.freeze().thaw()!
        realm.beginWrite()
        stage.act { list.append(frozenDog) }
      },
      Probe("a thawed object into a thawed list") { stage in
        let realm = try stage.stocked()
        let frozenPerson = realm.person("Ann").freeze()
        let frozenDog = realm.person("Bob").dogs[0].freeze()
        let person = frozenPerson.thaw()!
        let dog = frozenDog.thaw()!
        try realm.write { person.dogs.append(dog) }
        stage.equal(realm.person("Ann").dogs.count, 3, "Ann's dogs")
        stage.equal(frozenPerson.dogs.count, 2, "the frozen Ann's dogs")
      },
    ] + Probe.frozenGifts)

  static let freeze35 = Rule(
    "FREEZE-35", .documented,
    "The same both-must-be-thawed rule MUST hold when the frozen objects were passed to "
      + "another thread.",
    source: "S0 Append.",
    broken: "auto-thaw on other threads",
    probes: [
      Probe.dies(
        "a frozen object into a thawed list, on another thread", saying: Words.managedElsewhere
      ) { stage in
        let realm = try stage.stocked()
        let frozenDog = realm.person("Bob").dogs[0].freeze()
        let frozenPerson = realm.person("Ann").freeze()
        try stage.elsewhere {
          let person = frozenPerson.thaw()!
          person.realm!.beginWrite()
          stage.act { person.dogs.append(frozenDog) }
        }
      },
      Probe("both thawed, on another thread") { stage in
        let realm = try stage.stocked()
        let frozenDog = realm.person("Bob").dogs[0].freeze()
        let frozenPerson = realm.person("Ann").freeze()
        try stage.elsewhere {
          let person = frozenPerson.thaw()!
          let dog = frozenDog.thaw()!
          try person.realm!.write { person.dogs.append(dog) }
        }
        realm.refresh()
        stage.equal(realm.person("Ann").dogs.count, 3, "Ann's dogs")
      },
    ])
}
