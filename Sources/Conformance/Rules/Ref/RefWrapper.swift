import EngineUnderTest
import Foundation
import Harness

extension Rules.Ref {
  static let wrapper: [Rule] = [
    ref23, ref24, ref25, ref26, ref27, ref28, ref29, ref30, ref31,
  ]

  static let ref23 = Rule(
    "REF-23", .documented,
    "`@ThreadSafe` variables MUST be optional in type whatever is wrapped.",
    source: "S0 Use the @ThreadSafe Wrapper.",
    broken: "non-optional projected type",
    probes: [
      Probe("a wrapped variable is optional") { stage in
        try stage.compiles(
          "class Model: Object {}\nfunc f(_ m: Model) { @ThreadSafe var reference = m; let x: "
            + "Model? = reference; _ = x }"
        )
        try stage.doesNotCompile(
          "class Model: Object {}\nfunc f(_ m: Model) { @ThreadSafe var reference = m; let x: "
            + "Model = reference; _ = x }",
          saying: "optional")
      }
    ])

  static let ref24 = Rule(
    "REF-24", .documented,
    "Reading a `@ThreadSafe` variable MUST give the object resolved for the reading thread, "
      + "any number of times, on any number of threads.",
    source: "S0 steps; RS/ThreadSafeReference.swift:119-135.",
    broken: "second read dies (single-use)",
    probes: [
      Probe("a wrapped object is read on many threads, many times") { stage in
        let realm = try stage.stocked()
        let wrapped = ThreadSafe(wrappedValue: realm.person("Ann"))
        for number in 0..<3 {
          stage.thread("reader \(number)") {
            for _ in 0..<5 { stage.equal(wrapped.wrappedValue?.age, 30, "Ann's age") }
          }
        }
        try stage.joinAll()
        stage.equal(wrapped.wrappedValue?.age, 30, "Ann's age here")
      },
      Probe("what was written through the variable elsewhere is what is read here") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let wrapped = ThreadSafe(wrappedValue: realm.person("Ann"))
        try stage.elsewhere {
          try wrapped.wrappedValue?.realm?.write { wrapped.wrappedValue?.age = 77 }
        }
        stage.equal(wrapped.wrappedValue?.age, 77, "Ann's age")
      },
    ])

  static let ref25 = Rule(
    "REF-25", .documented,
    "If the object was deleted the variable MUST become nil and stay nil, also when another "
      + "object is added later under the same key.",
    source: "S0.",
    broken: "invalidated object; another object under the old one's key",
    probes: [
      Programs.variables.probe,
      Probe("a wrapped object that is deleted becomes nil and stays nil") { stage in
        let realm = try stage.stocked()
        let wrapped = ThreadSafe(wrappedValue: realm.account(1))
        try stage.foreign { $0.delete($0.account(1)) }
        try stage.elsewhere {
          stage.expect(wrapped.wrappedValue == nil, "nil")
          stage.expect(wrapped.wrappedValue == nil, "nil the second time")
        }
      },
      Probe("it stays nil when another object is added under the key") { stage in
        let realm = try stage.stocked()
        let wrapped = (1...3).map { ThreadSafe(wrappedValue: realm.account($0)) }
        try stage.foreign { $0.delete($0.account(1)) }
        try stage.elsewhere { stage.expect(wrapped[0].wrappedValue == nil, "nil") }
        try stage.foreign { $0.add(Account(id: 1, balance: 7)) }
        try stage.foreign { $0.delete($0.account(2)) }
        try stage.foreign { $0.add(Account(id: 2, balance: 7)) }
        try stage.foreign { realm in
          realm.delete(realm.account(3))
          realm.add(Account(id: 3, balance: 7))
        }
        try stage.elsewhere {
          stage.expect(wrapped[0].wrappedValue == nil, "nil, where nil was read before")
          stage.expect(wrapped[1].wrappedValue == nil, "nil, where nothing was read before")
          stage.expect(wrapped[2].wrappedValue == nil, "nil, where it was one write")
          stage.equal(try stage.open().account(1).balance, 7, "the other object's balance")
        }
      },
      Probe("a mixed value that led to it stays without it") { stage in
        var configuration = stage.configuration()
        configuration.objectTypes = Models.all + [Crate.self]
        let realm = try Realm(configuration: configuration)
        try realm.write {
          Stage.stock(realm)
          let crate = realm.create(Crate.self)
          crate.any = .object(realm.account(1))
          crate.list.append(.object(realm.account(1)))
          crate.map["one"] = .object(realm.account(1))
        }
        try realm.write { realm.delete(realm.account(1)) }
        try realm.write { realm.add(Account(id: 1, balance: 7)) }
        let crate = realm.objects(Crate.self)[0]
        let values: [AnyRealmValue?] = [crate.any, crate.list[0], crate.map["one"]]
        for (value, place) in zip(values, ["property", "list", "map"]) {
          stage.expect(value?.object(Account.self) == nil, "no account in the \(place)")
        }
      },
    ] + Revenants.probes(.wrapped) + Referred.probes(.variable)
      + [Lives.ofVariables.probe] + Departed.probes)

  static let ref26 = Rule(
    "REF-26", .implementation,
    "Assignment MUST re-target (another managed object, nil); assigning or initialising "
      + "with an unmanaged object MUST die.",
    source: "RST 377, 423, 442, 525, 791.",
    broken: "old target kept after reassignment; unmanaged accepted",
    probes: [
      Probe("assignment re-targets") { stage in
        let realm = try stage.stocked()
        let wrapped = ThreadSafe(wrappedValue: realm.person("Ann"))
        wrapped.wrappedValue = realm.person("Bob")
        try stage.elsewhere { stage.equal(wrapped.wrappedValue?.name, "Bob", "the name") }
        wrapped.wrappedValue = nil
        try stage.elsewhere { stage.expect(wrapped.wrappedValue == nil, "nil") }
      },
      Probe.dies(
        "an unmanaged object is wrapped",
        saying: "Only managed objects may be wrapped as thread safe"
      ) { stage in
        let person = Person(name: "x")
        stage.act { use(ThreadSafe(wrappedValue: person)) }
      },
      Probe.dies(
        "an unmanaged object is assigned",
        saying: "Only managed objects may be wrapped as thread safe"
      ) { stage in
        let wrapped = ThreadSafe(wrappedValue: try stage.stocked().person("Ann"))
        let person = Person(name: "x")
        stage.act { wrapped.wrappedValue = person }
      },
    ] + Revenants.probes(.assigned) + Revenants.probes(.assignedAgain) + [RefRetargeted.probe])

  static let ref27 = Rule(
    "REF-27", .documented,
    "`@ThreadSafe` MUST work on function parameters, local variables captured by dispatched "
      + "blocks, and properties.",
    source: "S0 function-parameter example.",
    broken: "wrapper unusable in closures or as parameter",
    probes: [
      Probe("parameters, captured variables and properties") { stage in
        try stage.compiles(
          """
          class Person: Object { @Persisted var name: String }
          class Holder { @ThreadSafe var person: Person? }
          func update(@ThreadSafe person: Person?) { _ = person?.name }
          func f(_ p: Person) {
            let holder = Holder()
            holder.person = p
            update(person: p)
            @ThreadSafe var reference = p
            DispatchQueue(label: "background").async { _ = reference?.name }
          }
          """, mode: 5)
      }
    ])

  static let ref28 = Rule(
    "REF-28", .implementation,
    "`@ThreadSafe` MUST resolve in the realm configuration of the wrapped object, not the "
      + "default.",
    source: "(impl) RST 500.",
    broken: "default configuration",
    probes: [
      Probe("a wrapped object resolves in its own configuration") { stage in
        Realm.Configuration.defaultConfiguration = stage.configuration("default")
        let configuration = Realm.Configuration(
          inMemoryIdentifier: "memory", objectTypes: Models.all)
        let realm = try Realm(configuration: configuration)
        try realm.write { Stage.stock(realm) }
        let wrapped = ThreadSafe(wrappedValue: realm.person("Ann"))
        try stage.elsewhere { stage.equal(wrapped.wrappedValue?.age, 30, "Ann's age") }
      }
    ] + Probe.variablesOfNeighbours + [RefRetargeted.probe])

  static let ref29 = Rule(
    "REF-29", .documented,
    "`@ThreadSafe` read inside a write of the current thread's realm MUST give an object "
      + "that is writable in that transaction.",
    source: "S0 example (personRef inside realm.write).",
    broken: "separate instance",
    probes: [
      Probe("a wrapped object read inside a write is written there") { stage in
        let realm = try stage.stocked()
        let wrapped = ThreadSafe(wrappedValue: realm.person("Ann"))
        try stage.elsewhere {
          let other = try stage.open()
          try other.write { wrapped.wrappedValue?.age = 77 }
        }
        realm.refresh()
        stage.equal(realm.person("Ann").age, 77, "Ann's age")
      }
    ])

  static let ref30 = Rule(
    "REF-30", .implementation,
    "`@ThreadSafe` MUST hold for List, MutableSet, Map, Results, LinkingObjects, "
      + "AnyRealmCollection.",
    source: "(impl) RST 540-689.",
    broken: "works for objects only",
    probes: [
      Probe("collections are wrapped as well") { stage in
        let realm = try stage.stocked()
        let list = ThreadSafe(wrappedValue: realm.person("Ann").dogs)
        let results = ThreadSafe(wrappedValue: realm.objects(Person.self).where { $0.age > 35 })
        let owners = ThreadSafe(wrappedValue: realm.person("Ann").dogs[0].owners)
        let all = try realm.write { realm.create(Everything.self) }
        let set = ThreadSafe(wrappedValue: all.words)
        let map = ThreadSafe(wrappedValue: all.scores)
        try stage.elsewhere {
          stage.equal(list.wrappedValue?.count, 2, "a list")
          stage.equal(results.wrappedValue?.count, 2, "results")
          stage.equal(owners.wrappedValue?.count, 1, "linking objects")
          stage.equal(set.wrappedValue?.count, 0, "a set")
          stage.equal(map.wrappedValue?.count, 0, "a map")
        }
      },
      Probe("a collection that grew through the variable has grown for the next reader") { stage in
        let realm = try stage.stocked()
        realm.autorefresh = false
        let list = ThreadSafe(wrappedValue: realm.person("Ann").dogs)
        let results = ThreadSafe(wrappedValue: realm.objects(Dog.self))
        let count = realm.objects(Dog.self).count
        try stage.elsewhere {
          try list.wrappedValue?.realm?.write { list.wrappedValue?.append(Dog()) }
          stage.equal(results.wrappedValue?.count, count + 1, "the results there")
        }
        stage.equal(list.wrappedValue?.count, 3, "the list")
        stage.equal(results.wrappedValue?.count, count + 1, "the results")
      },
    ] + [RefKinds.variables])

  static let ref31 = Rule(
    "REF-31", .documented,
    "Both `ThreadSafeReference` and `ThreadSafe` MUST be `Sendable`.",
    source: "S0 Sendable Conformance.",
    broken: "conformance conditional on the wrapped type",
    probes: [
      Probe("both are Sendable, whatever they carry") { stage in
        try stage.compiles(
          "class Model: Object {}\nfunc need<T: Sendable>(_: T.Type) {}\nfunc f<C: "
            + "ThreadConfined>(_: C.Type) { need(ThreadSafeReference<C>.self); "
            + "need(ThreadSafe<C>.self) }"
        )
      }
    ])
}

/// A row that may lead to any other.
private final class Crate: Object {
  @Persisted var any: AnyRealmValue
  @Persisted var list: List<AnyRealmValue>
  @Persisted var map: Map<String, AnyRealmValue>
}
