import EngineUnderTest
import Foundation
import Harness
import Synchronization

extension Rules.Ref {
  static let references: [Rule] = [
    ref01, ref02, ref03, ref04, ref05, ref06, ref07, ref08, ref09, ref10, ref11,
  ]

  static let ref01 = Rule(
    "REF-01", .documented,
    "`ThreadSafeReference(to:)` MUST accept managed objects (with or without primary key), "
      + "embedded objects, List, MutableSet, Map, LinkingObjects, Results and "
      + "AnyRealmCollection.",
    source: "S0/S1 (\"any object, regardless of whether it has a primary key ... also lists and "
      + "results\").",
    broken: "primary-key lookup inside",
    probes: [
      Probe("every kind of thing crosses by reference") { stage in
        let realm = try stage.stocked()
        try realm.write {
          let all = realm.create(Everything.self)
          all.words.insert("w")
          all.scores["k"] = 5
          all.embedded = Address()
          all.embedded!.street = "Main"
          realm.add(Todo(value: ["name": "keyed"]))
        }
        let all = realm.objects(Everything.self).first!
        let keyless = ThreadSafeReference(to: realm.person("Ann"))
        let keyed = ThreadSafeReference(to: realm.account(1))
        let embedded = ThreadSafeReference(to: all.embedded!)
        let list = ThreadSafeReference(to: realm.person("Ann").dogs)
        let set = ThreadSafeReference(to: all.words)
        let map = ThreadSafeReference(to: all.scores)
        let results = ThreadSafeReference(to: realm.objects(Person.self).where { $0.age > 35 })
        let owners = ThreadSafeReference(to: realm.person("Ann").dogs[0].owners)
        try stage.elsewhere {
          let other = try stage.open()
          stage.equal(other.resolve(keyless)?.name, "Ann", "an object without a key")
          stage.equal(other.resolve(keyed)?.balance, 100, "an object with a key")
          stage.equal(other.resolve(embedded)?.street, "Main", "an embedded object")
          stage.equal(other.resolve(list)?.count, 2, "a list")
          stage.equal(other.resolve(set)?.contains("w"), true, "a set")
          stage.equal(other.resolve(map)?["k"], 5, "a map")
          stage.equal(other.resolve(results)?.count, 2, "results")
          stage.equal(other.resolve(owners)?.first?.name, "Ann", "linking objects")
        }
      }
    ] + RefKinds.everywhere + [RefByName.probe])

