import EngineUnderTest
import Foundation
import Harness

extension Rules.Write {
  static let outsideAWrite: [Rule] = [
    write15, write16, write17, write26,
  ]

  static let write15 = Rule(
    "WRITE-15", .documented,
    "Setting a property of a managed object outside a write MUST die.",
    source: "S0 code (all changes in write); OCT/TransactionTests.m.",
    broken: "implicit auto-commit write",
    probes: Probe.each(
      saying: Words.outsideWrite,
      acts: [
        .init("an Int") { $0.person("Ann").age = 1 },
        .init("a String") { $0.person("Ann").name = "x" },
        .init("a link") { $0.person("Ann").best = nil },
        .init("the same value again") { realm in
          let ann = realm.person("Ann")
          let age = ann.age
          ann.age = age
        },
      ]) + [
        Probe.dies("a property of every kind's object", saying: Words.outsideWrite) { stage in
          let realm = try stage.open()
          let all = try realm.write { realm.create(Everything.self) }
          stage.act { all.optionalInt = 3 }
        }
      ] + Probe.changesOutside([.property, .part]) + NothingChanged.properties
      + SameAgain.properties)

  static let write16 = Rule(
    "WRITE-16", .implementation,
    "Changing a managed List/Set/Map, or bulk-setting through Results, outside a write MUST "
      + "die.",
    source: "(impl).",
    broken: "only property setters guarded",
    probes: Probe.each(
      saying: Words.outsideWrite, "Attempting to modify object outside",
      acts: [
        .init("append") { $0.person("Ann").dogs.append(Dog(name: "x")) },
        .init("insert") { $0.person("Ann").dogs.insert(Dog(name: "x"), at: 0) },
        .init("remove") { $0.person("Ann").dogs.remove(at: 0) },
        .init("removeAll") { $0.person("Ann").dogs.removeAll() },
        .init("move") { $0.person("Ann").dogs.move(from: 0, to: 1) },
      ]) + [
        Probe.dies("a set's insert", saying: Words.outsideWrite) { stage in
          let realm = try stage.open()
          let all = try realm.write { realm.create(Everything.self) }
          stage.act { all.words.insert("x") }
        },
        Probe.dies("a map's value", saying: Words.outsideWrite) { stage in
          let realm = try stage.open()
          let all = try realm.write { realm.create(Everything.self) }
          stage.act { all.scores["x"] = 1 }
        },
      ] + Probe.changesOutside([.collection]) + Empties.probes + SameAgain.collections)

  static let write17 = Rule(
    "WRITE-17", .implementation,
    "add/create/delete outside a write MUST die.",
    source: "(impl).",
    broken: "queueing the change",
    probes: Probe.each(
      saying: Words.onlyInWrite,
      acts: [
        .init("add") { $0.add(Person(name: "x")) },
        .init("create") { use($0.create(Person.self, value: ["name": "x"])) },
        .init("delete") { $0.delete($0.person("Ann")) },
        .init("delete of results") { $0.delete($0.objects(Person.self)) },
        .init("deleteAll") { $0.deleteAll() },
        .init("add of several") { $0.add([Person(name: "x"), Person(name: "y")]) },
        .init("add with a policy") { $0.add(Account(id: 1), update: .modified) },
        .init("create with a policy") {
          use($0.create(Account.self, value: ["id": 1], update: .all))
        },
        .init("delete of several") { $0.delete(Array($0.objects(Person.self))) },
        .init("delete of filtered results") { realm in
          realm.delete(realm.objects(Person.self).where { $0.age > 100 })
        },
        .init("delete of a list") { $0.delete($0.person("Ann").dogs) },
        .init("delete of links backwards") { $0.delete($0.person("Ann").dogs[0].owners) },
      ]) + Probe.deletesOutside + NothingChanged.deletions + NothingNew.probes)

  static let write26 = Rule(
    "WRITE-26", .documented,
    "Begin on a read-only realm MUST die.",
    source: "S4 Observation Limitations mentions read-only realms; RS/Realm.swift doc.",
    broken: "error only at commit",
    probes: ["beginWrite", "write", "beginAsyncWrite", "writeAsync"].map { verb in
      Probe.dies(verb, saying: Words.readOnly) { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        stage.act {
          switch verb {
          case "beginWrite": realm.beginWrite()
          case "write": try realm.write {}
          case "beginAsyncWrite": realm.beginAsyncWrite {}
          default: realm.writeAsync {}
          }
        }
      }
    })
}
