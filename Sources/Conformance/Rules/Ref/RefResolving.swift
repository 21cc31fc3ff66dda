import EngineUnderTest
import Foundation
import Harness

extension Rules.Ref {
  static let resolving: [Rule] = [
    ref12, ref13, ref14, ref15, ref16, ref17, ref18, ref19, ref20, ref21, ref22,
  ]

  static let ref12 = Rule(
    "REF-12", .implementation,
    "After resolving, the target realm MUST NOT be older than the source version of the "
      + "reference; a target that is newer stays where it is.",
    source: "RS/ThreadSafeReference.swift:208; CORE/OS/thread_safe_reference.cpp:54-78.",
    broken: "resolves against the old version (nil for a new object)",
    probes: [
      Probe("a target that is older is moved, one that is newer stays") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        let realm = try stage.open()
        realm.autorefresh = false
        use(realm.account(1).balance)
        var reference: ThreadSafeReference<Account>?
        try stage.elsewhere {
          let other = try stage.open()
          try other.write { other.add(Account(id: 9, balance: 900)) }
          reference = ThreadSafeReference(to: other.account(9))
        }
        stage.equal(realm.resolve(reference!)?.balance, 900, "an object the target did not have")
        let old = ThreadSafeReference(to: realm.account(1))
        try stage.elsewhere {
          let other = try stage.open()
          try other.write { other.account(1).balance = 7 }
          stage.equal(other.resolve(old)?.balance, 7, "the balance in a target that is newer")
        }
      },
      .versionsAround,
      // Whether others see a commit before it is durable is left to the engine (ASYNC-42); a
      // reference decides it.
      Probe("what is committed asynchronously is found before it is durable") { stage in
        let hooks = try stage.hooks()
        hooks.record()
        let realm = try stage.stocked()
        let target = DispatchQueue(label: "target")
        let behind = try stage.on(target) {
          let realm = try Realm(configuration: stage.configuration(), queue: target)
          use(realm.account(1).balance)
          return realm
        }
        let (flushing, release) = (Latch("the flush"), Latch("the flush's release"))
        hooks.beforeFlush {
          flushing.open()
          _ = release.wait(stage.patience)
        }
        realm.beginWrite()
        realm.add(Account(id: 9, balance: 900))
        var completed = false
        realm.commitAsyncWrite { _ in completed = true }
        let one = ThreadSafeReference(to: realm.account(9))
        let all = ThreadSafeReference(to: realm.objects(Account.self))
        let count = realm.objects(Account.self).count
        try stage.wait(for: flushing)
        stage.on(target) {
          stage.equal(behind.resolve(one)?.balance, 900, "a new object")
          stage.equal(behind.resolve(all)?.count, count, "the number of objects")
        }
        hooks.beforeFlush(nil)
        release.open()
        try stage.spin(until: { completed }, "the completion")
      },
    ])

  static let ref13 = Rule(
    "REF-13", .implementation,
    "A target realm without a read transaction MAY start reading at the reference's source "
      + "version instead of the latest.",
    source: "(impl) thread_safe_reference.cpp:58-72; TOS 195-249.",
    broken: "resolves at some version older than the source",
    probes: [
      Probe("a realm without a read begins at the source's version or later") { stage in
        let old = Latch("a realm on an older version")
        let release = Latch("the end")
        let realm = try stage.stocked()
        try realm.write { realm.account(1).balance = 1 }
        stage.thread("old") {
          let behind = try stage.open()
          use(behind.account(1).balance)
          old.open()
          try stage.wait(for: release)
          use(behind.account(1).balance)
        }
        try stage.wait(for: old)
        defer { release.open() }
        try realm.write { realm.account(1).balance = 100 }
        let reference = ThreadSafeReference(to: realm.account(1))
        try stage.foreign { $0.account(1).balance = 7 }
        try stage.elsewhere {
          let other = try stage.open()
          other.invalidate()
          let balance = other.resolve(reference)?.balance
          stage.expect(balance == 100 || balance == 7, "100 or 7", observed: "\(balance ?? -1)")
          other.refresh()
          stage.equal(other.account(1).balance, 7, "the balance after a refresh")
        }
      }
    ])

  static let ref14 = Rule(
    "REF-14", .documented,
    "An unresolved, living reference pins the source version; resolving or releasing it "
      + "MUST unpin.",
    source: "S0/S1/S4 Important notes.",
    broken: "pin leaks after resolve; never pins Results (resolve fails after source version gone)",
    probes: [
      Probe("results that are referred to keep their version until they are resolved") { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(
          to: realm.objects(Account.self).where { $0.balance > 150 })
        for round in 0..<20 { try stage.foreign { $0.account(1).note = "\(round)" } }
        try stage.elsewhere {
          let other = try stage.open()
          stage.equal(other.resolve(reference)?.count, 2, "the accounts found")
        }
        for round in 0..<20 { try stage.foreign { $0.account(1).note = "\(round)" } }
        stage.equal(try stage.seen { $0.account(1).note }, "19", "the last note")
      },
      Probe("references that were resolved let their versions go") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.maximumNumberOfActiveVersions = 12
        let realm = try Realm(configuration: configuration)
        var kept: [ThreadSafeReference<Results<Account>>] = []
        for round in 1...30 {
          let reference = ThreadSafeReference(to: realm.objects(Account.self))
          kept.append(reference)
          try realm.write { realm.account(1).balance = round }
          stage.equal(realm.resolve(reference)?.count, 3, "the accounts of round \(round)")
        }
        stage.equal(kept.count, 30, "the references that are still there")
      },
    ] + RefErased.kept)

  static let ref15 = Rule(
    "REF-15", .implementation,
    "A reference created in a write to an object made in that write MUST resolve after the "
      + "commit, and to nil after a cancel.",
    source: "(impl) TOS 834, 966.",
    broken: "nil always",
    probes: [
      Probe("a reference made in a write to what the write made") { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        let kept = realm.create(Account.self, value: ["id": 8, "balance": 80])
        let keptReference = ThreadSafeReference(to: kept)
        try realm.commitWrite()
        realm.beginWrite()
        let lost = realm.create(Account.self, value: ["id": 9, "balance": 90])
        let lostReference = ThreadSafeReference(to: lost)
        realm.cancelWrite()
        try stage.elsewhere {
          let other = try stage.open()
          stage.equal(other.resolve(keptReference)?.balance, 80, "after a commit")
          stage.expect(other.resolve(lostReference) == nil, "nil after a cancellation")
        }
      },
      Probe("a reference made in a write, in realms that are on every version before") { stage in
        let realm = try stage.stocked()
        let release = Latch("the commit")
        var references: [[ThreadSafeReference<Account>]] = []
        var readers: [Cast.Member] = []
        for number in 0..<4 {
          // The last reader is on the version that the write begins with.
          try realm.write { realm.account(1).balance = number }
          let began = Latch("reader \(number)")
          readers.append(
            stage.thread("reader \(number)") {
              let other = try stage.open()
              use(other.account(1).balance)
              began.open()
              try stage.wait(for: release)
              for (made, reference) in references[number].enumerated() {
                let found = other.resolve(reference)
                stage.equal(found?.id, 50 + made, "object \(made) for reader \(number)")
                stage.equal(found?.balance, 9, "its balance for reader \(number)")
              }
              // The realm shows all of the write that the reference came from.
              stage.equal(other.account(1).balance, 1_000, "the balance of reader \(number)")
            })
          try stage.wait(for: began)
        }
        realm.beginWrite()
        realm.account(1).balance = 999
        let made = (0..<3).map { realm.create(Account.self, value: ["id": 50 + $0]) }
        references = (0..<4).map { _ in made.map { ThreadSafeReference(to: $0) } }
        for account in made { account.balance = 9 }
        realm.account(1).balance = 1_000
        try realm.commitWrite()
        release.open()
        for reader in readers { try stage.join(reader) }
      },
    ] + Probe.replacedReferences + InGroups.references + RefLost.probes)

  static let ref16 = Rule(
    "REF-16", .implementation,
    "A reference to query Results created inside a write that has already made changes MUST "
      + "fail.",
    source: "(impl).",
    broken: "resolves to wrong or empty results silently",
    probes: [
      Probe.dies(
        "results in a write that has changes",
        saying: "Can only duplicate a write transaction before any changes have been made",
        "Cannot create a ThreadSafeReference to Results backed by"
      ) { stage in
        let realm = try stage.stocked()
        realm.beginWrite()
        realm.add(Account(id: 9))
        let results = realm.objects(Account.self).where { $0.balance > 100 }
        stage.act { use(ThreadSafeReference(to: results)) }
      }
    ] + RefRefusals.queriesInWrites + RefErased.inWrites)

  static let ref17 = Rule(
    "REF-17", .implementation,
    "Making a reference MUST NOT disturb the source object: it stays usable.",
    source: "RS/ThreadSafeReference.swift:104.",
    broken: "source invalidated by handing over",
    probes: [
      Probe("the source stays usable") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let reference = ThreadSafeReference(to: ann)
        stage.equal(ann.age, 30, "Ann's age")
        try realm.write { ann.age = 31 }
        try stage.elsewhere { use(try stage.open().resolve(reference)) }
        try realm.write { ann.age += 1 }
        stage.equal(ann.age, 32, "Ann's age in the end")
      }
    ])

  static let ref18 = Rule(
    "REF-18", .implementation,
    "Resolving on the source thread itself MUST work.",
    source: "(impl) TOS 271.",
    broken: "refused or duplicate accessor of another instance",
    probes: [
      Probe("a reference resolves where it was made") { stage in
        let realm = try stage.stocked()
        let ann = realm.person("Ann")
        let there = realm.resolve(ThreadSafeReference(to: ann))
        stage.equal(there?.age, 30, "Ann's age")
        stage.expect(there?.realm == realm, "the same realm")
        stage.equal(there?.isSameObject(as: ann), true, "whether it is the same object")
      }
    ])

  static let ref19 = Rule(
    "REF-19", .implementation,
    "References into read-only realms MUST work.",
    source: "(impl) TOS 314-343; issue #5475.",
    broken: "reference needs a write lock",
    probes: [
      Probe("references into a read-only realm") { stage in
        try stage.elsewhere { _ = try stage.stocked() }
        var configuration = stage.configuration()
        configuration.readOnly = true
        let readOnly = configuration
        let realm = try Realm(configuration: readOnly)
        let object = ThreadSafeReference(to: realm.person("Ann"))
        let results = ThreadSafeReference(to: realm.objects(Dog.self).where { $0.age > 1 })
        try stage.elsewhere {
          let other = try Realm(configuration: readOnly)
          stage.equal(other.resolve(object)?.age, 30, "Ann's age")
          stage.equal(other.resolve(results)?.count, 3, "the number of old dogs")
        }
      }
    ] + [RefKinds.readOnly])

  static let ref20 = Rule(
    "REF-20", .implementation,
    "A reference to a frozen object is allowed.",
    source: "RS/ThreadSafeReference.swift:50.",
    broken: "dies",
    probes: [
      Probe("a reference to a frozen object") { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.person("Ann").freeze())
        try stage.elsewhere {
          stage.equal(try stage.open().resolve(reference)?.age, 30, "Ann's age")
        }
      }
    ] + RefFrozen.probes + [Probe.frozenBringTheirVersion])

  static let ref21 = Rule(
    "REF-21", .implementation,
    "Resolving with a realm of another file MUST NOT return an object of that other file.",
    source:
      "(impl) unchecked in real Realm (key reinterpretation possible). Recommend: die or nil.",
    broken: "object with the same key of the other file returned",
    probes: [
      Probe("a realm of another file does not hand out its own object") { stage in
        let one = try stage.stocked("one")
        let two = try stage.stocked("two")
        try two.write { two.account(1).balance = 4711 }
        let reference = ThreadSafeReference(to: one.account(1))
        // Nil and a refusal are both fine; an object of the other file is not.
        let resolved = two.resolve(reference)
        stage.expect(resolved == nil, "nil", observed: "balance \(resolved?.balance ?? -1)")
      }
    ] + Probe.referencesToNeighbours)

  static let ref22 = Rule(
    "REF-22", .documented,
    "`resolve` called from the wrong thread for the target realm MUST die.",
    source: "S0 rule 3",
    broken: "resolves on the wrong thread",
    probes: [
      Probe.dies("resolve on a foreign thread", saying: Words.wrongThread) { stage in
        let realm = try stage.stocked()
        let reference = ThreadSafeReference(to: realm.person("Ann"))
        try stage.elsewhere { stage.act { use(realm.resolve(reference)) } }
      }
    ] + RefKinds.offHome)
}