  static let ref02 = Rule(
    "REF-02", .documented,
    "`Realm.resolve(_:)` on another thread MUST return the same entity bound to that realm.",
    source: "S0/S1 steps 1-3; S4 Pass a ThreadSafeReference.",
    broken: "frozen or copied object",
    probes: [
      Programs.sending.probe,
      Probe("a resolved object is the same entity, bound to the other realm") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let reference = ThreadSafeReference(to: ann)
        try stage.elsewhere {
          let other = try stage.open()
          let there = other.resolve(reference)!
          stage.expect(there.realm == other, "the object's realm is the one that resolved it")
          stage.equal(there.isFrozen, false, "whether it is frozen")
          try other.write { there.age = 77 }
        }
        realm.refresh()
        stage.equal(ann.age, 77, "Ann's age here")
      },
    ] + [.derivedReferences] + [Mixture.crossings] + Probe.manyReferences
      + RealmMake.allCases.map { .referencesInStates($0) } + RefSameness.probes)

  static let ref03 = Rule(
    "REF-03", .documented,
    "A reference MUST be resolvable only once; the second attempt MUST die.",
    source: "S0/S1/S4 (\"exactly once\").",
    broken: "allows two",
    probes: [
      Probe.dies("a second resolve", saying: "Can only resolve a thread safe reference once") {
        stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.person("Ann"))
        try stage.elsewhere {
          let other = try stage.open()
          use(other.resolve(reference))
          stage.act { use(other.resolve(reference)) }
        }
      },
      Probe.dies(
        "a second resolve after the first gave nil",
        saying: "Can only resolve a thread safe reference once"
      ) { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.account(1))
        try realm.write { realm.delete(realm.account(1)) }
        try stage.elsewhere {
          let other = try stage.open()
          stage.expect(other.resolve(reference) == nil, "the first resolve is nil")
          stage.act { use(other.resolve(reference)) }
        }
      },
    ] + RefKinds.twice)

  static let ref04 = Rule(
    "REF-04", .implementation,
    "Copies of the reference struct MUST share that state.",
    source: "(impl) the struct wraps one reference object.",
    broken: "per-copy flag",
    probes: [
      Probe.dies(
        "a copy of a reference that was resolved",
        saying: "Can only resolve a thread safe reference once"
      ) { stage in
        let realm = try stage.stocked()
        let one = ThreadSafeReference(to: realm.person("Ann"))
        let two = one
        try stage.elsewhere {
          let other = try stage.open()
          use(other.resolve(one))
          stage.act { use(other.resolve(two)) }
        }
      },
      RefRefusals.copies,
    ])

  static let ref05 = Rule(
    "REF-05", .implementation,
    "`isInvalidated` MUST be false before and true after resolution.",
    source: "RS/ThreadSafeReference.swift:93-97.",
    broken: "never set",
    probes: [
      Probe("isInvalidated tells whether a reference was used") { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.person("Ann"))
        let lost = ThreadSafeReference(to: realm.account(1))
        try realm.write { realm.delete(realm.account(1)) }
        try stage.elsewhere {
          let other = try stage.open()
          stage.equal(reference.isInvalidated, false, "before")
          use(other.resolve(reference))
          stage.equal(reference.isInvalidated, true, "after")
          stage.equal(lost.isInvalidated, false, "before, of an object that is gone")
          // How new a realm is that has resolved something older is another rule's question.
          other.refresh()
          stage.expect(other.resolve(lost) == nil, "what is gone resolves to nil")
          stage.equal(lost.isInvalidated, true, "after a nil")
        }
      }
    ] + [.usedUp] + RefUnused.probes)

  static let ref06 = Rule(
    "REF-06", .implementation,
    "Two threads resolving the same reference concurrently: exactly one gets it, the other "
      + "dies; no third outcome.",
    source: "SEND (Sendable type must be safe).",
    broken: "two threads both get an object; crash by data race",
    probes: [1, 2, 3].map { turn in
      Probe.dies(
        "two threads resolve at once, time \(turn): one of them",
        saying: "Can only resolve a thread safe reference once"
      ) { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.person("Ann"))
        let start = Latch("the start")
        let arrived = Atomic(0)
        let resolved = Stamps()
        for number in 0..<2 {
          stage.thread("resolver \(number)") {
            let other = try stage.open()
            use(other.person("Bob").age)
            try stage.wait(for: start)
            // Whoever sleeps is woken too late on a busy machine: they meet awake.
            arrived.add(1, ordering: .acquiringAndReleasing)
            while arrived.load(ordering: .acquiring) < 2 { sched_yield() }
            use(other.resolve(reference))
            resolved.draw()
          }
        }
        stage.act {
          start.open()
          try stage.joinAll()
        }
      }
    })

  static let ref07 = Rule(
    "REF-07", .implementation,
    "A reference to an unmanaged object MUST die.",
    source: "RST/ThreadSafeReferenceTests.swift:36.",
    broken: "reference of unmanaged passes the object itself",
    probes: [
      Probe.dies("an unmanaged object", saying: "Cannot construct reference to unmanaged object") {
        stage in
        let person = Person(name: "x")
        stage.act { use(ThreadSafeReference(to: person)) }
      }
    ] + RefRefusals.unmanaged)

  static let ref08 = Rule(
    "REF-08", .implementation,
    "A reference to an invalidated object or realm MUST die.",
    source: "same.",
    broken: "reference resolves to nil later instead",
    probes: [
      Probe.dies("a deleted object", saying: "Cannot construct reference to invalidated object") {
        stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        try realm.write { realm.delete(account) }
        stage.act { use(ThreadSafeReference(to: account)) }
      },
      Probe.dies(
        "an object of an invalidated realm",
        saying: "Cannot construct reference to invalidated object"
      ) { stage in
        let realm = try stage.stocked()
        let account = realm.account(1)
        realm.invalidate()
        stage.act { use(ThreadSafeReference(to: account)) }
      },
    ] + Probe.deadReferences)

  static let ref09 = Rule(
    "REF-09", .documented,
    "If the object has been deleted in the version at which it is resolved, `resolve` MUST "
      + "return nil.",
    source: "S0/S1 code comments (\"person was deleted\").",
    broken: "returns invalidated accessor; dies",
    probes: [
      Programs.sendingTheDead.probe,
      Probe("what was deleted resolves to nil") { stage in
        let realm = try stage.stocked()
        let inWrite = ThreadSafeReference(to: realm.account(1))
        let outside = ThreadSafeReference(to: realm.account(2))
        try realm.write { realm.delete(realm.objects(Account.self)) }
        try stage.elsewhere {
          let other = try stage.open()
          try other.write { stage.expect(other.resolve(inWrite) == nil, "nil in a write") }
          stage.expect(other.resolve(outside) == nil, "nil outside a write")
        }
      },
    ] + Revenants.probes(.reference) + Referred.probes(.reference) + Probe.bereftCollections
      + [Lives.ofReferences.probe, HeldThrough.referred])

  static let ref10 = Rule(
    "REF-10", .documented,
    "Resolving inside a write MUST give the latest state.",
    source: "S0/S1 code comment; S4 (\"must resolve within a write transaction\").",
    broken: "source version state",
    probes: [
      Probe("a resolve inside a write gives the latest state") { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.account(1))
        try stage.elsewhere {
          let other = try stage.open()
          use(other.account(1).balance)
          try stage.foreign { $0.account(1).balance = 7 }
          try other.write { stage.equal(other.resolve(reference)?.balance, 7, "the balance") }
        }
      }
    ])

  static let ref11 = Rule(
    "REF-11", .documented,
    "Resolving outside a write MUST be possible too.",
    source: "S0/S1 step 3 (no write mentioned); S4 (within a write)",
    broken: "refused outside a write; refused inside a write",
    probes: [
      Probe("a reference resolves outside and inside a write") { stage in
        let realm = try stage.stocked()
        let one = ThreadSafeReference(to: realm.account(1))
        let two = ThreadSafeReference(to: realm.account(2))
        try stage.elsewhere {
          let other = try stage.open()
          stage.equal(other.resolve(one)?.balance, 100, "outside a write")
          try other.write { stage.equal(other.resolve(two)?.balance, 200, "inside a write") }
        }
      }
    ])
}
